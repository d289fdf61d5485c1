"""The frames and beats of a game as JSON for the replay player. Each is encoded only once.

A frame is ``[actor, action, cause, key, turn, changes]``. Its number is its index among all frames of the game, from 0.
``changes`` has the entries of the spectator's view that differ from the previous frame; the first frame has all
entries. This makes a game about a third as large.

A beat is ``[last, kind, seat, ms, weight]``, see ``games.beats``. It consists of the frames up to number ``last`` that
no earlier beat has. Frames and beats number seats by table position, see ``matches.models.Game``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final

from games.beats import Beat, BeatSplitter, Frame
from games.catalogue import GAMES
from games.frames import GameFrames, frames
from games.record import Record
from games.replay import Intervention

FORMAT: Final = 2  # version of the encoding; a change needs a new one, because browsers cache frames for a year


def frame_encoding_compact_json(value: Any) -> str:
    """Return ``value`` as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class FrameBatch:
    """Consecutive encoded ``frames`` of a game, and the ``beats`` whose last frame is among them.

    ``game`` is the index of the game in its match. ``first`` is the number of the first frame. In a broadcast, ``air``
    has the time at which each beat is shown, in milliseconds after T0. Otherwise ``air`` is empty.
    """

    game: int
    first: int
    frames: tuple[str, ...]
    beats: tuple[Beat, ...]
    air: tuple[int, ...] = ()

    def part(self, start: int, stop: int | None = None) -> "FrameBatch":
        """Return the frames from number ``start`` up to, but not including, number ``stop``; by default all later ones.

        Beats and times of other frames are left out. Frames that are not in the batch are ignored.
        """
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
        """Return the batch as one JSON object. The entries of ``also`` are added to it."""
        also |= {"air": self.air} if self.air else {}
        beats = ",".join(
            frame_encoding_compact_json([beat.last, beat.kind, beat.seat, beat.ms, beat.weight]) for beat in self.beats
        )
        rest = "".join(
            f",{frame_encoding_compact_json(name)}:{frame_encoding_compact_json(value)}" for name, value in also.items()
        )
        head = f'{{"type":"frames","game":{self.game},"first":{self.first}'
        return f'{head},"frames":[{",".join(self.frames)}],"beats":[{beats}]{rest}}}'


class FrameEncoder:
    """Encodes the frames of a game while it is being played. ``game`` is the index of the game in its match.

    Raises:
        RecordError: see ``games.replay.Replay``.
    """

    __slots__ = ("_actions", "_beats", "_frames", "_game", "_view", "shown")

    def __init__(self, game: int, ruleset: str, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        self._frames = GameFrames(ruleset, players, options, seed)
        self._beats = _splitter(ruleset)
        self._game = game
        self._actions = 0
        self._view: Mapping[str, Any] = {}
        self.shown = 0  # how many frames were returned so far

    def extend(self, actions: Sequence[str], interventions: Sequence[Intervention]) -> FrameBatch:
        """Return the frames that earlier calls have not returned.

        ``actions`` and ``interventions`` are those of the whole game so far.

        Raises:
            RecordError: an action is illegal, or an intervention is not possible; see ``games.replay.Replay.play``.
        """
        first = self.shown
        if len(actions) <= self._actions and first:
            return FrameBatch(self._game, first, (), ())
        fresh = self._frames.extend(actions[self._actions :], interventions)
        self._actions = len(actions)
        self.shown += len(fresh)
        texts = tuple(_encode(fresh, self._view))
        self._view = fresh[-1].view if fresh else self._view
        return FrameBatch(self._game, first, texts, tuple(self._beats.extend(fresh)))


def frame_encoding_of_record(game: int, record: bytes) -> FrameBatch:
    """Return all frames of a finished game. ``record`` is its stored record, and ``game`` its index in the match.

    Raises:
        RecordError: the record is damaged, or the game was not played by the rules.
    """
    decoded, _, _ = Record.proved(record)
    shown = list(frames(decoded))
    return FrameBatch(game, 0, tuple(_encode(shown, {})), tuple(_splitter(decoded.ruleset).extend(shown)))


def _splitter(ruleset: str) -> BeatSplitter:
    return BeatSplitter(GAMES[ruleset.partition("/")[0]].mark)


def _encode(fresh: Iterable[Frame], before: Mapping[str, Any]) -> Iterator[str]:
    for frame in fresh:
        changes = {name: value for name, value in frame.view.items() if name not in before or before[name] != value}
        yield frame_encoding_compact_json([frame.actor, frame.action, frame.cause, frame.key, frame.turn, changes])
        before = frame.view
