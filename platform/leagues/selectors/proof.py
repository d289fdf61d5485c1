"""The proof of a season; what it claims, and what not, see ``proof.season``."""

from collections.abc import Iterator
from datetime import UTC
from hashlib import sha256
from typing import Any

from django.db.models import Prefetch

from bots.models import BotVersion
from leagues.models import LeagueMatch, Season
from matches.models import Match, MatchState, Seat
from matches.proof.chain import FIRST, Link, canonical, name_digest
from matches.proof.packing import packed
from matches.replay.result_content import BATCH, records_of, results_content


def proof_of(season: Season) -> Iterator[bytes]:
    """Return a zip for ``peck verify``, piece by piece. It holds the secret: only for a season that has ended."""
    # Written twice, because the head stands before the links: it is the same both times.
    names: dict[str, object] = {}
    finished: list[int] = []
    head = Link(0, "", "", "", FIRST)
    for link in _links(season, names, finished):
        head = link
    return packed(
        name=str(season),
        head=head,
        secrets=[bytes(season.secret)],
        names=names,
        links=_links(season, {}, []),
        records=records_of(finished),
    )


def _links(season: Season, names: dict[str, object], finished: list[int]) -> Iterator[Link]:
    at = (season.finished_at or season.starts_at).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    previous = FIRST
    for number, (kind, content) in enumerate(_told(season, names, finished), start=1):
        link = Link(number, kind, at, canonical(content), previous)
        previous = link.digest
        yield link


def _told(season: Season, names: dict[str, object], finished: list[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    league = season.league
    terms = {"name": str(season), "ruleset": league.ruleset, "options": league.options}
    yield "season", terms | {"commitment": season.commitment}
    numbers = list(LeagueMatch.objects.filter(season=season).order_by("number").values_list("number", "match"))
    known: set[int] = set()
    for start in range(0, len(numbers), BATCH):
        batch = dict(numbers[start : start + BATCH])
        matches = _matches(list(batch.values()))
        results = results_content(Match.objects.filter(pk__in=matches, state=MatchState.FINISHED))
        for number, match_id in batch.items():
            match = matches[match_id]
            for seat in match.seats.all():
                if seat.version_id not in known:
                    known.add(seat.version_id)
                    yield "member", _member(season, seat.version, names)
            seats = [seat.version_id for seat in match.seats.all()]
            yield "match", {"number": number, "seats": seats, "blocks": match.blocks, "stopping": match.stopping}
            if match_id in results:
                finished.append(match_id)
                yield "result", {"number": number, **results[match_id]}
            else:
                yield "called_off", {"number": number}
    yield "season_end", {"matches": len(numbers)}


def _member(season: Season, version: BotVersion, names: dict[str, object]) -> dict[str, Any]:
    whose, name = f"entry/{version.pk}", f"{version.bot.name} v{version.number}"
    salt = sha256(bytes(season.secret) + whose.encode()).hexdigest()[:32]
    names[whose] = {"salt": salt, "name": name}
    return {"entry": version.pk, "package": version.sha256, "name": name_digest(salt, name)}


def _matches(numbers: list[int]) -> dict[int, Match]:
    seats = Seat.objects.order_by("index").select_related("version__bot")
    return Match.objects.prefetch_related(Prefetch("seats", seats)).in_bulk(numbers)
