"""The chain grows: in the transaction of what it tells, under the lock of the tournament's row.

A tournament that was there before chains were kept has none, and gets none: one that begins in the middle would prove
nothing.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from matches.proof.chain import FIRST, Link, canonical, name_digest
from tournaments.models import ChainLink, Entry, Luck, SealedName, Tournament
from tournaments.selectors.pages.proof import names_shown
from tournaments.standings import Row

SALT_BYTES: Final = 16
STAGE_TERMS: Final = (
    *("number", "format", "rounds", "entrants", "players_per_table", "smallest_table", "blocks", "stopping"),
    "third_place",
)
TERMS: Final = ("ruleset", "options", "limits", "pace_ms", "tie_breaks", "entrants_most", "entries_per_author")
COLUMNS: Final = {"pace_ms": "min_action_ms"}  # a chain keeps its words


def link_append(tournament_id: int, kind: str, content: dict[str, Any], *, match_id: int | None = None) -> None:
    """Append the next link, if the tournament has a chain."""
    assert transaction.get_connection().in_atomic_block  # noqa: S101  it stands or falls with what it tells
    last = ChainLink.objects.filter(tournament=tournament_id).order_by("-number").first()
    if last is None and kind != "terms":
        return
    # A clock that is put back must not make the chain look reordered.
    at = max(_written(timezone.now()), last.at if last else "")
    link = Link(
        number=last.number + 1 if last else 1,
        kind=kind,
        at=at,
        content=canonical(content),
        previous=last.digest if last else FIRST,
    )
    ChainLink.objects.create(
        tournament_id=tournament_id,
        number=link.number,
        kind=kind,
        at=at,
        content=link.content,
        previous=link.previous,
        digest=link.digest,
        match_id=match_id,
    )


def has_chain(tournament_id: int) -> bool:
    return ChainLink.objects.filter(tournament=tournament_id).exists()


def terms_tell(tournament: Tournament) -> None:
    """Tell the chain what was announced, and again if it has changed since."""
    stages = [{name: getattr(stage.terms, name) for name in STAGE_TERMS} for stage in tournament.stages.all()]
    terms = {
        "name": tournament.name,
        **{name: getattr(tournament, COLUMNS.get(name, name)) for name in TERMS},
        "stages": stages,
    }
    if tournament.is_by_invitation:
        terms["admission"] = tournament.admission
    if tournament.luck_value:
        terms["luck_value"] = tournament.luck_value
    told = ChainLink.objects.filter(tournament=tournament, kind="terms").order_by("-number").first()
    if told is None or told.content != canonical(terms):
        link_append(tournament.pk, "terms", terms)


def secret_tell(luck: Luck) -> None:
    """Tell the chain the hash of a secret, when it is committed or when the chain begins; once."""
    content = {"luck": luck.number, "commitment": luck.commitment}
    if not ChainLink.objects.filter(tournament=luck.tournament_id, kind="secret", content=canonical(content)).exists():
        link_append(luck.tournament_id, "secret", content)


def frozen_tell(tournament: Tournament, luck: Luck) -> None:
    """Tell the chain who plays with which package, once entries are closed for a luck."""
    if not has_chain(tournament.pk):
        return
    entries = tournament.entries.filter(is_withdrawn=False, version__isnull=False).order_by("pk")
    told = {"luck": luck.number, "entries": [_entered(entry) for entry in _named(entries)]}
    link_append(tournament.pk, "frozen", told)


def entered_tell(entry: Entry, *, late: bool) -> None:
    """Tell the chain that somebody came ``late``, or came back."""
    if not late:
        link_append(entry.tournament_id, "back", {"entry": entry.pk})
    elif has_chain(entry.tournament_id):
        (entry,) = _named([entry])
        link_append(entry.tournament_id, "late", _entered(entry))


def left_tell(entries: Iterable[Entry], why: str) -> None:
    """Tell the chain who takes part no more; not for rulings, nor while entries are open."""
    for entry in entries:
        known = SealedName.objects.filter(tournament=entry.tournament_id, whose=f"entry/{entry.pk}").exists()
        open_ = Luck.objects.filter(
            tournament=entry.tournament_id, frozen_at__isnull=True, started_at__isnull=True
        ).exists()
        if known and not open_:
            link_append(entry.tournament_id, "left", {"entry": entry.pk, "why": why})


def names_tell(tournament: Tournament) -> None:
    """Tell the chain the names that pages show otherwise than the chain has told."""
    for whose, name in names_shown(tournament).items():
        if SealedName.objects.filter(tournament=tournament, whose=whose).exists():
            name_seal(tournament.pk, whose, name)


def name_seal(tournament_id: int, whose: str, name: str) -> str:
    """Make the digest of a name under a salt of its own, kept to be told as long as the name is shown."""
    last = SealedName.objects.filter(tournament=tournament_id, whose=whose).last()
    if last is not None and name_digest(last.salt, name) == last.digest:
        return last.digest
    salt = secrets.token_hex(SALT_BYTES)
    known = SealedName.objects.filter(tournament=tournament_id, whose=whose).exists()
    sealed = name_digest(salt, name)
    SealedName.objects.create(tournament_id=tournament_id, whose=whose, salt=salt, digest=sealed)
    if known:
        link_append(tournament_id, "renamed", {"whose": whose, "name": sealed})
    return sealed


def person_told(tournament_id: int, person: AbstractUser) -> dict[str, str]:
    """Return a person as the chain tells of people."""
    return {"whose": f"person/{person.pk}", "name": person_seal(tournament_id, person)}


def person_seal(tournament_id: int, person: AbstractUser) -> str:
    return name_seal(tournament_id, f"person/{person.pk}", person.get_username())


def rows_told(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return standings as the chain tells them."""
    return [_row(row) for row in rows]


def _row(row: Row) -> dict[str, Any]:
    told = asdict(row)
    told["tied_with"] = {code: list(tied) for code, tied in row.tied_with.items()}
    return told


def _entered(entry: Entry) -> dict[str, Any]:
    assert entry.version is not None  # noqa: S101  frozen
    name = name_seal(entry.tournament_id, f"entry/{entry.pk}", entry.bot.name)
    return {"entry": entry.pk, "package": entry.version.sha256, "name": name}


def _named(entries: Iterable[Entry]) -> list[Entry]:
    chosen = Entry.objects.filter(pk__in=[entry.pk for entry in entries]).select_related("bot", "version")
    return list(chosen.order_by("pk"))


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def chain_settle(*, tournament: Tournament) -> None:
    """Tell the chain what it lacks, before a proof is made of a tournament that is over."""
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        if has_chain(tournament.pk):
            names_tell(tournament)
