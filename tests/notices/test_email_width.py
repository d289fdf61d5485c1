"""Emails about every kind of notice in Chromium, on a phone and beside a list of messages: none is too wide."""

from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

import pytest
from django.utils import translation
from playwright.sync_api import Browser
from rest_framework import serializers

from arena.accounts.models import User
from hooks.kinds import Kind
from notices.emails import _message
from notices.models import Notice
from notices.selectors import notice_kinds

pytestmark = pytest.mark.browser
LANGUAGES: Final = ("en", "de", "fr", "it")
WIDTHS: Final = (390, 600)
NAME: Final = "TheRemarkablyPatientYarrowOfLowerSaxonyAndOfAllItsManyNeighbouringCountiesAt80Chars"[:80]
PAGE: Final = f"http://testserver/tournaments/{'the-remarkably-patient-' * 3}yarrow/tie-breaks/"
WHEN: Final = datetime(2026, 12, 24, 18, tzinfo=UTC)


def sample(name: str, field: Any) -> Any:
    """Return what is awkward to show of such a field."""
    if isinstance(field, serializers.Serializer):
        return {one: sample(one, within) for one, within in field.fields.items()}
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return [sample(name, field.child)] * 2
    if isinstance(field, serializers.ChoiceField):
        return next(iter(field.choices))
    if isinstance(field, serializers.BooleanField):
        return True
    if isinstance(field, serializers.DateTimeField):
        return WHEN.isoformat()
    if isinstance(field, serializers.DateField):
        return WHEN.date().isoformat()
    if isinstance(field, serializers.FloatField):
        return 0.5
    if isinstance(field, serializers.IntegerField):
        return 3
    if name in ("page", "url", "consent", "failures"):
        return PAGE
    return {"digest": "0123456789abcdef" * 4, "answer": "called_off"}.get(name, NAME)


def notice(kind: Kind) -> Notice:
    data = {name: sample(name, field) for name, field in kind.document().fields.items()}
    return Notice(kind=kind.name, data=data)


def emails() -> list[tuple[str, str]]:
    """Return (name, HTML) of an email about each kind, and of one about all, in every language."""
    person, made = User(pk=1, username="rosa", email="rosa@example.org"), []
    every = [notice(kind) for kind in notice_kinds()]
    for language in LANGUAGES:
        person.language = language
        with translation.override(language):
            for notices in [*([one] for one in every), every]:
                message = _message(person, uuid4(), notices)
                name = notices[0].kind if len(notices) == 1 else "all"
                made.append((f"{language}-{name}", str(message.alternatives[0][0])))
    return made


def test_no_email_is_wider_than_its_window(browser: Browser) -> None:
    page = browser.new_page()
    wide = []
    for name, html in emails():
        page.set_content(html)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append((name, width))
    page.close()
    assert wide == []
