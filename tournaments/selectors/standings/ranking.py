"""The final ranking of a tournament with its bots, places within categories, and the certificates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Stage, Tournament, TournamentState
from tournaments.selectors.entering.registration import categories_of
from tournaments.selectors.standings.results import standings_snapshot
from tournaments.standings import CategoryPlace, Placed, Row, category_places, final_ranking

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
    placed = final_ranking([known.get(stage.number) or standings_snapshot(stage).value for stage in begun])
    if to_rank is not None:
        placed = tuple(one for one in placed if one.rank <= to_rank)
    if not entries:
        found = tournament.entries.select_related("bot__owner", "version")
        entries = list(found.filter(pk__in=[one.entrant for one in placed]))
    by_id = {entry.pk: entry for entry in entries}
    return [FinalRank(one, by_id[one.entrant], begun[one.stage - 1]) for one in placed]


@dataclass(frozen=True, slots=True)
class Certificate:
    """``final`` is the bot's place among ``of`` bots; ``category``: among those of its category."""

    final: FinalRank
    of: int
    category: CategoryPlace | None


def certificates_of(tournament: Tournament) -> Sequence[Certificate]:
    """Return a certificate for each bot of the final ranking, the best first; none before the tournament is over, and
    none for disqualified bots. For readers who may see the results."""
    if tournament.state != TournamentState.FINISHED:
        return ()
    ranking = ranking_of(tournament)
    placed = [one for one in ranking if not one.placed.row.disqualified]
    ranks = ((one.entry.pk, one.placed.rank) for one in placed)
    within = category_places(ranks, {one.entry.pk: one.entry.category for one in placed})
    return [Certificate(one, len(ranking), within.get(one.entry.pk)) for one in placed]


def places_by_category(tournament: Tournament, rows: Iterable[Row]) -> dict[int, CategoryPlace]:
    """Return the place of each entry that is in a category; without categories neither a query nor a look at the
    ``rows``, which are decoded one by one."""
    if not categories_of(tournament):
        return {}
    categories = dict(tournament.entries.exclude(category="").values_list("pk", "category"))
    return category_places(((row.entrant, row.rank) for row in rows), categories)


def rows_in(category: str, rows: Sequence[Row], places: dict[int, CategoryPlace]) -> Sequence[Row]:
    """Return the rows of one ``category``; all of them for ""."""
    if not category:
        return rows
    return [row for row in rows if row.entrant in places and places[row.entrant].category == category]
