"""Records of games: downloads for pages and the API, rows for exports, and contents of hash chains and proofs."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from games.catalogue.code import game_code_read
from games.record import Record, RecordError
from matches.models import Fault, Game, Match, MatchState, Seat
from matches.proof.chain import chain_fault_digest
from matches.referee.scoring import scoring_seats_by_position
from matches.selectors import matches_with_seats
from matches.visibility import match_games_visible, matches_visible


def match_record_download(user: AbstractBaseUser | AnonymousUser, pk: int, index: int, form: str) -> HttpResponse:
    """Return a record as a download, for a user who may see the match. ``form`` is "json" or "bin".

    Raises:
        Http404: ``user`` may see no such match; there is no such game or form; or ``form`` is "json", and the game is
            not installed.
    """
    if form not in ("json", "bin"):
        raise Http404
    match = get_object_or_404(matches_with_seats(matches_visible(user)), pk=pk)
    game = get_object_or_404(match_games_visible(match), index=index)
    response: HttpResponse
    if form == "bin":
        response = HttpResponse(bytes(game.record), content_type="application/octet-stream")
    else:
        try:
            response = JsonResponse(_record_json(match, game), json_dumps_params={"indent": 1})
        except RecordError as error:
            raise Http404(str(error)) from error
    response["Content-Disposition"] = f'attachment; filename="match-{pk}-game-{index + 1}.{form}"'
    return response


def _record_json(match: Match, game: Game) -> dict[str, Any]:
    """Return a game's record as JSON for people and for programs in other languages. ``bots`` are in table order."""
    record = Record.decode(bytes(game.record))
    seats = list(match.seats.all())
    return {
        "match": match.pk,
        "game": game.index,
        "bots": [
            {"name": seats[seat].version.bot.name, "version": seats[seat].version.number}
            for seat in scoring_seats_by_position(game.index, len(seats))
        ],
        "ruleset": record.ruleset,
        "code": match.code,
        "players": record.players,
        "options": dict(record.options),
        "seed": record.seed.hex(),
        "actions": list(record.actions),
        "interventions": [one._asdict() for one in record.interventions],
        "digest": record.digest.hex(),
    }


BATCH: Final = 100  # matches read at once
CODES_AT_ONCE: Final = 10_000  # matches in a query, because databases limit its parameters
# The fields of a fault that only the bot's author sees
PRIVATE_FIELDS: Final = ("exception", "detail", "line", "answer")


def records_chain_content(matches: QuerySet[Match]) -> dict[int, dict[str, Any]]:
    """Return what the chain has of finished ``matches``, by match id. ``seats`` has version ids. Four queries."""
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
    # Rows instead of objects: a match has tens of games, and an object costs more to create than its row to read.
    for match, game, record, points, places in games.values_list("match", "pk", "record", "points", "places"):
        told = {"record": sha256(record).hexdigest(), "points": points, "places": places, "faults": faults[game]}
        results[match]["games"].append(told)
    return results


def records_of_matches(matches: list[int]) -> Iterator[bytes]:
    """Yield the records of all games, match by match."""
    for start in range(0, len(matches), BATCH):
        batch = matches[start : start + BATCH]
        order = {match: at for at, match in enumerate(batch)}
        games = Game.objects.filter(match__in=batch).values_list("match", "index", "record")
        for _, _, record in sorted(games, key=lambda game: (order[game[0]], game[1])):
            yield bytes(record)


RECORD_SHOWN: Final = (  # an example of a row, as JSON
    '{"match":7,"game":0,"bots":[{"bot":"hen","version":2},{"bot":"crow","version":1}],"points":[9,4],"places":[1,2],'
    '"record":"UEVDSwE="}'
)


def match_record_rows(matches: QuerySet[Match]) -> Iterator[dict[str, Any]]:
    """Yield a row for each game of finished ``matches``: its record in base 64, its seats and its result.

    Seats and results are in table order. ``BATCH`` matches are read at a time, so that a slow reader holds no
    transaction.
    """
    finished, last = matches.filter(state=MatchState.FINISHED).order_by("pk"), 0
    while batch := list(finished.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        last = batch[-1]
        sat: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
        seats = Seat.objects.filter(match__in=batch).order_by("match", "index")
        for match, slug, version in seats.values_list("match", "version__bot__slug", "version__number"):
            sat[match].append({"bot": slug, "version": version})
        games = Game.objects.filter(match__in=batch).order_by("match", "index")
        for match, index, record, points, places in games.values_list("match", "index", "record", "points", "places"):
            order = scoring_seats_by_position(index, len(sat[match]))
            yield {
                "match": match,
                "game": index,
                "bots": [sat[match][seat] for seat in order],
                "points": [points[seat] for seat in order],
                "places": [places[seat] for seat in order],
                "record": b64encode(record).decode(),
            }


def records_game_codes(matches: Sequence[int]) -> dict[str, list[str]]:
    """Return, by game, the codes (``games.catalogue.code``) with which ``matches`` were played.

    Only packaged games have codes.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for start in range(0, len(matches), CODES_AT_ONCE):
        played = Match.objects.filter(pk__in=matches[start : start + CODES_AT_ONCE]).exclude(code="").order_by()
        for ruleset, text in played.values_list("ruleset", "code").distinct():
            if (code := game_code_read(text)) is not None and not code.is_own:
                found[ruleset.partition("/")[0]].add(text)
    return {game: sorted(found[game]) for game in sorted(found)}


def _faults(matches: list[int]) -> defaultdict[int, list[dict[str, Any]]]:
    """Return, by game id, what the chain has of the faults in these matches, in the order of seats."""
    faults: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = Fault.objects.filter(game__match__in=matches).order_by("seat__index")
    for game, seat, verdict, at, *texts in rows.values_list(
        "game", "seat__index", "verdict", "action_index", *PRIVATE_FIELDS
    ):
        digest = chain_fault_digest(dict(zip(PRIVATE_FIELDS, texts, strict=True)))
        faults[game].append({"seat": seat, "verdict": verdict, "action": at, "said": digest})
    return faults
