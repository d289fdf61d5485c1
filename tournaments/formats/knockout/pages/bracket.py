"""A bracket for a page: every match with its bots by name, its result and its link."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from matches.pages.labels import open_label
from tournaments.formats.knockout import BracketMatch, DecidedBy, Heats, Part, Side
from tournaments.formats.knockout.pages.heats import heats_shown
from tournaments.formats.knockout.pages.shown import BracketMatchShown, Column, PartShown, SideShown
from tournaments.formats.knockout.pages.words import (
    part_label,
    reason_label,
    round_label,
    slot_label,
    source_label,
)
from tournaments.models import Entry, Stage
from tournaments.selectors.rounds.apart import authors_of
from tournaments.selectors.rounds.fixtures import FixturePairing, pairings_of
from tournaments.selectors.rounds.knockout import bracket_as_it_is
from tournaments.selectors.rounds.seeding import first_seeds
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.snapshots import standings_snapshot

# What parts two bots of which a series has not shown either to be better.
BY_PLAY: Final = frozenset({DecidedBy.SCORE, DecidedBy.GAME_POINTS, DecidedBy.SEED})


def bracket_shown(stage: Stage, entries: Sequence[Entry]) -> list[PartShown]:
    """Return the parts of a knockout that has begun, the winners' first."""
    bracket = bracket_as_it_is(stage)
    if isinstance(bracket, Heats):
        out = corrections_of(stage.tournament).disqualified
        return heats_shown(bracket, entries, pairings_of(stage, entries), out, moved_apart(stage))
    double = stage.facts["double"]
    shown = _Showing(stage, entries, double)
    bouts = bracket.bouts
    parts = []
    for part in Part:
        columns = tuple(_columns([bout for bout in bouts if bout.place.part is part], shown))
        if columns:
            parts.append(PartShown(part, part_label(part, double), columns))
    return parts


def round_shown(stage: Stage, entries: Sequence[Entry], number: int) -> list[BracketMatchShown]:
    """Return the matches of a round of a knockout, in the order of its tables."""
    bracket = bracket_as_it_is(stage)
    drawn = pairings_of(stage, entries, [number])
    if isinstance(bracket, Heats):
        out = corrections_of(stage.tournament).disqualified
        columns = [
            column for part in heats_shown(bracket, entries, drawn, out, moved_apart(stage)) for column in part.columns
        ]
        return [bout for column in columns for bout in column.bouts if bout.pairing]
    shown = _Showing(stage, entries, stage.facts["double"])
    decided = {bout.place: bout for bout in bracket.bouts}
    places = (pairing.why.place for pairing in drawn if isinstance(pairing.why, BracketMatch))
    return [shown.bout(decided[place]) for place in places]


def moved_apart(stage: Stage) -> dict[int, int]:
    """Return the seeds that entries would have, had they not been moved away from bots of their author; nothing where
    that cannot be told any more, because a ruling changed the places of the stage before."""
    groups = authors_of(stage.tournament)
    seeds = list(stage.seeds.values_list("entry_id", flat=True)) if groups else []
    if not seeds:
        return {}
    earned = first_seeds(stage, seeds)
    if stage.number > 1:
        before = stage.tournament.stages.get(number=stage.number - 1)
        earned = [row.entrant for row in standings_snapshot(before).value if row.entrant in set(seeds)]
    if stage.kind.seeded(stage.terms, earned, groups) != seeds:
        return {}
    now = {entry: number for number, entry in enumerate(seeds, start=1)}
    return {entry: number for number, entry in enumerate(earned, start=1) if now[entry] != number}


def _columns(bouts: Sequence[BracketMatch], shown: "_Showing") -> Iterator[Column]:
    for _, group in groupby(bouts, key=lambda bout: bout.place.round):
        played = [shown.bout(bout) for bout in group]
        first = played[0]
        if not all(bout.void for bout in played):
            yield Column(shown.round_names[first.key], tuple(played))


class _Showing:
    def __init__(self, stage: Stage, entries: Sequence[Entry], double: bool) -> None:
        self.double = double
        self.moved = moved_apart(stage)
        self.by_id: Mapping[int, Entry] = {entry.pk: entry for entry in entries}
        self.pairings = {
            pairing.why.place: pairing
            for pairing in pairings_of(stage, entries)
            if isinstance(pairing.why, BracketMatch)
        }
        self.round_names: dict[str, str] = {}
        self.disqualified = frozenset(corrections_of(stage.tournament).disqualified)

    def bout(self, bout: BracketMatch) -> BracketMatchShown:
        place = bout.place
        key = f"{place.part}-{place.round}-{place.slot + 1}"
        self.round_names[key] = round_label(place, self.double)
        pairing = self.pairings.get(place)
        return BracketMatchShown(
            key=key,
            name=slot_label(place, self.double),
            sides=(self._side(bout, bout.first, pairing), self._side(bout, bout.second, pairing)),
            pairing=pairing,
            reason=self._reason(bout, pairing),
            bye=bout.empty and bool(bout.seating),
            void=bout.first.empty and bout.second.empty,
        )

    def _reason(self, bout: BracketMatch, pairing: FixturePairing | None) -> str:
        if bout.verdict is None:
            return ""
        reason = reason_label(bout, self.disqualified)
        if bout.verdict.by not in BY_PLAY or pairing is None or pairing.replaced:
            return reason
        return "; ".join(filter(None, [open_label(pairing.ending, pairing.blocks or 0), reason]))

    def _side(self, bout: BracketMatch, side: Side, pairing: FixturePairing | None) -> SideShown:
        sitting = next((one for one in pairing.sittings if one.entry.pk == side.entrant), None) if pairing else None
        return SideShown(
            entry=self.by_id[side.entrant] if side.entrant is not None else None,
            seed=side.seed,
            origin=source_label(side.feed, self.double),
            nobody=side.empty,
            score=sitting.score if sitting else None,
            wins=bout.verdict is not None and bout.verdict.winner == side.entrant,
            loses=bout.verdict is not None and bout.verdict.loser == side.entrant,
            disqualified=side.entrant in self.disqualified,
            earned=self.moved.get(side.entrant, 0) if side.entrant and side.feed.place is None else 0,
        )
