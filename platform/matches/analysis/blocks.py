"""What the blocks of matches came to, and what of it was luck: for means with the luck taken off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from luck import UNIT
from luck.adjusting import BLOCKS_LEAST, Adjusted, adjusted
from matches.analysis.announced import value_of_match
from matches.models import Analysis, Game, Match, MatchState
from matches.referee.rotation import block_of, by_seat
from matches.referee.scoring import shares_beaten


@dataclass(frozen=True, slots=True)
class BlockLuck:
    """The mean over the rotations of a block, by seat of the match: shares of opponents beaten, faults and all, and
    the luck in them."""

    shares: tuple[float, ...]
    luck: tuple[float, ...]


def blocks_with_luck(matches: QuerySet[Match], value: str) -> dict[int, list[BlockLuck]]:
    """Return the blocks of those matches of which every game has an analysis by ``value`` that tells something; of the
    others nothing, so that nobody is adjusted by a part of the games."""
    analyses = Analysis.objects.filter(game__match__in=matches, value=value).values_list("game", "sums")
    sums = {game: found for game, found in analyses if found is not None}
    games = (
        Game.objects.filter(match__in=matches).order_by("match", "index").values_list("match", "pk", "index", "places")
    )
    found = {match: [game[1:] for game in group] for match, group in groupby(games, key=lambda game: game[0])}
    return {match: _blocks(rows, sums) for match, rows in found.items() if all(game in sums for game, _, _ in rows)}


def seats_adjusted(match: Match) -> list[Adjusted]:
    """Return by seat the share of opponents beaten with its luck taken off; nothing of a match that is not finished,
    has few blocks, or has a game that is not analysed."""
    value = value_of_match(match)
    if not value or match.state != MatchState.FINISHED or (match.blocks_played or 0) < BLOCKS_LEAST:
        return []
    blocks = blocks_with_luck(Match.objects.filter(pk=match.pk), value).get(match.pk, [])
    columns = [
        adjusted([block.shares[seat] for block in blocks], [block.luck[seat] for block in blocks])
        for seat in range(len(match.seats.all()))
    ]
    return [column for column in columns if column is not None]


def _blocks(
    games: Sequence[tuple[int, int, Sequence[int]]], sums: Mapping[int, Mapping[str, Sequence[int]]]
) -> list[BlockLuck]:
    seats = len(games[0][2])
    return [
        _block([(places, by_seat(sums[game]["luck"], index)) for game, index, places in group])
        for _, group in groupby(games, key=lambda game: block_of(game[1], seats))
    ]


def _block(games: Sequence[tuple[Sequence[int], Sequence[int]]]) -> BlockLuck:
    shares = [[float(share) for share in shares_beaten(places)] for places, _ in games]
    return BlockLuck(
        tuple(sum(column) / len(games) for column in zip(*shares, strict=True)),
        tuple(sum(column) / len(games) / UNIT for column in zip(*(luck for _, luck in games), strict=True)),
    )
