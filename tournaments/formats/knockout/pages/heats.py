"""Heats of a knockout for a page: their bots, the bots that go on, and the bots that go on without a match."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from tournaments.formats.knockout import BracketSlot, Heat, Heats
from tournaments.formats.knockout.pages.labels import (
    BracketMatchShown,
    SideShown,
    bracket_reason_label,
    heat_label,
    heat_origin_label,
    heat_round_label,
)
from tournaments.models import Entry
from tournaments.selectors.rounds.fixtures import FixturePairing


@dataclass(frozen=True, slots=True)
class PassingEntry:
    """An entry that goes on without a match from the round in which ``place`` is."""

    place: BracketSlot
    entrant: int
    seed: int

    @property
    def seating(self) -> tuple[int, ...]:
        return (self.entrant,)

    @property
    def key(self) -> str:
        return f"heats-{self.place.round}-seed-{self.seed}"


def heat_rounds(heats: Heats) -> Iterator[tuple[PassingEntry | Heat, ...]]:
    """Yield the items of each round: first the entries that go on without a match, then the heats."""
    seeds = {one.entrant: one.seed for one in heats.placings}
    for _, group in groupby(heats.bouts, key=lambda heat: heat.place.round):
        of_round = tuple(group)
        passing = of_round[0].passing
        yield (*(PassingEntry(of_round[0].place, one, seeds[one]) for one in passing), *of_round)


@dataclass(frozen=True)
class HeatsShowing:
    """Converts heats for pages.

    The heats in ``pairings`` are shown with their results. ``earned`` has the original seeds of entries that were moved
    away from bots of their author.
    """

    heats: Heats
    entries: Mapping[int, Entry]
    pairings: Mapping[BracketSlot, FixturePairing]
    disqualified: Collection[int]
    earned: Mapping[int, int]
    _rounds: dict[int, tuple[Heat, ...]] = field(init=False)

    def __post_init__(self) -> None:
        groups = groupby(self.heats.bouts, key=lambda heat: heat.place.round)
        object.__setattr__(self, "_rounds", {number: tuple(group) for number, group in groups})

    def round_name(self, bout: Heat | PassingEntry) -> str:
        """Return the name of the round of ``bout``."""
        return heat_round_label(bout.place.round, self._is_last(bout))

    def bout(self, bout: Heat | PassingEntry) -> BracketMatchShown:
        """Return a heat with its bots and its result, or a card for an entry that goes on without a match."""
        return self._passing(bout) if isinstance(bout, PassingEntry) else self._heat(bout)

    def _is_last(self, bout: Heat | PassingEntry) -> bool:
        of_round = self._rounds[bout.place.round]
        return len(of_round) == 1 and not of_round[0].passing

    def _before(self, bout: Heat | PassingEntry) -> tuple[Heat, ...]:
        return self._rounds.get(bout.place.round - 1, ())

    def _heat(self, heat: Heat) -> BracketMatchShown:
        pairing, before = self.pairings.get(heat.place), self._before(heat)
        scores = {one.entry.pk: one.score for one in pairing.sittings} if pairing else {}
        earned = {} if before else self.earned
        return BracketMatchShown(
            key=f"heats-{heat.place.round}-{heat.place.slot + 1}",
            name=heat_label(heat, self._is_last(heat)),
            sides=tuple(
                SideShown(
                    entry=self.entries[entrant],
                    seed=seed,
                    origin=heat_origin_label(entrant, before),
                    nobody=False,
                    score=scores.get(entrant),
                    wins=entrant in heat.goes_on,
                    loses=entrant in heat.order[heat.going :],
                    disqualified=entrant in self.disqualified,
                    earned=earned.get(entrant, 0),
                )
                for entrant, seed in zip(heat.entrants, heat.seeds, strict=True)
            ),
            pairing=pairing,
            reason=bracket_reason_label(heat, self.disqualified),
            bye=False,
            void=False,
            last=self._is_last(heat),
        )

    def _passing(self, one: PassingEntry) -> BracketMatchShown:
        entry, origin = self.entries[one.entrant], heat_origin_label(one.entrant, self._before(one))
        side = SideShown(entry, one.seed, origin, nobody=False, score=None, wins=True, loses=False)
        nobody = SideShown(None, 0, "", nobody=True, score=None, wins=False, loses=False)
        return BracketMatchShown(one.key, "", (side, nobody), pairing=None, reason="", bye=True, void=False)
