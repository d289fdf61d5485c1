"""The standings of a tournament from its records alone: each game is played again, and nothing that was ever counted is
read."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from games.record import Record
from matches.models import Match
from tournaments.models import Tournament
from tournaments.standings import Result, SeatResult, standings_table


def standings_recomputed(cup: Tournament) -> list[dict[str, Any]]:
    """Return the rows of a tournament of one stage, as its export names them, the first place first."""
    entry_of = dict(cup.entries.values_list("version", "pk"))
    matches = Match.objects.filter(fixture__round__tournament=cup).order_by("pk").prefetch_related("seats", "games")
    results = [_result(match, entry_of) for match in matches]
    rows = standings_table(sorted(entry_of.values()), results, cup.tie_breaks, cup.luck.value)
    return [
        {
            "rank": row.rank,
            "entry": row.entrant,
            "points": row.points,
            "played": row.played,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "game_points": row.game_points,
            "games": row.games,
            "tie_breaks": dict(row.values),
        }
        for row in rows
    ]


def _result(match: Match, entry_of: dict[Any, int]) -> Result:
    entrants = [entry_of[seat.version_id] for seat in match.seats.all()]
    size, games = len(entrants), match.games.all()
    score, points, wins = [Fraction(0)] * size, [0] * size, [0] * size
    for game in games:
        outcome = Record.decode(bytes(game.record)).verify()
        for position, place in enumerate(outcome.places):
            seat = (position + game.index) % size
            others = outcome.places[:position] + outcome.places[position + 1 :]
            score[seat] += _beaten(place, others)
            points[seat] += outcome.points[position]
            wins[seat] += place == 1 and 1 not in others
    seats = tuple(SeatResult(entrants[n], float(score[n]), points[n], wins[n]) for n in range(size))
    return Result(games=len(games), seats=seats, match=match.pk)


def _beaten(place: int, others: Iterable[int]) -> Fraction:
    """Return the share of the others that are behind, ties half."""
    others = list(others)
    return Fraction(sum(2 * (place < other) + (place == other) for other in others), 2 * len(others))
