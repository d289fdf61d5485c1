"""Settings for one machine without any set-up, as ``make run`` uses them."""

import os
import secrets

from arena.settings.base import *
from arena.settings.base import VAPID_PRIVATE_KEY, VAR_DIR
from arena.settings.environment import environment_list


def _kept_secret(name: str, length: int) -> str:
    """Return a random key of ``length`` bytes. It is stored on first use, so that sessions and web push subscriptions
    survive a restart. Each clone of the repository has its own key.
    """
    path = VAR_DIR / name
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(length))
    except FileExistsError:
        pass
    return path.read_text()


SECRET_KEY = os.environ.get("SECRET_KEY") or _kept_secret("secret_key", 50)
VAPID_PRIVATE_KEY = VAPID_PRIVATE_KEY or _kept_secret("vapid_key", 32)
ALLOWED_HOSTS = environment_list(os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]"))
STATIC_ROOT = VAR_DIR / "static"  # filled by manage.py up
STATIC_ROOT.mkdir(exist_ok=True)
if not os.environ.get("EMAIL_HOST"):  # with a mail server, emails are sent there
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
