"""The rules for entering a bot: places left, the limit per author, the closing of entries, and invitations.

Also the members of teams in a tournament, as pages show them.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import compare_digest
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from bots.models import Bot, VersionState
from contests.audience import audience_bots
from leagues.models import Membership, MembershipState
from teams.selectors import team_owners_of
from tournaments.models import PLAYING, Invitation, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.selectors.rulings.corrections import entries_kept_out_by_rulings


def entry_places_left(tournament: Tournament, playing: int | None = None) -> int:
    """Return how many more bots can enter. ``playing`` is the number of bots that take part, if it is known."""
    if playing is None:
        playing = tournament.entries.filter(is_withdrawn=False).count()
    return max(0, tournament.entrants_most - playing)


def entry_full_reason(tournament: Tournament) -> str:
    """Return the message that the tournament is full."""
    return _("The tournament is full: it takes %(most)d bots.") % {"most": tournament.entrants_most}


def entry_limit_reached(tournament: Tournament, own: int) -> str:
    """Return the message that an author with ``own`` bots may not enter another bot; "" if the author may."""
    limit = tournament.entries_per_author
    if own < limit:
        return ""
    return _("Each author may enter %(limit)d here: withdraw another bot of yours first.") % {"limit": limit}


def entry_closed_reason(tournament: Tournament) -> str:
    """Return a message why bots cannot enter now; "" if they can."""
    if tournament.takes_entries:
        return "" if entry_places_left(tournament) else entry_full_reason(tournament)
    if tournament.state == TournamentState.DRAFT:
        return _("The tournament has not been opened for entries yet: open the same link again later.")
    if tournament.state == TournamentState.OPEN:
        return _("The deadline has passed: entries are no longer accepted.")
    if tournament.state == TournamentState.LOCKED:
        return _("Entries are closed.")
    if tournament.state in PLAYING:
        return _("The tournament has begun, and takes no more entries.")
    if tournament.state == TournamentState.CANCELLED:
        return _("The tournament was cancelled.")
    return _("The tournament is over.")


OPENED: Final = "invitations"  # session key of the digests of the links that the visitor has opened, by tournament


@dataclass(frozen=True, slots=True)
class LinkShown:
    """The invitation link as its organiser sees it, without the token. ``holds`` tells whether it is valid."""

    number: int
    holds: bool
    made_at: datetime | None


def entry_invitation_digest_of(token: str) -> str:
    """Return the digest that is stored for a token: its SHA-256 in hexadecimal."""
    return sha256(token.encode()).hexdigest()


def entry_invitation_link_holds(tournament: Tournament, digest: str) -> bool:
    """Return whether ``digest`` is that of the tournament's current link. The comparison takes constant time."""
    stored = Invitation.objects.filter(tournament=tournament).values_list("digest", flat=True).first() or ""
    return compare_digest(stored.encode(), digest.encode()) and bool(stored)


def entry_invitation_link_shown(tournament: Tournament) -> LinkShown:
    link = Invitation.objects.filter(tournament=tournament).first()
    return LinkShown(link.number, bool(link.digest), link.made_at) if link else LinkShown(0, False, None)


def may_enter_tournament(user: AbstractBaseUser | AnonymousUser, tournament: Tournament, digest: str) -> bool:
    """Return whether ``user`` may enter bots. ``digest`` is that of the link that the user has opened, or ""."""
    return (
        not tournament.is_by_invitation
        or may_own_tournament(user, tournament)
        or entry_invitation_link_holds(tournament, digest)
    )


def entry_named_twice_reason(bot: Bot) -> str:
    """Return the message for a bot whose author or team member has entered already."""
    return _(
        "%(bot)s cannot enter: somebody who would play with it is in this tournament already, alone or in another team."
    ) % {"bot": bot.name}


def bots_that_may_enter_tournament(tournament: Tournament, user: AbstractBaseUser) -> QuerySet[Bot]:
    """Return the bots that ``user`` may enter: the user's own, and for the organiser also house bots.

    A bot must have an accepted version for the game, and must be neither entered nor shut out.
    """
    allowed = Q(owner__in=team_owners_of(user))
    if may_own_tournament(user, tournament):
        allowed |= Q(is_house=True)
    taken = tournament.entries.filter(Q(is_withdrawn=False) | entries_kept_out_by_rulings(tournament)).values("bot")
    return (
        Bot.objects.filter(
            allowed, audience_bots(tournament), game=tournament.game, current__state=VersionState.ACCEPTED
        )
        .exclude(pk__in=taken)
        .order_by("is_house", "name")
    )


def tournament_bots_offered(tournament: Tournament) -> Q:
    """Return the condition for bots of others that the organiser may enter.

    These are house bots, and bots whose authors let organisers enter them. For a cup of a league, they are also the
    bots in the league, if joining the league includes this consent. A tournament of a group takes only bots of the
    group's members.
    """
    agreed = Membership.objects.filter(
        state=MembershipState.ACTIVE, league__enters_cups=True, league__seasons__cups__tournament=tournament
    )
    offered = Q(is_house=True) | Q(organisers_may_enter=True) | Q(pk__in=agreed.values("bot"))
    return offered & audience_bots(tournament)
