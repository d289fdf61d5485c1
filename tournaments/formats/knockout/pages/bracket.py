"""A bracket for a page: its matches with bots, results and links.

First the whole bracket is computed. Then the matches for the page are chosen, and only their rows are read.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Protocol, TypeAlias

from matches.pages.labels import match_open_label
from tournaments.formats.knockout import Bracket, BracketMatch, BracketSlot, DecidedBy, Heat, Heats, Part, Side
from tournaments.formats.knockout.heats import is_last_heat_or_bout
from tournaments.formats.knockout.pages.heats import HeatsShowing, PassingEntry, heat_rounds
from tournaments.formats.knockout.pages.labels import (
    BracketMatchShown,
    Column,
    PartShown,
    SideShown,
    bracket_part_label,
    bracket_reason_label,
    bracket_round_label,
    bracket_short_source_label,
    bracket_slot_label,
    bracket_slot_short_label,
    bracket_source_label,
)
from tournaments.formats.knockout.pages.snapshots import bracket_snapshot
from tournaments.models import Entry, Stage
from tournaments.selectors.entering.entry_versions import entries_shown
from tournaments.selectors.rounds.fixtures import FixturePairing, fixture_pairings_of
from tournaments.selectors.rounds.forbidden_pairs import forbidden_author_groups_of
from tournaments.selectors.rounds.stages import stage_first_seeds
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.standings.ranking import standings_snapshot

# The criteria that decide a match of two bots if the games of the match have not shown that one of them is better.
BY_PLAY: Final = frozenset({DecidedBy.SCORE, DecidedBy.GAME_POINTS, DecidedBy.SEED})

Bout: TypeAlias = BracketMatch | Heat | PassingEntry


@dataclass(frozen=True, slots=True)
class BracketPlan:
    """The rounds of each part of a bracket, and the ids of matches by slot. The winners' bracket is the first part."""

    bracket: Bracket | Heats
    parts: tuple[tuple[Part, tuple[tuple[Bout, ...], ...]], ...]
    matches: Mapping[BracketSlot, int]

    @property
    def first_round(self) -> tuple[Bout, ...]:
        return self.parts[0][1][0] if self.parts else ()

    def share(self, number: int, of: int) -> "BracketPlan":
        """Return share ``number``, from 1, of the bracket. Each round is cut into ``of`` shares of neighbours."""
        parts = tuple((part, tuple(_round_share(one, number, of) for one in rounds)) for part, rounds in self.parts)
        return BracketPlan(self.bracket, parts, self.matches)

    def end(self, *, bouts: int, rounds: int) -> "BracketPlan":
        """Return the last ``rounds`` rounds of each part. Leave out rounds that have more than ``bouts`` matches."""
        small = ((part, tuple(one for one in of_part if len(one) <= bouts)[-rounds:]) for part, of_part in self.parts)
        return BracketPlan(self.bracket, tuple((part, kept) for part, kept in small if kept), self.matches)


def _round_share(of_round: tuple[Bout, ...], number: int, of: int) -> tuple[Bout, ...]:
    """Return a share of a round. If the round has fewer matches than shares, a match is in several shares."""
    if len(of_round) < of:
        return (of_round[len(of_round) * (number - 1) // of],)
    size = -(-len(of_round) // of)
    return of_round[size * (number - 1) : size * number]


def bracket_page_plan(stage: Stage) -> BracketPlan:
    """Return the bracket of a knockout that has begun, without the rounds in which nobody will play."""
    drawn = bracket_snapshot(stage)
    bracket, matches = drawn.bracket, drawn.matches
    if isinstance(bracket, Heats):
        return BracketPlan(bracket, ((Part.HEATS, tuple(heat_rounds(bracket))),), matches)
    of_part = {part: tuple(_rounds(bracket, part)) for part in Part}
    return BracketPlan(bracket, tuple((part, rounds) for part, rounds in of_part.items() if rounds), matches)


def _rounds(bracket: Bracket, part: Part) -> Iterator[tuple[Bout, ...]]:
    bouts = [bout for bout in bracket.bouts if bout.place.part is part]
    for _, group in groupby(bouts, key=lambda bout: bout.place.round):
        of_round = tuple(group)
        if not all(_is_void(bout) for bout in of_round):
            yield of_round


def _is_void(bout: BracketMatch) -> bool:
    return bout.first.empty and bout.second.empty


def bracket_page_match_key(bout: Bout) -> str:
    """Return the name of a match in its bracket, e.g. "winners-2-1"."""
    return bout.key if isinstance(bout, PassingEntry) else f"{bout.place.part}-{bout.place.round}-{bout.place.slot + 1}"


def bracket_page_parts(stage: Stage, plan: BracketPlan) -> list[PartShown]:
    """Return the parts of ``plan`` with the bots and the results of its matches."""
    bouts = [bout for _, rounds in plan.parts for of_round in rounds for bout in of_round]
    drawn = [plan.matches[one.place] for one in bouts if one.place in plan.matches]
    pairings = fixture_pairings_of(stage, matches=drawn)
    entries = _entries_of(stage, bouts, pairings)
    showing = _showing(stage, plan.bracket, entries, pairings)
    double = isinstance(plan.bracket, Bracket) and stage.facts["double"]
    ending = {Part.FINAL if double else Part.WINNERS, Part.HEATS}
    parts = [
        PartShown(
            part,
            bracket_part_label(part, double),
            tuple(Column(showing.round_name(one[0]), tuple(map(showing.bout, one))) for one in rounds),
            ends=part in ending,
        )
        for part, rounds in plan.parts
    ]
    champion = next((part.columns[-1].bouts[0].winner for part in parts if part.ends), None)
    return [replace(part, champion=champion) for part in parts]


def bracket_page_round(stage: Stage, number: int, tables: Collection[int], *, drafts: bool) -> list[BracketMatchShown]:
    """Return the matches of a round of a knockout, for the numbers in ``tables`` and in their order."""
    bracket = bracket_snapshot(stage).bracket
    pairings = fixture_pairings_of(stage, rounds=[number], tables=tables, drafts=drafts)
    by_place: dict[BracketSlot, Any] = {bout.place: bout for bout in bracket.bouts}
    bouts = [by_place[pairing.why.place] for pairing in pairings if isinstance(pairing.why, PLAYED)]
    showing = _showing(stage, bracket, _entries_of(stage, bouts, pairings), pairings)
    return [showing.bout(bout) for bout in bouts]


def bracket_tables_with_outcomes(
    stage: Stage, pairings: Sequence[FixturePairing], bracket: Bracket | Heats | None = None
) -> list[FixturePairing]:
    """Return the tables of a knockout. The entrants that go on are marked as ``first``.

    If the scores alone do not show who goes on, the table gets an ``outcome`` in words. ``bracket`` is the bracket of
    the stage, if the caller has already read it.
    """
    if not any(pairing.decided for pairing in pairings):
        return list(pairings)
    bracket = bracket or bracket_snapshot(stage).bracket
    by_place = {bout.place: bout for bout in bracket.bouts}
    bouts = [by_place.get(one.why.place) if isinstance(one.why, PLAYED) else None for one in pairings]
    entries = _entries_of(stage, [bout for bout in bouts if bout], pairings)
    showing = _showing(stage, bracket, entries, pairings, {})
    return [_with_outcome(pairing, bout, showing) for pairing, bout in zip(pairings, bouts, strict=True)]


def _entries_of(stage: Stage, bouts: Iterable[Bout], pairings: Sequence[FixturePairing]) -> dict[int, Entry]:
    """Return the entries of the ``bouts``. Take them from ``pairings`` where possible, and read only the others."""
    entries = {one.entry.pk: one.entry for pairing in pairings for one in pairing.sittings}
    if others := {entrant for bout in bouts for entrant in bout.seating} - entries.keys():
        entries |= entries_shown(stage.tournament.entries.all()).in_bulk(others)
    return entries


def _with_outcome(pairing: FixturePairing, bout: BracketMatch | Heat | None, showing: "_Showing") -> FixturePairing:
    if bout is None or not bout.decided or not pairing.decided:
        return pairing
    going, shown = set(bout.goes_on), showing.bout(bout)
    sittings = tuple(replace(one, first=one.entry.pk in going) for one in pairing.sittings)
    return replace(pairing, sittings=sittings, outcome="" if shown.is_plain else shown.outcome)


def bracket_page_rounds_out(stage: Stage, bracket: Bracket | Heats, entrants: Collection[int]) -> dict[int, str]:
    """Return, for each of the ``entrants`` that went out, the name of the round in which it went out."""
    showing = _showing_with(stage, bracket, {}, {}, frozenset(), {})
    out = {one.entrant: one.out for one in bracket.placings if one.out is not None and one.entrant in entrants}
    bouts = {bout.place: bout for bout in bracket.bouts}
    return {entrant: showing.round_name(bouts[place]) for entrant, place in out.items()}


PLAYED: Final = (BracketMatch, Heat)


class _Showing(Protocol):
    """Converts the items of a bracket for pages.

    The items are matches of two, or heats and entries that go on without a match.
    """

    def round_name(self, bout: Any) -> str: ...

    def bout(self, bout: Any) -> BracketMatchShown: ...


def _showing(
    stage: Stage,
    bracket: Bracket | Heats,
    entries: Mapping[int, Entry],
    pairings: Sequence[FixturePairing],
    moved: Mapping[int, int] | None = None,
) -> _Showing:
    placed = {one.why.place: one for one in pairings if isinstance(one.why, PLAYED)}
    out = frozenset(ruling_corrections_of(stage.tournament).disqualified)
    return _showing_with(
        stage, bracket, entries, placed, out, bracket_page_seeds_moved(stage) if moved is None else moved
    )


def _showing_with(
    stage: Stage,
    bracket: Bracket | Heats,
    entries: Mapping[int, Entry],
    placed: Mapping[BracketSlot, FixturePairing],
    out: frozenset[int],
    moved: Mapping[int, int],
) -> _Showing:
    if isinstance(bracket, Heats):
        return HeatsShowing(bracket, entries, placed, out, moved)
    return _MatchesShowing(stage.facts["double"], entries, placed, out, moved)


def bracket_page_seeds_moved(stage: Stage) -> dict[int, int]:
    """Return the original seeds of the entries that were moved away from bots of their author.

    If a ruling has changed the places of the stage before, the original seeds are not known any more, and the result is
    empty.
    """
    groups = forbidden_author_groups_of(stage.tournament)
    seeds = list(stage.seeds.values_list("entry_id", flat=True)) if groups else []
    if not seeds:
        return {}
    earned = stage_first_seeds(stage, seeds)
    if stage.number > 1:
        before = stage.tournament.stages.get(number=stage.number - 1)
        earned = [row.entrant for row in standings_snapshot(before).value if row.entrant in set(seeds)]
    if stage.kind.seeded(stage.terms, earned, groups) != seeds:
        return {}
    now = {entry: number for number, entry in enumerate(seeds, start=1)}
    return {entry: number for number, entry in enumerate(earned, start=1) if now[entry] != number}


@dataclass(frozen=True, slots=True)
class _MatchesShowing:
    """Converts matches of two for pages, as ``HeatsShowing`` converts heats.

    ``double`` tells whether the knockout is a double elimination.
    """

    double: bool
    entries: Mapping[int, Entry]
    pairings: Mapping[BracketSlot, FixturePairing]
    disqualified: frozenset[int]
    moved: Mapping[int, int]

    def round_name(self, bout: BracketMatch) -> str:
        return bracket_round_label(bout.place, self.double)

    def bout(self, bout: BracketMatch) -> BracketMatchShown:
        pairing = self.pairings.get(bout.place)
        return BracketMatchShown(
            key=bracket_page_match_key(bout),
            name=bracket_slot_label(bout.place, self.double),
            sides=(self._side(bout, bout.first, pairing), self._side(bout, bout.second, pairing)),
            pairing=pairing,
            reason=self._reason(bout, pairing),
            bye=bout.empty and bool(bout.seating),
            void=_is_void(bout),
            last=is_last_heat_or_bout(bout, self.double),
            code="" if bout.empty else bracket_slot_short_label(bout.place, self.double),
        )

    def _reason(self, bout: BracketMatch, pairing: FixturePairing | None) -> str:
        if bout.verdict is None:
            return ""
        reason = bracket_reason_label(bout, self.disqualified)
        if bout.verdict.by not in BY_PLAY or pairing is None or pairing.replaced:
            return reason
        return "; ".join(filter(None, [match_open_label(pairing.ending, pairing.blocks or 0), reason]))

    def _side(self, bout: BracketMatch, side: Side, pairing: FixturePairing | None) -> SideShown:
        sitting = next((one for one in pairing.sittings if one.entry.pk == side.entrant), None) if pairing else None
        return SideShown(
            entry=self.entries[side.entrant] if side.entrant is not None else None,
            seed=side.seed,
            origin=bracket_source_label(side.feed, self.double),
            nobody=side.empty,
            score=sitting.score if sitting else None,
            wins=bout.verdict is not None and bout.verdict.winner == side.entrant,
            loses=bout.verdict is not None and bout.verdict.loser == side.entrant,
            disqualified=side.entrant in self.disqualified,
            earned=self.moved.get(side.entrant, 0) if side.entrant and side.feed.place is None else 0,
            short_origin="" if side.entrant else bracket_short_source_label(side.feed, self.double),
        )
