"""A game's record, to keep and to replay at home: for the site's pages and for the API."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from games.record import Record, RecordError
from matches.models import Game, Match
from matches.pages.match_page import match_with_seats
from matches.referee.rotation import seats_by_position
from matches.visibility import games_shown, matches_visible


def record_response(user: AbstractBaseUser | AnonymousUser, pk: int, index: int, form: str) -> HttpResponse:
    """Return the record as a download, "json" or "bin", for a user who may see the match.

    Raises:
        Http404: no such match for ``user``, game or form; or the names of its actions are unknown, because the game is
            not installed any more. Its bytes can be had.
    """
    if form not in ("json", "bin"):
        raise Http404
    match = get_object_or_404(match_with_seats(matches_visible(user)), pk=pk)
    game = get_object_or_404(games_shown(match), index=index)
    response: HttpResponse
    if form == "bin":
        response = HttpResponse(bytes(game.record), content_type="application/octet-stream")
    else:
        try:
            response = JsonResponse(record_json(match, game), json_dumps_params={"indent": 1})
        except RecordError as error:
            raise Http404(str(error)) from error
    response["Content-Disposition"] = f'attachment; filename="match-{pk}-game-{index + 1}.{form}"'
    return response


def record_json(match: Match, game: Game) -> dict[str, Any]:
    """Return a game's record for people and programs of other languages; ``bots`` in table order."""
    record = Record.decode(bytes(game.record))
    seats = list(match.seats.all())
    return {
        "match": match.pk,
        "game": game.index,
        "bots": [
            {"name": seats[seat].version.bot.name, "version": seats[seat].version.number}
            for seat in seats_by_position(game.index, len(seats))
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
