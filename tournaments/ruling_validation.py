"""Check whether a proposed ruling is allowed, before the preview and again when the ruling is made."""

from math import isclose
from typing import Final

from django.utils.translation import gettext as _

from bots.models import VersionState
from matches.models import Seat as MatchSeat
from tournaments.errors import RulingRefused, WrongState
from tournaments.models import Fixture, Ruling, Tournament, TournamentState
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rulings.corrections import ruling_corrections_of, rulings_reversible
from tournaments.selectors.rulings.ruling_preview import Proposal
from tournaments.standings import RulingCode

OF_MATCHES: Final = frozenset({RulingCode.VOID, RulingCode.REPLAY, RulingCode.REPLACE})
OF_BOTS: Final = frozenset({RulingCode.WITHDRAW, RulingCode.DISQUALIFY})


def ruling_allowed_require(tournament: Tournament, proposal: Proposal) -> None:
    """Require that the proposed ruling is allowed.

    Raises:
        WrongState: the tournament has not begun or was cancelled, or it is to be re-opened and has not finished.
        RulingRefused: the match, bot or ruling is missing, belongs to another tournament, or is in a state that does
            not allow the ruling; or the scores are impossible.
    """
    state = TournamentState(tournament.state)
    allowed = [TournamentState.FINISHED] if proposal.kind is RulingCode.REOPEN else _BEGUN
    if state not in allowed:
        raise WrongState(state, allowed)
    if proposal.kind is RulingCode.TAKE_BACK:
        _require_ruling(tournament, proposal)
    elif proposal.kind in OF_MATCHES:
        _require_match(tournament, proposal)
    elif proposal.kind in OF_BOTS or proposal.kind is RulingCode.REINSTATE:
        _require_bot(tournament, proposal)


_BEGUN: Final = [TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED]


def _require_match(tournament: Tournament, proposal: Proposal) -> None:
    fixture = proposal.fixture
    if fixture is None or fixture.round.tournament_id != tournament.pk:
        raise RulingRefused("fixture", _("Choose a match of this tournament."))
    if fixture.round.started_at is None:
        raise RulingRefused("fixture", _("Its round has not begun: arrange the round instead."))
    held = ruling_corrections_of(tournament)
    if proposal.kind is RulingCode.VOID and fixture.match_id in held.void:
        raise RulingRefused("fixture", _("This match is void already."))
    if proposal.kind is RulingCode.REPLAY:
        _require_players(fixture, set(held.disqualified))
    if proposal.kind is RulingCode.REPLACE:
        _require_scores(fixture, proposal)


def _require_ruling(tournament: Tournament, proposal: Proposal) -> None:
    ruling = proposal.ruling
    if ruling is None or ruling not in rulings_reversible(tournament):
        raise RulingRefused("ruling", _("Choose a ruling of this tournament that is in force."))
    if ruling.kind == RulingCode.REOPEN and not _is_as_reopened(tournament, ruling):
        raise RulingRefused("ruling", _("The tournament has gone on since: it finishes when all is decided."))
    if ruling.kind == RulingCode.TAKE_BACK and ruling.names is not None and ruling.names.kind == RulingCode.REOPEN:
        raise RulingRefused("ruling", _("Re-open the tournament instead."))


def _is_as_reopened(tournament: Tournament, ruling: Ruling) -> bool:
    later = [one for one in rulings_reversible(tournament) if one.number > ruling.number]
    return tournament.state == TournamentState.PAUSED and not later and tournament.luck.started_at is None


def _require_players(fixture: Fixture, out: set[int]) -> None:
    for seat in fixture.match.seats.select_related("version__bot"):
        entries = fixture.round.tournament.entries.filter(bot=seat.version.bot_id)
        gone = seat.version.state != VersionState.ACCEPTED or entries.filter(pk__in=out).exists()
        if gone:
            sentence = _("%(bot)s can no longer play: rule the match void, or give it a result.")
            raise RulingRefused("fixture", sentence % {"bot": seat.version.bot.name})


def ruling_score_field(seat: MatchSeat) -> str:
    """Return the name of the field for the score of a seat.

    It contains the primary key of the seat. So if another match is chosen meanwhile, it never gets the scores that were
    typed for the first one.
    """
    return f"score_{seat.pk}"


def _require_scores(fixture: Fixture, proposal: Proposal) -> None:
    seats = list(fixture.match.seats.all())
    games, steps = fixture.match.blocks_most * len(seats), 2 * (len(seats) - 1)
    entries = entry_by_version(fixture.round.tournament)
    total = 0.0
    for seat in seats:
        score = proposal.scores.get(entries[seat.version_id])
        if score is None or not 0 <= score <= games:
            sentence = _("Give each bot a score from 0 to %(games)d: the games it won, shared wins in part.")
            raise RulingRefused(ruling_score_field(seat), sentence % {"games": games})
        # The tolerance is for scores that were typed with two decimals, e.g. 0.33 for a third.
        if not isclose(score * steps, round(score * steps), abs_tol=0.005 * steps):
            sentence = _("A game is shared in parts of 1/%(parts)d: %(score)s is not a sum of such parts.")
            raise RulingRefused(ruling_score_field(seat), sentence % {"parts": steps, "score": score})
        total += score
    # A table of k has k (k - 1) / 2 pairs. In every game, each pair shares 1 / (k - 1), so the scores sum to k / 2.
    if total > games * len(seats) / 2 + 0.01 * len(seats):
        raise RulingRefused(ruling_score_field(seats[0]), _("The scores add up to more games than were played."))


def _require_bot(tournament: Tournament, proposal: Proposal) -> None:
    entry = proposal.entry
    if entry is None or entry.tournament_id != tournament.pk:
        raise RulingRefused("entry", _("Choose a bot of this tournament."))
    out = entry.pk in ruling_corrections_of(tournament).disqualified
    if proposal.kind is RulingCode.REINSTATE and not entry.withdrawn_because:
        sentence = _("The rules have not withdrawn %(bot)s.")
        raise RulingRefused("entry", sentence % {"bot": entry.bot.name})
    if proposal.kind in OF_BOTS and out:
        raise RulingRefused("entry", _("%(bot)s is disqualified already.") % {"bot": entry.bot.name})
    if proposal.kind is RulingCode.WITHDRAW and entry.is_withdrawn:
        raise RulingRefused("entry", _("%(bot)s has been withdrawn already.") % {"bot": entry.bot.name})
    if proposal.kind is RulingCode.WITHDRAW and tournament.state == TournamentState.FINISHED:
        raise RulingRefused("entry", _("The tournament has finished: there is nothing left to withdraw from."))
