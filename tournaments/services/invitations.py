"""Invitation links: create and revoke the link of a tournament, and refuse authors without a valid link."""

import secrets
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.models import Invitation, Tournament, TournamentState
from tournaments.selectors.entering.entry_rules import entry_invitation_digest_of
from tournaments.services.transitions import tournament_locked
from web.limits import FailedGuesses

TOKEN_BYTES: Final = 24  # nobody can guess 192 bits; the limit of guesses only saves work
GUESSES: Final = FailedGuesses("tournaments", "invitation")
OVER: Final = frozenset({TournamentState.FINISHED, TournamentState.CANCELLED})


class InvitationChanged(TournamentError):
    """A new link was made, or the link was withdrawn, since the page was loaded."""

    def __init__(self) -> None:
        super().__init__(_("The link was changed in the meantime: this is its current state."))


class NotByInvitation(TournamentError):
    """Everyone may enter, so an invitation link has no purpose."""

    def __init__(self) -> None:
        super().__init__(_("Everyone may enter this tournament: it needs no invitation link."))


def tournament_invitation_make(*, tournament: Tournament, known: int) -> str:
    """Create an invitation link and return its token. The previous link becomes invalid.

    The token is not stored, so it cannot be read later. ``known`` is the number of the link to replace; 0 if there has
    been no link.

    Raises:
        WrongState: the tournament is over.
        NotByInvitation: everyone may enter.
        InvitationChanged: a new link was made, or the link was withdrawn, meanwhile.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *(state for state in TournamentState if state not in OVER))
        if not tournament.is_by_invitation:
            raise NotByInvitation
        Invitation.objects.get_or_create(tournament=tournament)
        changed = Invitation.objects.filter(tournament=tournament, number=known).update(
            number=known + 1, digest=entry_invitation_digest_of(token), made_at=timezone.now()
        )
        if not changed:
            raise InvitationChanged
    return token


def tournament_invitation_withdraw(*, tournament: Tournament, known: int | None = None) -> None:
    """Revoke the invitation link. Entries that were made with it stay.

    ``known``: see ``tournament_invitation_make``. With None, any link is revoked.

    Raises:
        InvitationChanged: there is no link, or a new link was made meanwhile.
    """
    links = Invitation.objects.filter(tournament=tournament).exclude(digest="")
    if known is not None:
        links = links.filter(number=known)
    if not links.update(number=F("number") + 1, digest=""):
        raise InvitationChanged


def invitation_refusal(*, opened: bool) -> str:
    """Return the message for somebody without a valid link.

    ``opened`` tells whether they have opened a link that is not valid.
    """
    if opened:
        return _("The link that you opened no longer works: ask the organiser for the new one.")
    return _("Entry is by invitation: open the link that the organiser gave you, then enter your bot.")
