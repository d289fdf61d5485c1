"""A package brings the translations of its game: pages, its board and the check have them."""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import polib
import pytest
from django.core.checks import run_checks
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import translation

from games.catalogue import GAMES, catalogue_game_folders
from tests.games.sample import FOLDER
from web.bundles import _text

pytestmark = pytest.mark.django_db
GERMAN = {
    "One die: roll as often as you dare.": "Ein Würfel: würfle, so oft du dich traust.",
    "somebody had 50 points": "jemand hatte 50 Punkte",
    "Holds at twenty.": "Hört bei zwanzig auf.",
    "Sign in": "Aus dem Paket",  # a text of the site: its own translation stays
}


@pytest.fixture
def _translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    folder = tmp_path / "translated_pig"
    shutil.copytree(FOLDER / "pig" / "pecking_order_pig", folder, ignore=shutil.ignore_patterns("__pycache__"))
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    catalogue.extend(polib.POEntry(msgid=text, msgstr=translation) for text, translation in GERMAN.items())
    place = folder / "locale" / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalogue.save_as_mofile(str(place / "django.mo"))
    catalogue.append(polib.POEntry(msgid="In this turn: %(won)s", msgstr="In diesem Zug: %(won)s"))
    catalogue.save_as_mofile(str(place / "djangojs.mo"))
    monkeypatch.syspath_prepend(tmp_path)
    game = import_module("translated_pig").GAME
    bots = tuple(replace(bot, folder="translated_pig") for bot in game.house_bots)
    monkeypatch.setitem(GAMES, "pig", replace(game, house_bots=bots))  # type: ignore[arg-type]
    _text.cache_clear()
    with override_settings(LOCALE_PATHS=[settings.LOCALE_DIR, *catalogue_game_folders("locale")]):
        yield
    _text.cache_clear()
    for name in [one for one in sys.modules if one.startswith("translated_pig")]:
        del sys.modules[name]


@pytest.mark.usefixtures("_translated")
def test_pages_have_its_texts_in_the_language_of_the_reader(client: Client) -> None:
    page = client.get(reverse("docs-rules-index"), headers={"accept-language": "de"}).content.decode()
    assert GERMAN["One die: roll as often as you dare."] in page
    assert "Aus dem Paket" not in page
    assert GERMAN["Holds at twenty."] in client.get("/docs/bots/", headers={"accept-language": "de"}).content.decode()
    english = client.get(reverse("docs-rules-index"), headers={"accept-language": "en"}).content.decode()
    assert "One die: roll as often as you dare." in english
    board = "/jsi18n/?of=matches/replay/boards/pig/index.js"
    assert "In diesem Zug: %(won)s" in client.get(board, headers={"accept-language": "de"}).content.decode()
    with translation.override("de"):
        assert translation.gettext("somebody had 50 points") == "jemand hatte 50 Punkte"


@pytest.mark.usefixtures("_translated")
def test_the_check_counts_what_the_package_translates() -> None:
    names = {one.msg for one in run_checks() if one.id == "arena.W003" and "'pig'" in one.msg}
    german = [one for one in names if " in de" in one]
    assert not any("as you dare" in one for one in german)
    assert any("as you dare" in one for one in names - {*german})


def test_without_the_package_nothing_of_it_is_looked_for() -> None:
    assert catalogue_game_folders("locale") == []
