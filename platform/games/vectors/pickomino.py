"""Pickomino's vectors."""

from collections.abc import Mapping
from typing import Any

from games.chance import FACES, roll_text
from games.rulesets.grill.aside import ON_OR_STOP, aside
from games.rulesets.grill.tiles import mask_of
from games.rulesets.pickomino.board import Board
from games.rulesets.pickomino.position import Position
from games.rulesets.pickomino.rules import TILES, Rules
from games.rulesets.pickomino.turn import Phase
from games.vectors.reading import Keys, VectorError
from games.vectors.scene import Act, Fact, Scene


class PickominoScene(Scene):
    """One turn of one player. Facts about the turn outlive it: they are read from how it ended."""

    def __init__(self, options: Mapping[str, Any], players: list[str], given: Keys) -> None:
        self._players = players
        seat = self._seat(given.take("to_move"))
        stacks = given.take("stacks")
        _tiles([tile for stack in stacks.values() for tile in stack])
        if set(stacks) != set(players) or len(stacks) != len(players):
            raise VectorError(f"given: 'stacks' should name {players!r}, names {list(stacks)!r}")
        counts = _counts(given.optional("set_aside", {}))
        self._turn = seat + 1
        self.state = Position(
            Board(
                rules=Rules(len(players), **options),
                seat=seat,
                turn=self._turn,
                grill=_tiles(given.take("grill")),
                facedown=_tiles(given.take("facedown")),
                stacks=tuple(tuple(stacks[name]) for name in players),
                last=None,
                over="",
            ),
            aside(counts),
            *((Phase.DECIDE, "", ON_OR_STOP) if any(counts) else (Phase.ROLL, "", ())),
        )

    def acts(self) -> Mapping[str, Act]:
        return {
            "roll": self._roll,
            "take": lambda action: self._play(f"take {action.take('face')}"),
            "stop": lambda action: None if self._ended else self._play("stop"),
            "steal": lambda action: None if self._stolen else self._play("steal"),
            "decline_steal": lambda action: self._play("decline"),
        }

    def facts(self) -> Mapping[str, Fact]:
        view, last = self.state.view(None), self.state.view(None)["last"] or {}
        outcome = self.state.outcome()
        names = self._players
        return {
            "outcome": lambda _: {"bust": "fail", "take": "ok", "steal": "ok"}.get(last.get("event", "")),
            "total": lambda _: last.get("total") if self._ended else view["sum"],
            "dice_left": lambda _: view["dice_left"],
            "legal_faces": lambda _: [_face(action) for action in self.state.actions() if action.startswith("take ")],
            "stacks": lambda wanted: {name: view["stacks"][self._seat(name)] for name in wanted},
            "grill": lambda _: view["grill"],
            "facedown": lambda _: view["facedown"],
            "game_over": lambda _: outcome is not None,
            "scores": lambda wanted: {name: view["worms"][self._seat(name)] for name in wanted},
            "winner": lambda _: outcome and [names[seat] for seat, place in enumerate(outcome.places) if place == 1],
            "log_contains": lambda wanted: [pair for pair in wanted if pair in _log(last)],
        }

    @property
    def _ended(self) -> bool:
        return self.state.turn != self._turn or self.state.outcome() is not None

    @property
    def _stolen(self) -> bool:
        """Whether the turn has ended in a theft already, because the options leave no choice."""
        last = self.state.board.last
        return self._ended and last is not None and last.event == "steal"

    def _roll(self, action: Keys) -> None:
        dice = [str(die) for die in action.take("dice")]
        if unknown := set(dice) - set(FACES):
            raise VectorError(f"{action.where}: no die shows {sorted(unknown)!r}")
        if "roll" in self.state.actions():
            self._play("roll")
        self._play(roll_text([dice.count(face) for face in FACES]))

    def _play(self, text: str) -> None:
        self.state = self.state.play(self.state.read(text))

    def _seat(self, name: Any) -> int:
        if name not in self._players:
            raise VectorError(f"{name!r} is not one of the players {self._players!r}")
        return self._players.index(name)


def _counts(faces: dict[str, int]) -> tuple[int, ...]:
    if unknown := set(faces) - set(FACES):
        raise VectorError(f"given: 'set_aside' has no face {sorted(unknown)!r}")
    return tuple(faces.get(face, 0) for face in FACES)


def _tiles(numbers: list[int]) -> int:
    if unknown := set(numbers) - set(TILES):
        raise VectorError(f"given: there is no tile {sorted(unknown)!r}")
    return mask_of(numbers)


def _face(action: str) -> int | str:
    face = action.removeprefix("take ")
    return face if face == "W" else int(face)


def _log(last: dict[str, Any]) -> list[list[Any]]:
    returned = [["return", last["returned"]]] if last.get("returned") else []
    return returned + [["flip", tile] for tile in last.get("flipped", [])]
