"""A site's own settings, with ladders that are fitted again every few seconds: somebody stands before the page."""

from arena.settings.dev import *  # noqa: F403
from arena.settings.dev import CELERY_BEAT_SCHEDULE

CELERY_BEAT_SCHEDULE["refit the ladders"]["schedule"] = 3.0
