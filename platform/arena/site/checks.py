"""What `manage.py check` says of a site whose letters leave the machine and would not help their readers."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

SMTP: Final = "web.email.SmtpBackend"


@checks.register
def check_letters(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Warn of an address that makes no sense, always; of what is missing, where letters are really sent."""
    found: list[checks.CheckMessage] = []
    if settings.SITE_URL and not _is_an_address(settings.SITE_URL):
        found.append(
            checks.Error(
                f"SITE_URL is {settings.SITE_URL!r}, which no letter can point at.",
                hint="Set it to the scheme and the host people use, such as https://pecking.example.org.",
                id="arena.E001",
            )
        )
    if settings.EMAIL_BACKEND != SMTP:
        return found
    if not settings.SITE_URL:
        found.append(
            checks.Warning(
                "SITE_URL is not set: the links in letters to authors lack the site's address.",
                hint="Set it to the scheme and the host people use, such as https://pecking.example.org.",
                id="arena.W001",
            )
        )
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        found.append(
            checks.Warning(
                f"Letters come from {settings.DEFAULT_FROM_EMAIL}: other mail servers refuse them.",
                hint="Set DEFAULT_FROM_EMAIL to an address of your domain.",
                id="arena.W002",
            )
        )
    return found


def _is_an_address(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
