"""What a broadcast has said so far in one attempt, numbered so that every viewer gets exactly what it lacks."""

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from matches.live.topics import RequestError
from matches.replay.frame_encoding import encoded, frames_json

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
    """One message: the ``frames`` of ``game`` from ``first`` on."""

    game: int
    first: int
    frames: tuple[str, ...]
    text: str

    def after(self, seen: ReplayPosition) -> str:
        """Return the message for a viewer who has the frames up to ``seen``; "" if it has them all."""
        if self.game > seen.game:
            return self.text
        lacking = self.first + len(self.frames) - 1 - seen.n
        if self.game < seen.game or lacking <= 0:
            return ""
        if lacking >= len(self.frames):
            return self.text
        return frames_json(self.game, self.frames[-lacking:], seen.n + 1)


class ReplayBuffer:
    """One attempt: its frames, oldest first, of which the oldest games may have been dropped, and how it stands."""

    __slots__ = ("_entries", "attempt", "base", "opening", "standing")

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt
        self.opening = encoded({"type": "attempt", "attempt": attempt})
        self.standing = ""  # the message to those who have all frames
        self.base = 0  # number of the oldest entry that is kept
        self._entries: list[FrameMessage] = []

    @property
    def end(self) -> int:
        """Number of the entry to come."""
        return self.base + len(self._entries)

    def text_for(self, number: int, seen: ReplayPosition) -> str:
        """Entry ``number`` for a viewer who came with ``seen``; "" if that holds it all."""
        entry = self._entries[number - self.base]
        return entry.after(seen) if seen.attempt == self.attempt else entry.text

    def add(self, game: int, first: int, frames: tuple[str, ...]) -> None:
        """Add frames, which are encoded here for all viewers."""
        self._entries.append(FrameMessage(game, first, frames, frames_json(game, frames, first)))

    def drop_before(self, game: int) -> None:
        """Forget the games before ``game``."""
        dropped = sum(1 for _ in takewhile(lambda entry: entry.game < game, self._entries))
        del self._entries[:dropped]
        self.base += dropped

    def stands(self, **standing: object) -> None:
        """Note how the match stands now."""
        self.standing = encoded(standing)
