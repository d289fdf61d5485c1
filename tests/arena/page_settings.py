"""As for the sites whose workers tests kill, with pages: their files need not have been collected."""

from arena.settings.dev import STORAGES
from tests.matches.worker_settings import *  # noqa: F403  settings build on each other so

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
