"""docs/how-to/add-a-game.md, proved: games made by its steps, and registered for these tests alone, are whole."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.template import engines
from django.test import Client
from django.urls import reverse

from games.beats import beats_of
from games.catalogue import GAMES, catalogue_stand_in
from games.catalogue.code import game_code_raised
from games.catalogue.discovery import GROUP, OWN
from games.explanation import explained_action
from games.frames import frames
from games.game import CatalogueGame, HouseBotError
from games.record import Record
from games.table import Table
from luck.analysis import luck_values_known
from matches.referee import series_games_play
from matches.replay.one_file import replay_empty_file
from matches.worker.playing import worker_playing_order
from peck.__main__ import main
from pecking.testing import game_tests
from pecking.testing.golden import golden_entries
from sandbox import Cage
from tests.bots.factories import BotVersionFactory
from tests.games.sample import FOLDER, SAMPLES, highcard, pig
from tests.matches.factories import FinishedMatchFactory, MatchFactory

from pecking_order_pig.luck import LUCK as PIGS_LUCK  # isort: skip

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs/how-to/add-a-game.md"
ROOTS = (
    ROOT,
    ROOT / "platform",
    ROOT / "platform/matches/static/matches/replay",
    *(ROOT / "platform/games/catalogue").iterdir(),
    FOLDER / "pig/pecking_order_pig",
)
every_game = pytest.mark.parametrize("game", SAMPLES, ids=lambda game: game.name)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What finding an installed package comes to."""
    for game in SAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)  # type: ignore[arg-type]
    monkeypatch.setitem(luck_values_known(), "pig/1-v1", PIGS_LUCK.values[0])
    loaders_emptied()
    yield
    loaders_emptied()


@pytest.fixture(autouse=True)
def _player(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player that a kit gets from the site."""
    monkeypatch.setattr("peck.watch.watch_player_of_kit", lambda game: replay_empty_file(GAMES[game].current.id))


def loaders_emptied() -> None:
    """What is cached of templates: a process has one set of games, and these tests have several."""
    for loader in engines["django"].engine.template_loaders:
        loader.reset()


def test_our_games_are_registered_by_their_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"][GROUP] == {name: f"games.catalogue.{name}:GAME" for name in OWN}


def test_every_place_that_the_guide_names_is_there() -> None:
    places = re.findall(r"`([\w<>./-]+/[\w<>./-]*)`", GUIDE.read_text(encoding="utf-8"))
    assert "packages/" in places
    for place in places:
        found = place.replace("<name>", "heckmeck").replace("<bot>", "steady")
        assert any((root / found).exists() for root in ROOTS), place


@every_game
def test_a_distribution_is_of_six_files_and_160_lines(game: CatalogueGame) -> None:
    """Every line that somebody writes counts, those of the board, the rules and the project file too; JSON is written
    by programs, and what tells its luck is optional."""
    files = [one for one in (FOLDER / game.name).rglob("*.*") if one.is_file() and one.suffix != ".pyc"]
    files = [one for one in files if one.suffix != ".json" and one.name != "luck.py"]
    assert len(files) == 6
    assert sum(len(one.read_text(encoding="utf-8").splitlines()) for one in files) <= 160


for _game in SAMPLES:
    globals()[f"Test{_game.name.title()}"] = game_tests(_game, thorough=True)


@every_game
def test_golden_records_can_be_written_of_it_and_replay(game: CatalogueGame) -> None:
    written = golden_entries(game)
    assert {entry["players"] for entry in written} == set(game.current.seats)
    for entry in written:
        outcome = Record.decode(bytes.fromhex(entry["record"])).verify()
        assert outcome.reason in game.reasons


def test_a_chance_outcome_belongs_to_the_acting_seat() -> None:
    act, table = pig.GAME.stand_in.act(), Table(pig.GAME.current, 2, {}, bytes(16))
    while not table.over:
        table.play(act(table.view(table.actor)))
    shown = list(frames(table.record()))
    beats = [one for one in beats_of(pig.GAME.mark, shown) if shown[one.last].action == "roll 1"]
    assert beats  # busts
    for beat in beats:
        assert [one.action for one in shown[beat.first : beat.last + 1]] == ["roll", "roll 1"]
        assert (beat.kind, beat.seat) == ("roll", (shown[beat.last].turn - 1) % 2)


def test_a_failing_house_bot_is_named_with_its_place() -> None:
    act = pig.GAME.stand_in.act()
    with pytest.raises(HouseBotError, match=r"Careful Pig failed: KeyError: 'won' \(bots/steady.py, line 5") as raised:
        act({})
    assert game_code_raised("pig", raised.value)
    with pytest.raises(ValueError, match="it answered None, which is no action"):
        explained_action(None)  # type: ignore[arg-type]


@pytest.mark.processes
@every_game
def test_its_bot_plays_from_the_command_line(
    capsys: pytest.CaptureFixture[str], game: CatalogueGame, tmp_path: Path
) -> None:
    (house,) = game.house_bots
    random = tmp_path / "random.py"
    random.write_text("import random\n\n\ndef act(view):\n    return random.choice(view['actions'])\n")
    file = FOLDER / game.name / game.folder / "bots" / f"{house.name}.py"
    assert main(["play", game.name, str(random), str(file), "--blocks", "100", "--json"]) == 0
    anything, best = json.loads(capsys.readouterr().out)["bots"]
    assert best["firsts"] > 1.2 * anything["firsts"]
    assert catalogue_stand_in(game.name).__module__ == f"{game.folder}.bots.{house.name}"


@pytest.mark.processes
@pytest.mark.django_db
@every_game
def test_it_is_played_in_the_cage(game: CatalogueGame) -> None:
    (house,) = game.house_bots
    versions = [BotVersionFactory(bot__game=game.name, source=house.source()) for _ in range(2)]
    match = MatchFactory(ruleset=game.current.id, options={}, seats=versions)
    with Cage.open() as cage:
        played = list(series_games_play(worker_playing_order(match), cage, lambda index, table: None))
    assert len(played) == 2 * match.blocks
    assert not any(one.faults for one in played)
    assert all(one.record.verify().reason in game.reasons for one in played)


@pytest.mark.django_db
@every_game
def test_the_site_plays_shows_and_explains_it(client: Client, game: CatalogueGame) -> None:
    (house,) = game.house_bots
    versions = [BotVersionFactory(bot__game=game.name, source=house.source()) for _ in range(2)]
    match: Any = FinishedMatchFactory(ruleset=game.current.id, options={}, seats=versions)
    page = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert match.games.all()[0].reason in game.reasons
    assert game.reasons[match.games.all()[0].reason] in page
    assert f"/static/matches/replay/boards/{game.name}/index.js" in page
    data = client.get(reverse("matches:game-frames", args=[match.pk, 0])).json()
    assert data["frames"][-1][-1]["points"] == list(match.games.all()[0].points)
    rules = client.get(reverse("docs-rules", args=[game.name])).content.decode()
    assert f"Rules of {game.title}" in rules
    assert game.current.vocabulary({})[0] in rules
    assert game.tagline in client.get(reverse("docs-rules-index")).content.decode()
    assert house.title in client.get(reverse("docs-bots")).content.decode()


def found(name: str) -> dict[str, str]:
    """What ``manage.py check`` says of a game, by the ids of its messages."""
    return {one.id: one.msg for one in run_checks() if f"The game {name!r}" in one.msg}


@every_game
def test_a_game_that_has_all_is_found_to_lack_but_its_translations(game: CatalogueGame) -> None:
    messages = found(game.name)
    assert set(messages) == {"arena.W003"}
    assert "of its texts in it" in messages["arena.W003"]
    assert repr(game.tagline) in messages["arena.W003"]
    assert not any(one.id.startswith("arena.") for one in run_checks() if not any(g.name in one.msg for g in SAMPLES))


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"tagline": ""}, "arena.E008", "lacks its texts: tagline"),
        ({"reasons": {}}, "arena.E008", "lacks its texts: reasons"),
        ({"house_bots": ()}, "arena.E005", "has no house bot"),
        ({"plays_on": "nobody"}, "arena.E007", "plays_on is 'nobody'"),
        ({"house_bots": (replace(pig.GAME.house_bots[0], name="gone"),)}, "arena.E006", "no file of its house bot"),
        ({"versions": highcard.GAME.versions}, "arena.E002", "its rules are of 'highcard'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whatever_a_game_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], code: str, message: str
) -> None:
    monkeypatch.setitem(GAMES, "pig", replace(pig.GAME, **changes))  # type: ignore[arg-type]
    assert message in found("pig")[code]
