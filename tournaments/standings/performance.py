"""Rating performance: how strong an entrant played in this tournament, whatever it did before."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tournaments.standings.results import ScoreRecord

if TYPE_CHECKING:
    from ratings import Block

SD: Final = 1.0  # in logits: keeps the rating of who won or lost everything finite; the same for all, known in advance
PLACES: Final = {1: ((1, 2),), 0.5: ((1, 1),), 0: ((2, 1),)}


def performances(tallies: Mapping[int, ScoreRecord]) -> dict[int, int]:
    """Return everyone's performance, on the scale of ratings, in whole points so that no tie hangs on the last digit of
    a computation.

    The ratings that make the outcomes of all meetings likeliest (Bradley-Terry, a draw being half a win), each
    starting at 1500 with a standard deviation of one logit, 174 points. Byes are no meetings.
    """
    # They need numpy, which is not required for checking a proof without this tie-break.
    from ratings import Games, Prior, displayed, fit_strengths

    ratings = fit_strengths(Games.from_blocks(_meetings(tallies)), dict.fromkeys(tallies, Prior(sd=SD)))
    return {
        entrant: round(displayed(mean))
        for entrant, mean in zip(ratings.entrants.tolist(), ratings.mean.tolist(), strict=True)
    }


def _meetings(tallies: Mapping[int, ScoreRecord]) -> "Iterator[Block]":
    """Yield each meeting once, from its entrant of lower number."""
    from ratings import Block

    for entrant, tally in tallies.items():
        for meeting in tally.meetings:
            if entrant < meeting.opponent:
                yield Block((entrant, meeting.opponent), PLACES[meeting.points])
