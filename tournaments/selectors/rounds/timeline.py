"""The timeline of a tournament from its draft to its certificates.

It has what has happened so far, and what will happen automatically, with the times.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Final

from django.db.models import BooleanField, ExpressionWrapper
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from contests.audience import ContestAudience
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.rounds.plans import (
    TOURNAMENT_ACTS,
    Calendar,
    PlannedRound,
    entries_reminder_planned_at,
    round_plans_of,
)
from tournaments.workload import workload_plan

SHOWN_MOST: Final = 6  # how many coming acts ``tournament_timeline_coming`` returns
# Each has one time; rounds have their own form
MOVABLE: Final = ("opens", "closes", "starts", "ceremony", "sources")
BEFORE_ALL: Final = datetime.min.replace(tzinfo=UTC)


class ActState(Enum):
    DONE = "done"
    COMING = "coming"  # its time is set and lies ahead
    LATE = "late"  # overdue: its time has passed, and it still waits for something
    FOLLOWS = "follows"  # happens automatically after the act before it
    BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True)
class TimelineAct:
    """An act of the timeline.

    ``note`` says what the act waits for. If the act is the start or the premiere of a round, ``planned`` is this round.
    """

    act: str
    text: str
    when: datetime | None
    state: ActState
    note: str = ""
    planned: PlannedRound | None = None

    @property
    def is_done(self) -> bool:
        return self.state is ActState.DONE

    @property
    def is_late(self) -> bool:
        return self.state is ActState.LATE

    @property
    def may_move(self) -> bool:
        return self.act in MOVABLE and not self.is_done

    @property
    def may_stop(self) -> bool:
        """Whether the organiser may turn the act off, so that it does not happen automatically."""
        return self.may_move and (self.when is not None or (self.act, self.state) == ("sources", ActState.FOLLOWS))

    @property
    def round(self) -> int:
        """The number of the act's round; 0 until the round is drawn, and for acts without a round."""
        return self.planned.number if self.planned else 0


def tournament_timeline_of(tournament: Tournament, playing: int | None = None) -> list[TimelineAct]:
    """Return all acts, ordered by time. An act without a time follows the act before it.

    For a cancelled tournament, return only the acts that have happened. If it was cancelled before its start, return
    none, because it is not known what had happened before. ``playing`` is the number of bots that take part, if the
    caller has counted them already.
    """
    found, before = [], BEFORE_ALL
    is_cancelled = tournament.state == TournamentState.CANCELLED
    if is_cancelled and tournament.started_at is None:
        return []
    if playing is None:
        playing = tournament.entries.filter(is_withdrawn=False).count()
    for one in _all(tournament, playing):
        before = one.when or before
        if one.is_done or not is_cancelled:
            found.append((before, one))
    return [one for _when, one in sorted(found, key=lambda pair: pair[0])]


def tournament_timeline_coming(tournament: Tournament, playing: int | None = None) -> list[TimelineAct]:
    """Return the next ``SHOWN_MOST`` acts that happen automatically at a set time.

    ``playing`` is as in ``tournament_timeline_of``.
    """
    return [one for one in tournament_timeline_of(tournament, playing) if one.state is ActState.COMING][:SHOWN_MOST]


def _all(tournament: Tournament, playing: int) -> Iterator[TimelineAct]:
    yield from _entering(tournament, playing)
    yield from _rounds(tournament, playing)
    ended = tournament.finished_at
    is_over = tournament.state == TournamentState.FINISHED
    note = "" if is_over else _("After the last match.")
    yield TimelineAct("ends", _("The tournament ends"), ended, ActState.DONE if is_over else ActState.FOLLOWS, note)
    yield from _results(tournament)


def _act(act: str, text: str, when: datetime | None, to_come: bool, note: str, *, by_hand: bool = True) -> TimelineAct:
    """Return an act that may have a time; ``note`` says when an act without a time happens."""
    now = timezone.now()
    if not to_come:
        return TimelineAct(act, text, when if when and when <= now else None, ActState.DONE)
    if when is None:
        return TimelineAct(act, text, None, ActState.BY_HAND if by_hand else ActState.FOLLOWS, note)
    return TimelineAct(act, text, when, ActState.COMING if when > now else ActState.LATE)


def _entering(tournament: Tournament, playing: int) -> Iterator[TimelineAct]:
    to_come = tournament_acts_to_come(tournament)
    opens, closes = tournament.entries_open_at, tournament.entries_close_at
    yield _act("opens", _("Entries open"), opens, "opens" in to_come, _("When you open them."))
    reminder = entries_reminder_planned_at(tournament)
    is_of_group = tournament.audience == ContestAudience.GROUP  # the timeline has no reminder that only followers get
    if reminder is not None and is_of_group and "closes" in to_come and reminder > timezone.now():
        text = _("Reminder to members who have not entered")
        yield _act("reminder", text, reminder, True, "")
    yield _act(
        *("closes", _("Entries close"), closes, "closes" in to_come, _("When you close them or start the tournament.")),
        by_hand=False,
    )
    starts = tournament.started_at or tournament.first_round_at
    start = _act("starts", _("The tournament starts"), starts, "starts" in to_come, _("When you start it."))
    if tournament.is_postponed and not start.is_done:
        start = replace(start, note=_("Postponed: too few bots had entered."))
    elif not start.is_done and workload_plan(tournament, playing) is None:
        few = _("The number of rounds depends on the number of bots, and too few have entered yet.")
        start = replace(start, note=" ".join(filter(None, [start.note, few])))
    yield start


def _rounds(tournament: Tournament, playing: int) -> Iterator[TimelineAct]:
    calendar: Calendar | None = None
    number, are_known = 0, tournament.started_at is not None or workload_plan(tournament, playing) is not None
    for planned in round_plans_of(tournament, playing):
        planned.stage.tournament = tournament
        number = planned.number or number + 1
        when = planned.starts_at
        if are_known and not planned.number:
            if calendar is None or calendar.stage.pk != planned.stage.pk:
                due = calendar.due if calendar else None
                calendar = Calendar(planned.stage)
                calendar.due = calendar.due or due
            when = calendar.starts_at(number, planned)
        note = _("When you approve it.") if tournament.has_round_review else _("As soon as the round before is over.")
        name = timeline_round_name(tournament, planned)
        begins = _act("round", name, when, not planned.begun, note, by_hand=tournament.has_round_review)
        if tournament.has_round_review and not begins.is_done:
            begins = replace(begins, note=note)
        yield replace(begins, planned=planned)
        if planned.premieres_at:
            shown = planned.begun and planned.premieres_at <= timezone.now()
            text = _("Premiere: %(round)s") % {"round": name}
            yield replace(_act("premiere", text, planned.premieres_at, not shown, ""), planned=planned)


def timeline_round_name(tournament: Tournament, planned: PlannedRound) -> str:
    """Return the display name of a round, with its stage if there are several stages."""
    name = pgettext("of a knockout", "Final") if planned.is_final else _("Round %(number)d") % {"number": planned.place}
    if len(tournament.stages.all()) < 2:
        return name
    return _("Stage %(stage)d, %(round)s") % {"stage": planned.stage.number, "round": name}


def _results(tournament: Tournament) -> Iterator[TimelineAct]:
    ceremony, is_public = tournament.ceremony_or_none, tournament.publication == Publication.EVERYONE
    note, shown = _("When the tournament ends."), tournament.finished_at
    if ceremony is not None and (not is_public or ceremony.started_at):
        when = ceremony.started_at or ceremony.planned_at
        begins = _act("ceremony", _("The ceremony begins"), when, ceremony.started_at is None, _("When you start it."))
        yield replace(begins, note=_("As soon as the tournament is over.")) if begins.is_late else begins
        note, shown = _("When the ceremony ends."), ceremony.ended_at or tournament.finished_at
    elif not is_public:
        sealed = _("Results stay hidden until you publish them or hold a ceremony.")
        yield TimelineAct("results", _("Results become public"), None, ActState.BY_HAND, sealed)
        note, shown = _("When results are public."), None
    is_done = tournament.state == TournamentState.FINISHED and is_public
    state = ActState.DONE if is_done else ActState.FOLLOWS
    yield TimelineAct("certificates", _("Certificates"), shown if is_done else None, state, "" if is_done else note)
    if tournament.releases_sources:
        yield _sources(tournament)


def _sources(tournament: Tournament) -> TimelineAct:
    text, released, note = (
        _("Sources are released"),
        tournament.sources_released_at,
        _("As soon as results are public."),
    )
    if released is None and tournament.sources_by_hand:
        return TimelineAct("sources", text, None, ActState.BY_HAND, _("When you release them."))
    act = _act("sources", text, released or tournament.sources_at, released is None, note, by_hand=False)
    return replace(act, note=note) if act.is_late else act


def tournament_acts_to_come(tournament: Tournament) -> set[str]:
    """Return which of ``TOURNAMENT_ACTS`` are to come. Takes one query, and none after the start."""
    if tournament.started_at is not None:
        return set()
    by_act = {
        name: ExpressionWrapper(act.to_come, output_field=BooleanField()) for name, act in TOURNAMENT_ACTS.items()
    }
    row = Tournament.objects.filter(pk=tournament.pk).values_list(*by_act.values()).get()
    return {name for name, is_to_come in zip(by_act, row, strict=True) if is_to_come}
