"""Check invitation links, and show their state."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import compare_digest
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest

from tournaments.models import Invitation, Tournament
from tournaments.selectors.entering.visible import may_own

OPENED: Final = "invitations"  # of the session: digests of the links that were opened, by tournament


@dataclass(frozen=True, slots=True)
class LinkShown:
    """What its organiser is told of a link: everything but the link. ``holds``: it lets bots in."""

    number: int
    holds: bool
    made_at: datetime | None


def digest_of(token: str) -> str:
    """Return what is kept of a link's token: SHA-256 in hexadecimal."""
    return sha256(token.encode()).hexdigest()


def link_holds(tournament: Tournament, digest: str) -> bool:
    """Tell whether this is the digest of the tournament's link. It takes as long for a wrong one as for a right one."""
    kept = Invitation.objects.filter(tournament=tournament).values_list("digest", flat=True).first() or ""
    return compare_digest(kept.encode(), digest.encode()) and bool(kept)


def invitation_opened(request: HttpRequest) -> int | None:
    """Return the tournament to which this visitor has opened a link that holds, the last one; None if there is none."""
    for number, digest in reversed(request.session.get(OPENED, {}).items()):
        tournament = Tournament.objects.filter(pk=number).first()
        if tournament is not None and link_holds(tournament, digest):
            return tournament.pk
    return None


def link_shown(tournament: Tournament) -> LinkShown:
    link = Invitation.objects.filter(tournament=tournament).first()
    return LinkShown(link.number, bool(link.digest), link.made_at) if link else LinkShown(0, False, None)


def may_enter(user: AbstractBaseUser | AnonymousUser, tournament: Tournament, digest: str) -> bool:
    """Tell whether ``user``, who has opened the link with this ``digest`` ("" for none), may enter bots here at all."""
    return not tournament.is_by_invitation or may_own(user, tournament) or link_holds(tournament, digest)
