"""The Celery application; named so because a module called ``celery`` shadows the library in its own folder."""

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
    """A task whose workers outlive a lost acknowledgement."""

    Request = "arena.celery_request:WorkerRequest"  # imported by workers alone: it takes a tenth of a second


app = Celery("arena", task_cls=WorkerTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

PR_SET_PDEATHSIG: Final = 1

logger = logging.getLogger(__name__)


@celeryd_init.connect
@beat_init.connect
def celery_refuse_without_stores(**_: Any) -> None:
    """End a worker or clock that cannot reach the database or the broker when it starts, and say so."""
    from arena.reachable import reachable_database_require, reachable_servers_require  # needs the settings

    reachable_database_require()
    reachable_servers_require()


@celeryd_after_setup.connect
def celery_freeze_loaded(**_: Any) -> None:
    """Leave what was loaded to stay out of collections, in the worker and in the processes that it forks: the last one,
    when a worker ends, took most of a second of processor time.
    """
    gc.collect()
    gc.freeze()


@task_prerun.connect
def celery_keep_good_connections(*, task: Any, **_: Any) -> None:
    """Give up connections to the database that are broken or older than ``CONN_MAX_AGE``, as before a request. Celery
    would give up all of them before and after each task, and PostgreSQL starts a process for each new one.
    """
    if not task.request.is_eager:
        close_old_connections()


@beat_embedded_init.connect
@worker_process_init.connect
def celery_end_with_worker(**_: Any) -> None:
    """End a process of a worker's pool, or its clock, when the worker ends: one only starting would wait for ever."""
    worker = current_process()._parent_pid  # type: ignore[attr-defined]  # billiard's stubs lack it
    if worker is None or sys.platform != "linux":  # a solo pool works in the worker itself
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != worker:  # it ended before the kernel knew whom to tell
        os._exit(1)


@worker_ready.connect
def celery_end_without_clock(*, sender: Any, **_: Any) -> None:
    """End a worker whose embedded clock has died, so that the worker's supervisor starts both again. Celery would go
    on without it: nothing would be swept any more.
    """
    if sender.controller.beat is not None:
        Thread(target=_outlive, args=(sender.controller,), name="clock", daemon=True).start()


def _outlive(worker: Any) -> None:
    worker.beat.join()
    if worker.blueprint.state == bootsteps.RUN:  # type: ignore[attr-defined]  # celery's stubs lack it
        logger.critical("the clock of this worker died, and the worker ends with it")
        os._exit(1)
