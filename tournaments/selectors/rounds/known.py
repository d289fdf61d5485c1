"""What the next rounds of a stage follow from, read from the rows; see ``formats.position.StageFacts``."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

from tournaments.formats import RankedEntrant
from tournaments.formats.knockout import Bracket, Heats
from tournaments.formats.position import DrawPosition
from tournaments.match_secrets import luck_of
from tournaments.models import Round, Stage
from tournaments.selectors.pages.history import contenders_of
from tournaments.selectors.rounds.apart import kin_of
from tournaments.selectors.rounds.knockout import bracket_for
from tournaments.selectors.rounds.played import rounds_played_of
from tournaments.selectors.rounds.seeding import seeding_of
from tournaments.standings import Corrections
from tournaments.trf import RoundPlayed


@dataclass(frozen=True)
class StageRows:
    """Of a stage after ``drawn`` rounds, with the rounds ``before`` one; ``held``: as if the rulings were these."""

    stage: Stage
    present: Sequence[int]
    drawn: int
    next_round: int
    luck: bytes
    before: float = inf
    held: Corrections | None = None

    @property
    def first_luck(self) -> bytes:
        return luck_of(self.stage.tournament)

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        return [frozenset(pair) for pair in self.stage.tournament.forbidden_pairs.values_list("one", "other")]

    @property
    def kin(self) -> Sequence[frozenset[int]]:
        return kin_of(self.stage.tournament)

    def seeding(self) -> Sequence[int]:
        return seeding_of(self.stage)

    def contenders(self) -> Sequence[RankedEntrant]:
        return contenders_of(self.stage, self.present, self.before, self.held)

    def rounds_played(self) -> Sequence[RoundPlayed]:
        return rounds_played_of(self.stage, self.before, self.held)

    def bracket(self) -> Bracket | Heats:
        return bracket_for(self.stage, self.present, self.held)


def position_of(stage: Stage, present: Sequence[int]) -> DrawPosition:
    """Return the position of a stage all of whose rounds so far are decided. ``present``: the entries that play on, the
    best seed first in a later stage.
    """
    tournament = stage.tournament
    known = StageRows(stage, present, stage.drawn, tournament.next_round, tournament.luck.value)
    return stage.kind.position(stage.terms, known)


def position_before(played: Round, field: Collection[int], held: Corrections) -> DrawPosition:
    """Return the position before a round that was drawn, the last of its stage so far, for those in the ``field``."""
    stage, luck = played.stage, luck_of(played.tournament, played.luck)
    known = StageRows(stage, list(field), stage.drawn - 1, played.number, luck, played.number, held)
    return stage.kind.position(stage.terms, known)
