"""For sites that tests start and kill: as in development, but nobody waits long for a lease to run out."""

import os
import time
from datetime import timedelta

from django.utils import timezone

from arena.settings.base import CELERY_TASK_ROUTES
from arena.settings.dev import *  # noqa: F403  settings build on each other so


class TablesFromModels(dict[str, None]):
    """No app has migrations: with --run-syncdb, migrate makes its tables from its models, in a tenth of the time."""

    def __contains__(self, app: object) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


MIGRATION_MODULES = TablesFromModels()
LEASE_SECONDS = 2
CELERY_BEAT_SCHEDULE = {"return expired leases": {"task": "matches.sweep", "schedule": 0.5}}
# The queue of a task that nobody takes: a test counts what was sent.
CELERY_TASK_ROUTES = {**CELERY_TASK_ROUTES, "tests.result": {"queue": "tests"}}

if CLOCK_AHEAD := float(os.environ.get("TESTS_CLOCK_AHEAD", "0")):  # seconds by which this process's clock is wrong
    _now, _time = timezone.now, time.time
    timezone.now = lambda: _now() + timedelta(seconds=CLOCK_AHEAD)
    time.time = lambda: _time() + CLOCK_AHEAD
