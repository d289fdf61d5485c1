"""The final ranking of a tournament, with its bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.standings.snapshots import standings_snapshot
from tournaments.standings import Placed, Row, ranking

PODIUM = 3  # places


@dataclass(frozen=True, slots=True)
class FinalRank:
    """``stage``: the last that the bot played in."""

    placed: Placed
    entry: Entry
    stage: Stage


def ranking_of(
    tournament: Tournament, entries: Sequence[Entry], known: Mapping[int, Sequence[Row]] | None = None
) -> list[FinalRank]:
    """Return everyone who took part, the best first, as the stages that have begun place them; see
    ``standings.ranking``. ``known``: standings that were read already, by the number of the stage.
    """
    begun = [stage for stage in tournament.stages.all() if stage.started_at and not stage.kind.is_play_off]
    by_id = {entry.pk: entry for entry in entries}
    known = known or {}
    placed = ranking([known.get(stage.number) or standings_snapshot(stage).value for stage in begun])
    return [FinalRank(one, by_id[one.entrant], begun[one.stage - 1]) for one in placed]
