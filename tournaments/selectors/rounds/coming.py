"""What happens to a tournament by itself: its times to come, in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.models import ENTERING, FINAL, PLAYING, Tournament, TournamentState

SHOWN_MOST: Final = 6


@dataclass(frozen=True, slots=True)
class ComingTime:
    when: datetime
    text: str


def coming_of(tournament: Tournament) -> list[ComingTime]:
    """Return the next ``SHOWN_MOST`` times at which something begins or ends by itself, the earliest first."""
    now = timezone.now()
    return sorted((one for one in _all(tournament) if one.when > now), key=lambda one: one.when)[:SHOWN_MOST]


def _all(tournament: Tournament) -> Iterator[ComingTime]:
    opens = tournament.entries_open_at if tournament.state == TournamentState.DRAFT else None
    if opens:
        yield ComingTime(opens, _("Entries open"))
    if (tournament.state == TournamentState.OPEN or opens) and tournament.entries_close_at:
        yield ComingTime(tournament.entries_close_at, _("Entries close"))
    if (tournament.state in ENTERING - {TournamentState.DRAFT} or opens) and tournament.first_round_at:
        yield ComingTime(tournament.first_round_at, _("The tournament starts"))
    if tournament.state in ENTERING | PLAYING:
        yield from _rounds(tournament)
    ceremony = tournament.ceremony_or_none
    if ceremony is not None and ceremony.planned_at and ceremony.started_at is None:
        yield ComingTime(ceremony.planned_at, _("The ceremony begins"))


def _rounds(tournament: Tournament) -> Iterator[ComingTime]:
    """Yield the times of rounds that are drawn, then those planned for rounds that are not."""
    times = "number", "starts_at", "started_at", "premieres_at"
    known: set[datetime | None] = set()
    for number, starts_at, started_at, premieres_at in tournament.rounds.order_by("number").values_list(*times):
        begins = None if started_at or tournament.has_round_review else starts_at
        yield from _both(_("Round %(number)d") % {"number": number}, begins, premieres_at)
        known |= {starts_at, premieres_at}
    for plan in tournament.plans.all():
        of_final = plan.place == FINAL
        name = pgettext("of a knockout", "Final") if of_final else _("Round %(number)d") % {"number": plan.place}
        starts_at, premieres_at = (None if one in known else one for one in (plan.starts_at, plan.premieres_at))
        yield from _both(name, starts_at, premieres_at)


def _both(name: str, starts_at: datetime | None, premieres_at: datetime | None) -> Iterator[ComingTime]:
    if starts_at:
        yield ComingTime(starts_at, _("%(round)s begins") % {"round": name})
    if premieres_at:
        yield ComingTime(premieres_at, _("Premiere: %(round)s") % {"round": name})
