"""Start and stop a site on one machine: ``manage.py up``."""

import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Final

from django.conf import settings
from django.core.management import call_command

from arena.embedded.paths import (
    AlreadyRunning,
    embedded_directory_lock,
    embedded_permissions_tighten,
    embedded_private_directory,
)
from arena.embedded.preparation import (
    SignIn,
    preparation_organiser_ensure,
    preparation_playground_collect,
    preparation_static_files_collect,
)
from arena.embedded.services import (
    WEB,
    background_service,
    demo_service,
    player_service,
    playground_service,
    services_import_all,
    valkey_service,
    web_service,
)
from arena.embedded.supervisor import Supervisor
from arena.embedded.tables import tables_make
from arena.reachable import PATIENCE as SERVER_SECONDS
from arena.reachable import reachable_silent_servers
from arena.settings.environment import EX_TEMPFAIL
from matches.queue.worker_status import worker_status_denied
from sandbox import layers_probe
from web import pyodide

STORE_SECONDS: Final = 30.0
WEB_SECONDS: Final = 60.0
PATIENCE: Final = 1.2  # seconds between the stop signal and SIGKILL


class CannotStart(RuntimeError):
    """The site cannot start; the message says what to do. ``code`` is the exit status."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What to start, and the address to listen on."""

    host: str
    port: int
    workers: int
    demo: bool
    playground: bool = False

    @property
    def address(self) -> str:
        """Return the site's address without a slash at its end, like ``SITE_URL``."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - shown, not bound
        return f"http://{host}:{self.port}"


def embedded_launch(plan: LaunchPlan, say: Callable[[str], None]) -> None:
    """Run the site until SIGINT or SIGTERM. All processes that it started have ended when it returns.

    Raises:
        CannotStart: the message says what prevents the start.
    """
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    try:
        with embedded_directory_lock(settings.VAR_DIR / "up.lock", f"process {os.getpid()} serves {plan.address}/"):
            _refuse_a_taken_port(plan)
            embedded_permissions_tighten(settings.VAR_DIR)
            say("Preparing the database ...")
            tables_make()
            call_command("migrate", verbosity=0, skip_checks=False)
            preparation_static_files_collect()
            services_import_all()
            settings.SITE_URL = settings.SITE_URL or plan.address  # for links in emails and webhooks
            sign_in = preparation_organiser_ensure(kept_in=settings.VAR_DIR / "organiser_password")
            supervisor = Supervisor(say)
            try:
                _start(plan, supervisor, sign_in, say, stop)
                supervisor.watch(stop)
            finally:
                say("Stopping ...")
                supervisor.stop(PATIENCE)
    except AlreadyRunning as error:
        raise CannotStart(
            f"Pecking Order is already running on {settings.VAR_DIR} ({error.note}). "
            "Stop it first, or set PECKING_ORDER_VAR to another directory for a second site."
        ) from None


def _start(plan: LaunchPlan, supervisor: Supervisor, sign_in: SignIn, say: Callable[[str], None], stop: Event) -> None:
    logs = settings.VAR_DIR / "logs"
    logs.mkdir(exist_ok=True)
    if settings.REDIS_IS_EMBEDDED:
        _make_room_for_socket()
        supervisor.start(
            valkey_service(socket=settings.VALKEY_SOCKET, data=settings.VAR_DIR / "valkey", log=logs / "valkey.log")
        )
    patience = STORE_SECONDS if settings.REDIS_IS_EMBEDDED else SERVER_SECONDS
    if not _await(lambda: not reachable_silent_servers(0), patience, stop) and not stop.is_set():
        variable, why = next(iter(reachable_silent_servers(0).items()), ("REDIS_URL", "it was slow"))
        see = f" See {logs / 'valkey.log'}." if settings.REDIS_IS_EMBEDDED else ""
        raise CannotStart(f"{variable}: no Redis or Valkey server answers ({why}).{see}", EX_TEMPFAIL)
    supervisor.start(web_service(logs=logs, host=plan.host, port=plan.port))
    if not _await(lambda: _is_taken(plan), WEB_SECONDS, stop, supervisor.tend):
        if not stop.is_set():
            raise CannotStart(f"The web server does not answer at {plan.address}/: see {logs / 'web.log'}.")
        return
    say(f"Pecking Order is at {plan.address}/")
    say(f"Sign in as {sign_in.name!r} with {_password(sign_in)}.")
    say(f"Data and logs are in {settings.VAR_DIR}. Ctrl-C stops everything.")
    # Done only now, because the probe and the start of the workers would delay the first page.
    caged = _report_cage(say)
    if stop.is_set():
        return
    supervisor.start(background_service(logs=logs, caged=caged))
    if caged:
        for number in range(plan.workers):
            supervisor.start(player_service(logs=logs, number=number))
    if plan.playground:
        if not pyodide.pyodide_version():
            say("The playground follows: npm brings Python for browsers ...")
        supervisor.start(playground_service(then=partial(_open_playground, supervisor, say)))
    if plan.demo and caged:
        supervisor.start(demo_service(address=f"{plan.address}/"))


def _open_playground(supervisor: Supervisor, say: Callable[[str], None]) -> None:
    try:
        is_new = preparation_playground_collect()
    except OSError as error:
        say(f"The playground stays closed: its files were not copied ({error}).")
        return
    if is_new:
        supervisor.restart(WEB, PATIENCE)  # the web server knows only the files that existed when it started
        say("The playground is open.")


def _password(sign_in: SignIn) -> str:
    """Return the words that tell the organiser's password. Only at the first start do they contain the password itself,
    because terminals and log collectors store what is printed. Later they name its file, or say that the organiser has
    chosen another password.
    """
    if sign_in.password is None:
        return "the password you chose"
    file = settings.VAR_DIR / "organiser_password"
    return f"the password {sign_in.password} (kept in {file})" if sign_in.is_new else f"the password kept in {file}"


def _report_cage(say: Callable[[str], None]) -> bool:
    report = layers_probe()
    if report.ok:
        return True
    missing = [f"{layer.name}: {layer.detail}. {layer.fix}" for layer in report.missing]
    worker_status_denied(name=socket.gethostname(), missing=missing)
    say("MATCHES ARE PAUSED: bots run in a cage only, and this machine does not allow one. The site runs without.")
    for sentence in missing:
        say(f"  {sentence}")
    return False


def _make_room_for_socket() -> None:
    directory = settings.VALKEY_SOCKET.parent
    if directory == settings.VAR_DIR:
        return
    try:
        embedded_private_directory(directory)
    except PermissionError as error:
        raise CannotStart(str(error)) from None


def _refuse_a_taken_port(plan: LaunchPlan) -> None:
    family = socket.AF_INET6 if ":" in plan.host else socket.AF_INET
    try:
        with socket.socket(family) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((plan.host, plan.port))
    except OSError as error:
        raise CannotStart(
            f"Cannot listen on {plan.host}, port {plan.port}: {error.strerror}. "
            "Choose another port: 'make run PORT=8001'."
        ) from None


def _is_taken(plan: LaunchPlan) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(plan.host, plan.host)  # noqa: S104 - reached, not bound
    try:
        with socket.create_connection((host, plan.port), timeout=1):
            return True
    except OSError:
        return False


def _await(
    condition: Callable[[], bool], seconds: float, stop: Event, meanwhile: Callable[[], None] = lambda: None
) -> bool:
    """Poll until ``condition`` is true. Return False after ``seconds``, or if ``stop`` is set."""
    until = time.monotonic() + seconds
    while not stop.is_set() and time.monotonic() < until:
        if condition():
            return True
        meanwhile()
        time.sleep(0.1)
    return False
