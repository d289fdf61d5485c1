"""The scene for rule vectors that Pickomino and Heckmeck share: the turn of the player to move, and later turns."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from games.catalogue.grill.aside import DICE
from games.catalogue.grill.tiles import Stacks, tiles_mask_of
from games.chance import FACES
from games.scene import Act, Fact, Keys, Scene, VectorError, scene_as_wanted, scene_winners

if TYPE_CHECKING:
    from games.catalogue.heckmeck.position import HeckmeckPosition
    from games.catalogue.pickomino.position import PickominoPosition

AnyPosition: TypeAlias = "PickominoPosition | HeckmeckPosition"

# Phases in which a turn is being settled: a further "stop" has no effect.
SETTLING = ("steal", "lower", "canned", "raven", "keep")


class GrillScene(Scene):
    """A position at the grill. Facts about a turn stay available until the first roll of the next turn: they are read
    from the ending of the earlier turn.

    ``tiles`` are the tiles of the game. Players that the stacks do not name have none.
    """

    state: AnyPosition

    def __init__(self, players: list[str], given: Keys, tiles: Collection[int]) -> None:
        self._players = players
        self._tiles = tiles
        self.seat = self.seat_of(given.take("to_move"))
        self.turn = self.seat + 1
        stacks = given.optional("stacks", {})
        for name in stacks:
            self.seat_of(name)
        self.mask([tile for stack in stacks.values() for tile in stack])
        self.stacks: Stacks = tuple(tuple(stacks.get(name, ())) for name in players)
        self.grill = self.mask(given.take("grill"))
        self.facedown = self.mask(given.optional("facedown", []))
        self.counts = _counts(given.optional("set_aside", {}), DICE)
        self._earlier: object = None  # the ending of the turn before the current one
        self._log: list[list[Any]] = []  # of all turns before the current one

    @abstractmethod
    def throw(self, action: Keys) -> None:
        """Play a roll with the dice that the vector prescribes."""

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

    def facts_of(self, state: AnyPosition) -> Mapping[str, Fact]:
        view, outcome, names = state.view(None), state.outcome(), self._players
        last = view["last"] if self.ended(state) else None
        return {
            "outcome": lambda _: last and ("fail" if last["event"] == "bust" else "ok"),
            "total": lambda _: last["total"] if last else view["sum"],
            "dice_left": lambda _: _left(last) if last else view["dice_left"],
            "set_aside": lambda wanted: _aside(last["aside"] if last else view["aside"], wanted),
            "to_move": lambda _: names[state.board.seat] if outcome is None else None,
            "legal_faces": lambda wanted: scene_as_wanted(
                [_face(action) for action in state.actions() if action.startswith("take ")], wanted
            ),
            "stacks": lambda wanted: {name: view["stacks"][self.seat_of(name)] for name in wanted},
            "grill": lambda wanted: scene_as_wanted(view["grill"], wanted),
            "facedown": lambda wanted: scene_as_wanted(view["facedown"], wanted),
            "game_over": lambda _: outcome is not None,
            "scores": lambda wanted: {name: view["worms"][self.seat_of(name)] for name in wanted},
            "winner": lambda wanted: outcome and scene_as_wanted(scene_winners(outcome, names), wanted),
            "log_contains": lambda wanted: [pair for pair in wanted if pair in [*self._log, *_log(last)]],
        }

    def play(self, text: str) -> None:
        self.state = self.state.play(self.state.read(text))

    def seat_of(self, name: Any) -> int:
        if name not in self._players:
            raise VectorError(f"{name!r} is not one of the players {self._players!r}")
        return self._players.index(name)

    def mask(self, numbers: list[int]) -> int:
        """Return the bit mask of these tiles, which must belong to the game."""
        if unknown := set(numbers) - set(self._tiles):
            raise VectorError(f"given: there is no tile {sorted(unknown)!r}")
        return tiles_mask_of(numbers)

    def ended(self, state: AnyPosition) -> bool:
        """Tell whether the current turn has ended."""
        return state.board.last is not self._earlier

    def roll(self, action: Keys) -> None:
        if self.ended(self.state):
            self._log += _log(self.state.view(None)["last"])
            self._earlier = self.state.board.last
        self.throw(action)

    @property
    def _settled(self) -> bool:
        return self.ended(self.state) or self.state.phase.value in SETTLING

    @property
    def _stolen(self) -> bool:
        """Whether the turn has already ended in a theft, because the options leave no choice."""
        last = self.state.board.last
        return self.ended(self.state) and last is not None and last.event == "steal"


def grill_scene_faces(action: Keys) -> list[str]:
    """Return the dice of an action that throws dice."""
    dice = [str(die) for die in action.take("dice")]
    if unknown := set(dice) - set(FACES):
        raise VectorError(f"{action.where}: no die shows {sorted(unknown)!r}")
    return dice


def _counts(faces: dict[str, int], most: int) -> tuple[int, ...]:
    if unknown := set(faces) - set(FACES):
        raise VectorError(f"given: 'set_aside' has no face {sorted(unknown)!r}")
    if sum(faces.values()) > most:
        raise VectorError(f"given: 'set_aside' has more than {most} dice")
    return tuple(faces.get(face, 0) for face in FACES)


def _aside(counts: dict[str, int], wanted: dict[str, int]) -> dict[str, int]:
    """Return the dice by face. Faces with no dice are included only if they are wanted."""
    return {face: count for face, count in counts.items() if count or face in wanted}


def _face(action: str) -> int | str:
    face = action.removeprefix("take ")
    return face if face == "W" else int(face)


def _left(last: dict[str, Any]) -> int:
    """Return the number of dice that were not set aside in a turn."""
    aside: dict[str, int] = last["aside"]
    return DICE + (last.get("golden_die") is not None) - sum(aside.values())


def _log(last: dict[str, Any] | None) -> list[list[Any]]:
    """Return the moves of tiles at the end of a turn: ["return", 25], ["flip", 34], ["take", 26], ["steal", 21]."""
    if last is None:
        return []
    flipped = last["flipped"] or []
    turned = flipped if isinstance(flipped, list) else [flipped]
    won = [[last["event"], last["tile"]]] if last["tile"] else []
    returned = [["return", last["returned"]]] if last["returned"] else []
    return won + returned + [["flip", tile] for tile in turned]
