"""Withdraw entries: after a ruling, because the bot was deleted, or because it forfeits too often.

An entry can be out for several independent reasons: its author or the organiser withdrew it, the rules withdrew it, or
a ruling keeps it out. It takes part if no reason is left, see ``standings.standings_taking_part``. The time at which an
entry left is stored, because it can decide a knockout match: if both bots have left, the one that left first loses.
"""

from contextlib import suppress
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import VersionState
from contests.audience import audience_outsiders
from games.protocol import Verdict
from groups.models import Group
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from matches.services import match_seats_forfeit
from teams.selectors import acts_for_owner
from tournaments.entry_events import entry_withdrawn_event_publish
from tournaments.errors import EntryRefused, WrongState
from tournaments.models import PLAYING, Entry, NewVersions, Tournament, TournamentState, Withdrawal
from tournaments.selectors.entering.visible import may_rule_tournament
from tournaments.selectors.rulings.consequences import entry_absence_of
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.services.round_matches import round_matches_redraw_apply
from tournaments.services.tournament_chain import tournament_chain_left_append, tournament_chain_matches_recent
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from tournaments.standings import standings_taking_part
from web.database import database_rows


def entries_leave(*, entries: QuerySet[Entry], why: str, **fields: Any) -> int:
    """Withdraw the ``entries`` that are not withdrawn yet, and set ``fields``. Return how many were withdrawn.

    If ``fields`` has ``withdrawn_because``, the rules withdraw the entries; otherwise, their author or the organiser
    does. ``why`` is the reason that the chain records.
    """
    now = timezone.now()
    since = {"struck_at": now} if fields.get("withdrawn_because") else {"left_at": now}
    leaving: dict[int, list[int]] = {}
    still_in = database_rows(entries).filter(is_withdrawn=False)
    for tournament, entry in still_in.order_by("pk").values_list("tournament", "pk"):
        leaving.setdefault(tournament, []).append(entry)
    left = still_in.update(is_withdrawn=True, withdrawn_at=now, **since, **fields)
    for tournament, gone in leaving.items():
        tournament_chain_left_append(tournament, gone, why)
    return left


def tournament_withdrawals_settle(tournament: Tournament) -> None:
    """Update ``is_withdrawn`` and ``withdrawn_at`` of all entries from their reasons, including rulings in effect."""
    held = ruling_corrections_of(tournament)
    ruled = dict(tournament.rulings.values_list("number", "created_at"))
    entries = list(tournament.entries.all())
    present = standings_taking_part([entry_absence_of(entry) for entry in entries], held)
    for entry in entries:
        out = entry.pk not in present
        times = [entry.left_at, entry.struck_at, ruled.get(held.out.get(entry.pk, 0))]
        known = [time for time in times if time is not None]
        since = min(known, default=None) if out else None
        if (entry.is_withdrawn, entry.withdrawn_at) != (out, since):
            Entry.objects.filter(pk=entry.pk).update(is_withdrawn=out, withdrawn_at=since)


OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def entries_withdraw_deleted() -> int:
    """Withdraw deleted bots, and bots whose version is deleted, from tournaments that are not over.

    If a tournament takes new versions, an earlier version of a bot may have matches left to play. If this version is
    deleted, the bot is withdrawn too. A withdrawn bot forfeits its drawn matches that have not begun. Return how many
    were withdrawn.
    """
    entries = Entry.objects.filter(_is_deleted(), is_withdrawn=False).exclude(tournament__state__in=OVER)
    return sum(_withdraw_ineligible(entry, entries) for entry in entries)


def entries_withdraw_ineligible(*, tournament_id: int) -> int:
    """Withdraw bots without an accepted version from one tournament. Return how many were withdrawn.

    This includes the bots that ``entries_withdraw_deleted`` would withdraw. Call it before pairing, so that the chain
    records the withdrawal before the round. Also call it before bots are updated for a round that begins, so that the
    result does not depend on when the sweep runs.
    """
    barred = Q(version__isnull=False) & ~Q(version__state=VersionState.ACCEPTED)
    entries = Entry.objects.filter(_is_deleted() | barred, tournament=tournament_id, is_withdrawn=False)
    return sum(_withdraw_ineligible(entry, entries) for entry in entries)


def _is_deleted() -> Q:
    left_to_play = MatchSeat.objects.filter(
        match__fixture__round__tournament=OuterRef("tournament"),
        match__state__in=(MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING),
        version__bot=OuterRef("bot"),
        version__state=VersionState.DELETED,
    )
    gone = Q(bot__deleted_at__isnull=False) | Q(version__state=VersionState.DELETED)
    return gone | (~Q(tournament__new_versions=NewVersions.NEVER) & Q(Exists(left_to_play)))


def _withdraw_ineligible(entry: Entry, ineligible: QuerySet[Entry]) -> bool:
    with transaction.atomic():
        if Tournament.objects.select_for_update().get(pk=entry.tournament_id).state in OVER:
            return False
        if not entries_leave(
            entries=ineligible.filter(pk=entry.pk),  # it may have got another version meanwhile
            why=Withdrawal.DELETED.value,
            withdrawn_because=Withdrawal.DELETED,
        ):
            return False
        drawn = Q(match__fixture__round__tournament=entry.tournament_id)
        match_seats_forfeit(seats=MatchSeat.objects.filter(drawn, version__bot=entry.bot_id))
        round_matches_redraw_apply(entry.tournament)
        tournament_announce_later(entry.tournament_id)
    return True


FORFEITS_ALLOWED: Final = 1  # matches in a tournament; if a bot forfeits one more, it is withdrawn


def entries_withdraw_forfeiters(*, tournament_id: int, recent_only: bool = False) -> int:
    """Withdraw the bots that have forfeited more than ``FORFEITS_ALLOWED`` matches, and notify their authors.

    Return how many were withdrawn. With ``recent_only``, do nothing unless a match was forfeited within ``RECENT``.

    A withdrawn bot forfeits its drawn matches that have not begun: the stand-in plays for it, so that its opponents
    have a match. A bot that a ruling has reinstated is withdrawn again if it forfeits once more.
    """
    withdrawn = 0
    for bot in _forfeits(tournament_id, tournament_chain_matches_recent("match__") if recent_only else Q()):
        for entry in Entry.objects.filter(tournament=tournament_id, bot=bot, is_withdrawn=False):
            withdrawn += _withdraw_forfeiter(entry)
    return withdrawn


def _forfeits(tournament_id: int, among: Q) -> dict[int, int]:
    """Return how many matches each bot has forfeited, for the bots that have forfeited too many.

    A match counts if the bot's own faults caused the forfeit, and if no ruling voids or replaces its result. If no
    match that fulfils ``among`` was forfeited, the result is empty.
    """
    own = Q(faults__verdict__in=[verdict for verdict in Verdict if verdict != Verdict.FORFEITED])
    seats = MatchSeat.objects.filter(
        match__fixture__round__tournament=tournament_id, match__state=MatchState.FINISHED, has_forfeited=True
    )
    if not seats.filter(among).exists():  # saves the queries below; this is called after each match
        return {}
    held = ruling_corrections_of(Tournament.objects.get(pk=tournament_id))
    seats = seats.exclude(match__in=[*held.void, *held.given])
    counted = (
        seats.values("version__bot").annotate(forfeits=Count("pk", filter=own, distinct=True)).order_by("version__bot")
    )
    return dict(counted.filter(forfeits__gt=FORFEITS_ALLOWED).values_list("version__bot", "forfeits"))


def _withdraw_forfeiter(entry: Entry) -> bool:
    with transaction.atomic():
        if Tournament.objects.select_for_update().get(pk=entry.tournament_id).state not in PLAYING:
            return False
        forfeits = _forfeits(entry.tournament_id, Q()).get(entry.bot_id, 0)  # a ruling may have voided one meanwhile
        still_in = Entry.objects.filter(pk=entry.pk, forfeits__lt=forfeits)
        if not entries_leave(
            entries=still_in, why=Withdrawal.FORFEITS.value, withdrawn_because=Withdrawal.FORFEITS, forfeits=forfeits
        ):
            return False
        drawn = MatchSeat.objects.filter(
            version__bot=entry.bot_id, match__fixture__round__tournament=entry.tournament_id
        )
        match_seats_forfeit(seats=drawn)
        round_matches_redraw_apply(entry.tournament)
        tournament_announce_later(entry.tournament_id)
        entry.refresh_from_db(fields=["forfeits"])
        entry_withdrawn_event_publish(entry)
    return True


TAKING: Final = (TournamentState.OPEN, TournamentState.LOCKED, TournamentState.RUNNING, TournamentState.PAUSED)


def entry_withdraw(*, entry: Entry, by: AbstractUser) -> Entry:
    """Withdraw a bot, as its author, the organiser or an arbiter. Its results in a Swiss still count.

    Raises:
        WrongState: bots cannot be withdrawn any more.
        EntryRefused: ``by`` may not withdraw the bot, or it was withdrawn before.
    """
    with transaction.atomic():
        tournament = tournament_locked(entry.tournament_id, *TAKING)
        if not tournament.lets_withdraw:
            raise WrongState(TournamentState(tournament.state), [TournamentState.OPEN])
        if not acts_for_owner(by, entry.bot.owner_id) and not may_rule_tournament(by, tournament):
            raise EntryRefused("not_yours", _("Only its author or the organiser can withdraw %(bot)s.") % _named(entry))
        if not entries_leave(entries=Entry.objects.filter(pk=entry.pk), why="withdrawn"):
            raise EntryRefused("withdrawn", _("%(bot)s has been withdrawn already.") % _named(entry))
        round_matches_redraw_apply(tournament)
        tournament_announce_later(tournament.pk)
    entry.refresh_from_db()
    return entry


def _named(entry: Entry) -> dict[str, str]:
    return {"bot": entry.bot.name}


def entries_withdraw_outsiders(*, group: Group | None = None) -> int:
    """Withdraw the bots whose authors are not members of the group of the tournament. Return how many were withdrawn.

    With ``group``, only tournaments of this group are checked. Some tournaments do not allow withdrawals any more;
    there, such bots play their remaining matches.
    """
    entries = Entry.objects.filter(audience_outsiders("tournament__", "bot__owner"), is_withdrawn=False)
    entries = entries.filter(tournament__state__in=TAKING)
    if group is not None:
        entries = entries.filter(tournament__group=group)
    withdrawn = 0
    for entry in entries.select_related("bot__owner"):
        with suppress(WrongState, EntryRefused):
            entry_withdraw(entry=entry, by=entry.bot.owner)
            withdrawn += 1
    return withdrawn
