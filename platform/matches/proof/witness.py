"""An author's own bot, run again on every view that it was given: did the caged one choose what it chooses here?

Unguarded, in this process. It is loaded afresh for each game and told what the referee told it: the table, its seat,
its seed. A bot that takes luck from elsewhere, or was cut short by a limit, differs without anybody having cheated.
"""

import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from games.dealer import block_seed
from games.local import LocalBot, LocalBotError
from games.record import Record
from games.state import CHANCE
from matches.proof.reading import ProofError


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

    def look(self, said: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record) -> None:
        """Run the bot through one game, if it sat there and has not differed yet.

        Raises:
            ProofError: the file is no bot.
        """
        own = sha256(self.path.read_bytes()).hexdigest() if self.entry is None else ""
        for seat, entry in enumerate(seating):
            if entry == self.entry or packages.get(entry) == own:
                self.found.add(entry)
                if not self.differs:
                    self._run(f"{said}, game {index + 1}", (seat - index) % len(seating), record)

    def _run(self, where: str, position: int, record: Record) -> None:
        seed = int.from_bytes(block_seed(record.seed, "bot", position)[:4])
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        told = {"ruleset": record.ruleset, "options": dict(record.options), "players": record.players}
        act = None
        played = 0
        self.games += 1
        for before, action, _, cause in record.replay():
            if before.actor == position and not cause:
                try:
                    if act is None:
                        act, _over = LocalBot(self.path).sit(told | {"seat": position, "seed": seed})
                    answer = act(json.loads(json.dumps(before.view(position))))
                except LocalBotError as error:
                    raise ProofError(str(error)) from None
                except Exception as error:
                    answer = f"{type(error).__name__}: {error}"
                self.asked += 1
                if answer != action:
                    self.differs = (
                        f"{where}, action {played}: the record has {action!r}, yours answers {str(answer)[:200]!r}"
                    )
                    return
            if before.actor != CHANCE:
                played += 1
