"""Matches and faults of a bot, read through the relations that the room above hangs on its versions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from django.db.models import F, Q, QuerySet

from bots.failure import Failure
from bots.models import Bot, BotVersion
from games.protocol import Verdict

Rows: TypeAlias = QuerySet[BotVersion, dict[str, Any]]

MATCH_FIELDS: Final = (
    "number",
    "seats__match",
    "seats__match__finished",
    "seats__index",
    "seats__score",
    "seats__places",
    "seats__faulty_games",
)
PUBLIC: Final = {"seats__match__state": "finished", "seats__match__audience": "everyone"}
FAULTS: Final = [verdict.value for verdict in Verdict if verdict != Verdict.FORFEITED]
FAULT_FIELDS: Final = ("verdict", "exception", "detail", "line", "view", "answer", "output", "cpu", "wall", "limit")


@dataclass(frozen=True, slots=True)
class ResultOpponent:
    name: str
    slug: str
    version: int
    seat: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A finished match as one of its entrants saw it. ``share`` is the part of opponents beaten, 0 to 1."""

    match: int
    finished: datetime
    version: int
    seat: int
    share: float
    mean_place: float
    faulty: int
    games: int
    opponents: tuple[ResultOpponent, ...]


@dataclass(frozen=True, slots=True)
class MatchFailure:
    """A fault with the match and game it happened in; ``game`` and ``action`` count from 0."""

    match: int
    game: int
    action: int
    version: int
    finished: datetime
    failure: Failure


@dataclass(frozen=True, slots=True)
class WithdrawalNotice:
    """A tournament that a bot was taken out of, and how many matches of it it had forfeited."""

    tournament: str
    slug: str
    forfeits: int


def matches_of(bot: Bot, *, version: int | None = None, opponent: str = "") -> Rows:
    """Finished matches of the bot that everyone may look at, newest first, one row for each of its seats."""
    which = Q(bot=bot, **PUBLIC)
    if version is not None:
        which &= Q(number=version)
    if opponent:
        met = BotVersion.objects.filter(bot__slug=opponent).values("seats__match")
        which &= Q(seats__match__in=met)
    newest_first = ("-seats__match__finished", "-seats__match", "seats__index")
    rows: Rows = BotVersion.objects.filter(which).order_by(*newest_first).values(*MATCH_FIELDS)
    return rows


def rows(page: Iterable[Mapping[str, Any]]) -> list[MatchRow]:
    """The page's matches with their opponents, read in one query."""
    found = list(page)
    tables = _tables({row["seats__match"] for row in found})
    return [_row(row, tables[row["seats__match"]]) for row in found]


def opponents_of(bot: Bot) -> QuerySet[Bot]:
    """The bots it has met, by name."""
    met = BotVersion.objects.filter(bot=bot, **PUBLIC).values("seats__match")
    return Bot.objects.filter(versions__seats__match__in=met).exclude(pk=bot.pk).distinct().order_by("name", "pk")


def faults_of(bot: Bot, *, version: int | None = None, match: int | None = None) -> Rows:
    """Faults of the bot in matches, newest first; games that it had forfeited by them are no more faults."""
    which = Q(bot=bot, seats__faults__verdict__in=FAULTS, seats__match__audience__in=["everyone", "authors"])
    if version is not None:
        which &= Q(number=version)
    if match is not None:
        which &= Q(seats__match=match)
    rows: Rows = (
        BotVersion.objects.filter(which)
        .order_by("-seats__match__finished", "-seats__faults")
        .values(
            "pk",
            "number",
            "seats__match",
            "seats__match__finished",
            "seats__faults__game__index",
            "seats__faults__action_index",
            *(f"seats__faults__{name}" for name in FAULT_FIELDS),
        )
    )
    return rows


def withdrawals_of(bot: Bot) -> list[WithdrawalNotice]:
    """Tournaments from which the current version was withdrawn because of its faults, the newest first."""
    out = Q(entries__version=F("current"), entries__withdrawn_because="forfeits")
    rows = Bot.objects.filter(out, pk=bot.pk).order_by("-entries__tournament")
    fields = ("entries__tournament__name", "entries__tournament__slug", "entries__forfeits")
    return [WithdrawalNotice(*row) for row in rows.values_list(*fields)]


def failures(page: Iterable[Mapping[str, Any]]) -> list[MatchFailure]:
    """The page's faults with the source around the line in question: for the owner only."""
    found = list(page)
    faulty = BotVersion.objects.filter(pk__in={row["pk"] for row in found})
    sources = {version.pk: version.files() if version.kept else {} for version in faulty}
    return [
        MatchFailure(
            match=row["seats__match"],
            game=row["seats__faults__game__index"],
            action=row["seats__faults__action_index"],
            version=row["number"],
            finished=row["seats__match__finished"],
            failure=Failure.of({name: row[f"seats__faults__{name}"] for name in FAULT_FIELDS}, sources[row["pk"]]),
        )
        for row in found
    ]


def _tables(matches: set[int]) -> Mapping[int, list[ResultOpponent]]:
    tables: dict[int, list[ResultOpponent]] = defaultdict(list)
    seats = BotVersion.objects.filter(seats__match__in=matches).order_by("seats__index")
    for name, slug, number, match, index in seats.values_list(
        "bot__name", "bot__slug", "number", "seats__match", "seats__index"
    ):
        tables[match].append(ResultOpponent(name, slug, number, index))
    return tables


def _row(row: Mapping[str, Any], table: list[ResultOpponent]) -> MatchRow:
    places = row["seats__places"] or []
    games = max(len(places), 1)
    return MatchRow(
        match=row["seats__match"],
        finished=row["seats__match__finished"],
        version=row["number"],
        seat=row["seats__index"],
        share=(row["seats__score"] or 0) / games,
        mean_place=sum(places) / games,
        faulty=row["seats__faulty_games"],
        games=len(places),
        opponents=tuple(other for other in table if other.seat != row["seats__index"]),
    )
