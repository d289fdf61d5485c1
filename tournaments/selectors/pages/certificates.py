"""The certificates of a tournament: what its final ranking says of each bot, to print and to check."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Tournament, TournamentState
from tournaments.selectors.standings.ranking import FinalRank, ranking_of
from tournaments.standings import CategoryPlace, category_places


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
