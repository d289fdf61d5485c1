"""docs/adding-a-game.md, proved: a fifth game made by its steps, and registered for these tests alone, is whole."""

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import bots.house
from arena.site import handbook
from bots.house import HOUSE, STAND_INS, HouseBot, stand_in
from games import cli, vectors
from games.catalogue import GAMES
from games.game import Game
from matches.pages import labels
from tests.bots.factories import BotVersionFactory
from tests.games import test_conformance as suite
from tests.games.eggs.ruleset import BEST_EGG
from tests.games.eggs.scene import EggScene
from tests.games.playing import case_name
from tests.games.write_golden import entries
from tests.matches.factories import FinishedMatchFactory

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
ROOTS = (ROOT, ROOT / "platform", ROOT / "platform/matches/static/matches/replay")  # that its paths start from
EGGS = ROOT / "tests/games/eggs"
NAME = BEST_EGG.name
HOUSE_BOTS = (
    HouseBot(NAME, "random", "Cuckoo", "Lays any egg."),
    HouseBot(NAME, "steady", "Mother Goose", "Beats the nest by as little as can be."),
)
CASES = [(BEST_EGG, players, {"hand": hand}) for players in BEST_EGG.seats for hand in (3, 5)]


def checks(parameter: str) -> list[Callable[[Any], None]]:
    """The conformance suite's tests of one case, or of a ruleset."""
    tests = [test for name, test in vars(suite).items() if name.startswith("test_")]
    return [test for test in tests if list(inspect.signature(test).parameters) == [parameter]]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Every registry that the steps name has its line, and the game's files lie where they are looked for."""
    lines: tuple[tuple[Any, Any], ...] = (
        (GAMES, Game((BEST_EGG,))),
        (vectors.SCENES, EggScene),
        (HOUSE, HOUSE_BOTS),
        (STAND_INS, "steady"),
        (handbook.GISTS, "Eggs of all weights: lay the heaviest, and waste none."),
    )
    for registry, line in lines:
        monkeypatch.setitem(registry, NAME, line)
    monkeypatch.setitem(labels.REASONS, "hands_empty", "all eggs were laid")
    monkeypatch.setattr(bots.house, "__path__", [*bots.house.__path__, str(EGGS / "bots")])
    monkeypatch.setattr(suite, "GOLDEN", EGGS)
    engine = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], EGGS / "templates"]}]


def test_every_place_that_the_guide_names_is_there() -> None:
    places = re.findall(r"`([\w<>./-]+/[\w<>./-]*)`", GUIDE)
    assert str(EGGS.relative_to(ROOT)) + "/" in places
    for place in places:
        found = place.replace("<name>", "pickomino")
        assert any((root / found).exists() for root in ROOTS), place


@pytest.mark.parametrize("check", checks("case"), ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_it_conforms_in_every_case(check: Callable[[Any], None], case: Any) -> None:
    check(case)


@pytest.mark.parametrize("check", checks("ruleset"), ids=lambda check: check.__name__)
def test_its_ruleset_conforms(check: Callable[[Any], None]) -> None:
    check(BEST_EGG)


def test_its_vectors_hold_and_are_not_taken_on_trust(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["vectors", str(EGGS / "vectors.json")]) == 0
    wrong = tmp_path / "wrong.json"
    wrong.write_text((EGGS / "vectors.json").read_text(encoding="utf-8").replace("[1, 0, 1]", "[0, 1, 1]"))
    assert cli.main(["vectors", str(wrong)]) == 1
    assert "1 passed, 1 failed" in capsys.readouterr().out


def test_its_golden_records_are_as_they_were_written_and_replay() -> None:
    golden = json.loads((EGGS / f"{NAME}.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(entries(NAME))) == golden
    for entry in golden:
        suite.test_a_golden_record_replays_unchanged(entry)
        assert entry["reason"] in labels.REASONS


def test_its_bots_play_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EGGS / "bots" / NAME / f"{bot.name}.py") for bot in HOUSE_BOTS]
    assert cli.main(["play", NAME, *files, "--blocks", "200", "--option", "hand=5"]) == 0
    cuckoo, goose = map(int, re.findall(r"\d+", capsys.readouterr().out.rpartition("points: ")[2]))
    assert cuckoo + goose == 200 * 2 * 5
    assert goose > 1.1 * cuckoo
    assert stand_in(NAME).__module__ == "bots.house.eggs.steady"


@pytest.mark.django_db
def test_the_site_plays_shows_and_explains_it(client: Client) -> None:
    versions = [BotVersionFactory(bot__ruleset=NAME, source=bot.source()) for bot in HOUSE_BOTS]
    match: Any = FinishedMatchFactory(ruleset=BEST_EGG.id, options=BEST_EGG.validate(2, {}), seats=versions)
    assert "all eggs were laid" in client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    film = client.get(reverse("matches:game-frames", args=[match.pk, 0])).json()
    assert film["frames"][-1][-1]["points"] == list(match.games.all()[0].points)
    rules = client.get(reverse("docs-rules", args=[NAME])).content.decode()
    assert "Eggs in a hand" in rules
    assert "lay 23" in rules
    assert "the next player leads" in rules
    assert "waste none" in client.get(reverse("docs-rules-index")).content.decode()
    assert "Mother Goose" in client.get(reverse("docs-bots")).content.decode()
