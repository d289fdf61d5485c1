"""A site's own settings, with its clockwork faster as the weekend of a test is shorter: what is swept, how long a lost
lease is waited for, and how long a broadcast takes at the most."""

from arena.settings.dev import *  # noqa: F403  settings build on each other so
from arena.settings.dev import CELERY_BEAT_SCHEDULE

LEASE_SECONDS = 3
BROADCAST_MINUTES_MOST = 0.1
CELERY_BEAT_SCHEDULE["return expired leases"]["schedule"] = 1.0
CELERY_BEAT_SCHEDULE["move tournaments on"]["schedule"] = 1.0
