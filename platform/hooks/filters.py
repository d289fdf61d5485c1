"""Filters of webhooks: the events of one tournament, league, series or group, written as "tournament/spring-cup".

The data of an event have a field whose name is the kind, such as "tournament", and whose value is the slug. The filter
only restricts events that the owner gets anyway, so it does not reveal whether an object exists.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from web.errors import Refusal

ROOMS: Final = {"tournaments": "tournament", "leagues": "league", "series": "series", "groups": "group"}
ABOUT: Final = re.compile(rf"({'|'.join(ROOMS.values())})/([-\w]{{1,100}})")


def hook_about_read(text: str) -> str:
    """Return the filter for the URL of a page, or for a kind and slug; "" for all events.

    Raises:
        NothingToBeAbout: the text is neither of these, or is a URL of another site.
    """
    text = text.strip()
    if not text or ABOUT.fullmatch(text):
        return text
    try:
        address = urlsplit(text)
        if address.netloc and not validate_host(split_domain_port(address.netloc)[0], settings.ALLOWED_HOSTS):
            raise NothingToBeAbout
        found = resolve(address.path)
    except (Resolver404, ValueError):
        raise NothingToBeAbout from None
    about = f"{ROOMS.get(found.namespace, '')}/{found.kwargs.get('slug', '')}"
    if not ABOUT.fullmatch(about):
        raise NothingToBeAbout
    return about


def is_hook_about(about: str, data: Mapping[str, Any]) -> bool:
    """Return whether an event with these ``data`` matches the filter ``about``; "" matches everything."""
    kind, _slash, slug = about.partition("/")
    return not about or data.get(kind) == slug


class NothingToBeAbout(Refusal):
    """The text identifies no tournament, league, series or group."""

    code = "about"
    field = "about"
    status = 400

    def __init__(self) -> None:
        super().__init__(_("Give the address of a tournament, league, series or group of this site."))
