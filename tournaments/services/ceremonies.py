"""The ceremony of a tournament, which reveals the ranks one by one, from the last place up.

The results are published when the first place is revealed. What pages show of a rank is stored when the rank is
revealed. Until then, ``Tournament.publication`` and the audience of the matches hide the rank, as they hide all
unpublished results.

A request for a step names the place that it reveals, so two clicks advance the ceremony only once. Each step is one
conditional update while the tournament is locked.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from live import hub_announce
from matches.queue.dispatch import UNREACHABLE
from tournaments.errors import CeremonyChanged, CeremonyRefused, TournamentError
from tournaments.models import Ceremony, Publication, Stage, Tournament, TournamentState
from tournaments.models.planning import IDLE_MOST, PACE_MOST, PODIUM_PLACES, PODIUM_SLOWER
from tournaments.selectors.pages.ceremony import Rank, ceremony_of, ceremony_ranks_of, is_ceremony_outdated
from tournaments.selectors.rounds.plans import AHEAD_MOST, CEREMONY
from tournaments.services.publishing import tournament_publish
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from tournaments.standings import Placed

logger = logging.getLogger(__name__)

PACE: Final = 8  # seconds from one rank to the next, if the organiser chose no pace
TASK: Final = "tournaments.ceremony"
EXPIRES: Final = 30  # seconds after which a task is dropped; the sweep has done the step by then
TO_COME: Final = tuple(state for state in TournamentState if state != TournamentState.CANCELLED)


def ceremony_announce(*, tournament: Tournament, planned_at: datetime | None, pace: int = PACE) -> None:
    """Plan the ceremony for ``planned_at``, or for the end of the tournament if that is later.

    If ``planned_at`` is None, the organiser starts the ceremony. ``pace`` is the number of seconds from one rank to the
    next. Repeating a call changes nothing.

    Raises:
        CeremonyRefused: the time has passed or is too far away, the pace is invalid, or the ceremony has begun.
        WrongState: the tournament was cancelled.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TO_COME)
        _pace_check(pace)
        before = ceremony_of(tournament)
        if before is not None and (before.planned_at, before.pace) == (planned_at, pace):
            return
        now = timezone.now()
        if planned_at is not None and not now < planned_at <= now + AHEAD_MOST:
            raise CeremonyRefused("planned_at", _("Choose a time in the future, at most two years ahead."))
        if before is None:
            Ceremony.objects.create(tournament=tournament, planned_at=planned_at, pace=pace)
        elif not _not_begun(tournament).update(planned_at=planned_at, pace=pace):
            raise CeremonyRefused("", _("The ceremony has begun: it cannot be moved any more."))
        _ceremony_announce_later(tournament)
        tournament_announce_later(tournament.pk)


def ceremony_cancel(*, tournament: Tournament) -> None:
    """Cancel the ceremony before it begins. Do nothing if there is none.

    Raises:
        CeremonyRefused: the ceremony has begun. To end it, publish the results.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if not _not_begun(tournament).delete()[0] and ceremony_of(tournament) is not None:
            raise CeremonyRefused("", _("The ceremony has begun. To end it, let everyone see the results."))
        _ceremony_announce_later(tournament)
        tournament_announce_later(tournament.pk)


def ceremony_start(*, tournament: Tournament, pace: int | None = None) -> None:
    """Begin the ceremony, and reveal nothing yet. Do nothing if it has begun.

    ``pace`` is the number of seconds from one rank to the next; with 0 the organiser reveals each rank. None means the
    announced pace, or 0 if no ceremony was announced.

    Raises:
        WrongState: the tournament is not finished.
        CeremonyRefused: the pace is invalid.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        before = ceremony_of(tournament) or Ceremony.objects.create(tournament=tournament)
        pace = before.pace if pace is None else _pace_check(pace)
        left, now = sum(len(rank) for rank in ceremony_ranks_of(tournament)), timezone.now()
        if _not_begun(tournament).update(started_at=now, left=left, pace=pace, due_at=_due(now, pace, left)):
            _ceremony_announce_later(tournament)
            tournament_announce_later(tournament.pk)
            transaction.on_commit(partial(_clock, tournament.pk, pace), robust=True)


def ceremony_advance(*, tournament: Tournament, place: int, to: int | None = None) -> None:
    """Reveal ``place`` with all bots that share its rank. It must be the last place that is not revealed yet.

    Do nothing if ``place`` was revealed before. With ``to``, also reveal the ranks that follow, until at most ``to``
    bots are left. When the first place is revealed, the results are published for everyone, and the ceremony ends.

    Raises:
        CeremonyRefused: no ceremony is on, or later places have to be revealed first.
        CeremonyChanged: ranks that were revealed have changed: see ``ceremony_accept``.
        WrongState: the tournament is not finished, for example because a ruling re-opened it.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        found = ceremony_of(tournament)
        if found is not None and found.left is not None and place > found.left:
            return
        ceremony = _ceremony_running(tournament)
        left = ceremony.left or 0
        if place < left:
            raise CeremonyRefused("place", _("Place %(left)d is revealed first.") % {"left": left})
        ranks = ceremony_ranks_of(tournament)
        if is_ceremony_outdated(ceremony, ranks):
            raise CeremonyChanged
        shown = len(ceremony.revealed)
        new = [ranks[shown]]
        while to is not None and left - sum(map(len, new)) > max(to, 0):
            new.append(ranks[shown + len(new)])
        left_now = left - sum(map(len, new))
        now = timezone.now()
        due_at = _due(now, ceremony.pace, left_now)
        revealed = [*ceremony.revealed, *(_stored(tournament, rank) for rank in new)]
        stepped = Ceremony.objects.filter(pk=ceremony.pk, left=left, ended_at__isnull=True)
        if not stepped.update(left=left_now, revealed=revealed, due_at=due_at):
            return
        if left_now:
            transaction.on_commit(partial(_clock, tournament.pk, _wait(ceremony.pace, left_now)), robust=True)
        else:
            tournament_publish(tournament=tournament, publication=Publication.EVERYONE)
        _ceremony_announce_later(tournament)


def ceremony_pace_set(*, tournament: Tournament, pace: int) -> None:
    """Reveal the next ranks automatically, ``pace`` seconds apart. With 0, stop revealing them automatically.

    Raises:
        CeremonyRefused: no ceremony is on, or the pace is invalid.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        ceremony, pace = _ceremony_running(tournament), _pace_check(pace)
        if pace == ceremony.pace:
            return
        left = ceremony.left or 0
        Ceremony.objects.filter(pk=ceremony.pk, ended_at__isnull=True).update(
            pace=pace, due_at=_due(timezone.now(), pace, left)
        )
        transaction.on_commit(partial(_clock, tournament.pk, _wait(pace, left)), robust=True)
        _ceremony_announce_later(tournament)


def ceremony_accept(*, tournament: Tournament) -> None:
    """Update the revealed ranks after a ruling has changed them, so that the ceremony can continue by hand.

    The number of revealed bots stays the same, or grows so that no shared rank is split.

    Raises:
        CeremonyRefused: no ceremony is on.
        WrongState: the tournament is not finished, because it was re-opened.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        ceremony, ranks = _ceremony_running(tournament), ceremony_ranks_of(tournament)
        if not is_ceremony_outdated(ceremony, ranks):
            return
        shown = sum(len(rank["bots"]) for rank in ceremony.revealed)
        left = sum(map(len, ranks))
        revealed: list[dict[str, Any]] = []
        for rank in ranks:
            if sum(len(one["bots"]) for one in revealed) >= shown:
                break
            revealed.append(_stored(tournament, rank))
            left -= len(rank)
        now = timezone.now()
        Ceremony.objects.filter(pk=ceremony.pk, left=ceremony.left, ended_at__isnull=True).update(
            left=left, revealed=revealed, pace=0, due_at=_due(now, 0, left)
        )
        if not left:
            tournament_publish(tournament=tournament, publication=Publication.EVERYONE)
        _ceremony_announce_later(tournament)


def ceremonies_tend() -> None:
    """Start the ceremonies that are due, and advance the running ceremonies whose next step is due."""
    for ceremony in CEREMONY.due().select_related("tournament"):
        with_clock = ceremony.pace or PACE
        _ceremony_act_guarded(
            ceremony.tournament_id, partial(ceremony_start, tournament=ceremony.tournament, pace=with_clock)
        )
    for pk in Ceremony.objects.filter(due_at__lte=timezone.now()).values_list("tournament", flat=True):
        ceremony_tend(tournament_id=pk)


def ceremony_tend(*, tournament_id: int) -> None:
    """Do what is due in the ceremony of this tournament.

    Reveal the next rank, or end a ceremony that nobody has advanced for an hour. If revealed ranks have changed, the
    ceremony stops and waits for the organiser.
    """
    _ceremony_act_guarded(tournament_id, partial(_tend, tournament_id))


def _tend(tournament_id: int) -> None:
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        due = Ceremony.objects.filter(tournament=tournament, due_at__lte=timezone.now())
        ceremony = due.first()
        if ceremony is None:  # another process was first
            return
        if tournament.state == TournamentState.CANCELLED:  # a ruling re-opened it, and then it was cancelled
            due.update(ended_at=timezone.now(), due_at=None)
        elif not ceremony.pace and tournament.state == TournamentState.FINISHED:
            tournament_publish(tournament=tournament, publication=Publication.EVERYONE)
        else:
            try:
                ceremony_advance(tournament=tournament, place=ceremony.left or 0)
            except TournamentError:  # ranks have changed, or the tournament was re-opened: the organiser decides
                due.update(pace=0, due_at=timezone.now() + IDLE_MOST)
        _ceremony_announce_later(tournament)


def _ceremony_act_guarded(tournament_id: int, act: Any) -> None:
    """Call ``act``, and log its errors, so that an error in one ceremony does not stop the others."""
    try:
        act()
    except Exception:
        logger.exception("the ceremony of tournament %d was not tended", tournament_id)


def _not_begun(tournament: Tournament) -> Any:
    return Ceremony.objects.filter(tournament=tournament, started_at__isnull=True)


def _ceremony_running(tournament: Tournament) -> Ceremony:
    ceremony = ceremony_of(tournament)
    if ceremony is None or not ceremony.is_on:
        raise CeremonyRefused("", _("No ceremony is running: reload the page."))
    return ceremony


def _pace_check(pace: int) -> int:
    if not 0 <= pace <= PACE_MOST or 0 < pace < 3:
        sentence = _("The seconds from one rank to the next are between 3 and %(most)d, or 0 to continue by hand.")
        raise CeremonyRefused("pace", sentence % {"most": PACE_MOST})
    return pace


def _wait(pace: int, left: int) -> int:
    return pace * PODIUM_SLOWER if left <= PODIUM_PLACES else pace


def _due(now: datetime, pace: int, left: int) -> datetime:
    return now + (timedelta(seconds=_wait(pace, left)) if pace else IDLE_MOST)


def _stored(tournament: Tournament, rank: Rank) -> dict[str, Any]:
    """Return what pages show of a rank, as an item of ``Ceremony.revealed``."""
    stages: Sequence[Stage] = [stage for stage in tournament.stages.all() if not stage.kind.is_play_off]
    return {"rank": rank[0].rank, "bots": [_stored_bot(stages[one.stage - 1], one) for one in rank]}


def _stored_bot(stage: Stage, one: Placed) -> dict[str, Any]:
    row = one.row
    return {
        "entry": row.entrant,
        "points": None if stage.kind.has_bracket else row.points,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "by_lot": one.by_lot,
        "is_out": row.disqualified,
    }


def _clock(tournament_id: int, wait: int) -> None:
    """Send a task that does the next step in ``wait`` seconds. If the message is lost, the sweep does it later."""
    if not wait:
        return
    try:
        current_app.send_task(TASK, [tournament_id], countdown=wait, expires=wait + EXPIRES)
    except UNREACHABLE:
        logger.exception("the broker took no message; the ceremony of %d goes on with the sweep", tournament_id)


def _ceremony_announce_later(tournament: Tournament) -> None:
    """Announce to viewers, after the commit, that the ceremony has changed."""
    transaction.on_commit(partial(hub_announce, f"ceremony.{tournament.pk}"))
