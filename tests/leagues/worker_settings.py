"""As for the sites whose workers tests kill, with the leagues' own errands as frequent as the matches'."""

from tests.matches.worker_settings import *  # noqa: F403  settings build on each other so
from tests.matches.worker_settings import CELERY_BEAT_SCHEDULE

LEASE_SECONDS = 5
CELERY_BEAT_SCHEDULE = {
    **CELERY_BEAT_SCHEDULE,
    "keep leagues playing": {"task": "leagues.tend", "schedule": 1.0},
    "refit the ladders": {"task": "leagues.refit", "schedule": 5.0},
}
