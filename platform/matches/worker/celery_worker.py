"""Signal handlers of Celery workers that run bots: refuse to start without a cage, report presence, and drain."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from celery.signals import celeryd_after_setup, worker_process_shutdown, worker_ready, worker_shutting_down
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from kombu.exceptions import OperationalError

from matches.queue.dispatch import PLAY_TASK, dispatch_queue_of
from matches.queue.worker_status import SEEN_EVERY, worker_gone, worker_is_drained, worker_seen, worker_status_denied
from matches.worker.process import worker_process_close, worker_process_drain_begin, worker_process_drain_set_up
from sandbox import Backend, Cage, SandboxUnavailable

logger = logging.getLogger(__name__)

EXIT_CANNOT_CAGE: Final = 78  # EX_CONFIG: the machine must be configured first
REPLY_SECONDS: Final = 2.0
_stopping = threading.Event()


@celeryd_after_setup.connect
def celery_worker_begin_undrained(**kwargs: Any) -> None:
    """Give this worker a drain state of its own, so that only signals to this worker drain it."""
    worker_process_drain_set_up()


@celeryd_after_setup.connect
def celery_worker_refuse_without_cage(sender: str, instance: Any, **kwargs: Any) -> None:
    """Stop a worker that runs bots if the machine cannot cage them. Other workers then serve its queues."""
    of_bots = {dispatch_queue_of(PLAY_TASK).name, dispatch_queue_of(settings.QUALIFY_TASK).name}
    if of_bots.isdisjoint(instance.app.amqp.queues.consume_from):
        return
    try:
        with Cage.open() as cage:
            if cage.backend is not Backend.OWN:
                logger.warning(
                    "bots are caged by way of %s, where they are slow to start: see docs/explanation/sandbox.md",
                    cage.backend,
                )
        return
    except SandboxUnavailable as denied:
        missing = [f"{layer.name}: {layer.detail}. {layer.fix}" for layer in denied.layers]
    for sentence in missing:
        logger.critical("this worker refuses to run bots; this machine lacks %s", sentence)
    try:
        worker_status_denied(name=sender, missing=missing)
    except DatabaseError:
        logger.exception("the refusal could not be stored")
    raise SystemExit(EXIT_CANNOT_CAGE)


@worker_ready.connect
def celery_worker_show_presence(sender: Any, **kwargs: Any) -> None:
    """Start the thread that reports every few seconds that this worker plays matches."""
    of_bots = {dispatch_queue_of(PLAY_TASK).name, dispatch_queue_of(settings.QUALIFY_TASK).name}
    served = sorted(of_bots.intersection(sender.app.amqp.queues.consume_from))
    if dispatch_queue_of(PLAY_TASK).name in served:
        slots = getattr(sender.controller, "concurrency", None) or 1
        taps = Taps(sender.app.control, sender.hostname, served)
        threading.Thread(target=_be_seen, args=[sender.hostname, slots, taps], name="presence", daemon=True).start()


@worker_shutting_down.connect
def celery_worker_end_presence(**kwargs: Any) -> None:
    """Drain this worker, and stop the thread that reports its presence."""
    worker_process_drain_begin()
    _stopping.set()


@worker_process_shutdown.connect
def celery_worker_close_cage(**kwargs: Any) -> None:
    """Close the cage when a process of the pool ends, so that no process of a bot remains."""
    worker_process_close()


class Taps:
    """The queues of bots from which a worker consumes messages, unless it is drained.

    A drained worker must not consume messages: it would do nothing with them, and other workers would not get them.
    """

    def __init__(self, control: Any, name: str, queues: Sequence[str]) -> None:
        self._control, self._name, self._queues = control, name, queues
        self._are_open = True

    def turn(self, *, drained: bool) -> None:
        """Stop consuming if ``drained``, otherwise start again.

        Call it repeatedly: the state changes only when the worker has confirmed it.
        """
        if self._are_open is not drained:
            return
        order = self._control.cancel_consumer if drained else self._control.add_consumer
        replies = [order(queue, destination=[self._name], reply=True, timeout=REPLY_SECONDS) for queue in self._queues]
        if all(replies):
            self._are_open = not drained
            logger.info("this worker is drained" if drained else "this worker takes work again")


def _be_seen(name: str, slots: int, taps: Taps) -> None:
    while not _stopping.is_set():
        _try(lambda: worker_seen(name=name, slots=slots))
        _try(lambda: taps.turn(drained=worker_is_drained(name)))
        _rest()
        _stopping.wait(SEEN_EVERY.total_seconds())
    _try(lambda: worker_gone(name=name))
    connection.close()


def _rest() -> None:
    """Close a connection to SQLite, but keep a connection to a database server.

    A process that is forked meanwhile inherits the connection. It would close the file of SQLite for its parent, but it
    does not use a connection of psycopg. A server is slower to connect to again: it starts a process for each
    connection.
    """
    if connection.vendor == "sqlite":
        connection.close()
    else:
        close_old_connections()


def _try(write: Callable[[], object]) -> None:
    try:
        write()
    except (DatabaseError, OperationalError, OSError):
        logger.warning("the presence of this worker could not be stored", exc_info=True)
