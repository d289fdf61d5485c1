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
    tournament: Tournament,
    entries: Sequence[Entry] = (),
    known: Mapping[int, Sequence[Row]] | None = None,
    *,
    to_rank: int | None = None,
) -> list[FinalRank]:
    """Return everyone who took part, the best first, as the stages that have begun place them; see
    ``standings.ranking``. ``known``: standings that were read already, by the number of the stage. With ``to_rank``
    those alone of that rank or a better one; of these the entries are read here if they are not given.
    """
    begun = [stage for stage in tournament.stages.all() if stage.started_at and not stage.kind.is_play_off]
    known = known or {}
    placed = ranking([known.get(stage.number) or standings_snapshot(stage).value for stage in begun])
    if to_rank is not None:
        placed = tuple(one for one in placed if one.rank <= to_rank)
    if not entries:
        found = tournament.entries.select_related("bot__owner", "version")
        entries = list(found.filter(pk__in=[one.entrant for one in placed]))
    by_id = {entry.pk: entry for entry in entries}
    return [FinalRank(one, by_id[one.entrant], begun[one.stage - 1]) for one in placed]
