"""Export a season as data: everything that its pages show."""

from collections.abc import Iterator
from typing import Any, Final

from leagues.models import LeagueMatch, LeagueState, Season
from leagues.selectors.ladder import Ladder, LadderRow
from matches.models import MatchState
from matches.models import Seat as MatchSeat

BATCH: Final = 500  # matches
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
    """Yield a row for each seat of each match that was not called off, in the order in which they were chosen; so many
    matches are read at a time, and no transaction is held while a slow reader takes them."""
    rows = LeagueMatch.objects.filter(season=season).exclude(match__state=MatchState.CANCELLED).order_by("number")
    last = 0
    while found := list(rows.filter(number__gt=last).values_list("number", "match")[:BATCH]):
        last, number_of = found[-1][0], {match: number for number, match in found}
        seats = MatchSeat.objects.filter(match__in=number_of).order_by("match__league_match__number", "index")
        for match, state, finished, index, bot, version, score, places, faulty, forfeited in seats.values_list(
            *("match", "match__state", "match__finished_at", "index", "version__bot__name", "version__number"),
            *("score", "places", "faulty_games", "has_forfeited"),
        ):
            yield {
                "number": number_of[match],
                "match": match,
                "state": state,
                "finished": finished.isoformat() if finished else None,
                "seat": index,
                "bot": bot,
                "version": version,
                "score": score,
                "games": len(places),
                "faulty_games": faulty,
                "forfeited": forfeited,
            }


def season_data(season: Season, ladder: Ladder) -> dict[str, Any]:
    """Return the season, its ladder and an iterator of its matches. The secret is there once the season is finished."""
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
        "matches": match_rows(season),
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
