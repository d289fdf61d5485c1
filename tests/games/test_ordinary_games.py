"""The conformance suite takes ordinary games: without chance, without secrets, with dice that all share."""

import inspect
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from games.catalogue import GAMES
from games.chance import Chance, Roll, roll_odds, rolls
from games.ruleset import Ruleset
from games.schema import COUNT, for_each_seat, view_schema, whole
from games.state import CHANCE, Outcome, State
from pecking.testing import suite
from pecking.testing.random_games import random_game_case_name
from tests.games.sample import pig

SEATS = range(2, 4)


class Heap(NamedTuple):
    points: tuple[int, ...]
    left: int = 17
    moves: int = 0


class Nim(Heap, State):
    """Take one to three; the one who takes the last has the point."""

    __slots__ = ()

    @property
    def players(self) -> int:
        return len(self.points)

    def options(self) -> dict[str, Any]:
        return {}

    @property
    def actor(self) -> int:
        return self.moves % self.players if self.left else CHANCE

    @property
    def turn(self) -> int:
        return 1 + self.moves

    def actions(self) -> tuple[str, ...]:
        return tuple(f"take {number}" for number in range(1, min(3, self.left) + 1))

    def chance(self) -> Chance | None:
        return None

    def play(self, action: str) -> "Nim":
        left = self.left - int(action.split()[1])
        points = tuple(int(seat == self.actor) for seat in range(self.players)) if not left else self.points
        return Nim(points, left, self.moves + 1)

    def view(self, seat: int | None) -> dict[str, Any]:
        return whole("nim/1", self, self, seat, turn=self.turn, left=self.left, points=list(self.points))

    def outcome(self) -> Outcome | None:
        places = tuple(1 if point else 2 for point in self.points)
        return None if self.left else Outcome(self.points, places, "empty", "")

    def facts(self) -> tuple[Hashable, ...]:
        return tuple(self)


class Race(NamedTuple):
    points: tuple[int, ...]
    throws: int = 0
    dice: int = 0  # to be thrown


class Relay(Race, State):
    """Ten throws of dice that all share: the seat to act says how many, and the next one has the sum."""

    __slots__ = ()

    @property
    def players(self) -> int:
        return len(self.points)

    def options(self) -> dict[str, Any]:
        return {}

    @property
    def actor(self) -> int:
        return CHANCE if self.dice or self.throws == 10 else self.throws % self.players

    @property
    def turn(self) -> int:
        return 1 + self.throws

    def actions(self) -> tuple[str, ...]:
        return rolls(self.dice) if self.dice else ("one", "two") if self.throws < 10 else ()

    def chance(self) -> Chance | None:
        return Roll(str(self.throws), self.dice) if self.dice else None

    def weight(self, action: str) -> int:
        return roll_odds(action)

    def play(self, action: str) -> "Relay":
        if not self.dice:
            return self._replace(dice=1 + (action == "two"))
        heir, won = (self.throws + 1) % self.players, sum(map(int, action.split()[1:]))
        points = tuple(had + won * (seat == heir) for seat, had in enumerate(self.points))
        return Relay(points, self.throws + 1)

    def view(self, seat: int | None) -> dict[str, Any]:
        return whole("relay/1", self, self, seat, turn=self.turn, dice=self.dice, points=list(self.points))

    def outcome(self) -> Outcome | None:
        places = tuple(1 + sum(other > own for other in self.points) for own in self.points)
        return Outcome(self.points, places, "thrown", "") if self.throws == 10 else None

    def facts(self) -> tuple[Hashable, ...]:
        return tuple(self)


def ruleset(name: str, start: Callable[..., State], words: tuple[str, ...], most: int, fact: str) -> Ruleset:
    schema = view_schema(name, f"{name}/1", {}, SEATS, turn=COUNT, points=for_each_seat(COUNT, SEATS), **{fact: COUNT})
    return Ruleset(
        name=name,
        version=1,
        title=name,
        seats=SEATS,
        options={},
        view_schema=schema,
        opening=lambda players, options: start((0,) * players),
        vocabulary=lambda options: words,
        max_actions=lambda players, options: most,
    )


NIM = ruleset("nim", Nim, ("take 1", "take 2", "take 3"), 17, "left")
RELAY = ruleset("relay", Relay, ("one", "two"), 10, "dice")
ORDINARY = (NIM, RELAY)
CASES = [(game, players, {}) for game in ORDINARY for players in game.seats]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ORDINARY:
        monkeypatch.setitem(GAMES, game.name, replace(pig.GAME, versions=(game,)))  # type: ignore[arg-type]


def checks(parameter: str) -> list[Callable[..., None]]:
    """The suite's tests of one case, or of a ruleset, but for those that look for golden records."""
    tests = [test for name, test in vars(suite).items() if name.startswith("test_")]
    return [
        test
        for test in tests
        if parameter in (parameters := inspect.signature(test).parameters) and "golden" not in parameters
    ]


@pytest.mark.parametrize("check", checks("case"), ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", CASES, ids=random_game_case_name)
def test_an_ordinary_game_conforms_in_every_case(check: Callable[..., None], case: Any) -> None:
    takes_game = "game" in inspect.signature(check).parameters
    check(case=case, **({"game": GAMES[case[0].name]} if takes_game else {}))


@pytest.mark.parametrize("check", checks("ruleset"), ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", ORDINARY, ids=str)
def test_an_ordinary_ruleset_conforms(check: Callable[..., None], game: Ruleset) -> None:
    check(ruleset=game)


class Fixed(Relay):
    """A relay whose dice know no seed."""

    __slots__ = ()

    def chance(self) -> Chance | None:
        return Constant(self.dice) if self.dice else None

    def play(self, action: str) -> "Relay":
        return Fixed(*super().play(action))


class Constant(NamedTuple):
    dice: int

    def draw(self, luck: Any) -> str:
        return rolls(self.dice)[0]


def test_chance_that_does_not_follow_the_seed_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = ruleset("fixed", Fixed, ("one", "two"), 10, "dice")
    with pytest.raises(AssertionError):
        suite.test_the_same_seed_gives_the_same_game_and_other_seeds_others_where_chance_has_a_part(fixed)
