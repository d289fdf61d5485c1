"""Append links to the chain of a tournament.

A link is appended in the same transaction as the change that it records, while the row of the tournament is locked.

Tournaments from before chains existed have no chain, and none is started for them: a chain that begins in the middle of
a tournament would prove nothing.

Workers know nothing about tournaments, so they do not append results. Results that are missing from the chain are
appended when the tournament is notified of results. They are also appended before a round is drawn, before a ruling is
made, and before the tournament ends. If this is interrupted, a later call appends them. While a round is played, a call
after a match looks only at the matches that finished within ``RECENT``; the periodic sweep looks at all matches.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, TypeAlias

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Exists, Q
from django.utils import timezone

from matches.models import Match, MatchState
from matches.proof.chain import FIRST, Link, chain_canonical_json, chain_name_digest
from matches.replay.records import BATCH, records_chain_content
from tournaments.models import ChainLink, Entry, Luck, Nonce, SealedName, Tournament
from tournaments.selectors.entering.entry_versions import (
    entries_with_versions,
    entry_by_version,
    takes_new_entry_versions,
)
from tournaments.selectors.pages.proof_and_luck import proof_entry_names_shown, proof_names_shown
from tournaments.services.transitions import tournament_announce_later
from tournaments.standings import Row
from web.database import database_after

SALT_BYTES: Final = 16
LINKS: Final = 1000  # links that are written at once
STAGE_TERMS: Final = (
    *("number", "format", "rounds", "entrants", "players_per_table", "smallest_table", "blocks", "stopping"),
    "third_place",
)
TERMS: Final = ("ruleset", "options", "limits", "pace_ms", "tie_breaks", "entrants_most", "entries_per_author")
COLUMNS: Final = {"pace_ms": "min_action_ms"}  # chains keep the names of earlier versions


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link to be appended. If it records the result of a match, ``match_id`` is the id of this match."""

    kind: str
    content: dict[str, Any]
    match_id: int | None = None


def tournament_chain_link_append(tournament_id: int, kind: str, content: dict[str, Any]) -> None:
    """Append the next link, if the tournament has a chain."""
    tournament_chain_links_append(tournament_id, [NewLink(kind, content)])


def tournament_chain_links_append(tournament_id: int, links: Iterable[NewLink]) -> int:
    """Append links in this order, if the tournament has a chain. Return how many were appended.

    This takes one query, and one for each batch of ``LINKS``.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101  links and what they record are stored together
    last = ChainLink.objects.filter(tournament=tournament_id).order_by("-number").first()
    rows: list[ChainLink] = []
    for one in links:
        if last is None and one.kind != "terms":
            continue
        # A clock that is put back must not make the chain look reordered.
        at = max(_time_content(timezone.now()), last.at if last else "")
        number, previous = (last.number + 1, last.digest) if last else (1, FIRST)
        link = Link(number=number, kind=one.kind, at=at, content=chain_canonical_json(one.content), previous=previous)
        last = ChainLink(
            tournament_id=tournament_id,
            number=link.number,
            kind=link.kind,
            at=at,
            content=link.content,
            previous=link.previous,
            digest=link.digest,
            match_id=one.match_id,
        )
        rows.append(last)
    ChainLink.objects.bulk_create(rows, batch_size=LINKS)
    return len(rows)


def has_tournament_chain(tournament_id: int) -> bool:
    return ChainLink.objects.filter(tournament=tournament_id).exists()


def tournament_chain_terms_append(tournament: Tournament) -> None:
    """Append the terms of the tournament to the chain, unless they are the same as in the last link with terms."""
    stages = [{name: getattr(stage.terms, name) for name in STAGE_TERMS} for stage in tournament.stages.all()]
    terms = {
        "name": tournament.name,
        **{name: getattr(tournament, COLUMNS.get(name, name)) for name in TERMS},
        "stages": stages,
    }
    if tournament.is_by_invitation:
        terms["admission"] = tournament.admission
    if tournament.keep_apart:
        terms["keep_apart"] = tournament.keep_apart
    if takes_new_entry_versions(tournament):
        terms["new_versions"] = str(tournament.new_versions)
    if tournament.luck_value:
        terms["luck_value"] = tournament.luck_value
    content = ChainLink.objects.filter(tournament=tournament, kind="terms").order_by("-number").first()
    if content is None or content.content != chain_canonical_json(terms):
        tournament_chain_link_append(tournament.pk, "terms", terms)


def tournament_chain_edit_content(tournament: Tournament) -> dict[str, Any]:
    """Return the settings that an "edited" link can contain. Unlike the terms, they have no effect on results."""
    return {
        "description": sha256(tournament.description.encode()).hexdigest(),
        "entries_close_at": _moment_content(tournament.entries_close_at),
        "first_round_at": _moment_content(tournament.first_round_at),
        "round_minutes": tournament.round_minutes,
        "time_zone": tournament.time_zone,
        "has_round_review": tournament.has_round_review,
        "publication": str(tournament.publication),
        "audience": str(tournament.audience),
    }


def tournament_chain_edit_append(tournament: Tournament, before: Mapping[str, Any]) -> None:
    """Append the settings that have changed since ``before``, an earlier value of ``tournament_chain_edit_content``."""
    changed = {
        name: value for name, value in tournament_chain_edit_content(tournament).items() if before[name] != value
    }
    if changed:
        tournament_chain_link_append(tournament.pk, "edited", changed)


def tournament_chain_plan_append(
    tournament_id: int, *, stage: int, place: int, starts_at: datetime | None, premieres_at: datetime | None, tempo: str
) -> None:
    """Append to the chain when a round is planned to begin, and when it is planned to be shown."""
    times = {"starts_at": _moment_content(starts_at), "premieres_at": _moment_content(premieres_at)}
    tournament_chain_link_append(
        tournament_id, "planned", {"stage": stage, "place": place, "tempo": str(tempo), **times}
    )


def tournament_chain_secret_append(luck: Luck) -> None:
    """Append the hash of a secret to the chain, unless the chain already contains it.

    Call it when the secret is committed or when the chain begins.
    """
    content = {"luck": luck.number, "commitment": luck.commitment}
    if not ChainLink.objects.filter(
        tournament=luck.tournament_id, kind="secret", content=chain_canonical_json(content)
    ).exists():
        tournament_chain_link_append(luck.tournament_id, "secret", content)


def tournament_chain_frozen_append(tournament: Tournament, luck: Luck) -> None:
    """Append the entries and their packages to the chain. Call it when entries are closed for ``luck``."""
    if not has_tournament_chain(tournament.pk):
        return
    entries = tournament.entries.filter(is_withdrawn=False, version__isnull=False).order_by("pk")
    content = {"luck": luck.number, "entries": _entered(tournament.pk, _named(entries))}
    tournament_chain_link_append(tournament.pk, "frozen", content)


def tournament_chain_entered_append(entry: Entry, *, late: bool) -> None:
    """Append to the chain that an entry was added ``late``, or that it came back after it had left."""
    if not late:
        tournament_chain_link_append(entry.tournament_id, "back", {"entry": entry.pk})
    elif has_tournament_chain(entry.tournament_id):
        (content,) = _entered(entry.tournament_id, _named([entry]))
        tournament_chain_link_append(entry.tournament_id, "late", content)


def tournament_chain_left_append(tournament_id: int, entries: Iterable[int], why: str) -> None:
    """Append to the chain the entries that have left, unless entries are open. Do not call it for rulings."""
    if Luck.objects.filter(tournament=tournament_id, frozen_at__isnull=True, started_at__isnull=True).exists():
        return
    sealed = SealedName.objects.filter(tournament=tournament_id, whose__startswith="entry/")
    known = set(sealed.values_list("whose", flat=True))
    left = [NewLink("left", {"entry": one, "why": why}) for one in entries if f"entry/{one}" in known]
    tournament_chain_links_append(tournament_id, left)


def _names_append(tournament: Tournament) -> None:
    """Append to the chain the names that differ on the pages from those whose digests the chain has recorded."""
    sealed = set(SealedName.objects.filter(tournament=tournament).values_list("whose", flat=True))
    _names_seal(
        tournament.pk, {whose: name for whose, name in proof_names_shown(tournament).items() if whose in sealed}
    )


def _names_seal(tournament_id: int, names: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each name, by the keys of ``names`` (such as "entry/12").

    A new name gets a digest with a random salt of its own. The salt is stored, and can be published as long as the name
    is shown. If a name has changed, a "renamed" link is appended to the chain. If no name has changed, this takes three
    queries, however many names there are.
    """
    sealed = SealedName.objects.filter(tournament=tournament_id).order_by("pk")
    if len(names) == 1:
        sealed = sealed.filter(whose__in=names)
    last = {row.whose: row for row in sealed}
    digests, fresh = {}, []
    for whose, name in names.items():
        known = last.get(whose)
        if known is not None and chain_name_digest(known.salt, name) == known.digest:
            digests[whose] = known.digest
            continue
        salt = secrets.token_hex(SALT_BYTES)
        digests[whose] = chain_name_digest(salt, name)
        fresh.append(SealedName(tournament_id=tournament_id, whose=whose, salt=salt, digest=digests[whose]))
    SealedName.objects.bulk_create(fresh, batch_size=LINKS)
    renamed = [NewLink("renamed", {"whose": one.whose, "name": one.digest}) for one in fresh if one.whose in last]
    if renamed:
        tournament_chain_links_append(tournament_id, renamed)
    return digests


def tournament_chain_person_content(tournament_id: int, person: AbstractUser) -> dict[str, str]:
    """Return how the chain records a person: by account number and digest of the name."""
    return {"whose": f"person/{person.pk}", "name": _person_seal(tournament_id, person)}


def _person_seal(tournament_id: int, person: AbstractUser) -> str:
    whose = f"person/{person.pk}"
    return _names_seal(tournament_id, {whose: person.get_username()})[whose]


def tournament_chain_alias_content(nonce: Nonce) -> dict[str, str]:
    """Return how the chain records the person who gave a nonce under an alias.

    The record does not contain the number of the account. The chains of other tournaments contain this number together
    with the digest of the account's name, and so would reveal the person.
    """
    whose = f"alias/{nonce.pk}"
    return {"whose": whose, "name": _names_seal(nonce.luck.tournament_id, {whose: nonce.alias})[whose]}


def tournament_chain_standings_content(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return standings as the chain records them."""
    return [_row_content(row) for row in rows]


def _row_content(row: Row) -> dict[str, Any]:
    content = row._asdict()
    content["tied_with"] = {code: list(tied) for code, tied in row.tied_with.items()}
    return content


def _entered(tournament_id: int, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return entries with their packages and the digests of their names, as the chain records them."""
    shown, whose = proof_entry_names_shown(tournament_id), [f"entry/{entry.pk}" for entry in entries]
    names = _names_seal(tournament_id, {one: shown[one] for one in whose})
    content = []
    for entry in entries:
        assert entry.version is not None  # noqa: S101  frozen
        fields = {"entry": entry.pk, "package": entry.version.sha256, "name": names[f"entry/{entry.pk}"]}
        content.append(fields | ({"place": entry.ladder_place} if entry.ladder_place else {}))
    return content


def _named(entries: Iterable[Entry]) -> list[Entry]:
    chosen = Entry.objects.filter(pk__in=[entry.pk for entry in entries]).select_related("bot", "version")
    return list(chosen.order_by("pk"))


def _moment_content(moment: datetime | None) -> str | None:
    return None if moment is None else _time_content(moment)


def _time_content(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def tournament_chain_settle(*, tournament: Tournament) -> None:
    """Append changed names to the chain of a tournament that is over, before its proof is made."""
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        if has_tournament_chain(tournament.pk):
            _names_append(tournament)


RECENT: Final = timedelta(seconds=30)  # the sweep finds the missing results of older matches, every ten seconds

Place: TypeAlias = tuple[int, int, int]  # round, table, attempt


def tournament_chain_matches_recent(match: str = "") -> Q:
    """Return the condition that a match finished within ``RECENT``.

    ``match`` is the prefix of a lookup through a relation, e.g. "match__". With this condition, the database does not
    read all matches of a large tournament.
    """
    return Q((f"{match}finished_at__gte", database_after(-RECENT)))


def tournament_chain_results_append(*, tournament_id: int, recent_only: bool = False) -> int:
    """Append the results that are missing from the chain, ordered by round, table and attempt. Return their number.

    With ``recent_only``, look only at matches that finished within ``RECENT``.
    """
    places = _unchained(tournament_id, tournament_chain_matches_recent() if recent_only else Q())
    if not places:
        return 0
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().only("new_versions").get(pk=tournament_id)
        return tournament_chain_links_append(tournament_id, _results(tournament, places))


def tournament_chain_results_publish(*, tournament_id: int) -> None:
    """Update the tournament's pages, because matches have been played since they were rendered."""
    tournament_announce_later(tournament_id, reload=False)


def _unchained(tournament_id: int, among: Q) -> dict[int, Place]:
    """Return the place of each finished match whose result is missing from the chain, by match and in order.

    ``among`` is a condition on the matches. Matches that a ruling has superseded are included. The dictionary is empty
    if the tournament has no chain.
    """
    chain = ChainLink.objects.filter(tournament=tournament_id)
    untold = Match.objects.filter(among, Exists(chain), state=MatchState.FINISHED, link__isnull=True)
    drawn = untold.filter(fixture__round__tournament=tournament_id).values_list(
        "pk", "fixture__round__number", "fixture__table", "fixture__attempt"
    )
    superseded = untold.filter(superseded__ruling__tournament=tournament_id).values_list(
        "pk", "superseded__round", "superseded__table", "superseded__attempt"
    )
    # With a single query for fixtures and superseded matches, the database would read all finished matches.
    places = {match: (number, table, attempt) for match, number, table, attempt in drawn.union(superseded, all=True)}
    return dict(sorted(places.items(), key=lambda placed: placed[1]))


def _results(tournament: Tournament, places: dict[int, Place]) -> Iterator[NewLink]:
    """Yield the results of the matches in ``places``, except those that another process has appended meanwhile."""
    numbers = list(places)
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start : start + BATCH]
        results = records_chain_content(Match.objects.filter(pk__in=batch, link__isnull=True))
        versions = {version for result in results.values() for version in result["seats"]}
        entries = entry_by_version(tournament, tournament.entries.filter(entries_with_versions(tournament, versions)))
        for match in batch:
            if match not in results:
                continue
            place = dict(zip(("round", "table", "attempt"), places[match], strict=True))
            seats = [entries[version] for version in results[match]["seats"]]
            yield NewLink("result", results[match] | place | {"seats": seats}, match)
