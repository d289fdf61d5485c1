"""Read analyses of matches: which value function applies, luck per block, luck-adjusted results."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from luck import luck_analysed_by, luck_value_announced
from luck.adjusted_mean import BLOCKS_LEAST, Adjusted
from matches.models import Analysis, Game, Match, MatchState
from matches.referee.scoring import BlockLuck, Moments, scoring_adjusted, scoring_blocks
from web.optional import optional


def analysis_value_of_match(match: Match) -> str:
    """Return the id of the value function that adjusts the results of ``match`` for luck; "" if there is none.

    A match without a stored id was created before its ruleset had two value functions. It uses the first one.
    """
    return luck_value_announced(match.ruleset, match.luck_value)


def analysis_of(match: Match) -> str:
    """Return the id of the value function, or of the means of deals, that analyses ``match``; "" if there is none."""
    return luck_analysed_by(match.ruleset, analysis_value_of_match(match))


def analysis_blocks_with_luck(matches: QuerySet[Match], value: str) -> dict[int, list[BlockLuck]]:
    """Return the blocks of ``matches`` with their luck, by match id.

    A match is left out unless every game has an analysis by ``value`` with figures. Adjusting only some of the games
    would be biased.
    """
    analyses = Analysis.objects.filter(game__match__in=matches, value=value).values_list("game", "sums")
    moments = {game: _moments(found) for game, found in analyses if found is not None}
    games = Game.objects.filter(match__in=matches).order_by("match", "index").values_list("match", "pk", "places")
    found = {match: [game[1:] for game in group] for match, group in groupby(games, key=lambda game: game[0])}
    return {
        match: scoring_blocks([(places, moments[game]) for game, places in rows])
        for match, rows in found.items()
        if all(game in moments for game, _ in rows)
    }


@optional("luck-adjusted results of a match", lambda _match: [])
def analysis_seats_adjusted(match: Match) -> list[Adjusted]:
    """Return, by seat, the luck-adjusted share of opponents beaten.

    Return an empty list if the match is not finished, has fewer than ``BLOCKS_LEAST`` blocks, or has a game without an
    analysis.
    """
    value = analysis_value_of_match(match)
    if not value or match.state != MatchState.FINISHED or (match.blocks_played or 0) < BLOCKS_LEAST:
        return []
    blocks = analysis_blocks_with_luck(Match.objects.filter(pk=match.pk), value).get(match.pk, [])
    columns = [
        scoring_adjusted((block.shares[seat], block.moments[seat]) for block in blocks)
        for seat in range(len(match.seats.all()))
    ]
    return [column for column in columns if column is not None]


def _moments(sums: Mapping[str, Any]) -> Moments:
    """Return the stored luck moments of a game. Older releases stored only the luck."""
    return [sums["luck"], *sums.get("moments", ())]
