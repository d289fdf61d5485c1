"""What happens to tournaments by the clock: for each act, which column has its time, and what it waits for.

The sweep asks which acts are due, and the timeline which are to come, so that both follow the same rules.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.utils import timezone

from tournaments.models import ENTERING, Ceremony, Publication, Round, Tournament, TournamentState

REMINDED_BEFORE: Final = timedelta(days=1)
AHEAD_MOST: Final = timedelta(days=730)  # of every time that is announced


@dataclass(frozen=True, slots=True)
class ClockAct:
    """An act on rows of a ``model`` at the time in the column ``at``. ``to_come``: it has not happened, and may;
    ``ready``: what else must hold when its time has come, or it waits for that. ``is_due_without``: a row without
    a time waits for that alone."""

    model: Any
    at: str
    to_come: Q
    ready: Q
    is_due_without: bool = False

    def due(self) -> QuerySet[Any]:
        """Return the rows on which it is to be done now."""
        has_come = Q(**{f"{self.at}__lte": timezone.now()})
        if self.is_due_without:
            has_come |= Q((self.at, None))
        found: QuerySet[Any] = self.model.objects.filter(self.to_come & self.ready & has_come)
        return found


OPEN: Final = ClockAct(Tournament, "entries_open_at", Q(state=TournamentState.DRAFT), Q())
CLOSE: Final = ClockAct(
    *(Tournament, "entries_close_at", Q(state__in=[TournamentState.DRAFT, TournamentState.OPEN])),
    Q(state=TournamentState.OPEN),
)
START: Final = ClockAct(  # ``Tournament.is_due`` says what else
    *(Tournament, "first_round_at", Q(state__in=ENTERING)),
    Q(state__in=[TournamentState.OPEN, TournamentState.LOCKED]),
)
ROUND: Final = ClockAct(
    *(Round, "starts_at", Q(started_at__isnull=True)),
    Q(tournament__state=TournamentState.RUNNING, tournament__has_round_review=False),
)
CEREMONY: Final = ClockAct(
    *(Ceremony, "planned_at", Q(started_at__isnull=True)),
    Q(tournament__state=TournamentState.FINISHED),
)
SOURCES: Final = ClockAct(  # without a time as soon as they may be
    *(Tournament, "sources_at", Q(releases_sources=True, sources_released_at=None, sources_by_hand=False)),
    Q(state=TournamentState.FINISHED, publication=Publication.EVERYONE),
    is_due_without=True,
)


TOURNAMENT_ACTS: Final = {"opens": OPEN, "closes": CLOSE, "starts": START}


def acts_to_come(tournament: Tournament) -> set[str]:
    """Return which of ``TOURNAMENT_ACTS`` are to come; one query, and none once it has started."""
    if tournament.started_at is not None:
        return set()
    by_act = {
        name: ExpressionWrapper(act.to_come, output_field=BooleanField()) for name, act in TOURNAMENT_ACTS.items()
    }
    row = Tournament.objects.filter(pk=tournament.pk).values_list(*by_act.values()).get()
    return {name for name, is_to_come in zip(by_act, row, strict=True) if is_to_come}


def reminder_at(tournament: Tournament) -> datetime | None:
    """Return from when on members of its group and followers who have not entered are reminded that entries close; None
    where nobody is. What was created less than a day before they close needs no reminder."""
    closes = tournament.entries_close_at
    if closes is None:
        return None
    when = closes - REMINDED_BEFORE
    return when if tournament.created_at <= when else None
