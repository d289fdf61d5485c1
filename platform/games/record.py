"""What is kept of a game: seed and actions, enough to play it again and to prove that it was played so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from games import encoding
from games.replay import Intervention, RecordError, Replay, Step, digest, opened
from games.state import Outcome

__all__ = ["Intervention", "Record", "RecordError", "Step", "digest"]


@dataclass(frozen=True, slots=True)
class Record:
    """A game, finished or not: the seats' actions, and a hash of where they lead. Chance follows from the seed."""

    ruleset: str  # its id
    players: int
    options: Mapping[str, Any]
    seed: bytes
    actions: tuple[str, ...]
    interventions: tuple[Intervention, ...]
    digest: bytes

    def encode(self) -> bytes:
        """The compact form; ``decode`` gives an equal record back.

        Raises:
            RecordError: this is not a record that could be decoded again.
        """
        ruleset, options = opened(self.ruleset, self.players, self.options)
        try:
            return encoding.encode(self, ruleset, options)
        except (ValueError, OverflowError) as error:
            raise error if isinstance(error, RecordError) else RecordError("bytes", str(error)) from error

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """The record in ``data``. Its form is checked, not its truth: see ``verify``.

        Raises:
            RecordError: not a record, or of a game or version that is not played here. Safe for hostile bytes.
        """
        record = cls(**encoding.decode(data))
        if record.encode() != data:
            raise RecordError("bytes", "not the one form of this record")
        return record

    def replay(self) -> Iterator[Step]:
        """Every action in order, chance dealt from the seed.

        Raises:
            RecordError: an action is not legal where it stands, or an intervention is not at its seat's action.
        """
        replay = Replay(self.ruleset, self.players, self.options, self.seed)
        yield from replay.extend(self.actions, self.interventions)

    def verify(self) -> Outcome:
        """Plays the whole game again.

        Raises:
            RecordError: it is not a legal, finished game, or it does not end where the record says.
        """
        replay = Replay(self.ruleset, self.players, self.options, self.seed)
        for _ in replay.extend(self.actions, self.interventions):
            pass
        outcome = replay.state.outcome()
        if outcome is None:
            raise RecordError("unfinished", f"the game goes on after its {len(self.actions)} actions")
        if digest(replay.state) != self.digest:
            raise RecordError("digest", "the game does not end where the record says")
        return outcome
