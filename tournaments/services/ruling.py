"""An arbiter rules: the log gets a line, and what follows from it follows, in one transaction or not at all."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches.errors import MatchError
from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from matches.services import match_cancel, match_create, seats_admit, seats_bar
from tournaments.errors import RulingRefused, RulingStale
from tournaments.models import Entry, Fixture, Ruling, Tournament, TournamentState
from tournaments.rulable import require_rulable
from tournaments.seeds import attempts_of, match_secret
from tournaments.selectors.corrections import corrections_of, shut_out_of
from tournaments.selectors.proposals import Consequences, Proposal, consequences_of, plays_again
from tournaments.services.chaining import link_append, person_told
from tournaments.services.effects import effects_tell, in_force, standings_tell
from tournaments.services.leaving import entries_leave, entries_return
from tournaments.services.luck import luck_commit, luck_freeze
from tournaments.services.moves import announce_later, locked, move
from tournaments.services.publishing import audience_of
from tournaments.services.rounds import FINISHED_TASK, tournament_advance
from tournaments.services.telling import results_tell
from tournaments.services.undoing import fixture_displace, fixtures_undo, stage_reopen, stages_rewind
from tournaments.standings import Kind

RULED: Final = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)


def ruling_make(*, tournament: Tournament, proposal: Proposal, reason: str, by: AbstractUser, basis: str) -> Ruling:
    """Rule, if nothing has changed since ``basis`` (see ``Consequences``) was told; sent twice, it rules once.

    Raises:
        WrongState: the tournament has not begun, or was cancelled.
        RulingStale: results or rulings have changed since.
        RulingRefused: it cannot be ruled so.
    """
    with transaction.atomic():
        tournament = locked(tournament.pk, *RULED)
        results_tell(tournament_id=tournament.pk)
        made = Ruling.objects.filter(
            tournament=tournament, basis=basis, kind=proposal.kind, by=by.pk, reason=reason
        ).first()
        if made is not None:
            return made
        require_rulable(tournament, proposal)
        follows = consequences_of(tournament, proposal)
        if follows.basis != basis:
            raise RulingStale
        if follows.to_play and tournament.state == TournamentState.FINISHED:
            raise RulingRefused(
                "kind", _("This leaves matches to be played: re-open the tournament first, then rule, then resume it.")
            )
        before = in_force(tournament)
        ruling = _log(tournament, proposal, reason, by, basis)
        _tell(ruling, proposal, by)
        ENFORCED[proposal.kind](ruling, proposal)
        _undo(ruling, follows)
        effects_tell(tournament, before)
        if tournament.state == TournamentState.FINISHED and proposal.kind not in (Kind.NOTE, Kind.REOPEN):
            standings_tell(Tournament.objects.get(pk=tournament.pk))
        announce_later(tournament.pk)
        transaction.on_commit(lambda: _go_on(tournament.pk))
    return ruling


def _log(tournament: Tournament, proposal: Proposal, reason: str, by: AbstractUser, basis: str) -> Ruling:
    return Ruling.objects.create(
        tournament=tournament,
        number=tournament.rulings.count() + 1,
        kind=proposal.kind,
        match_id=proposal.fixture.match_id if proposal.fixture else None,
        entry=proposal.entry,
        data=_data(proposal),
        reason=reason,
        by_id=by.pk,
        basis=basis,
    )


def _tell(ruling: Ruling, proposal: Proposal, by: AbstractUser) -> None:
    """The line of the log as the chain tells it. The match is named by its place."""
    fixture = proposal.fixture
    told = {
        "number": ruling.number,
        "kind": ruling.kind,
        "match": [fixture.round.number, fixture.table, fixture.attempt] if fixture else None,
        "entry": ruling.entry_id,
        "scores": ruling.data.get("scores"),
        "annul": ruling.data.get("annul", False),
        "reason": ruling.reason,
        "by": person_told(ruling.tournament_id, by),
    }
    link_append(ruling.tournament_id, "ruling", told)


def _data(proposal: Proposal) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if proposal.fixture is not None:
        data |= {"round": proposal.fixture.round.number, "table": proposal.fixture.table}
    if proposal.kind is Kind.REPLACE:
        data["scores"] = {str(entry): score for entry, score in proposal.scores.items()}
    if proposal.kind is Kind.DISQUALIFY:
        data |= {"annul": proposal.annul, "had_left": not _takes_part(proposal.entry)}
    if proposal.kind is Kind.REINSTATE and proposal.entry is not None:
        disqualified = proposal.entry.pk in corrections_of(proposal.entry.tournament).disqualified
        data |= {"disqualified": disqualified, "again": plays_again(proposal.entry)}
    return data


def _takes_part(entry: Entry | None) -> bool:
    return entry is not None and Entry.objects.filter(pk=entry.pk, withdrawn=False).exists()


def _undo(ruling: Ruling, follows: Consequences) -> None:
    """What was drawn from what no longer holds."""
    fixtures_undo(ruling, follows.undone)
    if follows.rewound:
        stages_rewind(follows.rewound)
    if follows.to_play:
        stage_reopen(ruling.tournament)


def _go_on(tournament_id: int) -> None:
    tournament_advance(tournament_id=tournament_id)


def _cancel_match(ruling: Ruling, proposal: Proposal) -> None:
    """Whatever of it has not been played is called off."""
    match_cancel(matches=Match.objects.filter(rulings=ruling))


def _replay(ruling: Ruling, proposal: Proposal) -> None:
    fixture = Fixture.objects.select_related("round__stage", "round__tournament", "match").get(match=ruling.match_id)
    old, stage, tournament = fixture.match, fixture.round.stage, fixture.round.tournament
    fixture_displace(ruling, fixture)
    luck = tournament.luck
    fixture.luck, fixture.attempt = luck.number, attempts_of(tournament, fixture.round.number)(fixture.table)
    try:
        fixture.match = match_create(
            ruleset=old.ruleset,
            options=old.options,
            versions=[seat.version for seat in old.seats.select_related("version")],
            blocks=stage.blocks,
            stopping=old.stopping,
            limits=old.limits,
            secret=match_secret(luck.value, fixture.round.number, fixture.table, fixture.attempt),
            pace_ms=old.pace_ms,
            finished_task=FINISHED_TASK,
            held=tournament.state != TournamentState.RUNNING,
            audience=audience_of(fixture.round),
            organiser_id=tournament.organiser_id,
            contest=f"tournament.{tournament.pk}",
        )
    except MatchError as error:
        sentence = _("The match cannot be played again: %(reason)s.")
        raise RulingRefused("fixture", sentence % {"reason": error}) from error
    fixture.save(update_fields=["match", "attempt", "luck"])
    ruling.data |= {"new": fixture.match.pk, "attempt": fixture.attempt}
    ruling.save(update_fields=["data"])


def _withdraw(ruling: Ruling, proposal: Proposal) -> None:
    entries_leave(entries=Entry.objects.filter(rulings=ruling), why="")


def _disqualify(ruling: Ruling, proposal: Proposal) -> None:
    """It is out, and of what was drawn for it and has not begun it plays nothing: at a table of two nobody does if its
    results are annulled; elsewhere the stand-in takes its seat, so that nobody else is without a game."""
    entry = proposal.entry
    assert entry is not None  # noqa: S101  as required
    entries_leave(entries=Entry.objects.filter(pk=entry.pk), why="")
    waiting = Match.objects.filter(
        fixture__round__tournament=ruling.tournament_id,
        seats__version=entry.version_id,
        state__in=[MatchState.HELD, MatchState.QUEUED],
    )
    if proposal.annul:
        duels = waiting.filter(fixture__round__stage__players_per_table=2, fixture__round__stage__in=_by_points(ruling))
        match_cancel(matches=Match.objects.filter(pk__in=list(duels.values_list("pk", flat=True))))
    seats_bar(seats=_seats(entry))


def _seats(entry: Entry) -> QuerySet[MatchSeat]:
    return MatchSeat.objects.filter(version=entry.version_id, match__fixture__round__tournament=entry.tournament_id)


def _by_points(ruling: Ruling) -> list[int]:
    return [stage.pk for stage in ruling.tournament.stages.all() if not stage.is_knockout]


def _reinstate(ruling: Ruling, proposal: Proposal) -> None:
    """A bot takes part again, unless it had left before it was disqualified, and plays itself what was drawn for it and
    has not begun, unless the rules had withdrawn it. Matches that were called off stay so: they can be replayed."""
    entry = proposal.entry
    if entry is None:
        return
    if ruling.data["again"]:
        entries_return(entries=Entry.objects.filter(pk=entry.pk))
    if entry.pk not in shut_out_of(ruling.tournament):
        seats_admit(seats=_seats(entry))


def _reopen(ruling: Ruling, proposal: Proposal) -> None:
    """It is paused, because it would otherwise finish again at once. Its secret is known: what is still to be played
    gets another one."""
    move(ruling.tournament_id, [TournamentState.FINISHED], TournamentState.PAUSED, finished=None)
    stage_reopen(ruling.tournament)
    luck_commit(ruling.tournament)
    luck_freeze(ruling.tournament)


def _nothing(ruling: Ruling, proposal: Proposal) -> None:
    """The line in the log is all."""


ENFORCED: Final[Mapping[Kind, Callable[[Ruling, Proposal], None]]] = {
    Kind.VOID: _cancel_match,
    Kind.REPLAY: _replay,
    Kind.REPLACE: _cancel_match,
    Kind.DISQUALIFY: _disqualify,
    Kind.REINSTATE: _reinstate,
    Kind.WITHDRAW: _withdraw,
    Kind.REOPEN: _reopen,
    Kind.NOTE: _nothing,
}
