"""Entries that leave: after a ruling, because their author deleted the bot, or because they forfeit too often.

An entry may be out for several reasons at once, and each can end by itself: its author took it out, the rules did, a
ruling does. It takes part if none is left, see ``standings.taking_part``. The time is stored because a knockout between
two who have left is decided by who left first.
"""

from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from bots.models import VersionState
from games.protocol import Verdict
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from matches.services import seats_bar
from tournaments.entry_events import withdrawn_notify
from tournaments.models import PLAYING, Entry, NewVersions, Tournament, TournamentState, Withdrawal
from tournaments.selectors.rulings.consequences import absence_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.services.chaining import left_append, recently_finished
from tournaments.services.redrawing import waiting_redraw
from tournaments.services.transitions import announce_later
from tournaments.standings import taking_part


def entries_leave(*, entries: QuerySet[Entry], why: str, **fields: Any) -> int:
    """Take those of ``entries`` out that are still in, with ``fields`` set; return how many. Without a reason of
    the rules (``withdrawn_because``) they have left by themselves. ``why`` is for the chain."""
    now = timezone.now()
    since = {"struck_at": now} if fields.get("withdrawn_because") else {"left_at": now}
    leaving: dict[int, list[int]] = {}
    for tournament, entry in entries.filter(is_withdrawn=False).order_by("pk").values_list("tournament", "pk"):
        leaving.setdefault(tournament, []).append(entry)
    left = entries.filter(is_withdrawn=False).update(is_withdrawn=True, withdrawn_at=now, **since, **fields)
    for tournament, gone in leaving.items():
        left_append(tournament, gone, why)
    return left


def entries_settle(tournament: Tournament) -> None:
    """Let those in whom nothing keeps out, rulings that hold included, and the others out."""
    held = corrections_of(tournament)
    ruled = dict(tournament.rulings.values_list("number", "created_at"))
    entries = list(tournament.entries.all())
    present = taking_part([absence_of(entry) for entry in entries], held)
    for entry in entries:
        out = entry.pk not in present
        times = [entry.left_at, entry.struck_at, ruled.get(held.out.get(entry.pk, 0))]
        known = [time for time in times if time is not None]
        since = min(known, default=None) if out else None
        if (entry.is_withdrawn, entry.withdrawn_at) != (out, since):
            Entry.objects.filter(pk=entry.pk).update(is_withdrawn=out, withdrawn_at=since)


OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def deleted_withdraw() -> int:
    """Withdraw every deleted bot, and every bot whose version is deleted, from tournaments that are not over; where
    bots are updated also those whose version of before is deleted and has matches left to play. Matches drawn for it
    that have not begun are lost. Return how many were withdrawn."""
    entries = Entry.objects.filter(_is_deleted(), is_withdrawn=False).exclude(tournament__state__in=OVER)
    return sum(_withdraw_ineligible(entry) for entry in entries)


def entries_withdraw_ineligible(*, tournament_id: int) -> int:
    """Withdraw from one tournament those whom ``deleted_withdraw`` would, and those whose version is not accepted for
    another reason. Call before pairing, so that the log records it first, and before bots are updated for a round that
    begins, so that the outcome does not depend on which comes first, this or the sweep. Return how many were withdrawn.
    """
    barred = Q(version__isnull=False) & ~Q(version__state=VersionState.ACCEPTED)
    entries = Entry.objects.filter(_is_deleted() | barred, tournament=tournament_id, is_withdrawn=False)
    return sum(_withdraw_ineligible(entry) for entry in entries)


def _is_deleted() -> Q:
    left_to_play = MatchSeat.objects.filter(
        match__fixture__round__tournament=OuterRef("tournament"),
        match__state__in=(MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING),
        version__bot=OuterRef("bot"),
        version__state=VersionState.DELETED,
    )
    gone = Q(bot__deleted_at__isnull=False) | Q(version__state=VersionState.DELETED)
    return gone | (~Q(tournament__new_versions=NewVersions.NEVER) & Q(Exists(left_to_play)))


def _withdraw_ineligible(entry: Entry) -> bool:
    with transaction.atomic():
        if Tournament.objects.select_for_update().get(pk=entry.tournament_id).state in OVER:
            return False
        if not entries_leave(
            entries=Entry.objects.filter(pk=entry.pk),
            why=Withdrawal.DELETED.value,
            withdrawn_because=Withdrawal.DELETED,
        ):
            return False
        drawn = Q(match__fixture__round__tournament=entry.tournament_id)
        seats_bar(seats=MatchSeat.objects.filter(drawn, version__bot=entry.bot_id))
        waiting_redraw(entry.tournament)
        announce_later(entry.tournament_id)
    return True


FORFEITS_ALLOWED: Final = 1  # in a tournament; one more, and the bot is withdrawn


def forfeiters_withdraw(*, tournament_id: int, recent_only: bool = False) -> int:
    """Withdraw every bot that has forfeited more matches than it may, notify its author and return how many were.
    ``recent_only``: only if some match was forfeited since ``RECENT``.

    Of matches already drawn for it those that have not begun are lost: the stand-in plays its seat, so that nobody else
    is without a game. A bot that was taken back in by a ruling is withdrawn again if it forfeits once more.
    """
    withdrawn = 0
    for bot, forfeits in _forfeits(tournament_id, recently_finished("match__") if recent_only else Q()).items():
        for entry in Entry.objects.filter(tournament=tournament_id, bot=bot, is_withdrawn=False):
            withdrawn += _withdraw_forfeiter(entry, forfeits)
    return withdrawn


def _forfeits(tournament_id: int, among: Q) -> dict[int, int]:
    """Return how many matches each bot that has too many has forfeited by faults of its own and not ruled upon;
    nothing if none is forfeited ``among`` these.
    """
    own = Q(faults__verdict__in=[verdict for verdict in Verdict if verdict != Verdict.FORFEITED])
    seats = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament_id, match__state=MatchState.FINISHED, has_forfeited=True
    )
    if not seats.filter(among).exists():  # called after each match
        return {}
    held = corrections_of(Tournament.objects.get(pk=tournament_id))
    seats = seats.exclude(match__in=[*held.void, *held.given])
    counted = (
        seats.values("version__bot").annotate(forfeits=Count("pk", filter=own, distinct=True)).order_by("version__bot")
    )
    return dict(counted.filter(forfeits__gt=FORFEITS_ALLOWED).values_list("version__bot", "forfeits"))


def _withdraw_forfeiter(entry: Entry, forfeits: int) -> bool:
    with transaction.atomic():
        if Tournament.objects.select_for_update().get(pk=entry.tournament_id).state not in PLAYING:
            return False
        still_in = Entry.objects.filter(pk=entry.pk, forfeits__lt=forfeits)
        if not entries_leave(
            entries=still_in, why=Withdrawal.FORFEITS.value, withdrawn_because=Withdrawal.FORFEITS, forfeits=forfeits
        ):
            return False
        drawn = MatchSeat.objects.filter(
            version__bot=entry.bot_id, match__fixture__round__tournament=entry.tournament_id
        )
        seats_bar(seats=drawn)
        waiting_redraw(entry.tournament)
        announce_later(entry.tournament_id)
        entry.refresh_from_db(fields=["forfeits"])
        withdrawn_notify(entry)
    return True
