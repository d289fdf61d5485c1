"""What the replay player is given: the frames of a game, each encoded once.

A frame is ``[actor, action, cause, key, turn, changes]``; its number is its place. ``changes`` holds the parts of the
spectator's view that differ from the frame before (all of them in the first), so a game is about a third of the size.
Seats in it are table positions, see ``matches.models.Game``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from games.frames import Frame, Reel, frames
from games.record import Record
from games.replay import Intervention

FORMAT: Final = 1  # of the frames; browsers keep those of finished games for good


def encoded(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class FrameEncoder:
    """The encoded frames of one game that is being played.

    Raises:
        RecordError: no such game, players, options or seed.
    """

    __slots__ = ("_actions", "_reel", "_view", "shown")

    def __init__(self, ruleset: str, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        self._reel = Reel(ruleset, players, options, seed)
        self._actions = 0
        self._view: Mapping[str, Any] = {}
        self.shown = 0  # frames so far

    def extend(self, actions: Sequence[str], interventions: Sequence[Intervention]) -> tuple[str, ...]:
        """Return the frames that are new, where ``actions`` are all of the game so far.

        Raises:
            RecordError: an action is not legal where it stands.
        """
        if len(actions) <= self._actions and self.shown:
            return ()
        fresh = self._reel.extend(actions[self._actions :], interventions)
        self._actions = len(actions)
        self.shown += len(fresh)
        texts = tuple(_encode(fresh, self._view))
        self._view = fresh[-1].view if fresh else self._view
        return texts


def frames_json(game: int, texts: Iterable[str], first: int = 0) -> str:
    """Return the encoded frames of a game, from frame ``first`` on, as one JSON object."""
    return f'{{"type":"frames","game":{game},"first":{first},"frames":[{",".join(texts)}]}}'


def record_frames(game: int, record: bytes) -> str:
    """Return all frames of a finished game, from its stored record.

    Raises:
        RecordError: the game was not played by the rules.
    """
    return frames_json(game, _encode(frames(Record.decode(record)), {}))


def _encode(fresh: Iterable[Frame], before: Mapping[str, Any]) -> Iterable[str]:
    for frame in fresh:
        changes = {name: value for name, value in frame.view.items() if name not in before or before[name] != value}
        yield encoded([frame.actor, frame.action, frame.cause, frame.key, frame.turn, changes])
        before = frame.view
