"""Finished matches as they are in a chain, and the records of their games as they are in a proof."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final

from django.db.models import QuerySet

from games.catalogue.code import read_code
from matches.models import Fault, Game, Match, Seat
from matches.proof.chain import fault_digest

BATCH: Final = 100  # matches read at once
CODES_AT_ONCE: Final = 10_000  # matches; databases bound the parameters of a query
SAID: Final = ("exception", "detail", "line", "answer")  # what only the author of a bot sees of its fault


def results_content(matches: QuerySet[Match]) -> dict[int, dict[str, Any]]:
    """Return by match what a chain holds of finished ``matches``, whose ``seats`` are versions; four queries."""
    results: dict[int, dict[str, Any]] = {
        match: {"seats": [], "blocks": blocks, "ending": ending, "forfeited": [], "games": []}
        for match, blocks, ending in matches.values_list("pk", "blocks_played", "ending")
    }
    seats = Seat.objects.filter(match__in=list(results)).order_by("index")
    for match, version, has_forfeited in seats.values_list("match", "version", "has_forfeited"):
        results[match]["seats"].append(version)
        results[match]["forfeited"].append(has_forfeited)
    faults = _faults(list(results))
    games = Game.objects.filter(match__in=list(results)).order_by("index")
    # Rows, not objects: a match has tens of games, and an object costs more to make than its row to read.
    for match, game, record, points, places in games.values_list("match", "pk", "record", "points", "places"):
        told = {"record": sha256(record).hexdigest(), "points": points, "places": places, "faults": faults[game]}
        results[match]["games"].append(told)
    return results


def records_of(matches: list[int]) -> Iterator[bytes]:
    """Return the records of all games, match by match."""
    for start in range(0, len(matches), BATCH):
        batch = matches[start : start + BATCH]
        order = {match: at for at, match in enumerate(batch)}
        games = Game.objects.filter(match__in=batch).values_list("match", "index", "record")
        for _, _, record in sorted(games, key=lambda game: (order[game[0]], game[1])):
            yield bytes(record)


def codes_of(matches: Sequence[int]) -> dict[str, list[str]]:
    """Return the codes (``games.catalogue.code``) by which these matches were played, by the names of games, of those
    alone that packages bring."""
    found: dict[str, set[str]] = defaultdict(set)
    for start in range(0, len(matches), CODES_AT_ONCE):
        played = Match.objects.filter(pk__in=matches[start : start + CODES_AT_ONCE]).exclude(code="").order_by()
        for ruleset, text in played.values_list("ruleset", "code").distinct():
            if (code := read_code(text)) is not None and not code.is_own:
                found[ruleset.partition("/")[0]].add(text)
    return {game: sorted(found[game]) for game in sorted(found)}


def _faults(matches: list[int]) -> defaultdict[int, list[dict[str, Any]]]:
    """Return by game, by seat, the content of a chain about the faults in these matches."""
    told: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = Fault.objects.filter(game__match__in=matches).order_by("seat__index")
    for game, seat, verdict, at, *said in rows.values_list("game", "seat__index", "verdict", "action_index", *SAID):
        digest = fault_digest(dict(zip(SAID, said, strict=True)))
        told[game].append({"seat": seat, "verdict": verdict, "action": at, "said": digest})
    return told
