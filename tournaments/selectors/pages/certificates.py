"""The certificates of a tournament: what its final ranking says of each bot, to print and to check."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Tournament, TournamentState
from tournaments.selectors.standings.ranking import FinalRank, ranking_of


@dataclass(frozen=True, slots=True)
class Certificate:
    """``final`` is the bot's place among ``of`` bots."""

    final: FinalRank
    of: int


def certificates_of(tournament: Tournament) -> Sequence[Certificate]:
    """Return a certificate for each bot of the final ranking, the best first; none before the tournament is over, and
    none for disqualified bots. For readers who may see the results."""
    if tournament.state != TournamentState.FINISHED:
        return ()
    ranking = ranking_of(tournament)
    return [Certificate(one, len(ranking)) for one in ranking if not one.placed.row.disqualified]
