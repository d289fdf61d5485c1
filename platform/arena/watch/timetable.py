"""The timetable of public events to come, and its calendar file (RFC 5545)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import DateTimeField, Exists, F, OuterRef, PositiveIntegerField, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import UNDECIDED, MatchState, Seat
from matches.visibility import matches_visible_to_everyone
from tournaments.models import FINAL, Round, RoundPlan, Stage, Tournament, TournamentState
from tournaments.selectors.entering.visible import tournaments_listed, tournaments_public_for_everyone
from web.optional import optional

SHOWN: Final = 8
LISTED: Final = 100  # events in a calendar file
ENTERING: Final = (TournamentState.OPEN, TournamentState.LOCKED)
BEGUN: Final = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)
AT_ONCE: Final = timedelta()
ROUND, PLANNED, MATCH = "round", "planned", "match"
PLACES: Final = 10_000  # numbers reserved for the rounds of a stage; no stage has as many rounds
LINE_OCTETS: Final = 75
LASTS: Final = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Coming:
    """An event of the timetable. ``key`` identifies it for ever. ``label`` says what happens to ``name`` at the time
    ``when``.
    """

    when: datetime
    key: str
    name: str
    label: str
    address: str


@optional("timetable", lambda *_args: None)
def timetable_coming_events(most: int = SHOWN, lasts: timedelta = AT_ONCE, tournament: str = "") -> list[Coming] | None:
    """Return the coming events, soonest first, with one query. Events that began less than ``lasts`` ago are included.
    ``tournament`` is a slug to select one tournament.
    """
    now = timezone.now()
    time = _Time(now, now - lasts, tournament)
    rows = [_Row(*row) for row in _tournaments(time).union(_rounds(time), _plans(time), _premieres(time), all=True)]
    of_matches = sorted(row for row in rows if row.kind == MATCH)
    found = [*_of_contests([row for row in rows if row.kind != MATCH], time), *_of_matches(of_matches)]
    # The first round is found twice: as the start of its tournament and as a round.
    named = {one.key: one for one in found}
    return sorted(named.values(), key=lambda one: (one.when, one.key))[:most]


class _Time(NamedTuple):
    """The times that select events: ``now`` and ``since``. Events that began between them count as going on. ``slug``
    selects one tournament.
    """

    now: datetime
    since: datetime
    slug: str

    def chosen(self, tournament: str = "") -> Q:
        """Return the condition on the tournament; ``tournament`` is the lookup that leads to it."""
        return Q(**{f"{tournament}slug": self.slug}) if self.slug else Q()

    def ahead(self, field: str) -> Q:
        return Q(**{f"{field}__gt": self.now})

    def going_on(self, field: str) -> Q:
        return Q(**{f"{field}__gt": self.since, f"{field}__lte": self.now})

    def is_listed(self, when: datetime | None, *, awaited: bool, begun: datetime | None) -> bool:
        """Return whether an event that is planned for ``when`` is listed. Before ``when``, it is listed while it is
        ``awaited``. After ``when``, it is listed until it ends; but not if the tournament had already ``begun`` before
        ``when``.
        """
        if when is None or when > self.now:
            return when is not None and awaited
        return when > self.since and (begun is None or begun >= when)


class _Row(NamedTuple):
    """A row of the union of all queries.

    ``kind`` is ROUND, PLANNED or MATCH; in the row of a tournament it is the tournament's state. ``number`` is the
    number of the round. For a planned round, it is the number of the stage times PLACES, plus the round's number in
    that stage. For a match, it is the number of a seat, and ``name`` is the bot in that seat. ``first`` and ``second``
    are times of events.
    """

    kind: str
    pk: int
    number: int
    name: str
    slug: str
    first: datetime | None
    second: datetime | None
    started_at: datetime | None


def _tournaments(time: _Time) -> QuerySet[Any, Any]:
    dated = (time.ahead("entries_close_at") | time.ahead("first_round_at")) & Q(state__in=ENTERING)
    dated |= (time.going_on("entries_close_at") | time.going_on("first_round_at")) & Q(state__in=[*ENTERING, *BEGUN])
    found = tournaments_listed(AnonymousUser()).filter(dated, time.chosen())
    none = Value(0, PositiveIntegerField())
    columns = (
        F("state"),
        F("pk"),
        none,
        F("name"),
        F("slug"),
        F("entries_close_at"),
        F("first_round_at"),
        F("started_at"),
    )
    return _aligned(Tournament.objects.filter(pk__in=found.values("pk")[:LISTED]), columns)


def _rounds(time: _Time) -> QuerySet[Any, Any]:
    """Return drawn rounds that start by themselves, and rounds that are broadcast later."""
    by_itself = Q(tournament__has_round_review=False)
    begins = time.ahead("starts_at") & by_itself & Q(started_at__isnull=True)
    begun = time.going_on("starts_at") & by_itself & (Q(started_at__isnull=True) | Q(started_at__gte=F("starts_at")))
    ahead = Q(tournament__state=TournamentState.RUNNING) & (begins | time.ahead("premieres_at"))
    going_on = Q(tournament__state__in=BEGUN) & (begun | time.going_on("premieres_at"))
    chosen = tournaments_public_for_everyone().filter(time.chosen())
    rounds = Round.objects.filter(ahead | going_on, tournament__in=chosen.values("pk"))
    rounds = rounds.order_by(Coalesce("premieres_at", "starts_at"))[:LISTED]
    of = (F("tournament__name"), F("tournament__slug"))
    times = (F("premieres_at"), F("starts_at"), F("started_at"))
    asked = (Value(ROUND), F("tournament"), F("number"), *of, *times)
    return _aligned(Round.objects.filter(pk__in=rounds.values("pk")), asked)


def _plans(time: _Time) -> QuerySet[Any, Any]:
    """Return the broadcasts of rounds that are not drawn yet."""
    of_stage = Stage.objects.filter(tournament=OuterRef("tournament"), number=OuterRef("stage"))
    drawn = of_stage.filter(drawn__gte=OuterRef("place"))
    shown = Round.objects.filter(
        tournament=OuterRef("tournament"), stage__number=OuterRef("stage"), premieres_at=OuterRef("premieres_at")
    )
    awaited = Q(tournament__state__in=[*ENTERING, TournamentState.RUNNING, TournamentState.PAUSED])
    plans = RoundPlan.objects.filter(time.ahead("premieres_at") & awaited)
    plans = plans.filter(Exists(of_stage.filter(finished_at__isnull=True))).exclude(Exists(shown))
    plans = plans.exclude(Q(place__gt=FINAL) & Exists(drawn))
    chosen = tournaments_public_for_everyone().filter(time.chosen())
    plans = plans.filter(tournament__in=chosen.values("pk")).order_by("premieres_at")[:LISTED]
    never = Value(None, DateTimeField())
    number = F("stage") * Value(PLACES) + F("place")
    of = (F("tournament__name"), F("tournament__slug"))
    asked = (Value(PLANNED), F("tournament"), number, *of, F("premieres_at"), never, never)
    return _aligned(RoundPlan.objects.filter(pk__in=plans.values("pk")), asked)


def _premieres(time: _Time) -> QuerySet[Any, Any]:
    """Return the seats of matches whose broadcast has its own time."""
    going_on = time.going_on("premieres_at") & Q(state__in=[*UNDECIDED, MatchState.FINISHED])
    matches = matches_visible_to_everyone().filter(time.ahead("premieres_at") & Q(state__in=UNDECIDED) | going_on)
    matches = matches.exclude(fixture__round__premieres_at=F("premieres_at"))
    matches = matches.filter(time.chosen("fixture__round__tournament__")).order_by("premieres_at")[:LISTED]
    never = Value(None, DateTimeField())
    of = (F("version__bot__name"), F("version__bot__slug"))
    asked = (Value(MATCH), F("match"), F("index"), *of, F("match__premieres_at"), never, never)
    return _aligned(Seat.objects.filter(match__in=matches.values("pk")), asked)


def _aligned(found: QuerySet[Any], asked: Sequence[Any]) -> QuerySet[Any, Any]:
    """Return ``asked`` as columns with the same names and order, as a union requires."""
    columns = {f"column_{field}": value for field, value in zip(_Row._fields, asked, strict=True)}
    rows: QuerySet[Any, Any] = found.order_by().annotate(**columns).values_list(*columns)
    return rows


def _of_contests(rows: Iterable[_Row], time: _Time) -> Iterator[Coming]:
    for row in rows:
        number = {"number": row.number or 1}
        if row.kind == PLANNED:
            if row.first:
                yield _planned(row, row.first)
        elif row.kind != ROUND:
            if row.first and time.is_listed(row.first, awaited=row.kind == TournamentState.OPEN, begun=row.started_at):
                yield _coming(row, row.first, "entries", _("Entries close"))
            if row.second and time.is_listed(row.second, awaited=row.kind in ENTERING, begun=row.started_at):
                yield _coming(row, row.second, "round-1", _("Round %(number)s begins") % number)
        elif row.first:
            premiere = _("Premiere of round %(number)s") % number
            shown = _coming(row, row.first, f"premiere-{row.number}", premiere)
            boards = reverse("tournaments:boards", args=[row.slug, row.number])
            yield replace(shown, address=boards) if row.started_at else shown
        elif row.second:
            yield _coming(row, row.second, f"round-{row.number}", _("Round %(number)s begins") % number)


def _planned(row: _Row, when: datetime) -> Coming:
    """Return the broadcast of a planned round. In the first stage, the event keeps its key when the round is drawn."""
    stage, place = divmod(row.number, PLACES)
    values = {"number": place, "stage": stage}
    if place == FINAL:
        return _coming(row, when, f"premiere-final-{stage}", _("Premiere of the final"))
    if stage == 1:
        return _coming(row, when, f"premiere-{place}", _("Premiere of round %(number)s") % values)
    label = _("Premiere of round %(number)s of stage %(stage)s") % values
    return _coming(row, when, f"premiere-{stage}-{place}", label)


def _of_matches(rows: Iterable[_Row]) -> Iterator[Coming]:
    for match, seats in groupby(rows, key=lambda row: (row.pk, row.first)):
        number, when = match
        names = ", ".join(seat.name for seat in seats)
        if when:
            yield Coming(when, f"match-{number}", names, _("Premiere"), reverse("matches:detail", args=[number]))


def _coming(row: _Row, when: datetime, what: str, label: str) -> Coming:
    address = reverse("tournaments:detail", args=[row.slug])
    return Coming(when, f"tournament-{row.pk}-{what}", row.name, label, address)


def timetable_calendar_file(events: Iterable[Coming], *, host: str, origin: str, now: datetime) -> str:
    """Return the iCalendar file. Each event lasts half an hour and keeps its UID when it moves."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//{host}//Pecking Order//EN", "X-WR-CALNAME:Pecking Order"]
    for one in events:
        lines += _event(one, host, origin, now)
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


@optional("event of the calendar", lambda *_given: [])
def _event(one: Coming, host: str, origin: str, now: datetime) -> list[str]:
    """Return the lines of an event; none if it cannot be written, so that the others stay in the file."""
    return [
        "BEGIN:VEVENT",
        f"UID:{one.key}@{host}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(one.when)}",
        f"DTEND:{_utc(one.when + LASTS)}",
        f"SUMMARY:{_text(f'{one.name}: {one.label}')}",
        f"URL:{origin}{one.address}",
        "END:VEVENT",
    ]


def _utc(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    """Return ``text`` escaped as a property of type TEXT (RFC 5545, section 3.3.11)."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return clean.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Fold a line into lines of at most 75 octets, between characters (RFC 5545, section 3.1)."""
    parts, octets = [""], 0
    for letter in line:
        size = len(letter.encode())
        if octets + size > LINE_OCTETS:
            parts.append(" ")
            octets = 1
        parts[-1] += letter
        octets += size
    return "\r\n".join(parts)
