"""As for the sites whose workers tests kill, with the tournaments' own sweep as frequent as the matches'."""

from tests.matches.worker_settings import *  # noqa: F403  settings build on each other so
from tests.matches.worker_settings import CELERY_BEAT_SCHEDULE

CELERY_BEAT_SCHEDULE = {
    **CELERY_BEAT_SCHEDULE,
    "move tournaments on": {"task": "tournaments.sweep", "schedule": 1.0},
}
