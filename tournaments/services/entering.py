"""Enter bots in a tournament. The invitation links are in ``services.invitations``."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import Bot, VersionState
from contests.audience import audience_refusal
from teams.selectors import acts_for_owner, is_in_any_team
from tournaments.entry_events import entry_entered_event_publish
from tournaments.errors import EntryRefused, WrongState
from tournaments.models import Entry, Tournament, TournamentState
from tournaments.selectors.entering.entry_rules import (
    entry_full_reason,
    entry_limit_reached,
    entry_places_left,
    may_enter_tournament,
    tournament_bots_offered,
)
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.selectors.rulings.corrections import entries_kept_out_by_rulings
from tournaments.services.forbidden_pairs import forbidden_author_groups_create
from tournaments.services.invitations import invitation_refusal
from tournaments.services.leaving import TAKING
from tournaments.services.registration import (
    registration_answers_write,
    registration_one_team_require,
    registration_team_players_late,
    registration_team_size_require,
)
from tournaments.services.round_matches import round_matches_redraw_apply
from tournaments.services.tournament_chain import tournament_chain_entered_append
from tournaments.services.transitions import tournament_announce_later, tournament_locked

KEPT_OF_ENTRY: Final = (
    *("is_withdrawn", "withdrawn_at", "left_at", "version"),
    *("sources_agreed_at", "sources_agreed_by"),
)


def entry_create(
    *,
    tournament: Tournament,
    bot: Bot,
    by: AbstractUser,
    invitation: str = "",
    ladder_place: int | None = None,
    answers: Mapping[str, Any] | None = None,
) -> Entry:
    """Enter a bot of the user ``by``.

    The organiser may also enter the bots of ``tournament_bots_offered``. The authors of these bots are notified.

    The author of a withdrawn bot may enter it again, unless the bot is shut out. A bot that enters a running Swiss
    plays from the next round on, with its current version, or with the version of its earlier entry.

    ``invitation`` is the digest of the link that ``by`` has opened. It is needed only for tournaments by invitation,
    and not by their organiser. If the bot is entered from a ladder, ``ladder_place`` is its place there, and determines
    its seed. ``answers`` has the author's answers by the number of the question; an organiser who enters a bot of
    another author gives none. If sources are released at the end, an author who enters a bot agrees to the release.

    Raises:
        WrongState: the tournament does not take entries.
        EntryRefused: the link is missing or invalid, or the deadline has passed; the bot belongs to somebody else,
            plays another game, has no accepted version, has entered already, was withdrawn or is shut out; the author
            has too many bots, or the tournament is full. Also see ``registration_one_team_require`` and
            ``registration_team_size_require``.
        AnswerRefused: a required answer is missing, or an answer is invalid.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TAKING)
        if not tournament.takes_entries:
            if tournament.state == TournamentState.OPEN:
                raise EntryRefused("late", _("The deadline has passed: entries are no longer accepted."))
            raise WrongState(TournamentState(tournament.state), [TournamentState.OPEN])
        if not may_enter_tournament(by, tournament, invitation):
            raise EntryRefused("invitation", invitation_refusal(opened=bool(invitation)))
        _check_bot(tournament, bot, by)
        _check_room(tournament, bot)
        if tournament.team_size is not None:
            registration_team_size_require(tournament, bot)
        if is_in_any_team(by) and not bot.is_house:
            registration_one_team_require(tournament, bot)
        entry, _created = Entry.objects.get_or_create(
            tournament=tournament, bot=bot, defaults={"ladder_place": ladder_place}
        )
        entry.is_withdrawn, entry.withdrawn_at, entry.left_at = False, None, None
        if tournament.releases_sources and acts_for_owner(by, bot.owner_id):
            entry.sources_agreed_at, entry.sources_agreed_by_id = timezone.now(), by.pk
        late = tournament.started_at is not None and entry.version is None
        if late:
            entry.version = bot.current
        entry.save(update_fields=[*KEPT_OF_ENTRY])
        if (tournament.registration or answers) and acts_for_owner(by, bot.owner_id) and not bot.is_house:
            registration_answers_write(tournament, entry, answers or {}, by)
        if tournament.started_at:
            if is_in_any_team(by):
                registration_team_players_late(tournament, bot.owner_id)
            tournament_chain_entered_append(entry, late=late)
            forbidden_author_groups_create(tournament)
        round_matches_redraw_apply(tournament)
        tournament_announce_later(tournament.pk)
        if not acts_for_owner(by, bot.owner_id) and not bot.is_house:
            entry_entered_event_publish(entry, by)
    return entry


def entries_create(
    *,
    tournament: Tournament,
    bots: Sequence[Bot],
    by: AbstractUser,
    invitation: str = "",
    answers: Mapping[str, Any] | None = None,
) -> list[Entry]:
    """Enter several bots, all or none. Raises the errors of ``entry_create``."""
    given: dict[str, Any] = {"by": by, "invitation": invitation, "answers": answers}
    with transaction.atomic():
        return [entry_create(tournament=tournament, bot=bot, **given) for bot in bots]


def _check_bot(tournament: Tournament, bot: Bot, by: AbstractUser) -> None:
    named = {"bot": bot.name}
    if not acts_for_owner(by, bot.owner_id):
        if not (
            may_own_tournament(by, tournament)
            and Bot.objects.filter(tournament_bots_offered(tournament), pk=bot.pk).exists()
        ):
            raise EntryRefused("not_yours", _("%(bot)s is not yours: only its author can enter it.") % named)
        if not bot.is_house and Entry.objects.filter(tournament=tournament, bot=bot, left_at__isnull=False).exists():
            sentence = _("%(bot)s was withdrawn from this tournament: only its author can enter it again.")
            raise EntryRefused("withdrawn", sentence % named)
    if refusal := audience_refusal(tournament, bot):
        raise EntryRefused(*refusal)
    if bot.game != tournament.game:
        raise EntryRefused("other_game", _("%(bot)s plays another game than this tournament.") % named)
    if bot.current is None or bot.current.state != VersionState.ACCEPTED:
        sentence = _("%(bot)s has no accepted version yet: upload one, and enter it once it has passed its check.")
        raise EntryRefused("no_version", sentence % named)


def _check_room(tournament: Tournament, bot: Bot) -> None:
    entered = Entry.objects.filter(tournament=tournament, is_withdrawn=False)
    if entered.filter(bot=bot).exists():
        raise EntryRefused("already", _("%(bot)s has entered already.") % {"bot": bot.name})
    if tournament.entries.filter(entries_kept_out_by_rulings(tournament), bot=bot).exists():
        sentence = _("%(bot)s was removed by a ruling or for its faults: ask the organiser to reinstate it.")
        raise EntryRefused("shut_out", sentence % {"bot": bot.name})
    own = entered.filter(bot__owner=bot.owner_id, bot__is_house=False)
    if not bot.is_house and (sentence := entry_limit_reached(tournament, own.count())):
        raise EntryRefused("limit", sentence)
    if not entry_places_left(tournament, entered.count()):
        raise EntryRefused("full", entry_full_reason(tournament))
