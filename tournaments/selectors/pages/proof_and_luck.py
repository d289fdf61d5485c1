"""The evidence that a tournament was fair, as far as the reader may see it.

It is the luck, which is committed in advance, and the proof, which has the chain, the names and the records.
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
from matches.proof.archive import proof_archive_packed
from matches.proof.chain import Link, chain_name_digest
from matches.replay.records import records_game_codes, records_of_matches
from teams.selectors import team_owners_of
from tournaments.models import ENTERING, ChainLink, Entry, Nonce, SealedName, Tournament, TournamentState
from tournaments.selectors.entering.entry_versions import takes_new_entry_versions
from tournaments.selectors.entering.visible import may_rule_tournament, may_see_tournament_results

BATCH: Final = 100  # links, or matches, read at once


def proof_head_of(tournament: Tournament) -> ChainLink | None:
    """Return the last link of the tournament's chain; None for a tournament from before chains existed."""
    return ChainLink.objects.filter(tournament=tournament).order_by("-number").first()


def proof_head_shown(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> ChainLink | None:
    """Return the last link of the tournament's chain if ``user`` may see it; else None.

    Before the start, everybody may see it. After that, each result adds a link, so only users who may see the results
    may see the last link.
    """
    if tournament.state in ENTERING or may_see_tournament_results(user, tournament):
        return proof_head_of(tournament)
    return None


def tournament_proof_of(tournament: Tournament) -> Iterator[bytes]:
    """Return a zip file for ``peck verify``, in pieces. It contains the secrets, so the tournament must be over."""
    head = proof_head_of(tournament)
    assert head is not None  # noqa: S101  the page offers no proof without a chain
    return proof_archive_packed(
        name=_announced(tournament),
        head=proof_link_of(head),
        secrets=[bytes(luck.secret) for luck in tournament.lucks.all()],
        names=_names(tournament),
        links=_links(head),
        records=_records(head),
        code=records_game_codes(_matches(head)),
        has_updates=takes_new_entry_versions(tournament),
    )


def proof_names_shown(tournament: Tournament) -> dict[str, str]:
    """Return the current name of each entry, person and alias that the chain refers to, by key."""
    sealed = SealedName.objects.filter(tournament=tournament, whose__startswith="person/")
    numbers = {whose: int(whose.partition("/")[2]) for whose in sealed.values_list("whose", flat=True)}
    people = get_user_model().objects.in_bulk(set(numbers.values()))
    shown = {whose: people[one].get_username() if one in people else NOBODY for whose, one in numbers.items()}
    under_aliases = Nonce.objects.filter(luck__tournament=tournament).exclude(alias="").select_related("by")
    shown |= {f"alias/{one.pk}": one.by_name or NOBODY for one in under_aliases}
    return shown | proof_entry_names_shown(tournament.pk)


def proof_entry_names_shown(tournament_id: int) -> dict[str, str]:
    """Return the names of bots by keys such as "entry/7". Names that look alike end with the number of the entry."""
    entries = Entry.objects.filter(tournament=tournament_id).order_by("pk").values_list("pk", "bot__name")
    names = {f"entry/{entry}": name for entry, name in entries}
    # With a number at its end, a name may look like yet another name, so this is repeated.
    while pairs := list(lookalike_keys(names)):
        for whose in {whose for pair in pairs for whose in pair}:
            names[whose] += f" ({whose.replace('/', ' ')})"
    return names


def proof_link_of(row: ChainLink) -> Link:
    return Link(row.number, row.kind, row.at, row.content, row.previous)


def _announced(tournament: Tournament) -> str:
    terms = tournament.chain.filter(kind="terms").order_by("-number").values_list("content", flat=True).first()
    return str(json.loads(terms)["name"]) if terms else tournament.name


def _names(tournament: Tournament) -> dict[str, object]:
    shown = proof_names_shown(tournament)
    # In the order in which they were sealed, so that the last seal of a name is used.
    return {
        sealed.whose: {"salt": sealed.salt, "name": shown[sealed.whose]}
        for sealed in SealedName.objects.filter(tournament=tournament)
        if chain_name_digest(sealed.salt, shown[sealed.whose]) == sealed.digest
    }


def _links(head: ChainLink) -> Iterator[Link]:
    links = ChainLink.objects.filter(tournament=head.tournament_id, number__lte=head.number).order_by("number")
    yield from map(proof_link_of, links.iterator(BATCH))


def _records(head: ChainLink) -> Iterator[bytes]:
    return records_of_matches(_matches(head))


def _matches(head: ChainLink) -> list[int]:
    links = ChainLink.objects.filter(tournament=head.tournament_id, number__lte=head.number, match__isnull=False)
    return list(links.order_by("number").values_list("match", flat=True))


@dataclass(frozen=True, slots=True)
class LuckShown:
    """A luck as the reader may see it.

    ``entries_digest`` is "" before the freeze. ``secret`` is in hexadecimal, and "" while it is not public. With
    ``mixed``, the seeds are derived from the secret, the entries and the nonces. In older tournaments, they are derived
    from the secret alone.
    """

    number: int
    commitment: str
    entries_digest: str
    nonces: Sequence[Nonce]
    frozen_at: datetime | None
    started_at: datetime | None
    mixed: bool
    secret: str


def tournament_lucks_shown(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> list[LuckShown]:
    """Return all lucks of the tournament, in order. A draft has none.

    A secret is shown once it is not used any more: the tournament is over or was cancelled, or it was re-opened and has
    a new secret. A secret reveals the pairings, so it is shown only to readers who may see the results.
    """
    if tournament.state == TournamentState.DRAFT:
        return []
    rows = list(tournament.lucks.prefetch_related(Prefetch("nonces", Nonce.objects.select_related("by"))))
    results_shown = may_see_tournament_results(user, tournament)
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


def may_add_luck_now(
    user: AbstractBaseUser | AnonymousUser, tournament: Tournament, lucks: Sequence[LuckShown]
) -> bool:
    """Return whether ``user`` may add a nonce to the luck now, and has not added one yet."""
    if not lucks or lucks[-1].frozen_at is None or lucks[-1].started_at or tournament.is_over:
        return False
    given = any(nonce.by_id == user.pk for nonce in lucks[-1].nonces)
    return not given and may_add_luck(user, tournament)


def tournament_luck_alias_of(tournament: Tournament, user: AbstractUser) -> str:
    """Return the alias of ``user`` as an author of the tournament; "" if none of their bots in it has one."""
    own = Bot.objects.filter(entries__tournament=tournament, owner__in=team_owners_of(user)).exclude(author_alias="")
    bot = own.order_by("pk").first()
    if bot is None:
        return ""
    member = GroupMember.objects.filter(group=bot.alias_group_id, person=user.pk).exclude(alias="").first()
    return member.alias if member else bot.author_alias


def may_add_luck(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Return whether ``user`` is among the people who may add a nonce.

    These are the authors of the bots that take part, and the people who may make rulings.
    """
    if user.pk is None:
        return False
    return (
        may_rule_tournament(user, tournament)
        or tournament.entries.filter(bot__owner__in=team_owners_of(user), is_withdrawn=False).exists()
    )
