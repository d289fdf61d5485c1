"""What follows from a fold: standings, brackets, seeds and the position that the next rounds are drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.lots import lots_drawn
from tournaments.facts import (
    TableState,
    bracket,
    contenders_at,
    course_at,
    gone,
    past_rounds,
    placed,
    results,
    rounds_played,
)
from tournaments.formats import RankedEntrant
from tournaments.formats.knockout import Bracket, Heats
from tournaments.formats.position import DrawPosition
from tournaments.formats.registry import format_of
from tournaments.proof.state import Fold
from tournaments.standings import Corrections, Row, ScoredBye, standings, tallied
from tournaments.trf import RoundPlayed


def standings_of(fold: Fold, number: int, held: Corrections | None = None) -> tuple[Row, ...]:
    """Return the standings as the site has them."""
    held = fold.held if held is None else held
    playing, tables = fold.playing[number], fold.of_stage(number)
    terms, entrants = playing.terms, fold.entrants_of(number)
    course = None
    if playing.kind.draws_by_standings and terms.players_per_table == 2:
        begun = [at for at in fold.rounds_of(number) if fold.rounds[at].begun]
        course = course_at(begun, tables, held, terms.rounds)
    rows = standings(
        entrants,
        results(tables, held, terms.players_per_table),
        fold.terms["tie_breaks"],
        fold.first_luck,
        _byes(fold, number),
        frozenset(held.disqualified),
        course,
    )
    return placed(rows, bracket_of(fold, number, held).placings, held) if playing.kind.has_bracket else rows


def bracket_of(fold: Fold, number: int, held: Corrections | None = None) -> Bracket | Heats:
    """Return the knockout ``number``, or its heats."""
    held = fold.held if held is None else held
    playing = fold.playing[number]
    terms = playing.terms
    out = set(playing.seeds) - {entry for entry, one in fold.entries.items() if one.out is None} - held.back
    times = {entry: float(fold.entries[entry].out or 0) for entry in out}
    left = gone(playing.seeds, times, playing.finished, held)
    return bracket(playing.kind, terms, playing.seeds, fold.of_stage(number), left, held)


@dataclass(frozen=True)
class StageOfFold:
    """See ``formats.position.StageFacts``."""

    fold: Fold
    number: int

    @property
    def present(self) -> Sequence[int]:
        return self.fold.present(self.number)

    @property
    def drawn(self) -> int:
        return self.fold.playing[self.number].drawn

    @property
    def next_round(self) -> int:
        return max(self.fold.rounds, default=0) + 1

    @property
    def luck(self) -> bytes:
        return self.fold.luck

    @property
    def first_luck(self) -> bytes:
        return self.fold.first_luck

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        return self.fold.apart

    def seeding(self) -> Sequence[int]:
        seeds = self.fold.playing[self.number].seeds
        return seeds or lots_drawn(self.fold.first_luck, "seeding", self.fold.entries)

    def contenders(self) -> Sequence[RankedEntrant]:
        fold, number = self.fold, self.number
        terms, tables = fold.playing[number].terms, fold.of_stage(number)
        played = results(tables, fold.held, terms.players_per_table)
        tallies = tallied(fold.entrants_of(number), played, _byes(fold, number))
        points = {entry: tally.points for entry, tally in tallies.items()}
        rounds = past_rounds(fold.rounds_of(number), tables, fold.byes_of(number))
        return contenders_at(points, rounds, set(self.present), terms.players_per_table)

    def rounds_played(self) -> Sequence[RoundPlayed]:
        fold, number = self.fold, self.number
        return rounds_played(fold.rounds_of(number), fold.of_stage(number), fold.byes_of(number), fold.held)

    def bracket(self) -> Bracket | Heats:
        return bracket_of(self.fold, self.number)


def position_of(fold: Fold, number: int) -> DrawPosition:
    """Return what the next rounds of the stage follow from."""
    playing = fold.playing[number]
    return playing.kind.position(playing.terms, StageOfFold(fold, number))


def seeds_of(fold: Fold, number: int) -> list[int]:
    """Return the seeds with which the stage begins, by everything before it."""
    terms = fold.stages[number]
    if number == 1:
        return lots_drawn(fold.first_luck, "seeding", fold.present(1)) if format_of(terms).has_bracket else []
    there = set(fold.present(number - 1))
    best = [row.entrant for row in standings_of(fold, number - 1) if row.entrant in there]
    return best[: terms.entrants or None]


def _byes(fold: Fold, number: int) -> Sequence[ScoredBye]:
    """Return the byes that count: of a round that waits none does, unless nothing of it is left to be let go."""
    held = {table.round for table in fold.tables.values() if table.state is TableState.OPEN}
    return [
        ScoredBye(bye.entrant, bye.points, bye.round)
        for bye in fold.byes_of(number)
        if fold.rounds[bye.round].begun or bye.round not in held
    ]
