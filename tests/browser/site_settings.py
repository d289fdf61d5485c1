"""Settings of a site whose ladders are fitted every few seconds, because a test waits for them."""

from arena.settings.dev import *  # noqa: F403
from arena.settings.dev import CELERY_BEAT_SCHEDULE

CELERY_BEAT_SCHEDULE["refit the ladders"]["schedule"] = 3.0
