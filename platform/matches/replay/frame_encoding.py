"""What the replay player is given: the frames of a game and its beats, each encoded once.

A frame is ``[actor, action, cause, key, turn, changes]``; its number is its place. ``changes`` holds the parts of the
spectator's view that differ from the frame before (all of them in the first), so a game is about a third of the size.
A beat is ``[last, kind, seat, ms, weight]``, see ``games.beats``: it begins after the last frame of the beat before.
Seats in both are table positions, see ``matches.models.Game``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final

from games.beats import Beat, BeatSplitter, Frame
from games.catalogue import GAMES
from games.frames import Reel, frames
from games.record import Record
from games.replay import Intervention

FORMAT: Final = 2  # of the frames; browsers keep those of finished games for good


def frames_compact_json(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class FrameBatch:
    """The ``frames`` of ``game`` from ``first`` on, encoded, and the ``beats`` that end in them.

    ``air``: of a broadcast, when each of the beats comes on, in milliseconds since the broadcast began.
    """

    game: int
    first: int
    frames: tuple[str, ...]
    beats: tuple[Beat, ...]
    air: tuple[int, ...] = ()

    def part(self, start: int, stop: int | None = None) -> "FrameBatch":
        """Return the frames of it that are numbered ``start`` to ``stop``, which is left out."""
        low = min(max(start, self.first), self.first + len(self.frames))
        high = self.first + len(self.frames) if stop is None else max(low, stop)
        inside = [low <= beat.last < high for beat in self.beats]
        return FrameBatch(
            self.game,
            low,
            self.frames[low - self.first : high - self.first],
            tuple(compress(self.beats, inside)),
            tuple(compress(self.air, inside)),
        )

    def json(self, **also: Any) -> str:
        """Return it as one JSON object, ``also`` in it."""
        also |= {"air": self.air} if self.air else {}
        beats = ",".join(
            frames_compact_json([beat.last, beat.kind, beat.seat, beat.ms, beat.weight]) for beat in self.beats
        )
        rest = "".join(f",{frames_compact_json(name)}:{frames_compact_json(value)}" for name, value in also.items())
        head = f'{{"type":"frames","game":{self.game},"first":{self.first}'
        return f'{head},"frames":[{",".join(self.frames)}],"beats":[{beats}]{rest}}}'


class FrameEncoder:
    """The encoded frames of game ``game`` of a match, which is being played.

    Raises:
        RecordError: no such game, players, options or seed.
    """

    __slots__ = ("_actions", "_beats", "_game", "_reel", "_view", "shown")

    def __init__(self, game: int, ruleset: str, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        self._reel = Reel(ruleset, players, options, seed)
        self._beats = _splitter(ruleset)
        self._game = game
        self._actions = 0
        self._view: Mapping[str, Any] = {}
        self.shown = 0  # frames so far

    def extend(self, actions: Sequence[str], interventions: Sequence[Intervention]) -> FrameBatch:
        """Return the frames that are new, where ``actions`` are all of the game so far.

        Raises:
            RecordError: an action is not legal where it stands.
        """
        first = self.shown
        if len(actions) <= self._actions and first:
            return FrameBatch(self._game, first, (), ())
        fresh = self._reel.extend(actions[self._actions :], interventions)
        self._actions = len(actions)
        self.shown += len(fresh)
        texts = tuple(_encode(fresh, self._view))
        self._view = fresh[-1].view if fresh else self._view
        return FrameBatch(self._game, first, texts, tuple(self._beats.extend(fresh)))


def frames_record_batch(game: int, record: bytes) -> FrameBatch:
    """Return all frames of a finished game, from its stored record.

    Raises:
        RecordError: the game was not played by the rules, or the record is damaged.
    """
    decoded, _, _ = Record.proved(record)
    shown = list(frames(decoded))
    return FrameBatch(game, 0, tuple(_encode(shown, {})), tuple(_splitter(decoded.ruleset).extend(shown)))


def _splitter(ruleset: str) -> BeatSplitter:
    return BeatSplitter(GAMES[ruleset.partition("/")[0]].mark)


def _encode(fresh: Iterable[Frame], before: Mapping[str, Any]) -> Iterator[str]:
    for frame in fresh:
        changes = {name: value for name, value in frame.view.items() if name not in before or before[name] != value}
        yield frames_compact_json([frame.actor, frame.action, frame.cause, frame.key, frame.turn, changes])
        before = frame.view
