"""What the next rounds of a stage follow from, read from the rows; see ``facts.positions``.

Drawing may take seconds, and nobody should wait for it with the database locked. So it is done between two readings: if
the second, made under the lock under which the rounds are written, equals the first, what was drawn still holds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tournaments.facts.positions import DrawPosition, Knockout, Over, RoundRobin, Swiss
from tournaments.models import Format, Stage
from tournaments.selectors.knockout import bracket_for
from tournaments.selectors.played import rounds_played_of
from tournaments.selectors.positions import dutch_at, swiss_at


def position_of(stage: Stage, present: Sequence[int]) -> DrawPosition:
    """Of a stage all of whose rounds so far are decided. ``present``: the entries that play on, the best seed first in
    a later stage."""
    return POSITIONS[Format(stage.format)](stage, present)


def _round_robin(stage: Stage, present: Sequence[int]) -> DrawPosition:
    if stage.drawn:
        return Over()
    return RoundRobin(tuple(present), stage.players_per_table, stage.tournament.luck.value)


def _swiss(stage: Stage, present: Sequence[int]) -> DrawPosition:
    return _as_swiss(stage, present) if stage.drawn < stage.rounds else Over()


def _as_swiss(stage: Stage, present: Sequence[int]) -> Swiss:
    return swiss_at(stage, present, stage.tournament.next_round, stage.tournament.luck.value)


def _dutch(stage: Stage, present: Sequence[int]) -> DrawPosition:
    if stage.drawn >= stage.rounds:
        return Over()
    return dutch_at(stage, _as_swiss(stage, present), present, rounds_played_of(stage))


def _knockout(stage: Stage, present: Sequence[int]) -> DrawPosition:
    return Knockout(bracket_for(stage, present).next_round)


POSITIONS: Final[Mapping[Format, Callable[[Stage, Sequence[int]], DrawPosition]]] = {
    Format.ROUND_ROBIN: _round_robin,
    Format.SWISS: _swiss,
    Format.DUTCH: _dutch,
    Format.DUTCH_2026: _dutch,
    Format.SINGLE_ELIMINATION: _knockout,
    Format.DOUBLE_ELIMINATION: _knockout,
    Format.HEATS: _knockout,
}
