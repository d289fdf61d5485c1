"""What comes next, as far as everyone may know."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import UNDECIDED
from matches.selectors import matches_list
from tournaments.models import Round, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_see_results, tournaments_visible

SHOWN: Final = 8
LISTED: Final = 100  # in a calendar file
ENTERING: Final = (TournamentState.OPEN, TournamentState.LOCKED)


@dataclass(frozen=True, slots=True)
class Coming:
    """Something with a time: ``key`` names it for ever, ``said`` is what happens to ``name`` then."""

    when: datetime
    key: str
    name: str
    label: str
    address: str


def coming(most: int = SHOWN) -> list[Coming]:
    """Return what is to come, the soonest first."""
    now = timezone.now()
    found = [*_tournaments(now), *_rounds(now), *_premieres(now)]
    return sorted(found, key=lambda one: (one.when, one.key))[:most]


def _tournaments(now: datetime) -> Iterator[Coming]:
    dated = Q(entries_close_at__gt=now) | Q(first_round_at__gt=now)
    for one in tournaments_visible(AnonymousUser()).filter(dated, state__in=ENTERING)[:LISTED]:
        if one.entries_close_at and one.entries_close_at > now and one.state == TournamentState.OPEN:
            yield _coming(one, one.entries_close_at, "entries", _("Entries close"))
        if one.first_round_at and one.first_round_at > now:
            yield _coming(one, one.first_round_at, "round-1", _("Round %(number)s begins") % {"number": 1})


def _rounds(now: datetime) -> Iterator[Coming]:
    """Yield rounds that are drawn and begin by themselves, and those that are shown later."""
    begins = Q(started_at__isnull=True, starts_at__gt=now, tournament__has_round_review=False)
    rounds = Round.objects.filter(begins | Q(premieres_at__gt=now), tournament__state=TournamentState.RUNNING)
    for one in rounds.select_related("tournament").order_by(Coalesce("premieres_at", "starts_at"))[:LISTED]:
        if not may_see_results(AnonymousUser(), one.tournament):
            continue
        number = {"number": one.number}
        if one.premieres_at:
            shown = _coming(
                one.tournament, one.premieres_at, f"premiere-{one.number}", _("Premiere of round %(number)s") % number
            )
            boards = reverse("tournaments:boards", args=[one.tournament.slug, one.number])
            yield replace(shown, address=boards) if one.started_at else shown
        elif one.starts_at:
            yield _coming(one.tournament, one.starts_at, f"round-{one.number}", _("Round %(number)s begins") % number)


def _premieres(now: datetime) -> Iterator[Coming]:
    """Yield matches whose broadcast has a time of its own."""
    matches = matches_list().filter(premieres_at__gt=now, state__in=UNDECIDED)
    for one in matches.exclude(fixture__round__premieres_at=F("premieres_at")).order_by("premieres_at")[:LISTED]:
        names = ", ".join(seat.version.bot.name for seat in one.seats.all())
        if one.premieres_at:
            address = reverse("matches:detail", args=[one.pk])
            yield Coming(one.premieres_at, f"match-{one.pk}", names, _("Premiere"), address)


def _coming(tournament: Tournament, when: datetime, what: str, label: str) -> Coming:
    address = reverse("tournaments:detail", args=[tournament.slug])
    return Coming(when, f"tournament-{tournament.pk}-{what}", tournament.name, label, address)
