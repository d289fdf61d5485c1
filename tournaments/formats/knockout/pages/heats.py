"""A knockout in heats for a page: one column for each round, and in it every heat and who passes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from tournaments.formats.knockout import Heat, Heats, Part
from tournaments.formats.knockout.pages.shown import BracketMatchShown, Column, PartShown, SideShown
from tournaments.formats.knockout.pages.words import (
    heat_label,
    heat_round_label,
    origin_label,
    part_label,
    reason_label,
)
from tournaments.models import Entry
from tournaments.selectors.rounds.fixtures import FixturePairing


def heats_shown(
    heats: Heats,
    entries: Sequence[Entry],
    pairings: Sequence[FixturePairing],
    disqualified: Collection[int] = (),
    earned: Mapping[int, int] = MappingProxyType({}),
) -> list[PartShown]:
    """Return the rounds so far, with the results of those heats that are among ``pairings``; ``earned``: the seeds of
    those who were moved away from bots of their author.
    """
    by_id = {entry.pk: entry for entry in entries}
    played = {pairing.why.place: pairing for pairing in pairings if isinstance(pairing.why, Heat)}
    seeds = {one.entrant: one.seed for one in heats.placings}
    out = frozenset(disqualified)
    columns: list[Column] = []
    before: tuple[Heat, ...] = ()
    for number, group in groupby(heats.bouts, key=lambda heat: heat.place.round):
        of_round = tuple(group)
        last = len(of_round) == 1 and not of_round[0].passing
        moved = {} if before else earned
        bouts = [_heat(heat, before, last, by_id, played.get(heat.place), out, moved) for heat in of_round]
        columns.append(Column(heat_round_label(number, last), (*_passing(of_round[0], before, by_id, seeds), *bouts)))
        before = of_round
    return [PartShown(Part.HEATS, part_label(Part.HEATS, double=False), tuple(columns))]


def _heat(
    heat: Heat,
    before: Sequence[Heat],
    last: bool,
    by_id: Mapping[int, Entry],
    pairing: FixturePairing | None,
    out: frozenset[int],
    moved: Mapping[int, int],
) -> BracketMatchShown:
    scores = {one.entry.pk: one.score for one in pairing.sittings} if pairing else {}
    return BracketMatchShown(
        key=f"heats-{heat.place.round}-{heat.place.slot + 1}",
        name=heat_label(heat, last),
        sides=tuple(
            SideShown(
                entry=by_id[entrant],
                seed=seed,
                origin=origin_label(entrant, before),
                nobody=False,
                score=scores.get(entrant),
                wins=entrant in heat.goes_on,
                loses=entrant in heat.order[heat.going :],
                disqualified=entrant in out,
                earned=moved.get(entrant, 0),
            )
            for entrant, seed in zip(heat.entrants, heat.seeds, strict=True)
        ),
        pairing=pairing,
        reason=reason_label(heat, out),
        bye=False,
        void=False,
    )


def _passing(
    heat: Heat, before: Sequence[Heat], by_id: Mapping[int, Entry], seeds: Mapping[int, int]
) -> Iterator[BracketMatchShown]:
    """Yield a card for each who goes on from the round of ``heat`` without a match."""
    for entrant in heat.passing:
        origin = origin_label(entrant, before)
        side = SideShown(by_id[entrant], seeds[entrant], origin, nobody=False, score=None, wins=True, loses=False)
        nobody = SideShown(None, 0, "", nobody=True, score=None, wins=False, loses=False)
        key = f"heats-{heat.place.round}-seed-{seeds[entrant]}"
        yield BracketMatchShown(key, "", (side, nobody), pairing=None, reason="", bye=True, void=False)
