"""Read a bot's finished matches and its faults, and the rulings that change how matches count."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeAlias

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, F, Func, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from bots.failure import Failure
from bots.models import Bot, BotVersion
from bots.selectors import bot_versions_of
from games.protocol import Verdict
from matches.models import Audience, Broadcast, Fault, MatchState, Seat
from matches.visibility import matches_visible_to_author
from teams.selectors import acts_for_owner

FAULTS: Final = [verdict.value for verdict in Verdict if verdict != Verdict.FORFEITED]
FAULT_FIELDS: Final = ("verdict", "exception", "detail", "line", "view", "answer", "output", "cpu", "wall", "limit")


class Ruled(StrEnum):
    """The kinds of rulings on a match. After ``REPLACE``, the match still counts, with other scores.

    After any other ruling, it does not count. A ``SUPERSEDED`` match lost its place in the contest because of a ruling
    on another match.
    """

    VOID = "void"
    REPLAY = "replay"
    REPLACE = "replace"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class MatchRuling:
    """The ruling on a match.

    With ``REPLACE``, ``scores`` has the new score of each seat, from 0 to the number of its games.
    """

    kind: Ruled
    scores: Mapping[int, float] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        return self.kind is Ruled.REPLACE


# Takes the names of contests by match id and returns rulings by match id. Matches without a ruling are left out.
RulingsReader: TypeAlias = Callable[[Mapping[int, str]], Mapping[int, MatchRuling]]
_READERS: Final[list[RulingsReader]] = []


def match_rulings_register(reader: RulingsReader) -> None:
    """Register a reader of rulings for a kind of contest. The room of the contest calls this once."""
    if reader not in _READERS:
        _READERS.append(reader)


def match_rulings_of(contests: Mapping[int, str | None]) -> dict[int, MatchRuling]:
    """Return the current rulings by match id.

    ``contests`` has, by match id, the name of the match's contest, or None for a match without one.
    """
    named = {match: name for match, name in contests.items() if name}
    found: dict[int, MatchRuling] = {}
    for reader in _READERS if named else ():
        found |= reader(named)
    return found


@dataclass(frozen=True, slots=True)
class ResultOpponent:
    name: str
    slug: str
    version: int
    seat: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A finished match from the point of view of one seat. ``share`` is the share of opponents beaten, from 0 to 1.

    If a ruling has replaced the scores, ``share`` and ``mean_place`` follow from the new ones. ``ruling`` is a
    ``Ruled``, or "" for none. If ``counts`` is False, the match counts for no bot.
    """

    match: int
    finished_at: datetime | None
    version: int
    seat: int
    share: float
    mean_place: float
    faulty: int
    games: int
    opponents: tuple[ResultOpponent, ...]
    ruling: str = ""
    counts: bool = True


@dataclass(frozen=True, slots=True)
class MatchFailure:
    """A fault, with its match and game. ``game`` and ``action`` count from 0."""

    match: int
    game: int
    action: int
    version: int
    finished_at: datetime | None
    is_kept: bool
    failure: Failure


@dataclass(frozen=True, slots=True)
class ListReader:
    """The reader of a list of a bot's matches: everyone, or its ``author``.

    Everyone sees public matches. The author also sees matches of contests whose matches authors may see. Sparring has
    its own list.
    """

    author: int | None = None

    def finished(self, path: str = "") -> Q:
        """Return a filter for seats in finished matches that this reader may see.

        ``path`` is the path of lookups to the seats, such as ``seats__``.
        """
        over = Q((f"{path}match__state", MatchState.FINISHED))
        everyones = Q((f"{path}match__audience", Audience.EVERYONE))
        if self.author is None:
            return over & everyones
        own = Q((f"{path}match__contest__isnull", False)) & matches_visible_to_author(self.author, f"{path}match__")
        return over & (everyones | own)


ANYONE: Final = ListReader()


def bot_history_reader(user: AbstractBaseUser | AnonymousUser, bot: Bot) -> ListReader:
    """Return the reader for the matches of ``bot``: its author if ``user`` is one, otherwise everyone."""
    return ListReader(bot.owner_id) if acts_for_owner(user, bot.owner_id) else ANYONE


def bot_matches_of(
    bot: Bot, reader: ListReader = ANYONE, *, version: int | None = None, opponent: str = "", lost: bool = False
) -> QuerySet[Seat]:
    """Return the bot's seats in the finished matches that ``reader`` may see, newest first.

    With ``lost``, return only matches in which the bot beat less than half of its opponents, before rulings.
    """
    seats = Seat.objects.filter(reader.finished(), version__bot=bot)
    if version is not None:
        seats = seats.filter(version__number=version)
    if opponent:
        seats = seats.filter(match__in=Seat.objects.filter(version__bot__slug=opponent).values("match"))
    if lost:
        at_table = Seat.objects.filter(match=OuterRef("match")).order_by().annotate(count=Func("pk", function="COUNT"))
        games = Coalesce("match__blocks_played", "match__blocks") * Subquery(at_table.values("count"))
        seats = seats.annotate(played=games).filter(score__lt=F("played") / 2.0)
    read = seats.select_related("match", "version").only(
        *("index", "score", "places", "faulty_games", "match__finished_at", "match__contest", "version__number")
    )
    return read.order_by("-match__finished_at", "-match", "index")


def bot_match_rows(page: Iterable[Seat], known: Mapping[int, Sequence[ResultOpponent]] = {}) -> list[MatchRow]:
    """Return a row for each seat of ``page``, with its opponents.

    Opponents are read from the database, unless ``known`` has them by match id.
    """
    found = list(page)
    tables = {**known, **bot_match_tables({seat.match_id for seat in found if seat.match_id not in known})}
    rulings = match_rulings_of({seat.match_id: seat.match.contest_id for seat in found})
    return [_row(seat, tables[seat.match_id], rulings.get(seat.match_id)) for seat in found]


def bot_history_versions_with_matches(bot: Bot, reader: ListReader = ANYONE) -> QuerySet[BotVersion]:
    """Return ``bots.selectors.bot_versions_of`` with two counts.

    ``matches`` is the number of finished matches that ``reader`` may see. ``sat`` is the number of seats in them.
    """
    finished = reader.finished("seats__")
    counted = {"matches": Count("seats__match", filter=finished, distinct=True), "sat": Count("seats", filter=finished)}
    return bot_versions_of(bot).annotate(**counted)


def bot_history_versions_with_faults(versions: QuerySet[BotVersion], bot: Bot) -> QuerySet[BotVersion]:
    """Return ``versions`` of the bot with ``faults``, the number of rows that ``bot_history_faults`` has for each."""
    faults = bot_history_faults(bot).filter(seat__version=OuterRef("pk")).order_by()
    # With Count, versions without faults would get NULL. A Coalesce around it would become part of GROUP BY, and the
    # subquery would be evaluated once for each seat.
    return versions.annotate(faults=Subquery(faults.annotate(count=Func("pk", function="COUNT")).values("count")))


def bot_matches_counted(versions: Iterable[BotVersion], number: int | None) -> int:
    """Return the number of rows of ``bot_matches_of`` for the version ``number``, or for all versions if it is None.

    ``versions`` are those of ``bot_history_versions_with_matches``.
    """
    return sum(getattr(one, "sat", 0) for one in versions if number in (None, one.number))


def bot_history_faults(bot: Bot, *, version: int | None = None, match: int | None = None) -> QuerySet[Fault]:
    """Return the faults of the bot in matches, newest first.

    If the bot forfeited a match because of its faults, the later games of the match are left out.
    """
    faults = Fault.objects.filter(matches_visible_to_author(bot.owner_id, "seat__match__"), seat__version__bot=bot)
    faults = faults.filter(verdict__in=FAULTS)
    # A match on air is sealed until it is finished.
    faults = faults.filter(Q(seat__match__tempo=Broadcast.NONE) | Q(seat__match__state=MatchState.FINISHED))
    if version is not None:
        faults = faults.filter(seat__version__number=version)
    if match is not None:
        # The filter follows the relation. So a number that is too large for the database's integers finds nothing.
        faults = faults.filter(seat__match__pk=match)
    read = faults.select_related("game", "seat__match", "seat__version")
    return read.order_by("-seat__match__finished_at", "-pk")


def bot_failures(page: Iterable[Fault]) -> list[MatchFailure]:
    """Return the faults of a page with the source around the faulty line. For the owner only."""
    found = list(page)
    faulty = BotVersion.objects.filter(pk__in={fault.seat.version_id for fault in found}).select_related("package")
    sources = {version.pk: version.files() if version.kept else {} for version in faulty}
    return [
        MatchFailure(
            match=fault.seat.match_id,
            game=fault.game.index,
            action=fault.action_index,
            version=fault.seat.version.number,
            finished_at=fault.seat.match.finished_at,
            is_kept=fault.is_kept,
            failure=Failure.of({name: getattr(fault, name) for name in FAULT_FIELDS}, sources[fault.seat.version_id]),
        )
        for fault in found
    ]


def bot_match_tables(matches: set[int]) -> Mapping[int, list[ResultOpponent]]:
    """Return the seats of each match by match id. This takes one query, or none without matches."""
    if not matches:
        return {}
    tables: dict[int, list[ResultOpponent]] = defaultdict(list)
    seats = Seat.objects.filter(match__in=matches).order_by("index")
    for name, slug, number, match, index in seats.values_list(
        "version__bot__name", "version__bot__slug", "version__number", "match", "index"
    ):
        tables[match].append(ResultOpponent(name, slug, number, index))
    return tables


def _row(seat: Seat, table: Sequence[ResultOpponent], ruling: MatchRuling | None) -> MatchRow:
    places = seat.places or []
    games = max(len(places), 1)
    share, mean_place = (seat.score or 0) / games, sum(places) / games
    if ruling is not None and ruling.counts:
        share = ruling.scores.get(seat.index, 0.0) / games
        mean_place = 1 + (len(table) - 1) * (1 - share)
    return MatchRow(
        match=seat.match_id,
        finished_at=seat.match.finished_at,
        version=seat.version.number,
        seat=seat.index,
        share=share,
        mean_place=mean_place,
        faulty=seat.faulty_games,
        games=len(places),
        opponents=tuple(other for other in table if other.seat != seat.index),
        ruling=ruling.kind if ruling else "",
        counts=ruling is None or ruling.counts,
    )
