"""The Celery application and its signal handlers. Not named ``celery``, which would hide the library."""

import ctypes
import gc
import logging
import os
import signal
import sys
from threading import Thread
from typing import Any, Final

from billiard.process import current_process
from celery import Celery, Task, bootsteps
from celery.signals import (
    beat_embedded_init,
    beat_init,
    celeryd_after_setup,
    celeryd_init,
    task_prerun,
    worker_process_init,
    worker_ready,
)
from django.db import close_old_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.dev")


class WorkerTask(Task[..., Any]):
    """A task whose worker reconnects after a failed acknowledgement."""

    # Given as a path, because only workers import this module, which takes 0.1 s.
    Request = "arena.celery_request:WorkerRequest"


app = Celery("arena", task_cls=WorkerTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

PR_SET_PDEATHSIG: Final = 1

logger = logging.getLogger(__name__)


@celeryd_init.connect
@beat_init.connect
def celery_app_refuse_without_stores(**_: Any) -> None:
    """Exit with a message if a starting worker or beat cannot reach the database or the broker."""
    from arena.reachable import reachable_database_require, reachable_servers_require  # needs the settings

    reachable_database_require()
    reachable_servers_require()


@celeryd_after_setup.connect
def celery_app_freeze_loaded(**_: Any) -> None:
    """Exempt all loaded objects from garbage collection, in the worker and the processes it forks. With these objects,
    the collection at the end of a worker took most of a second of processor time.
    """
    gc.collect()
    gc.freeze()


@task_prerun.connect
def celery_app_keep_good_connections(*, task: Any, **_: Any) -> None:
    """Close only database connections that are broken or older than ``CONN_MAX_AGE``, as Django does before a request.
    Celery would close all connections before and after each task, and PostgreSQL starts a process for each new
    connection.
    """
    if not task.request.is_eager:
        close_old_connections()


@beat_embedded_init.connect
@worker_process_init.connect
def celery_app_end_with_worker(**_: Any) -> None:
    """Have the kernel kill a pool process or the embedded beat when its worker ends. A process that is still starting
    would wait for ever."""
    worker = current_process()._parent_pid  # type: ignore[attr-defined]  # billiard's stubs lack it
    if worker is None or sys.platform != "linux":  # a solo pool runs in the worker itself
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != worker:  # the worker ended before prctl was called
        os._exit(1)


@worker_ready.connect
def celery_app_end_without_clock(*, sender: Any, **_: Any) -> None:
    """Exit a worker whose embedded beat has died, so that the supervisor restarts both. Celery would let the worker
    continue, and no periodic task would run.
    """
    if sender.controller.beat is not None:
        Thread(target=_outlive, args=(sender.controller,), name="clock", daemon=True).start()


def _outlive(worker: Any) -> None:
    worker.beat.join()
    if worker.blueprint.state == bootsteps.RUN:  # type: ignore[attr-defined]  # celery's stubs lack it
        logger.critical("the beat of this worker died, so the worker exits")
        os._exit(1)
