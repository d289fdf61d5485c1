"""What a broadcast has said so far in one attempt, numbered so that every viewer gets exactly what it lacks."""

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from matches.replay.frame_encoding import FrameBatch, encoded
from web.topics import RequestError

SINCE: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


class ReplayPosition(NamedTuple):
    """The last frame a viewer has: frame ``n`` of game ``game`` of attempt ``attempt``."""

    attempt: int
    game: int
    n: int


START: Final = ReplayPosition(-1, -1, -1)


def read_position(text: str) -> ReplayPosition:
    """Return a position as the page writes it: "1.0.57", or "" for nothing seen.

    Raises:
        RequestError: it is neither.
    """
    if not text:
        return START
    found = SINCE.fullmatch(text)
    if found is None:
        raise RequestError("bad_position", f"'since' is attempt.game.frame, such as 1.0.57, not {text[:40]!r}")
    return ReplayPosition(*map(int, found.groups()))


@dataclass(frozen=True, slots=True)
class FrameMessage:
    """One message: the frames of ``batch``, encoded as ``text``."""

    batch: FrameBatch
    text: str

    def after(self, seen: ReplayPosition) -> str:
        """Return the message for a viewer who has the frames up to ``seen``; "" if it has them all."""
        batch = self.batch
        if batch.game > seen.game:
            return self.text
        if batch.game < seen.game or batch.first + len(batch.frames) - 1 <= seen.n:
            return ""
        return self.text if seen.n < batch.first else batch.part(seen.n + 1).json()


class ReplayBuffer:
    """One attempt: its frames, oldest first, of which the oldest games may have been dropped, and how it stands."""

    __slots__ = ("_entries", "attempt", "base", "end", "opening", "standing")

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt
        self.opening = encoded({"type": "attempt", "attempt": attempt})
        self.standing = ""  # the message to those who have all frames
        self.base = 0  # number of the oldest entry that is kept
        self.end = 0  # number of the entry to come
        self._entries: list[FrameMessage] = []

    def text_for(self, number: int, seen: ReplayPosition) -> str:
        """Return entry ``number`` for a viewer who came with ``seen``; "" if that holds it all."""
        entry = self._entries[number - self.base]
        return entry.after(seen) if seen.attempt == self.attempt else entry.text

    def add(self, batch: FrameBatch) -> None:
        """Add frames, which are encoded here for all viewers."""
        self._entries.append(FrameMessage(batch, batch.json()))
        self.end += 1

    def drop_before(self, game: int) -> None:
        """Forget the games before ``game``."""
        dropped = sum(1 for _ in takewhile(lambda entry: entry.batch.game < game, self._entries))
        del self._entries[:dropped]
        self.base += dropped

    def stands(self, **standing: object) -> None:
        """Note how the match stands now."""
        self.standing = encoded(standing)
