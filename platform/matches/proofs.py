"""The records of many matches under one secret, packed so that anyone can check them; see ``games.proof``."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Prefetch

from games.proof import FORMAT, INDEX
from matches.models import Fault, Game, Match, MatchState, Seat

BATCH = 200  # matches read at once


@dataclass(frozen=True, slots=True)
class Keyed:
    """A match, what it is called, and the key under which its secret follows from the common one, or from the ``luck``
    of that number."""

    match_id: int
    key: tuple[int | str, ...]
    title: str
    luck: int | None = None


def proof_zip(
    *, name: str, secret: bytes, matches: Sequence[Keyed], luck: Sequence[Mapping[str, Any]] | None = None
) -> bytes:
    """The archive for ``peck verify``; of ``matches``, those that are not finished are left out. ``luck``: the epochs
    that matches name, as ``games.proof`` reads them."""
    packed, entries = io.BytesIO(), []
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for start in range(0, len(matches), BATCH):
            batch = matches[start : start + BATCH]
            found = _finished([one.match_id for one in batch])
            entries += [_write(archive, one, found[one.match_id]) for one in batch if one.match_id in found]
        index = {
            "format": FORMAT,
            "name": name,
            "commitment": sha256(secret).hexdigest(),
            "secret": secret.hex(),
            **({"luck": list(luck)} if luck else {}),
            "matches": entries,
        }
        archive.writestr(INDEX, json.dumps(index, separators=(",", ":")))
    return packed.getvalue()


def _finished(ids: Sequence[int]) -> dict[int, Match]:
    seats = Seat.objects.select_related("version__bot").defer("version__package", "version__report")
    faults = Fault.objects.select_related("seat").only("game", "seat__index")
    matches = Match.objects.filter(pk__in=ids, state=MatchState.FINISHED).prefetch_related(
        Prefetch("seats", seats), Prefetch("games", Game.objects.prefetch_related(Prefetch("faults", faults)))
    )
    return {match.pk: match for match in matches}


def _write(archive: ZipFile, keyed: Keyed, match: Match) -> dict[str, Any]:
    games = []
    for game in match.games.all():
        file = f"match-{match.pk}/game-{game.index + 1}.bin"
        archive.writestr(file, bytes(game.record))
        faulty = sorted(fault.seat.index for fault in game.faults.all())
        games.append({"file": file, "points": game.points, "places": game.places, "faulty": faulty})
    seats = [f"{seat.version.bot.name} v{seat.version.number}" for seat in match.seats.all()]
    return {
        "title": keyed.title,
        **({"luck": keyed.luck} if keyed.luck is not None else {}),
        "key": list(keyed.key),
        "seats": seats,
        "blocks": len(games) // len(seats),
        "games": games,
    }
