"""Matches and faults of a bot, and the rulings that replace results."""

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
    """Of these only a replaced match counts; a superseded one lost its place in its contest by another's ruling."""

    VOID = "void"
    REPLAY = "replay"
    REPLACE = "replace"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class MatchRuling:
    """``scores``: with which a replaced match counts, by seat, each 0 to the number of its games."""

    kind: Ruled
    scores: Mapping[int, float] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        return self.kind is Ruled.REPLACE


# From the names of contests by match to rulings; matches without a ruling are left out.
RulingsReader: TypeAlias = Callable[[Mapping[int, str]], Mapping[int, MatchRuling]]
_READERS: Final[list[RulingsReader]] = []


def match_rulings_register(reader: RulingsReader) -> None:
    """Register a reader of rulings for a kind of contest. The room of the contest calls this once."""
    if reader not in _READERS:
        _READERS.append(reader)


def match_rulings_of(contests: Mapping[int, str | None]) -> dict[int, MatchRuling]:
    """Return the current rulings by match; ``contests``: by match the name of its contest, or None."""
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
    """A finished match as one of its entrants saw it. ``share`` is the part of opponents beaten, 0 to 1; where a
    ruling gave other scores, by these. ``ruling``: "" or a ``Ruled``; one without ``counts`` counts for nobody."""

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
    """A fault with the match and game it happened in; ``game`` and ``action`` count from 0."""

    match: int
    game: int
    action: int
    version: int
    finished_at: datetime | None
    is_kept: bool
    failure: Failure


@dataclass(frozen=True, slots=True)
class ListReader:
    """Whom a list of a bot's matches is for: everyone, or its ``author``, who also has those that are not everyone's as
    far as authors may look at them; sparring, which is of no contest, has its own list."""

    author: int | None = None

    def finished(self, path: str = "") -> Q:
        """Return which seats are in a finished match of the list. ``path`` leads to the seats, such as ``seats__``."""
        over = Q((f"{path}match__state", MatchState.FINISHED))
        everyones = Q((f"{path}match__audience", Audience.EVERYONE))
        if self.author is None:
            return over & everyones
        own = Q((f"{path}match__contest__isnull", False)) & matches_visible_to_author(self.author, f"{path}match__")
        return over & (everyones | own)


ANYONE: Final = ListReader()


def bot_history_reader(user: AbstractBaseUser | AnonymousUser, bot: Bot) -> ListReader:
    """Return as whom ``user`` reads the list of the bot's matches."""
    return ListReader(bot.owner_id) if acts_for_owner(user, bot.owner_id) else ANYONE


def bot_matches_of(
    bot: Bot, reader: ListReader = ANYONE, *, version: int | None = None, opponent: str = "", lost: bool = False
) -> QuerySet[Seat]:
    """Return the finished matches of the bot that ``reader`` is shown, newest first: its seat in each; only those
    ``lost`` if it is asked for, in which it has beaten less than half of its opponents, before all rulings."""
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
    """Return the page's matches with their opponents, who are read where they are not ``known`` by match."""
    found = list(page)
    tables = {**known, **bot_match_tables({seat.match_id for seat in found if seat.match_id not in known})}
    rulings = match_rulings_of({seat.match_id: seat.match.contest_id for seat in found})
    return [_row(seat, tables[seat.match_id], rulings.get(seat.match_id)) for seat in found]


def bot_history_versions_with_matches(bot: Bot, reader: ListReader = ANYONE) -> QuerySet[BotVersion]:
    """Return what ``bots.selectors.bot_versions_of`` does, each with ``matches``: how many it has finished that
    ``reader`` is shown; and ``sat``: how many seats it had there.
    """
    finished = reader.finished("seats__")
    counted = {"matches": Count("seats__match", filter=finished, distinct=True), "sat": Count("seats", filter=finished)}
    return bot_versions_of(bot).annotate(**counted)


def bot_history_versions_with_faults(versions: QuerySet[BotVersion], bot: Bot) -> QuerySet[BotVersion]:
    """Return versions of the bot, each with ``faults``: how many ``bot_history_faults`` has of it."""
    faults = bot_history_faults(bot).filter(seat__version=OuterRef("pk")).order_by()
    # Count would be NULL where there is none, and a Coalesce around it part of GROUP BY: evaluated once for each seat.
    return versions.annotate(faults=Subquery(faults.annotate(count=Func("pk", function="COUNT")).values("count")))


def bot_matches_counted(versions: Iterable[BotVersion], number: int | None) -> int:
    """Return how many rows ``matches_of`` has for a version, or for all if ``number`` is None, of what
    ``bot_history_versions_with_matches`` has counted."""
    return sum(getattr(one, "sat", 0) for one in versions if number in (None, one.number))


def bot_history_faults(bot: Bot, *, version: int | None = None, match: int | None = None) -> QuerySet[Fault]:
    """Return the faults of the bot in matches, newest first; games that it had forfeited by them are no more faults."""
    faults = Fault.objects.filter(matches_visible_to_author(bot.owner_id, "seat__match__"), seat__version__bot=bot)
    faults = faults.filter(verdict__in=FAULTS)
    # None of a match that is sealed.
    faults = faults.filter(Q(seat__match__tempo=Broadcast.NONE) | Q(seat__match__state=MatchState.FINISHED))
    if version is not None:
        faults = faults.filter(seat__version__number=version)
    if match is not None:
        faults = faults.filter(seat__match__pk=match)  # of a number beyond those that a database knows there is none
    read = faults.select_related("game", "seat__match", "seat__version")
    return read.order_by("-seat__match__finished_at", "-pk")


def bot_failures(page: Iterable[Fault]) -> list[MatchFailure]:
    """Return the page's faults with the source around the line in question: for the owner only."""
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
    """Return who sat in these matches, by match. One query, none without matches."""
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
