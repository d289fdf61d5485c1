"""An author's own bot, run again on every view that it was given: did the caged one choose what it chooses here?

Unguarded, in a process of its own. It is loaded afresh for each game and told what the referee told it: the table, its
seat, its seed. A bot that takes luck from elsewhere, or was cut short by a limit, differs without anybody having
cheated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from games.protocol import Limits, Verdict
from games.record import Record
from matches.proof.reading import ProofError
from matches.referee.failure_bundle import seated_in
from peck.again import asked_again
from peck.bots import NoBotError, home_bots
from peck.box import HomeCage

NO_BOT: Final = (Verdict.NO_ENTRY_POINT, Verdict.IMPORT_ERROR)


@dataclass(slots=True)
class Witness:
    """The bot in the file at ``path``, as ``entry`` or else as the entries whose package it is. ``asked``: how often it
    was; ``differs``: where it first answered otherwise than the record has it."""

    path: Path
    entry: int | None = None
    asked: int = 0
    games: int = 0
    found: set[int] = field(default_factory=set)
    differs: str = ""

    def look(self, label: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record) -> None:
        """Run the bot through one game, if it sat there and has not differed yet.

        Raises:
            ProofError: the file is no bot.
        """
        own = sha256(self.path.read_bytes()).hexdigest() if self.entry is None else ""
        for seat, entry in enumerate(seating):
            if entry == self.entry or packages.get(entry) == own:
                self.found.add(entry)
                if not self.differs:
                    self._run(f"{label}, game {index + 1}", (seat - index) % len(seating), record)

    def _run(self, where: str, position: int, record: Record) -> None:
        self.games += 1
        try:
            with home_bots([self.path]) as (bot,), HomeCage() as cage:
                found = asked_again(seated_in(record, position), bot, cage, Limits())
        except NoBotError as error:
            raise ProofError(str(error)) from None
        self.asked += found.asked
        if found.fault is not None and found.fault.verdict in NO_BOT:
            raise ProofError(f"{self.path}: {found.fault.detail}")
        if found.fault is not None:
            failure = f"{found.fault.verdict.value}: {found.fault.summary[:200]}"
            self.differs = f"{where}, action {found.at}: yours fails: {failure}"
        elif found.turn is not None and not found.turn.failed:
            answers = f"the record has {found.turn.answer!r}, yours answers {found.answer[:200]!r}"
            self.differs = f"{where}, action {found.at}: {answers}"
