"""The link that lets bots into a tournament by invitation: made, renewed, withdrawn."""

import secrets
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.models import Invitation, Tournament, TournamentState
from tournaments.selectors.entering.inviting import digest_of
from tournaments.services.transitions import locked

TOKEN_BYTES: Final = 24  # 192 bits: nobody guesses them
OVER: Final = frozenset({TournamentState.FINISHED, TournamentState.CANCELLED})


class InvitationChanged(TournamentError):
    """Another link was made, or this one was withdrawn, since the page was loaded."""

    def __init__(self) -> None:
        super().__init__(_("The link was changed meanwhile: here is how it stands now."))


class NotByInvitation(TournamentError):
    """Everyone may enter, so a link would promise nothing."""

    def __init__(self) -> None:
        super().__init__(_("Everyone may enter this tournament: it needs no invitation link."))


def invitation_make(*, tournament: Tournament, known: int) -> str:
    """Make a link, in place of the one before, which lets nobody in from now on; the new one's token. This is the only
    time that anybody sees it. ``known``: the number of the link that is to be replaced, 0 if there has been none.

    Raises:
        WrongState: the tournament is over.
        NotByInvitation: everyone may enter.
        InvitationChanged: another one was made, or it was withdrawn.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        tournament = locked(tournament.pk, *(state for state in TournamentState if state not in OVER))
        if not tournament.is_by_invitation:
            raise NotByInvitation
        Invitation.objects.get_or_create(tournament=tournament)
        changed = Invitation.objects.filter(tournament=tournament, number=known).update(
            number=known + 1, digest=digest_of(token), made_at=timezone.now()
        )
        if not changed:
            raise InvitationChanged
    return token


def invitation_withdraw(*, tournament: Tournament, known: int | None = None) -> None:
    """Let nobody else in by the link; whoever entered by it stays. ``known``: see ``invitation_make``; None for
    whichever there is.

    Raises:
        InvitationChanged: another one was made, or it was withdrawn before.
    """
    links = Invitation.objects.filter(tournament=tournament).exclude(digest="")
    if known is not None:
        links = links.filter(number=known)
    if not links.update(number=F("number") + 1, digest=""):
        raise InvitationChanged
