"""Beats: groups of frames that people see as one move, such as a roll and the dice set aside from it.

After each frame, a game decides whether a beat ends there (``games.game.CatalogueGame.mark``). The decision depends
only on the frames of that beat. So a finished game has the same beats as a running game whose frames arrive one by one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from games.state import CHANCE


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a game as a spectator sees it, and the action that led to it."""

    n: int  # from 0, the start
    actor: int  # who played the action; CHANCE for dice and decks, and for frame 0
    action: str  # "" for frame 0
    cause: str  # the verdict on the bot whose stand-in played the action; "" if no stand-in did
    key: str  # an event that a viewer can jump to: "take", "steal", "bust", "end"; or ""
    turn: int  # the turn to which the action belongs
    view: dict[str, Any]


SHORTEST: Final = 300  # milliseconds of a beat, whatever the tempo
LONGEST: Final = 10_000
END: Final = "end"  # the key of a game's last frame
START: Final = "start"  # the kind of the beat of frame 0


class Weight(IntEnum):
    """How important a beat is. Short tempos leave out beats of low weight."""

    STEP = 0  # part of a move, such as a card to an open trick
    MOVE = 1
    KEY = 2  # a turn or a round ends
    TURNING = 3  # a highlight: a theft, the end of the game


class Mark(NamedTuple):
    """A game's description of a beat, made at the frame that ends it."""

    kind: str
    seat: int  # the seat that acts; CHANCE if there is none
    ms: int  # milliseconds on the screen at the tempo EVERY
    weight: Weight


class Beat(NamedTuple):
    """The frames ``first`` to ``last``, inclusive. ``ms`` is their time on the screen at the tempo ``EVERY``."""

    first: int
    last: int
    kind: str
    seat: int
    ms: int
    weight: Weight


class Tempo(StrEnum):
    """How much of a game is shown: about one minute, about two and a half minutes, or every beat."""

    HIGHLIGHTS = "highlights"
    STORY = "story"
    EVERY = "every"


Marker: TypeAlias = Callable[[Sequence[Frame]], Mark | None]  # receives the frames since the last beat, at least one

_OPENING: Final = Mark(START, CHANCE, 1500, Weight.MOVE)


def mark_action(frames: Sequence[Frame]) -> Mark | None:
    """End a beat at each action of a player, including the chance that follows it, and at each event. This is the
    default for games without their own marker.
    """
    frame = frames[-1]
    if frame.key == END:
        return ending()
    if frame.view["actor"] == CHANCE and not frame.key:
        return None
    played = next((one for one in reversed(frames) if one.actor != CHANCE), frame)
    kind = frame.key or played.action.partition(" ")[0]
    return Mark(kind, played.actor, 1800 if frame.key else 1000, Weight.KEY if frame.key else Weight.MOVE)


def ending() -> Mark:
    """Return the mark of a game's last beat."""
    return Mark(END, CHANCE, 6000, Weight.TURNING)


class BeatSplitter:
    """Split a stream of frames into beats."""

    __slots__ = ("_mark", "_open")

    def __init__(self, mark: Marker) -> None:
        self._mark = mark
        self._open: list[Frame] = []  # frames since the last beat

    def extend(self, frames: Iterable[Frame]) -> list[Beat]:
        """Return the beats that end within ``frames``, which continue the frames of earlier calls."""
        return [beat for frame in frames if (beat := self._beat(frame))]

    def _beat(self, frame: Frame) -> Beat | None:
        self._open.append(frame)
        mark = self._mark(self._open) if frame.n else _OPENING
        if mark is None:
            return None
        first, self._open = self._open[0].n, []
        return Beat(first, frame.n, *mark)


def beats_of(mark: Marker, frames: Iterable[Frame]) -> tuple[Beat, ...]:
    """Return the beats of a whole game."""
    return tuple(BeatSplitter(mark).extend(frames))


# The tempos that leave out beats. For each: the target length of a game, and the selections to try, largest first. A
# selection has all beats of at least a weight, and the ``lead`` beats before each of them.
_TARGETS: Final = {Tempo.STORY: 150_000, Tempo.HIGHLIGHTS: 60_000}
_SLOWEST, _FASTEST = 1.5, 0.6  # the bounds of the factor by which a beat's own time is multiplied
_CHOICES: Final = {
    Tempo.STORY: ((Weight.MOVE, 0), (Weight.KEY, 1), (Weight.KEY, 0), (Weight.TURNING, 1)),
    Tempo.HIGHLIGHTS: ((Weight.KEY, 1), (Weight.KEY, 0), (Weight.TURNING, 1), (Weight.TURNING, 0)),
}


def beat_durations(beats: Sequence[Beat], tempo: Tempo) -> tuple[int, ...]:
    """Return how long each beat of a whole game is shown at ``tempo``, in milliseconds: 0 for a beat that is left out.

    The first selection that fits the tempo's target length is used; if none fits, the last one is. The times of its
    beats are then multiplied by one factor, so that the game comes near the target. The factor is from 0.6 to 1.5 (at
    the tempo STORY from 0.6 to 1).
    """
    if tempo is Tempo.EVERY:
        return tuple(beat.ms for beat in beats)
    target = _TARGETS[tempo]
    for weight, lead in _CHOICES[tempo]:
        shown = _chosen(beats, weight, lead)
        total = sum(beat.ms for beat, is_shown in zip(beats, shown, strict=True) if is_shown)
        if total * _FASTEST <= target:
            break
    factor = min(_SLOWEST if tempo is Tempo.HIGHLIGHTS else 1.0, max(_FASTEST, target / max(total, 1)))
    return tuple(
        max(SHORTEST, round(beat.ms * factor)) if is_shown else 0 for beat, is_shown in zip(beats, shown, strict=True)
    )


def _chosen(beats: Sequence[Beat], weight: Weight, lead: int) -> list[bool]:
    """Return which beats are selected. These are the beats of at least ``weight``, up to ``lead`` beats before each of
    them, and always the last beat.
    """
    heavy = [beat.weight >= weight for beat in beats]
    return [
        any(heavy[at : at + lead + 1]) or at == len(beats) - 1  # the beat itself or one of the next ``lead`` beats
        for at in range(len(beats))
    ]
