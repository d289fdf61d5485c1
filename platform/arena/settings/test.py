"""Tests: dev's defaults with cheap passwords and nothing that outlives the run."""

import os
import tempfile

# Before base is read: a test run never touches the data of a running site. What it starts shares the directory.
if "PECKING_ORDER_VAR" not in os.environ:
    _var = tempfile.TemporaryDirectory(prefix="pecking-order-test-", ignore_cleanup_errors=True)
    os.environ["PECKING_ORDER_VAR"] = _var.name
os.environ.setdefault("SECRET_KEY", "test")

from arena.settings.dev import *
from arena.settings.dev import STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for name in ("default", "optional")}
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CELERY_BROKER_URL = "memory://"
ALLOWED_HOSTS = ["*"]
SITE_URL = "http://testserver"
FILES_PER_ADDRESS = 10_000
SERVERS = {}  # none is needed: cache, broker and channel layer are in this process
# The finders serve every file from where it lies.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
