"""Make rulings: store a ruling in the log and apply its consequences, in one transaction.

Most kinds of rulings have no code of their own here. ``selectors.rulings.consequences`` computes the state that follows
from all rulings in effect, and compares it with the current state. This module has only the effects that this
comparison does not give, e.g. the new match of a replay.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext as _

from matches.services import match_create
from matches.services.creating import MatchError
from tournaments.errors import RulingRefused, RulingStale
from tournaments.hook_events import tournament_ruling_event_publish
from tournaments.match_secrets import tournament_match_secret, tournament_match_secret_attempts
from tournaments.models import Entry, Fixture, Ruling, Stage, Tournament, TournamentState
from tournaments.ruling_validation import ruling_allowed_require
from tournaments.selectors.rulings.consequences import ruling_consequences_of
from tournaments.selectors.rulings.ruling_preview import Proposal, ruling_preview_places_moved
from tournaments.services.consequences import fixture_displace, ruling_consequences_settle, stage_reopen
from tournaments.services.leaving import entries_withdraw_ineligible
from tournaments.services.luck import tournament_luck_commit, tournament_luck_freeze
from tournaments.services.publishing import tournament_uncounted_require
from tournaments.services.round_matches import round_match_terms
from tournaments.services.rounds import tournament_advance
from tournaments.services.ruling_chain import (
    ruling_chain_changes_append,
    ruling_chain_standings_append,
    ruling_chain_state,
)
from tournaments.services.tournament_chain import (
    tournament_chain_link_append,
    tournament_chain_person_content,
    tournament_chain_results_append,
)
from tournaments.services.transitions import tournament_announce_later, tournament_locked, tournament_state_move
from tournaments.standings import RulingCode
from web.database import database_rows

RULED: Final = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)


def ruling_make(*, tournament: Tournament, proposal: Proposal, reason: str, by: AbstractUser, basis: str) -> Ruling:
    """Make a ruling, if nothing that it affects has changed since ``ruling_preview_basis_of`` gave ``basis``.

    If the same ruling was made before on the same basis, return that ruling. So a form that is sent twice makes only
    one ruling.

    Raises:
        WrongState: the tournament has not started, or was cancelled.
        RulingStale: results or rulings have changed since ``basis`` was computed.
        RulingRefused: the ruling is not possible.
        ResultsCounted: the ruling would re-open a tournament whose results count in a series that has ended.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *RULED)
        tournament_chain_results_append(tournament_id=tournament.pk)
        entries_withdraw_ineligible(tournament_id=tournament.pk)  # the consequences depend on who takes part
        made = Ruling.objects.filter(
            tournament=tournament, basis=basis, kind=proposal.kind, by=by.pk, reason=reason
        ).first()
        if made is not None:
            return made
        ruling_allowed_require(tournament, proposal)
        follows = ruling_consequences_of(tournament, proposal)
        if follows.basis != basis:
            raise RulingStale
        if follows.to_play and tournament.state == TournamentState.FINISHED:
            raise RulingRefused(
                "kind",
                _(
                    "This ruling needs matches to be played: re-open the tournament first, make the ruling, then "
                    "resume it."
                ),
            )
        if proposal.kind == RulingCode.REOPEN:
            tournament_uncounted_require(tournament)
        before = ruling_chain_state(tournament)
        ruling = _log(tournament, proposal, reason, by, basis)
        _append(ruling, proposal, by)
        enforce = ENFORCED.get(proposal.kind)
        if enforce is not None:
            enforce(ruling, proposal)
        ruling_consequences_settle(ruling, follows)
        ruling_chain_changes_append(tournament, before)
        if tournament.state == TournamentState.FINISHED and proposal.kind not in (RulingCode.NOTE, RulingCode.REOPEN):
            ruling_chain_standings_append(Tournament.objects.get(pk=tournament.pk))
        tournament_ruling_event_publish(tournament.pk, ruling.number, ruling_preview_places_moved(follows))
        tournament_announce_later(tournament.pk)
        transaction.on_commit(lambda: _tournament_go_on(tournament.pk))
    return ruling


def _log(tournament: Tournament, proposal: Proposal, reason: str, by: AbstractUser, basis: str) -> Ruling:
    named = proposal.ruling
    return Ruling.objects.create(
        tournament=tournament,
        number=tournament.rulings.count() + 1,
        kind=proposal.kind,
        match_id=named.match_id if named else proposal.fixture.match_id if proposal.fixture else None,
        entry_id=named.entry_id if named else proposal.entry.pk if proposal.entry else None,
        names=named,
        data=_data(tournament, proposal),
        reason=reason,
        by_id=by.pk,
        basis=basis,
    )


def _append(ruling: Ruling, proposal: Proposal, by: AbstractUser) -> None:
    """Append the ruling to the chain. A match is identified by its round, table and attempt."""
    fixture, named = proposal.fixture, proposal.ruling
    content = {
        "number": ruling.number,
        "kind": ruling.kind,
        "match": [fixture.round.number, fixture.table, fixture.attempt] if fixture else None,
        "entry": ruling.entry_id if named is None else None,
        "names": named.number if named else None,
        "scores": ruling.data.get("scores"),
        "annul": ruling.data.get("annul", False),
        "reason": ruling.reason,
        "by": tournament_chain_person_content(ruling.tournament_id, by),
    }
    tournament_chain_link_append(ruling.tournament_id, "ruling", content)


def _data(tournament: Tournament, proposal: Proposal) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if proposal.fixture is not None:
        data |= {"round": proposal.fixture.round.number, "table": proposal.fixture.table}
    if proposal.kind is RulingCode.REPLACE:
        data["scores"] = {str(entry): score for entry, score in proposal.scores.items()}
    if proposal.kind is RulingCode.DISQUALIFY:
        data["annul"] = proposal.annul
    if proposal.kind is RulingCode.REINSTATE and proposal.entry is not None:
        struck = proposal.entry.struck_at
        data |= {"because": proposal.entry.withdrawn_because, "since": struck.isoformat() if struck else None}
    if proposal.kind is RulingCode.REOPEN:
        stage, ended = tournament.stage, tournament.finished_at
        data |= {"finished": ended.isoformat() if ended else None, "stage": stage.number}
        data["stage_finished"] = stage.finished_at.isoformat() if stage.finished_at else None
    if proposal.ruling is not None:
        data |= {name: proposal.ruling.data[name] for name in ("round", "table") if name in proposal.ruling.data}
    return data


def _tournament_go_on(tournament_id: int) -> None:
    tournament_advance(tournament_id=tournament_id)


def _replay(ruling: Ruling, proposal: Proposal) -> None:
    fixture = Fixture.objects.select_related("round__stage", "round__tournament", "match").get(match=ruling.match_id)
    old, tournament = fixture.match, fixture.round.tournament
    fixture_displace(ruling, fixture)
    luck = tournament.luck
    fixture.luck, fixture.attempt = (
        luck.number,
        tournament_match_secret_attempts(tournament, fixture.round.number)(fixture.table),
    )
    try:
        fixture.match = match_create(
            terms=replace(
                round_match_terms(fixture.round),
                ruleset=old.ruleset,
                options=old.options,
                limits=old.limits,
                stopping=old.stopping,
                min_action_ms=old.min_action_ms,
                tempo=old.tempo,
                premieres_at=old.premieres_at,
            ),
            versions=[seat.version for seat in old.seats.select_related("version")],
            secret=tournament_match_secret(luck.value, fixture.round.number, fixture.table, fixture.attempt),
            held=tournament.state != TournamentState.RUNNING,
        )
    except MatchError as error:
        sentence = _("The match cannot be played again: %(reason)s.")
        raise RulingRefused("fixture", sentence % {"reason": error}) from error
    fixture.save(update_fields=["match", "attempt", "luck"])
    ruling.data |= {"new": fixture.match.pk, "attempt": fixture.attempt}
    ruling.save(update_fields=["data"])


def _reinstate(ruling: Ruling, proposal: Proposal) -> None:
    """Clear the withdrawal of a bot by the rules."""
    database_rows(Entry.objects.filter(rulings=ruling)).update(withdrawn_because="", struck_at=None)


def _take_back(ruling: Ruling, proposal: Proposal) -> None:
    """Restore what the log has stored from before the ruling that is taken back.

    The rest of the earlier state follows from the rulings in effect.
    """
    named = ruling.names
    if named is None:
        return
    if named.kind == RulingCode.REINSTATE and named.data.get("because"):
        since = _moment(named.data.get("since")) or named.created_at
        entries = database_rows(Entry.objects.filter(rulings=named))
        entries.update(is_withdrawn=True, withdrawn_because=named.data["because"], struck_at=since)
    if named.kind == RulingCode.REOPEN:
        ended = _moment(named.data.get("finished"))
        tournament_state_move(
            ruling.tournament_id, [TournamentState.PAUSED], TournamentState.FINISHED, finished_at=ended
        )
        stages = Stage.objects.filter(tournament=ruling.tournament_id, number=named.data["stage"])
        stages.update(finished_at=_moment(named.data["stage_finished"]))


def _tournament_reopen_paused(ruling: Ruling, proposal: Proposal) -> None:
    """Re-open the tournament as paused. A running tournament would finish again at once.

    Commit a new secret for the matches to come, because the old one is public.
    """
    tournament_state_move(ruling.tournament_id, [TournamentState.FINISHED], TournamentState.PAUSED, finished_at=None)
    stage_reopen(ruling.tournament)
    tournament_luck_commit(ruling.tournament)
    tournament_luck_freeze(ruling.tournament)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


ENFORCED: Final[Mapping[RulingCode, Callable[[Ruling, Proposal], None]]] = {
    RulingCode.REPLAY: _replay,
    RulingCode.REINSTATE: _reinstate,
    RulingCode.TAKE_BACK: _take_back,
    RulingCode.REOPEN: _tournament_reopen_paused,
}
