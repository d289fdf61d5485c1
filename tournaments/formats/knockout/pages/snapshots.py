"""The bracket of a knockout as a snapshot. Pages read the snapshot; services, proofs and files compute the bracket.

To compute a bracket, the facts of all matches of a stage are read. A bracket changes only when the revision of its
tournament changes. No page shows an outdated bracket: if no worker has computed it since the last change, the request
that needs it does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec

from tournaments.formats.knockout import Bracket, BracketSlot, Heats
from tournaments.models import Stage
from tournaments.selectors.rounds.stages import stage_bracket_drawn
from tournaments.selectors.standings.ranking import (
    standings_snapshot_key,
    standings_snapshot_moment,
    standings_snapshot_refresh_send,
)
from web.snapshots import SnapshotPart

FORM: Final = 1  # version of the payload; increment it when ``Bracket`` or ``Heats`` changes


@dataclass(frozen=True, slots=True)
class BracketDrawn:
    """A bracket, and the id of the match in each slot."""

    bracket: Bracket | Heats
    matches: Mapping[BracketSlot, int]


class _Payload(msgspec.Struct, frozen=True, array_like=True):
    form: int
    kind: str
    bracket: msgspec.Raw
    matches: list[tuple[BracketSlot, int]]


def bracket_snapshot(stage: Stage) -> BracketDrawn:
    """Return the bracket of a stage that has begun, see ``stage_bracket_current``."""
    return bracket_snapshot_part(stage).read(lambda _drawn: False).value


def bracket_snapshot_part(stage: Stage) -> SnapshotPart[BracketDrawn]:
    return SnapshotPart(
        key=standings_snapshot_key(stage.tournament_id, f"bracket.{stage.pk}"),
        moment=partial(standings_snapshot_moment, stage.tournament_id),
        compute=lambda: BracketDrawn(*stage_bracket_drawn(stage)),
        encode=_encode,
        decode=_decode,
        send=partial(standings_snapshot_refresh_send, "bracket", stage.pk),
        refresh_ratio=0,
    )


def _encode(drawn: BracketDrawn) -> bytes:
    bracket = msgspec.Raw(msgspec.msgpack.encode(drawn.bracket))
    return msgspec.msgpack.encode(_Payload(FORM, type(drawn.bracket).__name__, bracket, list(drawn.matches.items())))


def _decode(payload: bytes) -> BracketDrawn:
    stored = _DECODE(payload)
    decode = _DECODE_BRACKET.get(stored.kind)
    if decode is None or stored.form != FORM:
        raise msgspec.ValidationError(f"no bracket of the format {FORM}")
    return BracketDrawn(decode(stored.bracket), dict(stored.matches))


_DECODE: Final = msgspec.msgpack.Decoder(_Payload).decode
_DECODE_BRACKET: Final[Mapping[str, Callable[[msgspec.Raw], Bracket | Heats]]] = {
    Bracket.__name__: msgspec.msgpack.Decoder(Bracket).decode,
    Heats.__name__: msgspec.msgpack.Decoder(Heats).decode,
}
