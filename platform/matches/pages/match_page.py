"""Data of the match page: games by block, faults, and games that a bot did not win."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from bots.failure import failure_data_url, failure_sentence
from games.catalogue import catalogue_has_ruleset, find
from games.encoding import encoding_seed_of
from games.protocol import Verdict
from matches.models import Fault, Game, Match
from matches.pages.labels import game_label, match_tie_break_label, match_verdict_label, reason_label
from matches.referee.scoring import scoring_block_of_game, scoring_seats_by_position
from matches.visibility import match_games_visible

GAMES_PER_PAGE: Final = 48  # about: a page has whole blocks
FAULTS_SHOWN: Final = 10
NOT_WON_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Blame:
    """The public part of a fault: the seat, and the verdict in words."""

    seat: int
    verdict: str


@dataclass(frozen=True, slots=True)
class PlayedGameRow:
    """A finished game. ``points`` are by match seat, ``order`` has the match seats in table order."""

    index: int
    order: tuple[int, ...]
    points: Sequence[int]
    winners: tuple[int, ...]
    reason: str
    tie_break: str
    blames: tuple[Blame, ...]

    @property
    def number(self) -> int:
        """The number of the game, from 1."""
        return self.index + 1


@dataclass(frozen=True, slots=True)
class BlockRow:
    """The games with the same seed, one for each rotation of the seats."""

    number: int
    seed: str  # hexadecimal
    rows: tuple[PlayedGameRow, ...]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault as its author reads it. ``view`` is JSON."""

    fault: Fault
    verdict: str
    view: str

    @property
    def detail(self) -> str:
        """What happened. Texts of the platform are in the reader's language."""
        return failure_sentence(self.fault.detail)

    @property
    def view_link(self) -> str:
        """A data URL to download the view."""
        return failure_data_url(self.view)


def match_page_faults_of(*, match: Match, owners: Collection[int]) -> QuerySet[Fault]:
    """Return the faults in the match of bots that ``owners`` own.

    Games after a forfeit are left out.
    """
    if not owners or match.sealed:
        return Fault.objects.none()
    faults = Fault.objects.filter(game__match=match, seat__version__bot__owner__in=owners)
    faults = faults.exclude(verdict=Verdict.FORFEITED)
    return faults.select_related("game", "seat__version__bot").order_by("game__index", "seat__index")


def match_page_fault_rows(faults: QuerySet[Fault]) -> list[FaultRow]:
    """Return the first ``FAULTS_SHOWN`` of ``faults``. A faulty bot usually fails in the same way each time."""
    return [
        FaultRow(
            fault, match_verdict_label(fault.verdict), "" if fault.view is None else json.dumps(fault.view, indent=1)
        )
        for fault in faults[:FAULTS_SHOWN]
    ]


@dataclass(frozen=True, slots=True)
class GamesNotWon:
    """The first games that a bot did not win, as numbers from 1. ``more`` is how many further games it did not win."""

    name: str
    numbers: Sequence[int]
    more: int


def match_page_games_not_won(match: Match, owners: Collection[int]) -> list[GamesNotWon]:
    """Return the finished games that bots of ``owners`` did not win.

    A bot that won all of its games, or none of them, is left out.
    """
    found = []
    for name, seat in zip(match.seat_names, match.seats.all(), strict=True):
        numbers = [number for number, place in enumerate(seat.places, 1) if place > 1]
        if seat.version.bot.owner_id in owners and 0 < len(numbers) < len(seat.places):
            found.append(GamesNotWon(name, numbers[:NOT_WON_SHOWN], max(0, len(numbers) - NOT_WON_SHOWN)))
    return found


def match_page_games(match: Match, number: str | None) -> Page[Game]:
    """Return page ``number`` of the finished games. Pages have whole blocks."""
    seats = len(match.seats.all())
    return Paginator(match_games_visible(match), seats * max(1, GAMES_PER_PAGE // seats)).get_page(number)


def match_page_blocks(match: Match, games: Iterable[Game]) -> list[BlockRow]:
    """Return the finished ``games``, grouped by seed."""
    seats = len(match.seats.all())
    games = list(games)
    blames = _blames(games)
    return [
        BlockRow(
            block + 1,
            encoding_seed_of(bytes(group[0].record)).hex(),
            tuple(_row(g, match, seats, blames) for g in group),
        )
        for block, members in groupby(games, key=lambda game: scoring_block_of_game(game.index, seats))
        if (group := list(members))
    ]


def _blames(games: Sequence[Game]) -> Mapping[int, tuple[Blame, ...]]:
    faults = Fault.objects.filter(game__in=games).order_by("seat__index").values_list("game", "seat__index", "verdict")
    found: dict[int, tuple[Blame, ...]] = {}
    for game, seat, verdict in faults:
        found[game] = (*found.get(game, ()), Blame(seat, match_verdict_label(verdict)))
    return found


def _row(game: Game, match: Match, seats: int, blames: Mapping[int, tuple[Blame, ...]]) -> PlayedGameRow:
    return PlayedGameRow(
        index=game.index,
        order=scoring_seats_by_position(game.index, seats),
        points=game.points,
        winners=tuple(seat for seat, place in enumerate(game.places) if place == 1),
        reason=reason_label(match.ruleset, game.reason),
        tie_break=match_tie_break_label(match.ruleset, game.tie_break),
        blames=blames.get(game.pk, ()),
    )


def match_page_game_title(match: Match) -> str:
    """Return the title of the match's game, in the reader's language."""
    return _(find(match.ruleset).title) if catalogue_has_ruleset(match.ruleset) else game_label(match.ruleset)
