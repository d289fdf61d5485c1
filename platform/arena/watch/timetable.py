"""What comes next, as far as everyone may know."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import DateTimeField, F, PositiveIntegerField, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import UNDECIDED, Seat
from matches.visibility import matches_public
from tournaments.models import Round, Tournament, TournamentState
from tournaments.selectors.entering.visible import everyones, tournaments_visible
from web.optional import optional

SHOWN: Final = 8
LISTED: Final = 100  # in a calendar file
ENTERING: Final = (TournamentState.OPEN, TournamentState.LOCKED)
ROUND, MATCH = "round", "match"


@dataclass(frozen=True, slots=True)
class Coming:
    """Something with a time: ``key`` names it for ever, ``said`` is what happens to ``name`` then."""

    when: datetime
    key: str
    name: str
    label: str
    address: str


@optional("timetable", lambda *_most: None)
def coming(most: int = SHOWN) -> list[Coming] | None:
    """Return what is to come, the soonest first, read with one query."""
    now = timezone.now()
    rows = [_Row(*row) for row in _tournaments(now).union(_rounds(now), _premieres(now), all=True)]
    of_matches = sorted(row for row in rows if row.kind == MATCH)
    found = [*_of_contests([row for row in rows if row.kind != MATCH], now), *_of_matches(of_matches)]
    return sorted(found, key=lambda one: (one.when, one.key))[:most]


class _Row(NamedTuple):
    """``kind``: the state of a tournament that is entered, ROUND or MATCH. ``number``: of a round, or of a seat of a
    match, whose bot has the ``name``. ``first`` and ``second`` are the times at which something happens."""

    kind: str
    pk: int
    number: int
    name: str
    slug: str
    first: datetime | None
    second: datetime | None
    started_at: datetime | None


def _tournaments(now: datetime) -> QuerySet[Any, Any]:
    dated = Q(entries_close_at__gt=now) | Q(first_round_at__gt=now)
    found = tournaments_visible(AnonymousUser()).filter(dated, state__in=ENTERING)
    never, none = Value(None, DateTimeField()), Value(0, PositiveIntegerField())
    asked = (F("state"), F("pk"), none, F("name"), F("slug"), F("entries_close_at"), F("first_round_at"), never)
    return _aligned(Tournament.objects.filter(pk__in=found.values("pk")[:LISTED]), asked)


def _rounds(now: datetime) -> QuerySet[Any, Any]:
    """Return rounds that are drawn and begin by themselves, and those that are shown later."""
    begins = Q(started_at__isnull=True, starts_at__gt=now, tournament__has_round_review=False)
    shown = everyones(AnonymousUser()).filter(state=TournamentState.RUNNING)
    rounds = Round.objects.filter(begins | Q(premieres_at__gt=now), tournament__in=shown.values("pk"))
    rounds = rounds.order_by(Coalesce("premieres_at", "starts_at"))[:LISTED]
    of = (F("tournament__name"), F("tournament__slug"))
    times = (F("premieres_at"), F("starts_at"), F("started_at"))
    asked = (Value(ROUND), F("tournament"), F("number"), *of, *times)
    return _aligned(Round.objects.filter(pk__in=rounds.values("pk")), asked)


def _premieres(now: datetime) -> QuerySet[Any, Any]:
    """Return the seats of matches whose broadcast has a time of its own."""
    matches = matches_public().filter(premieres_at__gt=now, state__in=UNDECIDED)
    matches = matches.exclude(fixture__round__premieres_at=F("premieres_at")).order_by("premieres_at")[:LISTED]
    never = Value(None, DateTimeField())
    of = (F("version__bot__name"), F("version__bot__slug"))
    asked = (Value(MATCH), F("match"), F("index"), *of, F("match__premieres_at"), never, never)
    return _aligned(Seat.objects.filter(match__in=matches.values("pk")), asked)


def _aligned(found: QuerySet[Any], asked: Sequence[Any]) -> QuerySet[Any, Any]:
    """Return what is ``asked`` as columns of the same names in the same order, which all parts of a union have."""
    columns = {f"column_{field}": value for field, value in zip(_Row._fields, asked, strict=True)}
    rows: QuerySet[Any, Any] = found.order_by().annotate(**columns).values_list(*columns)
    return rows


def _of_contests(rows: Iterable[_Row], now: datetime) -> Iterator[Coming]:
    for row in rows:
        number = {"number": row.number or 1}
        if row.kind != ROUND:
            if row.first and row.first > now and row.kind == TournamentState.OPEN:
                yield _coming(row, row.first, "entries", _("Entries close"))
            if row.second and row.second > now:
                yield _coming(row, row.second, "round-1", _("Round %(number)s begins") % number)
        elif row.first:
            premiere = _("Premiere of round %(number)s") % number
            shown = _coming(row, row.first, f"premiere-{row.number}", premiere)
            boards = reverse("tournaments:boards", args=[row.slug, row.number])
            yield replace(shown, address=boards) if row.started_at else shown
        elif row.second:
            yield _coming(row, row.second, f"round-{row.number}", _("Round %(number)s begins") % number)


def _of_matches(rows: Iterable[_Row]) -> Iterator[Coming]:
    for match, seats in groupby(rows, key=lambda row: (row.pk, row.first)):
        number, when = match
        names = ", ".join(seat.name for seat in seats)
        if when:
            yield Coming(when, f"match-{number}", names, _("Premiere"), reverse("matches:detail", args=[number]))


def _coming(row: _Row, when: datetime, what: str, label: str) -> Coming:
    address = reverse("tournaments:detail", args=[row.slug])
    return Coming(when, f"tournament-{row.pk}-{what}", row.name, label, address)
