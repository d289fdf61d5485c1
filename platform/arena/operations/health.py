"""Probes of a process that serves pages: is it alive, and may it be sent requests?

They are answered before anything else looks at the request: a probe comes by number, not by name, and without TLS.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from arena.reachable import reachable_silent_servers
from web.database import database_is_outage

logger = logging.getLogger(__name__)

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
LEAVING: Final = threading.Event()  # set when this process is to stop: see ``arena.serving``
LOOK_EVERY: Final = 2.0  # seconds; in between the last answer is repeated


class ProbeMiddleware:
    """Answers ``/healthz`` while the process answers at all, and ``/readyz`` with 200 or 503; see ``Readiness``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.readiness = Readiness()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in (ALIVE, READY):
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        found = {} if request.path_info == ALIVE else self.readiness.found()
        leaving = request.path_info == READY and LEAVING.is_set()
        ready = not leaving and all(found.get(part, True) for part in ("database", "migrations"))
        status = "ok" if ready else "leaving" if leaving else "unavailable"
        response = JsonResponse({"status": status, **found}, status=200 if ready else 503)
        response["Cache-Control"] = "no-store"
        return response


class Readiness:
    """Whether the database answers and has all migrations of this code: without it no page can be served.

    The ``servers`` of Redis are reported, and decide nothing: while they are away most pages go on, and taking all web
    processes out of service would end those too.
    """

    def __init__(self) -> None:
        self._told: dict[str, bool] = {}
        self._until = 0.0
        self._migrated = False
        self._looking = threading.Lock()

    def found(self) -> dict[str, bool]:
        """Return what answers, as it was at the last look: ``LOOK_EVERY`` seconds ago at most, and the time of a look.
        Of many who ask at once one looks; only at the first look do the others wait for it.
        """
        if time.monotonic() >= self._until and self._looking.acquire(blocking=not self._told):
            try:
                if time.monotonic() >= self._until:
                    self._look()
            finally:
                self._looking.release()
        return self._told

    def _look(self) -> None:
        database = self._database()
        self._told = {"database": database, "migrations": self._migrated, "servers": not reachable_silent_servers(0)}
        self._until = time.monotonic() + LOOK_EVERY

    def _database(self) -> bool:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if not self._migrated:  # what was applied once stays so
                executor = MigrationExecutor(connection)
                self._migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        except Exception as error:
            if not database_is_outage(error):
                raise
            logger.warning("not ready: %s: %s", type(error).__name__, error)
            return False
        return True
