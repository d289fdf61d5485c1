"""Waiting rounds: start them at their time or when the organiser says so, and swap bots in them."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import Match
from matches.models import Seat as MatchSeat
from matches.services import match_held_seats_assign, match_publish, match_release, matches_drop
from tournaments.errors import TournamentError, WrongState
from tournaments.hook_events import tournament_rounds_event_publish
from tournaments.models import Bye, Entry, Fixture, Round, TournamentState
from tournaments.selectors.rounds.forbidden_pairs import forbidden_swap_reasons_of
from tournaments.selectors.rounds.plans import ROUND
from tournaments.selectors.rulings.consequences import ruling_consequences_of
from tournaments.selectors.rulings.corrections import entries_shut_out_by_rulings
from tournaments.selectors.rulings.ruling_preview import Proposal
from tournaments.services.leaving import entries_withdraw_ineligible
from tournaments.services.publishing import published_round_audience_of
from tournaments.services.rounds import round_entry_versions_update
from tournaments.services.ruling import ruling_make
from tournaments.services.tournament_chain import tournament_chain_link_append
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from tournaments.standings import RulingCode


class RoundStarted(TournamentError):
    """The round no longer waits."""

    code = "begun"

    def __init__(self, number: int) -> None:
        super().__init__(_("Round %(number)d has begun: it can no longer be changed.") % {"number": number})


class SwapRefused(TournamentError):
    """These bots cannot change places."""

    code = "cannot_swap"


class SwapBreaksRules(TournamentError):
    """The swap would break rules of the draw. ``breaches`` has a sentence for each of them."""

    code = "breaks_rules"

    def __init__(self, breaches: Sequence[str]) -> None:
        self.breaches = tuple(breaches)
        super().__init__(" ".join(breaches))


def waiting_round_start(*, played: Round) -> None:
    """Start a waiting round: queue its matches for the workers. Bots without an accepted version are withdrawn first.

    Raises:
        WrongState: the tournament is not running.
        RoundStarted: the round was started before.
    """
    with transaction.atomic():
        tournament_locked(played.tournament_id, TournamentState.RUNNING)
        entries_withdraw_ineligible(tournament_id=played.tournament_id)
        round_entry_versions_update(played.stage, played.number)
        if not Round.objects.filter(pk=played.pk, started_at__isnull=True).update(started_at=timezone.now()):
            raise RoundStarted(played.number)
        played.refresh_from_db()
        tournament_chain_link_append(played.tournament_id, "begun", {"round": played.number})
        matches_drop(matches=Match.objects.filter(pk__in=[match for match, _, _ in played.spare.values()]))
        Round.objects.filter(pk=played.pk).update(spare={}, arrangements=[])
        matches = Match.objects.filter(fixture__round=played)
        match_publish(matches=matches, **published_round_audience_of(played))
        match_release(matches=matches)
        if played.tournament.has_round_review:  # without a review, rounds were announced when they were drawn
            tournament_rounds_event_publish(played.tournament_id, [played.number])
        tournament_announce_later(played.tournament_id)


def waiting_rounds_start_due() -> int:
    """Start the rounds that are due and do not wait for the organiser. Return how many were started."""
    started = 0
    for played in ROUND.due():
        try:
            waiting_round_start(played=played)
        except (RoundStarted, WrongState):
            continue  # another process was first
        started += 1
    return started


def waiting_round_places_swap(
    *, played: Round, one: Entry, other: Entry, by: AbstractUser, despite: Collection[str] | None = None
) -> None:
    """Swap two bots in a waiting round: two seats, or a seat and a bye.

    The reasons for which these tables were drawn are deleted, because they no longer apply. The log of rulings records
    who made the swap, and which rules of the draw it breaks. ``despite`` are the broken rules that the organiser has
    seen and accepts; None accepts all.

    Raises:
        WrongState: the tournament is neither running nor paused.
        RoundStarted: the round no longer waits.
        SwapRefused: both are the same bot, are not in the round or have byes, or the stage is a knockout.
        SwapBreaksRules: the swap breaks rules that are not in ``despite``.
    """
    with transaction.atomic():
        tournament_locked(played.tournament_id, TournamentState.RUNNING, TournamentState.PAUSED)
        if not Round.objects.select_for_update().filter(pk=played.pk, started_at__isnull=True).exists():
            raise RoundStarted(played.number)
        if played.stage.kind.has_bracket:
            raise SwapRefused(_("In a knockout, the seeds determine the bracket: bots cannot change places."))
        if one == other:
            raise SwapRefused(_("Choose two different bots."))
        seats = {entry: _seat(played, entry) for entry in (one, other)}
        byes = Bye.objects.filter(round=played, entry__in=[one, other])
        if sum(seat is not None for seat in seats.values()) + len(byes) < 2:
            raise SwapRefused(_("Both bots must be in this round."))
        breaches = forbidden_swap_reasons_of(played, one, other)
        if despite is not None and not set(breaches) <= set(despite):
            raise SwapBreaksRules(breaches)
        newcomer = {one: other, other: one}
        versions = {
            seat.pk: version
            for entry, seat in seats.items()
            if seat is not None and (version := newcomer[entry].version_id) is not None
        }
        out = entries_shut_out_by_rulings(played.tournament)
        barred = [entry.version_id for entry in (one, other) if entry.pk in out and entry.version_id is not None]
        if len(byes) == 2 or not match_held_seats_assign(versions=versions, barred=barred):
            raise SwapRefused(_("These two cannot change places."))
        for bye in byes:
            bye.entry, bye.reasons = newcomer[bye.entry], {}
            bye.save(update_fields=["entry", "reasons"])
        tournament_chain_link_append(
            played.tournament_id, "swap", {"round": played.number, "one": one.pk, "other": other.pk}
        )
        matches = [seat.match_id for seat in seats.values() if seat is not None]
        Fixture.objects.filter(round=played, match__in=matches).update(reasons=None)
        tournament, remark = played.tournament, Proposal(RulingCode.NOTE)
        sentence = _("Round %(number)d, before it began: %(one)s and %(other)s changed places.")
        ruling_make(
            tournament=tournament,
            proposal=remark,
            reason=" ".join(
                [sentence % {"number": played.number, "one": one.bot.name, "other": other.bot.name}, *breaches]
            ),
            by=by,
            basis=ruling_consequences_of(tournament, remark).basis,
        )
        tournament_announce_later(played.tournament_id)


def _seat(played: Round, entry: Entry) -> MatchSeat | None:
    return MatchSeat.objects.filter(match__fixture__round=played, version__bot=entry.bot_id).first()
