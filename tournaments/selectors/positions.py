"""What a round of a Swiss is drawn from, read from the rows; see ``facts.positions``."""

from collections.abc import Collection, Sequence
from math import inf

from tournaments.facts.positions import Dutch, Swiss
from tournaments.formats.dutch import Edition
from tournaments.models import Stage
from tournaments.seeds import luck_of
from tournaments.selectors.history import contenders_of
from tournaments.selectors.seeding import seeding_of
from tournaments.standings import Corrections
from tournaments.trf import RoundPlayed


def swiss_at(
    stage: Stage,
    present: Collection[int],
    number: int,
    luck: bytes,
    before: float = inf,
    held: Corrections | None = None,
) -> Swiss:
    """Of the round ``number``, for our own Swiss; see ``contenders_of``."""
    return Swiss(
        contenders_of(stage, present, before, held),
        stage.players_per_table,
        stage.smallest_table,
        luck,
        number,
        [frozenset(pair) for pair in stage.tournament.kept_apart.values_list("one", "other")],
    )


def dutch_at(stage: Stage, own: Swiss, present: Collection[int], played: Sequence[RoundPlayed]) -> Dutch:
    """The same round by FIDE's rules, after those that were ``played``."""
    fixed = stage.rounds, stage.edition or Edition.UNTIL_2026
    return Dutch(own, luck_of(stage.tournament), seeding_of(stage), played, frozenset(present), *fixed)
