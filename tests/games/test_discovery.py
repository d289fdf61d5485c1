"""Games are found by entry point; one that is broken is left out with the reason, and the others are there."""

import sys
from collections.abc import Callable
from dataclasses import replace
from email.message import Message
from importlib.metadata import Distribution, EntryPoint
from types import ModuleType
from typing import Any

import pytest

from games.catalogue import BROKEN, GAMES, UnknownRuleset, find
from games.catalogue.discovery import GROUP, OWN, catalogue_games_found
from games.game import CatalogueGame
from tests.games.sample import pig


class Package(Distribution):
    def __init__(self, name: str, version: str) -> None:
        self._metadata = {"Name": name, "Version": version}

    @property
    def metadata(self) -> Any:
        message = Message()
        for key, value in self._metadata.items():
            message[key] = value
        return message

    def read_text(self, filename: str) -> str | None:
        return None

    def locate_file(self, path: Any) -> Any:
        return path


def entry(name: str, value: str, package: str = "a-package") -> EntryPoint:
    return EntryPoint(name, value, GROUP)._for(Package(package, "1.2"))  # type: ignore[attr-defined]


PIG = entry("pig", "pecking_order_pig:GAME")
HIGH_CARD = entry("highcard", "pecking_order_highcard:GAME")


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], EntryPoint]:
    def made(game: Any) -> EntryPoint:
        holder = ModuleType("held_game")
        holder.GAME = game  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "held_game", holder)
        return entry("pig", "held_game:GAME", "pecking-order-held")

    return made


def test_ours_come_first_and_then_those_of_packages_by_name() -> None:
    result = catalogue_games_found([PIG, HIGH_CARD])
    assert list(result.games) == [*OWN, "highcard", "pig"]
    assert result.games["pig"] is pig.GAME
    assert result.broken == {}


def test_without_metadata_there_are_ours() -> None:
    assert list(catalogue_games_found([]).games) == list(OWN)


def test_the_authors_kit_beside_the_site_registers_nothing_twice() -> None:
    kit = [entry(name, f"pecking.games.catalogue.{name}:GAME", "pecking") for name in OWN]
    assert list(catalogue_games_found(kit).games) == list(OWN)
    assert catalogue_games_found(kit).broken == {}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_package_anywhere:GAME", "ModuleNotFoundError"),
        ("pecking_order_pig:NO_GAME", "AttributeError"),
        ("pecking_order_pig:IN_NUMBERS", "a InNumbers is registered, and no CatalogueGame"),
        ("pecking_order_highcard:GAME", "it is registered as 'pig', and its rules are of 'highcard'"),
    ],
)
def test_what_cannot_be_imported_or_is_no_game_is_left_out_with_the_reason(value: str, reason: str) -> None:
    result = catalogue_games_found([entry("pig", value), HIGH_CARD])
    assert list(result.games) == [*OWN, "highcard"]
    assert reason in result.broken["pig"]
    assert "a-package 1.2" in result.broken["pig"]


@pytest.mark.parametrize("error", [RuntimeError("at import"), SystemExit(3), RecursionError()])
def test_a_package_that_fails_at_import_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, error: BaseException
) -> None:
    (tmp_path / "broken_at_import.py").write_text(f"raise {error!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    result = catalogue_games_found([entry("pig", "broken_at_import:GAME"), HIGH_CARD])
    assert type(error).__name__ in result.broken["pig"]
    assert "highcard" in result.games


def test_a_name_that_is_taken_goes_to_the_first_and_ours_cannot_be_replaced(module: Any) -> None:
    result = catalogue_games_found([PIG, module(replace(pig.GAME)), entry(OWN[0], "pecking_order_pig:GAME")])
    assert result.games[OWN[0]] is GAMES[OWN[0]]
    assert "its name is taken: a-package 1.2" in result.broken[OWN[0]]
    assert "its name is taken" in result.broken["pig"]


def raising(*_given: Any) -> Any:
    raise ZeroDivisionError("in the rules")


def changed(**changes: Any) -> CatalogueGame:
    return replace(pig.GAME, versions=(replace(pig.GAME.current, **changes),))


SCHEMA = pig.GAME.current.view_schema


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (changed(view_schema={}), "the view is an object with properties"),
        (changed(view_schema=[]), "a schema is an object, not list"),
        (changed(view_schema={**SCHEMA, "properties": {"a": 7}}), "a schema is an object, not int"),
        (changed(view_schema={**SCHEMA, "properties": {"a": {"enum": "x"}}}), "enum a list"),
        (changed(view_schema={**SCHEMA, "properties": {"a": {"type": "nonsense"}}}), "type is one of array, "),
        (changed(view_schema={**SCHEMA, "title": object()}), "not JSON serializable"),
        (changed(opening=raising), "ZeroDivisionError: in the rules"),
        (changed(seats=range(2, 2)), "for some number of players"),
        (changed(name="Pig!"), "its rules are of 'Pig!'"),
        (replace(pig.GAME, house_bots=()), "none of its house bots is 'steady'"),
        (replace(pig.GAME, plays_on="nobody"), "none of its house bots is 'nobody'"),
        (replace(pig.GAME, folder="email"), "there is no rules.html in its folder"),
        (
            replace(pig.GAME, house_bots=(replace(pig.GAME.house_bots[0], title=GAMES[OWN[0]].house_bots[0].title),)),
            "another game has a house bot called",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_game_that_no_page_could_show_is_left_out(module: Any, game: CatalogueGame, reason: str) -> None:
    result = catalogue_games_found([module(game), HIGH_CARD])
    assert reason in result.broken["pig"]
    assert list(result.games) == [*OWN, "highcard"]


def test_looking_up_a_game_that_is_left_out_gives_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BROKEN, "pig", "ImportError: gone")  # type: ignore[arg-type]
    with pytest.raises(UnknownRuleset, match="its package is broken: ImportError: gone"):
        find("pig/1")
