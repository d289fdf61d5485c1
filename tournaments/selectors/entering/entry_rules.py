"""Whether a bot may enter: places left, limits for an author, the closing of entries, and invitations; and who plays
for the teams of a tournament, as pages show it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import compare_digest
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext as _

from bots.models import Bot
from tournaments.models import PLAYING, Invitation, TeamPlayer, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_own


def places_left(tournament: Tournament, playing: int | None = None) -> int:
    """Return for how many more bots there is room. ``playing``: how many are in, if that is known."""
    if playing is None:
        playing = tournament.entries.filter(is_withdrawn=False).count()
    return max(0, tournament.entrants_most - playing)


def full_sentence(tournament: Tournament) -> str:
    """Say that there is no room."""
    return _("The tournament is full: it takes %(most)d bots.") % {"most": tournament.entrants_most}


def limit_reached(tournament: Tournament, own: int) -> str:
    """Say that no further bot of an author with ``own`` bots in the tournament may enter; "" while one may."""
    limit = tournament.entries_per_author
    if own < limit:
        return ""
    return _("Each author may enter %(limit)d here: withdraw another bot of yours first.") % {"limit": limit}


def closed_because(tournament: Tournament) -> str:
    """Return why no bot may enter now, in a sentence; "" where some may."""
    if tournament.takes_entries:
        return "" if places_left(tournament) else full_sentence(tournament)
    if tournament.state == TournamentState.DRAFT:
        return _("The tournament has not been opened for entries yet: open the same link again later.")
    if tournament.state == TournamentState.OPEN:
        return _("The deadline is over: no entries are taken any more.")
    if tournament.state == TournamentState.LOCKED:
        return _("Entries are closed.")
    if tournament.state in PLAYING:
        return _("The tournament has begun, and takes no more entries.")
    if tournament.state == TournamentState.CANCELLED:
        return _("The tournament was called off.")
    return _("The tournament is over.")


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


def team_players_of(tournament: Tournament) -> Mapping[int, Sequence[str]]:
    """Return by team the names of those who were in it when entries were frozen. One query."""
    found: dict[int, list[str]] = defaultdict(list)
    players = TeamPlayer.objects.filter(tournament=tournament).order_by("pk")
    for team, name in players.values_list("team", "person__username"):
        found[team].append(name)
    return found


def named_twice(bot: Bot) -> str:
    """Say why a bot may not enter whose people are in already."""
    return _(
        "%(bot)s cannot enter: somebody who would play with it is in this tournament already, alone or in another team."
    ) % {"bot": bot.name}
