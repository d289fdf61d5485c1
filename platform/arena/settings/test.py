"""Settings for tests: those of development, with fast password hashing and nothing that remains after the run."""

import os
import tempfile

# Set before base is imported, so that tests never use the data of a running site. Processes that tests start share this
# directory.
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
SERVERS = {}  # not needed: cache, broker and channel layer are in this process
# Static files are served from their source folders.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
