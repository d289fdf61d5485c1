"""The record of a game: seed and actions, enough to replay the game and to prove how it was played."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, Self

from games import encoding
from games.replay import DIGEST_BYTES, Intervention, RecordError, Replay, Step
from games.state import Outcome, State

__all__ = ["Intervention", "Record", "RecordError", "Step"]

_json: Final = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps() would create an encoder each time
_action: Final = lru_cache(maxsize=1 << 14)(_json)  # a few hundred actions, mostly repeated


@dataclass(frozen=True, slots=True)
class Record:
    """A finished or unfinished game: the actions of the seats, and a digest of all fields. Chance follows from the
    seed.

    ``legal`` has the legal actions before each action, if the referee stored them.

    >>> from games.catalogue import find
    >>> from games.table import Table
    >>> table = Table(find("pickomino/1"), players=2, options={}, seed=bytes(16))
    >>> table.play("take W")
    >>> record = table.record()
    >>> Record.decode(record.encode()) == record
    True
    >>> [step.action for step in record.replay()]
    ['roll 1 2 2 2 2 2 5 W', 'take W']
    """

    ruleset: str  # its id
    players: int
    options: Mapping[str, Any]
    seed: bytes
    actions: tuple[str, ...]
    interventions: tuple[Intervention, ...]
    digest: bytes
    legal: tuple[tuple[str, ...], ...] | None = field(default=None, init=False, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        ruleset: str,
        players: int,
        options: Mapping[str, Any],
        seed: bytes,
        actions: tuple[str, ...],
        interventions: tuple[Intervention, ...],
        last: State,
        legal: tuple[tuple[str, ...], ...] | None = None,
    ) -> Self:
        """Return the record of a game whose final state is ``last``. Its digest is 16 bytes of blake2b over the other
        fields and the facts of that state.

        They are hashed as one JSON list without spaces: ruleset, players, options in their order, the seed in
        hexadecimal, actions, interventions, facts.
        """
        table = _json((ruleset, players, dict(options), seed.hex()))
        ended = _json((interventions, last.facts()))
        text = f"{table[:-1]},[{','.join(map(_action, actions))}],{ended[1:]}"
        digest = blake2b(text.encode("ascii"), digest_size=DIGEST_BYTES).digest()
        record = cls(ruleset, players, options, seed, actions, interventions, digest)
        # ``legal`` is not an init field, because dataclasses.replace must not copy it
        object.__setattr__(record, "legal", legal)
        return record

    def sealed(self, last: State) -> Self:
        """Return this record with the digest for the ``last`` state; see ``of``."""
        return self.of(self.ruleset, self.players, self.options, self.seed, self.actions, self.interventions, last)

    def encode(self) -> bytes:
        """Return the compact form, from which ``decode`` returns an equal record.

        Raises:
            RecordError: see ``replay``; only if ``legal`` is None, because the game is then replayed.
        """
        return encoding.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Return the record in ``data``, which may be hostile. The result is not checked: call ``verify``.

        Raises:
            RecordError: ``data`` is not a record, or its game or version is not installed here.
        """
        return cls(**encoding.decode(data))

    @classmethod
    def proved(cls, data: bytes) -> tuple[Self, Outcome, tuple[int, ...]]:
        """Return the record in ``data``, its outcome, and the seat of each action. This plays the game once.

        Raises:
            RecordError: see ``decode`` and ``verify``.
        """
        fields, last, actors = encoding.played(data)
        record = cls(**fields)
        record._check_interventions()
        return record, record._ended(last), actors

    def replay(self) -> Iterator[Step]:
        """Yield every action in order, including chance, which is dealt from the seed.

        Raises:
            RecordError: the game is unknown, an action is illegal, or an intervention is at an impossible place.
        """
        return self._replay().play(self.actions, self.interventions)

    def verify(self) -> Outcome:
        """Replay the whole game, compare its end with the digest, and return its outcome.

        Raises:
            RecordError: see ``replay``; or the game is not finished, or its end differs from the digest.
        """
        replay = self._replay()
        for _ in replay.play(self.actions, self.interventions):
            pass
        return self._ended(replay.state)

    def _ended(self, last: State) -> Outcome:
        outcome = last.outcome()
        if outcome is None:
            raise RecordError("unfinished", f"the game goes on after its {len(self.actions)} actions")
        if self.sealed(last) != self:
            raise RecordError("digest", "the game does not end where the record says")
        return outcome

    def _replay(self) -> Replay:
        self._check_interventions()
        return Replay(self.ruleset, self.players, self.options, self.seed)

    def _check_interventions(self) -> None:
        if len({one.at for one in self.interventions}) < len(self.interventions):
            raise RecordError("intervention", "two interventions begin at the same action")
        if any(one.at < 0 for one in self.interventions):
            raise RecordError("intervention", "an intervention begins before the first action")
