"""Read the luck of a tournament, as far as the reader may see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.db.models import Prefetch

from bots.models import Bot
from groups.models import GroupMember
from teams.selectors import owners_of
from tournaments.models import Nonce, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_rule, may_see_results


@dataclass(frozen=True, slots=True)
class LuckShown:
    """``entries_digest``: "" before the freeze; ``secret``: in hexadecimal, "" while it is not told. ``mixed``: the
    seeds follow from the secret, the entries and the nonces; otherwise, in an older tournament, from the secret alone.
    """

    number: int
    commitment: str
    entries_digest: str
    nonces: Sequence[Nonce]
    frozen_at: datetime | None
    started_at: datetime | None
    mixed: bool
    secret: str


def lucks_shown(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> list[LuckShown]:
    """Return every luck, the first one first; none of a draft. A secret is told once nothing is drawn or played from it
    any more, so when the tournament is over, was cancelled or has been re-opened with another one. From it anyone can
    tell the pairings, so it is for those alone who see these.
    """
    if tournament.state == TournamentState.DRAFT:
        return []
    rows = list(tournament.lucks.prefetch_related(Prefetch("nonces", Nonce.objects.select_related("by"))))
    results_shown = may_see_results(user, tournament)
    return [
        LuckShown(
            number=row.number,
            commitment=row.commitment,
            entries_digest=row.entries_digest,
            nonces=list(row.nonces.all()),
            frozen_at=row.frozen_at,
            started_at=row.started_at,
            mixed=row.mixes_entries,
            secret=bytes(row.secret).hex() if results_shown and (tournament.is_over or row is not rows[-1]) else "",
        )
        for row in rows
    ]


def adds_luck(user: AbstractBaseUser | AnonymousUser, tournament: Tournament, lucks: Sequence[LuckShown]) -> bool:
    """Tell whether ``user`` may add to the luck now, and has not yet."""
    if not lucks or lucks[-1].frozen_at is None or lucks[-1].started_at or tournament.is_over:
        return False
    given = any(nonce.by_id == user.pk for nonce in lucks[-1].nonces)
    return not given and may_add(user, tournament)


def alias_in(tournament: Tournament, user: AbstractUser) -> str:
    """Return the alias of ``user`` as an author of the tournament; "" if none of their bots in it has one."""
    own = Bot.objects.filter(entries__tournament=tournament, owner__in=owners_of(user)).exclude(author_alias="")
    bot = own.order_by("pk").first()
    if bot is None:
        return ""
    member = GroupMember.objects.filter(group=bot.alias_group_id, person=user.pk).exclude(alias="").first()
    return member.alias if member else bot.author_alias


def may_add(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Tell whether ``user`` is one of those who may add to the luck: the authors of bots that are in, and who may
    rule.
    """
    if user.pk is None:
        return False
    return (
        may_rule(user, tournament)
        or tournament.entries.filter(bot__owner__in=owners_of(user), is_withdrawn=False).exists()
    )
