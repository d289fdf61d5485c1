"""What makes a tournament fair to look at, as far as the reader may see it: its luck, sealed in advance, and its
proof: the chain, the names as they are shown, and the records.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.db.models import Prefetch

from bots.deletion import NOBODY
from bots.lookalikes import lookalike_keys
from bots.models import Bot
from groups.models import GroupMember
from matches.proof.archive import packed
from matches.proof.chain import Link, name_digest
from matches.replay.records import codes_of, records_of
from teams.selectors import owners_of
from tournaments.models import ENTERING, ChainLink, Entry, Nonce, SealedName, Tournament, TournamentState
from tournaments.selectors.entering.versions import takes_new_versions
from tournaments.selectors.entering.visible import may_rule, may_see_results

BATCH: Final = 100  # links, or matches, read at once


def head_of(tournament: Tournament) -> ChainLink | None:
    """Return the last link of its chain; None for a tournament from before there were chains."""
    return ChainLink.objects.filter(tournament=tournament).order_by("-number").first()


def head_shown(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> ChainLink | None:
    """Return the head for those who may see the results: it changes with each of them."""
    if tournament.state in ENTERING or may_see_results(user, tournament):
        return head_of(tournament)
    return None


def proof_of(tournament: Tournament) -> Iterator[bytes]:
    """Return a zip for ``peck verify``, piece by piece. It holds the secrets: only for a tournament that is over."""
    head = head_of(tournament)
    assert head is not None  # noqa: S101  the page offers none without
    return packed(
        name=_announced(tournament),
        head=link_of(head),
        secrets=[bytes(luck.secret) for luck in tournament.lucks.all()],
        names=_names(tournament),
        links=_links(head),
        records=_records(head),
        code=codes_of(_matches(head)),
        has_updates=takes_new_versions(tournament),
    )


def names_shown(tournament: Tournament) -> dict[str, str]:
    """Return every name of which the chain tells, as the pages show it now."""
    sealed = SealedName.objects.filter(tournament=tournament, whose__startswith="person/")
    numbers = {whose: int(whose.partition("/")[2]) for whose in sealed.values_list("whose", flat=True)}
    people = get_user_model().objects.in_bulk(set(numbers.values()))
    shown = {whose: people[one].get_username() if one in people else NOBODY for whose, one in numbers.items()}
    under_aliases = Nonce.objects.filter(luck__tournament=tournament).exclude(alias="").select_related("by")
    shown |= {f"alias/{one.pk}": one.by_name or NOBODY for one in under_aliases}
    return shown | entries_named(tournament.pk)


def entries_named(tournament_id: int) -> dict[str, str]:
    """Return the bots' names by "entry/7". Those that can be taken for each other have the entry's number behind
    them.
    """
    entries = Entry.objects.filter(tournament=tournament_id).order_by("pk").values_list("pk", "bot__name")
    names = {f"entry/{entry}": name for entry, name in entries}
    # Once more for a bot that is itself called as another one with its number.
    while pairs := list(lookalike_keys(names)):
        for whose in {whose for pair in pairs for whose in pair}:
            names[whose] += f" ({whose.replace('/', ' ')})"
    return names


def link_of(row: ChainLink) -> Link:
    return Link(row.number, row.kind, row.at, row.content, row.previous)


def _announced(tournament: Tournament) -> str:
    terms = tournament.chain.filter(kind="terms").order_by("-number").values_list("content", flat=True).first()
    return str(json.loads(terms)["name"]) if terms else tournament.name


def _names(tournament: Tournament) -> dict[str, object]:
    shown = names_shown(tournament)
    # In the order in which they were sealed: of each the last holds.
    return {
        sealed.whose: {"salt": sealed.salt, "name": shown[sealed.whose]}
        for sealed in SealedName.objects.filter(tournament=tournament)
        if name_digest(sealed.salt, shown[sealed.whose]) == sealed.digest
    }


def _links(head: ChainLink) -> Iterator[Link]:
    links = ChainLink.objects.filter(tournament=head.tournament_id, number__lte=head.number).order_by("number")
    yield from map(link_of, links.iterator(BATCH))


def _records(head: ChainLink) -> Iterator[bytes]:
    return records_of(_matches(head))


def _matches(head: ChainLink) -> list[int]:
    links = ChainLink.objects.filter(tournament=head.tournament_id, number__lte=head.number, match__isnull=False)
    return list(links.order_by("number").values_list("match", flat=True))


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
