"""Edit the texts, settings and times of an announced tournament, if this does not disadvantage the entrants.

Also move acts of the timeline, and choose the arbiters.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from contests.audience import OPENING, ContestAudience, audience_widens, may_see_contest
from tournaments.errors import EditRefused, EditStale, TournamentError
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.entering.editing import tournament_edit_basis, tournament_editing_of
from tournaments.selectors.rounds.plans import AHEAD_MOST, TOURNAMENT_ACTS
from tournaments.selectors.rounds.timeline import tournament_acts_to_come
from tournaments.services.ceremonies import PACE, ceremony_announce
from tournaments.services.publishing import tournament_publish, tournament_publish_wider, tournament_sources_move
from tournaments.services.round_planning import rounds_replan
from tournaments.services.tournament_chain import (
    tournament_chain_edit_append,
    tournament_chain_edit_content,
    tournament_chain_terms_append,
)
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from tournaments.workload import workload_require


def tournament_edit(*, tournament: Tournament, basis: str, **fields: Any) -> Tournament:
    """Change ``fields`` of the model, and append the changes of announced settings to the chain.

    For ``basis`` see ``selectors.entering.editing.tournament_edit_basis``.

    Raises:
        EditStale: the tournament, or what may be edited, has changed since ``basis`` was computed.
        EditRefused: a field cannot be edited any more, or cannot be set to this value.
        TooLarge: the limits of the site, or of the organiser's share of the workers, are exceeded.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TournamentState)
        tournament_edit_basis_require(tournament, basis)
        allowed = tournament_editing_of(tournament).fields
        for name in fields:
            if name not in allowed:
                raise EditRefused(name, _("This cannot be edited any more."))
        _require_fair(tournament, fields)
        tournament_edit_audience_require(tournament, fields)
        content = tournament_chain_edit_content(tournament)
        Tournament.objects.filter(pk=tournament.pk).update(**fields, **tournament_edit_missed(tournament, fields))
        tournament.refresh_from_db()
        if tournament.state == TournamentState.OPEN:
            workload_require(tournament)
            tournament_chain_terms_append(tournament)
        tournament_chain_edit_append(tournament, content)
        if content["audience"] != tournament.audience:
            tournament_publish_wider(tournament)
        if tournament.started_at:
            rounds_replan(tournament)
            if content["publication"] != tournament.publication:
                tournament = tournament_publish(tournament=tournament, publication=Publication(tournament.publication))
        tournament_announce_later(tournament.pk)
    return tournament


def tournament_edit_missed(tournament: Tournament, fields: Mapping[str, Any]) -> dict[str, int]:
    """Return the fields that change together with ``fields``.

    A new start time resets the count of missed starts.
    """
    if fields.get("first_round_at", tournament.first_round_at) == tournament.first_round_at:
        return {}
    return {"starts_missed": 0, "entries_missed": 0}


def tournament_edit_basis_require(tournament: Tournament, basis: str) -> None:
    """Require that the tournament has not changed since ``basis`` was computed. Call it with the tournament locked.

    Raises:
        EditStale: the tournament has changed.
    """
    if tournament_edit_basis(tournament) != basis:
        raise EditStale


def _require_fair(tournament: Tournament, fields: dict[str, Any]) -> None:
    entered = tournament.entries.filter(is_withdrawn=False)
    most = fields.get("entrants_most")
    if most is not None and most < (playing := entered.count()):
        sentence = _("%(playing)d bots have entered already: choose that many or more.")
        raise EditRefused("entrants_most", sentence % {"playing": playing})
    own = entered.filter(bot__is_house=False).values("bot__owner").annotate(bots=Count("pk")).order_by("-bots")
    each = own.values_list("bots", flat=True).first() or 0
    if fields.get("entries_per_author", each) < each:
        sentence = _("An author has entered %(bots)d bots already: choose that many or more.")
        raise EditRefused("entries_per_author", sentence % {"bots": each})
    before, after = tournament.entries_close_at, fields.get("entries_close_at")
    if before is not None and after is not None and _minute(after) < _minute(before):
        sentence = _("Bots have entered under the announced deadline: it can only be moved to a later time or removed.")
        raise EditRefused("entries_close_at", sentence)


def tournament_edit_audience_require(tournament: Tournament, fields: Mapping[str, Any]) -> None:
    """Require that the new audience is allowed.

    A cup cannot be visible to more people than its league. Once entries are open, the audience can only grow. If
    sources are released at the end, the audience cannot change at all once entries are open.

    Raises:
        EditRefused: the audience is not allowed.
    """
    wished = ContestAudience(fields.get("audience", tournament.audience))
    cup = getattr(tournament, "ladder_cup", None)
    if cup is not None and OPENING.index(wished) > OPENING.index(cup.season.league.audience):
        raise EditRefused("audience", _("It is a cup of a league that fewer people can see: open the league first."))
    if tournament.state == TournamentState.DRAFT:
        return
    if not audience_widens(tournament, wished, fields.get("group_id", tournament.group_id)):
        raise EditRefused("audience", _("It has been announced: from now on, it can only be opened to more people."))
    if tournament.releases_sources and wished != tournament.audience:
        sentence = _("Sources are released to those who can see it now, so it cannot be shown to others.")
        raise EditRefused("audience", sentence)


def tournament_edit_sources_require(tournament: Tournament, fields: Mapping[str, Any]) -> None:
    """Require that ``releases_sources`` does not change after entries have opened, because entrants agree to it.

    Raises:
        EditRefused: the setting would change, and the tournament is not a draft.
    """
    if tournament.state == TournamentState.DRAFT:
        return
    if fields.get("releases_sources", tournament.releases_sources) != tournament.releases_sources:
        sentence = _("Whether sources are released can only be changed before entries open.")
        raise EditRefused("releases_sources", sentence)


def _minute(when: datetime) -> datetime:
    """Return the time without seconds, as forms show it."""
    return when.replace(second=0, microsecond=0)


class MoveRefused(TournamentError):
    """The act cannot be moved to this time."""

    code = "invalid"
    status = 400


def tournament_timeline_edit(*, tournament: Tournament, act: str, when: datetime | None) -> None:
    """Move an act of ``selectors.rounds.timeline.MOVABLE`` to another time.

    If ``when`` is None, the act waits for the organiser. Without a time, entries close at the start of the tournament.
    Repeating a call changes nothing.

    Raises:
        MoveRefused: the act has happened already, or the time has passed, is too far away or in the wrong order.
        EditRefused, WrongState, CeremonyRefused, SourcesRefused: see ``tournament_edit``, ``ceremony_announce`` and
            ``tournament_sources_move``.
    """
    if act == "ceremony":
        ceremony = tournament.ceremony_or_none
        ceremony_announce(tournament=tournament, planned_at=when, pace=ceremony.pace if ceremony else PACE)
        return
    if act == "sources":
        tournament_sources_move(tournament=tournament, when=when)
        return
    column = TOURNAMENT_ACTS[act].at
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TournamentState)
        if act not in tournament_acts_to_come(tournament):
            raise MoveRefused(_("This has already happened, so it cannot be changed."))
        if getattr(tournament, column) == when:
            return
        now = timezone.now()
        if when is not None and not now < when <= now + AHEAD_MOST:
            raise MoveRefused(_("Choose a time in the future, at most two years ahead."))
        times = {name: getattr(tournament, one.at) for name, one in TOURNAMENT_ACTS.items()} | {act: when}
        if when is not None and not _are_in_order(times["opens"], times["closes"], times["starts"]):
            raise MoveRefused(_("Keep the order: entries open, entries close, the tournament starts."))
        tournament_edit(tournament=tournament, basis=tournament_edit_basis(tournament), **{column: when})


def _are_in_order(opens: datetime | None, closes: datetime | None, starts: datetime | None) -> bool:
    """Return whether entries open before they close and before the start, and close no later than the start.

    The form checks the same.
    """
    open_first = opens is None or all(opens < later for later in (closes, starts) if later is not None)
    return open_first and (closes is None or starts is None or closes <= starts)


class ArbiterRefused(TournamentError):
    """This user cannot become an arbiter."""

    code = "no_arbiter"
    field = "username"


def tournament_arbiter_add(*, tournament: Tournament, username: str) -> None:
    """Make a user an arbiter, who can make rulings, pause the tournament and withdraw bots. Works in any state.

    Raises:
        ArbiterRefused: the user does not exist, is not in the group of the tournament, or has these rights already.
    """
    try:
        user = get_user_model().objects.get_by_natural_key(username)
    except ObjectDoesNotExist:
        user = None
    if user is None or not user.is_active:
        raise ArbiterRefused(_("Nobody here is called “%(name)s”: check the spelling.") % {"name": username})
    if not may_see_contest(user, tournament):
        raise ArbiterRefused(_("%(name)s is not a member of the group whose tournament this is.") % {"name": username})
    if user.pk == tournament.organiser_id:
        raise ArbiterRefused(_("%(name)s is the organiser, who may do all that anyway.") % {"name": username})
    if tournament.arbiters.filter(pk=user.pk).exists():
        raise ArbiterRefused(_("%(name)s is an arbiter already.") % {"name": username})
    tournament.arbiters.add(user)


def arbiter_dismiss(*, tournament: Tournament, user_id: int) -> None:
    """Remove an arbiter. Their rulings stay in effect."""
    tournament.arbiters.remove(*tournament.arbiters.filter(pk=user_id))
