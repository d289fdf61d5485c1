"""The final ranking of a tournament with its bots, places within categories, and certificates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Stage, Tournament, TournamentState
from tournaments.selectors.entering.registration import registration_categories_of
from tournaments.selectors.standings.results import standings_snapshot
from tournaments.standings import CategoryPlace, Placed, Row, final_ranking, standings_category_places

PODIUM = 3  # places


@dataclass(frozen=True, slots=True)
class FinalRank:
    """A place in the final ranking. ``stage`` is the last stage in which the bot played."""

    placed: Placed
    entry: Entry
    stage: Stage


def final_ranking_of(
    tournament: Tournament,
    entries: Sequence[Entry] = (),
    known: Mapping[int, Sequence[Row]] | None = None,
    *,
    to_rank: int | None = None,
) -> list[FinalRank]:
    """Return the ranking of all entries that took part, the best first, from the stages that have begun.

    See ``standings.final_ranking``. ``known`` are standings that the caller has read, by number of the stage. With
    ``to_rank``, return only this rank and better ones. ``entries`` are read if the caller has not read them.
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
    """A certificate: the ``final`` place of a bot among ``of`` bots, and its place in its ``category``."""

    final: FinalRank
    of: int
    category: CategoryPlace | None


def tournament_certificates_of(tournament: Tournament) -> Sequence[Certificate]:
    """Return a certificate for each bot of the final ranking, the best first, except disqualified bots.

    Before the tournament is finished there are none. Call it only for readers who may see the results.
    """
    if tournament.state != TournamentState.FINISHED:
        return ()
    ranking = final_ranking_of(tournament)
    placed = [one for one in ranking if not one.placed.row.disqualified]
    ranks = ((one.entry.pk, one.placed.rank) for one in placed)
    within = standings_category_places(ranks, {one.entry.pk: one.entry.category for one in placed})
    return [Certificate(one, len(ranking), within.get(one.entry.pk)) for one in placed]


def standings_places_by_category(tournament: Tournament, rows: Iterable[Row]) -> dict[int, CategoryPlace]:
    """Return the place of each entry in its category. Without categories this takes no query, and does not decode the
    ``rows``."""
    if not registration_categories_of(tournament):
        return {}
    categories = dict(tournament.entries.exclude(category="").values_list("pk", "category"))
    return standings_category_places(((row.entrant, row.rank) for row in rows), categories)


def standings_rows_in(category: str, rows: Sequence[Row], places: dict[int, CategoryPlace]) -> Sequence[Row]:
    """Return the rows of ``category``, or all rows for ""."""
    if not category:
        return rows
    return [row for row in rows if row.entrant in places and places[row.entrant].category == category]
