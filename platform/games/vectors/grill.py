"""What the vectors of the two games at the grill share: one turn of one player."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any

from games.chance import FACES
from games.rulesets.grill.tiles import Stacks, mask_of
from games.state import State
from games.vectors.reading import Keys, VectorError
from games.vectors.scene import Act, Fact, Scene

# Phases in which a turn is being settled: to stop there confirms nothing new.
SETTLING = ("steal", "lower", "canned", "raven", "keep")


class GrillScene(Scene):
    """Facts about the turn outlive it: they are read from how it ended. ``tiles`` are those of the game."""

    state: State

    def __init__(self, players: list[str], given: Keys, tiles: Collection[int]) -> None:
        self._players = players
        self._tiles = tiles
        self.seat = self.seat_of(given.take("to_move"))
        self.turn = self.seat + 1
        stacks = given.take("stacks")
        if set(stacks) != set(players) or len(stacks) != len(players):
            raise VectorError(f"given: 'stacks' should name {players!r}, names {list(stacks)!r}")
        self.mask([tile for stack in stacks.values() for tile in stack])
        self.stacks: Stacks = tuple(tuple(stacks[name]) for name in players)
        self.grill = self.mask(given.take("grill"))
        self.facedown = self.mask(given.take("facedown"))
        self.counts = _counts(given.optional("set_aside", {}))

    @abstractmethod
    def roll(self, action: Keys) -> None:
        """Plays a roll with its scripted dice."""

    def acts(self) -> Mapping[str, Act]:
        return {
            "roll": self.roll,
            "take": lambda action: self.play(f"take {action.take('face')}"),
            "stop": lambda action: None if self._settled else self.play("stop"),
            "steal": lambda action: None if self._stolen else self.play("steal"),
            "decline_steal": lambda action: self.play("decline"),
        }

    def facts(self) -> Mapping[str, Fact]:
        return self.facts_of(self.state)

    def facts_of(self, state: State) -> Mapping[str, Fact]:
        view, last = state.view(None), state.view(None)["last"] or {}
        outcome, ended = state.outcome(), self._ended(state)
        names = self._players
        return {
            "outcome": lambda _: {"bust": "fail", "take": "ok", "steal": "ok"}.get(last.get("event", "")),
            "total": lambda _: last.get("total") if ended else view["sum"],
            "dice_left": lambda _: view["dice_left"],
            "legal_faces": lambda _: [_face(action) for action in state.actions() if action.startswith("take ")],
            "stacks": lambda wanted: {name: view["stacks"][self.seat_of(name)] for name in wanted},
            "grill": lambda _: view["grill"],
            "facedown": lambda _: view["facedown"],
            "game_over": lambda _: outcome is not None,
            "scores": lambda wanted: {name: view["worms"][self.seat_of(name)] for name in wanted},
            "winner": lambda _: outcome and [names[seat] for seat, place in enumerate(outcome.places) if place == 1],
            "log_contains": lambda wanted: [pair for pair in wanted if pair in _log(last)],
        }

    def play(self, text: str) -> None:
        self.state = self.state.play(self.state.read(text))

    def seat_of(self, name: Any) -> int:
        if name not in self._players:
            raise VectorError(f"{name!r} is not one of the players {self._players!r}")
        return self._players.index(name)

    def mask(self, numbers: list[int]) -> int:
        """The set of these tiles of the game."""
        if unknown := set(numbers) - set(self._tiles):
            raise VectorError(f"given: there is no tile {sorted(unknown)!r}")
        return mask_of(numbers)

    def _ended(self, state: State) -> bool:
        return state.turn != self.turn or state.outcome() is not None

    @property
    def _settled(self) -> bool:
        return self._ended(self.state) or self.state.view(None)["phase"] in SETTLING

    @property
    def _stolen(self) -> bool:
        """Whether the turn has ended in a theft already, because the options leave no choice."""
        last = self.state.view(None)["last"]
        return self._ended(self.state) and last is not None and last["event"] == "steal"


def faces_of(action: Keys) -> list[str]:
    """The dice of an action that throws some."""
    dice = [str(die) for die in action.take("dice")]
    if unknown := set(dice) - set(FACES):
        raise VectorError(f"{action.where}: no die shows {sorted(unknown)!r}")
    return dice


def _counts(faces: dict[str, int]) -> tuple[int, ...]:
    if unknown := set(faces) - set(FACES):
        raise VectorError(f"given: 'set_aside' has no face {sorted(unknown)!r}")
    return tuple(faces.get(face, 0) for face in FACES)


def _face(action: str) -> int | str:
    face = action.removeprefix("take ")
    return face if face == "W" else int(face)


def _log(last: dict[str, Any]) -> list[list[Any]]:
    flipped = last.get("flipped") or []
    turned = flipped if isinstance(flipped, list) else [flipped]
    returned = [["return", last["returned"]]] if last.get("returned") else []
    return returned + [["flip", tile] for tile in turned]
