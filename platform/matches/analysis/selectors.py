"""Analyses of matches: the value that applies, blocks with their luck, luck-adjusted results."""

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
    """Return the id of the value by which luck is taken off its results, "" if there is none. Matches of before there
    were two of a ruleset have the first."""
    return luck_value_announced(match.ruleset, match.luck_value)


def analysis_of(match: Match) -> str:
    """Return the id of what analyses its games, a value or what else there is; "" if there is nothing."""
    return luck_analysed_by(match.ruleset, analysis_value_of_match(match))


def analysis_blocks_with_luck(matches: QuerySet[Match], value: str) -> dict[int, list[BlockLuck]]:
    """Return the blocks of those matches of which every game has an analysis by ``value`` that tells something; of the
    others nothing, so that nobody is adjusted by a part of the games."""
    analyses = Analysis.objects.filter(game__match__in=matches, value=value).values_list("game", "sums")
    moments = {game: _moments(found) for game, found in analyses if found is not None}
    games = Game.objects.filter(match__in=matches).order_by("match", "index").values_list("match", "pk", "places")
    found = {match: [game[1:] for game in group] for match, group in groupby(games, key=lambda game: game[0])}
    return {
        match: scoring_blocks([(places, moments[game]) for game, places in rows])
        for match, rows in found.items()
        if all(game in moments for game, _ in rows)
    }


@optional("results less luck of a match", lambda _match: [])
def analysis_seats_adjusted(match: Match) -> list[Adjusted]:
    """Return by seat the share of opponents beaten with its luck taken off; nothing of a match that is not finished,
    has few blocks, or has a game that is not analysed."""
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
    """Return what is kept of a game; an earlier release kept luck alone, of values that tell no more."""
    return [sums["luck"], *sums.get("moments", ())]
