"""Export a season as data: everything that its pages show."""

from collections.abc import Iterator
from typing import Any, Final

from leagues.models import LeagueMatch, LeagueState, Season
from leagues.selectors.ladder import Ladder, LadderRow
from leagues.selectors.matches import with_seats

LADDER_COLUMNS: Final = (
    "rank", "rank_low", "rank_high", "bot", "version", "author", "house", "rating", "rating_low", "rating_high",
    "provisional", "benched", "matches", "games", "score", "forfeits", "faulty_games", "slowest_ms",
    "less_luck", "less_luck_low", "less_luck_high",
)  # fmt: skip
MATCH_COLUMNS: Final = (
    "number",
    "match",
    "state",
    "finished",
    "seat",
    "bot",
    "version",
    "score",
    "games",
    "faulty_games",
    "forfeited",
)


def ladder_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """Return a row for each bot, in the order of the ladder; ratings on the displayed scale."""
    return [_ladder_row(row) for row in ladder.rows]


def match_rows(season: Season) -> Iterator[dict[str, Any]]:
    """Return a row for each seat of each match that was not called off, in the order in which they were chosen."""
    rows = LeagueMatch.objects.filter(season=season).exclude(match__state="cancelled").select_related("match")
    for fixture in with_seats(list(rows.order_by("number"))):
        match = fixture.row.match
        for seat in fixture.seats:
            yield {
                "number": fixture.row.number,
                "match": match.pk,
                "state": match.state,
                "finished": match.finished_at.isoformat() if match.finished_at else None,
                "seat": seat.index,
                "bot": seat.version.bot.name,
                "version": seat.version.number,
                "score": seat.score,
                "games": len(seat.places),
                "faulty_games": seat.faulty_games,
                "forfeited": seat.has_forfeited,
            }


def season_data(season: Season, ladder: Ladder) -> dict[str, Any]:
    """Return the season, its ladder and its matches. The secret is there once the season is finished."""
    league = season.league
    return {
        "league": league.name,
        "slug": league.slug,
        "open": league.state == LeagueState.OPEN,
        "season": season.number,
        "state": season.state,
        "starts": season.starts_at.isoformat(),
        "finished": season.finished_at.isoformat() if season.finished_at else None,
        "ruleset": league.ruleset,
        "options": league.options,
        "limits": league.limits,
        "players_per_table": league.players_per_table,
        "blocks": league.blocks,
        "secret_sha256": season.commitment,
        "secret": season.revealed or None,
        "luck_value": season.luck_value,
        "less_luck_matches": season.less_luck_matches,
        "refit": {"number": ladder.snapshot.number, "matches": ladder.snapshot.matches} if ladder.snapshot else None,
        "ladder": ladder_rows(ladder),
        "matches": list(match_rows(season)),
    }


def _ladder_row(row: LadderRow) -> dict[str, Any]:
    version, less = row.entry.version, row.less_luck
    return {
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "bot": version.bot.name,
        "version": version.number,
        "author": version.bot.owner.username,
        "house": version.bot.is_house,
        "rating": round(row.points, 1),
        "rating_low": round(row.low, 1),
        "rating_high": round(row.high, 1),
        "provisional": row.is_provisional,
        "benched": row.is_benched,
        "matches": row.played.matches,
        "games": row.played.games,
        "score": row.played.score,
        "forfeits": row.played.forfeits,
        "faulty_games": row.played.faulty_games,
        "slowest_ms": row.played.slowest_ms,
        "less_luck": round(less.points, 1) if less else None,
        "less_luck_low": round(less.floor, 1) if less else None,
        "less_luck_high": round(less.ceiling, 1) if less else None,
    }
