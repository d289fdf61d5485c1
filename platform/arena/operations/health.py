"""Health probes of a web process: ``/healthz`` (is it alive?) and ``/readyz`` (may it receive requests?).

They are answered before any other middleware, because probes come by IP address and without TLS.
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
LEAVING: Final = threading.Event()  # set while this process shuts down: see ``arena.serving``
LOOK_EVERY: Final = 2.0  # seconds for which a result is cached


class ProbeMiddleware:
    """Answer ``/healthz`` with 200, and ``/readyz`` with 200 or 503; see ``Readiness``."""

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
    """Check whether the database answers and has all migrations of this code; without them no page can be served.

    The state of the Redis ``servers`` is reported but does not make a process unready: most pages work without them. If
    it did, the load balancer would take all web processes out of service, and with them these pages.
    """

    def __init__(self) -> None:
        self._state: dict[str, bool] = {}
        self._until = 0.0
        self._migrated = False
        self._looking = threading.Lock()

    def found(self) -> dict[str, bool]:
        """Return the state of each dependency. It is at most as old as ``LOOK_EVERY`` seconds plus the time that a
        check takes. Of several simultaneous callers, one checks. The others get the previous state; only before the
        first check has ended do they wait.
        """
        if time.monotonic() >= self._until and self._looking.acquire(blocking=not self._state):
            try:
                if time.monotonic() >= self._until:
                    self._look()
            finally:
                self._looking.release()
        return self._state

    def _look(self) -> None:
        database = self._database()
        self._state = {"database": database, "migrations": self._migrated, "servers": not reachable_silent_servers(0)}
        self._until = time.monotonic() + LOOK_EVERY

    def _database(self) -> bool:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if not self._migrated:  # applied migrations stay applied
                executor = MigrationExecutor(connection)
                self._migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        except Exception as error:
            if not database_is_outage(error):
                raise
            logger.warning("not ready: %s: %s", type(error).__name__, error)
            return False
        return True
