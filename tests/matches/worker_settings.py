"""For sites that tests start and kill: as in development, but nobody waits long for a lease to run out."""

from arena.settings.base import CELERY_TASK_ROUTES
from arena.settings.dev import *  # noqa: F403  settings build on each other so

LEASE_SECONDS = 2
CELERY_BEAT_SCHEDULE = {"return expired leases": {"task": "matches.sweep", "schedule": 0.5}}
# The queue of a task that nobody takes: a test counts what was sent.
CELERY_TASK_ROUTES = {**CELERY_TASK_ROUTES, "tests.told": {"queue": "told"}}
