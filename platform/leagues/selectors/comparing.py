"""Shares of games that the bots of a season won of each other: a matrix, and two bots against common opponents."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Final

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from bots.models import Bot
from leagues.models import Membership, Season, SeasonEntry
from leagues.selectors.bots import Point, league_bot_history, league_bot_versions
from leagues.selectors.ladder import Ladder, LadderRow, ladder_line, ladder_of, league_ladder_people_read
from leagues.selectors.shares import season_shares_of, season_shares_snapshot
from ratings.pair_shares import PairShare, PairShares, pair_share
from ratings.scale import elo_expected
from web.name_keys import name_key, name_key_contains

COLUMNS: Final = 10  # the matrix has a column for each of the first so many bots of a division
LISTED_MOST: Final = 200  # names that a page suggests
CANDIDATES_MOST: Final = 20  # bots that a page lists if several match a typed name
NEIGHBOURS_MOST: Final = 6  # pairs of neighbours that a page suggests


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The share of games that a bot won of bot ``number`` on the ladder.

    It is None if the two have not met, and for the bot itself.
    """

    number: int
    bot: Bot
    share: PairShare | None
    is_itself: bool


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """The results of bot ``number`` of the ladder against the first bots of its division.

    ``total`` is its share against all of these together.
    """

    number: int
    row: LadderRow
    cells: tuple[MatrixCell, ...]
    total: PairShare | None

    @property
    def bot(self) -> Bot:
        return self.row.entry.version.bot


@dataclass(frozen=True, slots=True)
class Matrix:
    """The results of all bots of a division against its first bots.

    ``columns`` are the first bots with their numbers on the ladder. ``order`` has the places of the rows in the order
    of the ladder's page.
    """

    ladder: Ladder
    order: Sequence[int]
    columns: Sequence[tuple[int, LadderRow]]
    shares: PairShares

    def rows(self, places: Sequence[int]) -> list[MatrixRow]:
        """Return the rows of ``places``, with bots and authors. One query."""
        numbers = {at: number for number, at in enumerate(self.order, start=1)}
        league_ladder_people_read(self.ladder.rows[at] for at in places)
        return [_matrix_row(numbers[at], self.ladder.rows[at], self.columns, self.shares) for at in places]

    def names(self, place: int) -> tuple[str, str]:
        """Return the names by which a row can be searched."""
        bot = self.ladder.rows[place].entry.version.bot
        return bot.name, bot.author_name


def season_comparison_matrix_of(season: Season, division: int = 1, *, people: bool = False) -> Matrix:
    """Return the matrix of a division. For ``people`` see ``ladder_of``."""
    ladder = ladder_of(season, people=people)
    order = [at for at in ladder.by_rating if ladder.rows[at].entry.division == division]
    columns = [(number, ladder.rows[at]) for number, at in enumerate(order[:COLUMNS], start=1)]
    league_ladder_people_read(row for _, row in columns)
    return Matrix(ladder, order, columns, season_shares_snapshot(season))


def _matrix_row(number: int, row: LadderRow, columns: Iterable[tuple[int, LadderRow]], shares: PairShares) -> MatrixRow:
    own = row.entry.membership_id
    cells = tuple(
        MatrixCell(at, other.entry.version.bot, shares.of(own, other.entry.membership_id), other is row)
        for at, other in columns
    )
    return MatrixRow(number, row, cells, _total([cell.share for cell in cells if cell.share], shares.scale))


def _total(found: Collection[PairShare], scale: float) -> PairShare | None:
    return pair_share(sum(one.games for one in found), sum(one.won for one in found), scale) if found else None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two bots next to each other on the ladder, and the share that the upper one won of the other if they met."""

    upper: LadderRow
    lower: LadderRow
    met: PairShare | None


def season_comparison_neighbours_of(season: Season) -> list[Neighbours]:
    """Return the pairs of neighbours at the top of the first division, without bots that have not played."""
    ladder = ladder_of(season, people=False)
    played = (row for row in map(ladder.rows.__getitem__, ladder.by_rating) if row.rank and row.entry.division == 1)
    top = list(islice(played, NEIGHBOURS_MOST + 1))
    league_ladder_people_read(top)
    shares = season_shares_snapshot(season)
    return [
        Neighbours(upper, lower, shares.of(upper.entry.membership_id, lower.entry.membership_id))
        for upper, lower in pairwise(top)
    ]


@dataclass(frozen=True, slots=True)
class CommonOpponent:
    """A bot that both compared bots have met, and the shares that they won of it."""

    bot: Bot
    one: PairShare
    other: PairShare

    @property
    def lead(self) -> float:
        """The difference between the shares of the two bots."""
        return self.one.share - self.other.share


@dataclass(frozen=True)
class ComparedBot:
    """A bot of a season, with its row on the ladder, or None."""

    season: Season
    membership: Membership
    row: LadderRow | None

    @property
    def bot(self) -> Bot:
        return self.membership.bot

    @cached_property
    def points(self) -> Sequence[Point]:
        """The history of its rating. One query."""
        return league_bot_history(self.season, self.membership)

    @cached_property
    def versions(self) -> Sequence[SeasonEntry]:
        """Its versions in the order in which they were entered. One query."""
        return league_bot_versions(self.season, self.membership)


@dataclass(frozen=True, slots=True)
class SeasonComparison:
    """A comparison of two bots.

    ``met`` is the share of games that the first bot won of the other. ``expected`` is the share that follows from their
    ratings. ``common`` has the common opponents, most games first. ``one`` and ``other`` are the shares of the two bots
    against all common opponents together.
    """

    met: PairShare | None
    expected: float | None
    common: Sequence[CommonOpponent]
    one: PairShare | None
    other: PairShare | None


def season_comparison_bot_names(season: Season) -> list[str]:
    """Return the names of the bots that have been on the ladder of a season, including duplicates.

    The list is empty if there are more than ``LISTED_MOST``.
    """
    names = list(_season_members(season).values_list("bot__name", flat=True).order_by()[: LISTED_MOST + 1])
    return sorted(names, key=str.casefold) if len(names) <= LISTED_MOST else []


def season_comparison_members_meant(season: Season, typed: str) -> list[Membership]:
    """Return the members whose bots match ``typed``, by name, at most ``CANDIDATES_MOST`` + 1. At most three queries.

    A bot with this slug is preferred, then bots with this name, then bots whose names contain the text.
    """
    text = typed.replace("\0", "").strip()
    members = _season_members(season).select_related("bot__owner").order_by("bot__name_key", "bot__slug")
    for meant in (Q(bot__slug=text), _named(text), name_key_contains(text, name="bot__name")) if name_key(text) else ():
        if found := list(members.filter(meant)[: CANDIDATES_MOST + 1]):
            return found
    return []


def season_comparison_typed_for(season: Season, bot: Bot) -> str:
    """Return what to type to choose this bot. One query.

    It is the name of the bot; if other bots match this name too, it is the slug.
    """
    others = _season_members(season).exclude(bot=bot).filter(Q(bot__slug=bot.name) | _named(bot.name))
    return bot.slug if others.exists() else bot.name


def season_compared_bot(season: Season, slug: str) -> ComparedBot:
    """Return a bot of the season.

    Raises:
        Http404: the bot has not been on the ladder of the season.
    """
    members = _season_members(season).select_related("bot__owner")
    return season_compared_member(season, get_object_or_404(members, bot__slug=slug))


def season_compared_member(season: Season, membership: Membership) -> ComparedBot:
    """Return a bot of the season by its member."""
    return ComparedBot(season, membership, ladder_line(season, membership))


def _named(name: str) -> Q:
    return Q(bot__name_key=name_key(name)) | Q(bot__name_key=None, bot__name=name)


def _season_members(season: Season) -> QuerySet[Membership]:
    return Membership.objects.filter(pk__in=SeasonEntry.objects.filter(season=season).values("membership"))


def season_comparison_of(season: Season, one: ComparedBot, other: ComparedBot) -> SeasonComparison:
    """Compare two bots by their newest matches. Three queries."""
    shares = season_shares_of(season, [one.membership, other.membership])
    first, second = one.membership.pk, other.membership.pk
    mine, theirs = _met_by(shares, first, second), _met_by(shares, second, first)
    both = sorted(mine.keys() & theirs.keys(), key=lambda member: (-mine[member].games - theirs[member].games, member))
    bots = {each.pk: each.bot for each in Membership.objects.filter(pk__in=both).select_related("bot__owner")}
    common = [CommonOpponent(bots[member], mine[member], theirs[member]) for member in both]
    return SeasonComparison(
        shares.of(first, second),
        elo_expected(one.row.points, other.row.points) if one.row and other.row else None,
        common,
        _total([each.one for each in common], shares.scale),
        _total([each.other for each in common], shares.scale),
    )


def _met_by(shares: PairShares, member: int, rival: int) -> dict[int, PairShare]:
    """Return the shares that the member won of its opponents other than ``rival``, by opponent."""
    opponents = [one + other - member for one, other in shares.by_pair if member in (one, other)]
    found = ((opponent, shares.of(member, opponent)) for opponent in opponents if opponent != rival)
    return {opponent: share for opponent, share in found if share is not None}
