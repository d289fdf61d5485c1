"""Query parameters of an embedded replay."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from matches.pages.sharing import EmbedOptions, sharing_embed_options
from tests.matches.factories import MatchFactory


def test_each_switch_is_turned_by_a_word_or_a_digit() -> None:
    options = sharing_embed_options(
        {"theme": "dark", "controls": "0", "title": "false", "loop": "1", "autoplay": "true"}
    )
    assert options == EmbedOptions("dark", controls=False, title=False, loop=True, conceal=True, autoplay=True)


@pytest.mark.parametrize("nonsense", ["", "yes", "2", "<b>", "Ω" * 999])
def test_nonsense_changes_nothing(nonsense: str) -> None:
    names = ("theme", "controls", "title", "loop", "conceal", "autoplay")
    assert sharing_embed_options(dict.fromkeys(names, nonsense)) == EmbedOptions()


@pytest.mark.django_db
def test_the_page_has_the_requested_options(client: Client) -> None:
    match = MatchFactory()
    bare = client.get(reverse("matches:embed", args=[match.pk]) + "?theme=dark&controls=0&title=0&loop=1").content
    assert b'data-theme="dark"' in bare
    assert b'data-controls="0" data-title="0"' in bare
    assert b'"loop": true' in bare
    assert b"Watch on Pecking Order" not in bare
    usual = client.get(reverse("matches:embed", args=[match.pk])).content
    assert b'data-controls="1" data-title="1"' in usual
    assert b"Watch on Pecking Order" in usual


def test_the_script_for_other_pages_is_a_kilobyte_and_checks_the_sender() -> None:
    found = finders.find("matches/pecking-order.js")
    assert isinstance(found, str)
    text = Path(found).read_text(encoding="utf-8")
    assert len(text.encode()) <= 1024
    assert "origin !== site" in text
