"""The texts of a page's scripts: those of its bundles, and none that they do not have."""

import json
import re
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser

from games.catalogue import GAMES

PLAYER = ("site/js/site.js", "matches/match.js")
LATER = ("matches/replay/later.js", "matches/replay/luck/index.js")
USED = re.compile(r'gettext\(\s*"((?:[^"\\]|\\.)*)"')
GERMAN = polib.pofile(str(Path(settings.LOCALE_DIR) / "de/LC_MESSAGES/djangojs.po"))


def catalogue(client: Client, *bundles: str) -> dict[str, object]:
    response = client.get(reverse("javascript-catalog"), {"of": bundles}, headers={"accept-language": "de"})
    found = re.search(r"\?\?{},({.*?})\),form=", response.content.decode())
    return json.loads(found[1]) if found else {}


@pytest.mark.browser
def test_texts_that_come_later_are_added_to_those_that_are_there(client: Client, browser: Browser) -> None:
    page = browser.new_page()
    for bundle in (*PLAYER, *LATER):
        response = client.get(reverse("javascript-catalog"), {"of": bundle}, headers={"accept-language": "de"})
        page.add_script_tag(content=response.content.decode())
    for bundle in (*PLAYER, *LATER):
        texts = {
            text: translation for text, translation in catalogue(client, bundle).items() if isinstance(translation, str)
        }
        assert texts
        assert page.evaluate("texts => texts.map(gettext)", list(texts)) == list(texts.values())
    page.close()


def text_of(bundle: str) -> str:
    return Path(str(finders.find(bundle))).read_text(encoding="utf-8")


@pytest.mark.parametrize("bundle", [*PLAYER, *LATER, *(f"matches/replay/boards/{game}/index.js" for game in GAMES)])
def test_a_bundle_gets_every_text_that_it_uses_and_no_other(client: Client, bundle: str) -> None:
    source = text_of(bundle)
    translated = {entry.msgid for entry in GERMAN.translated_entries()}
    used = {json.loads(f'"{text}"') for text in USED.findall(source)} & translated
    found = catalogue(client, bundle)
    assert used <= set(found)
    assert all(json.dumps(text, ensure_ascii=False) in source for text in found)


def test_every_text_is_written_in_scripts_as_it_is_looked_for() -> None:
    sources = [file.read_text(encoding="utf-8") for file in Path(settings.BASE_DIR).rglob("static/**/*.js")]
    assert sources
    lost = {
        entry.msgid
        for entry in GERMAN
        if not any(json.dumps(entry.msgid, ensure_ascii=False) in source for source in sources)
    }
    assert lost == set()


@pytest.mark.parametrize(
    "bundles", [(), ("no/such.js",), ("matches/match.js", "../settings.py"), ("site/css/base.css",)]
)
def test_an_unknown_bundle_gets_all_texts(client: Client, bundles: tuple[str, ...]) -> None:
    assert len(catalogue(client, *bundles)) > len(catalogue(client, *PLAYER)) > 20


GLOBALS = re.compile(r"\b(pgettext|npgettext|get_format|gettext_noop|pluralidx|django\.)")


def test_scripts_use_only_existing_functions_of_the_catalogue(client: Client) -> None:
    """It has what ``SCRIPT`` says, with values by their names."""
    script = client.get(reverse("javascript-catalog")).content.decode()
    assert all(f"globalThis.{name}=" in script for name in ("gettext", "ngettext", "interpolate"))
    rooms = [Path(settings.BASE_DIR, room) for room in ("platform", "tournaments", "bots")]
    sources = [file.read_text(encoding="utf-8") for room in rooms for file in room.rglob("static/**/*.js")]
    assert len(sources) > 50
    assert [found for source in sources for found in GLOBALS.findall(source)] == []
