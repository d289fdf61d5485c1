"""What follows from a fold: standings, brackets, seeds and the position that the next rounds are drawn from."""

from collections.abc import Collection, Sequence

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
from tournaments.facts.positions import DrawPosition, Dutch, Knockout, Over, RoundRobin, Swiss
from tournaments.formats.knockout import Bracket, Heats
from tournaments.proof.state import EDITIONS, KINDS, Fold
from tournaments.standings import Corrections, Row, ScoredBye, standings, tallied


def standings_of(fold: Fold, number: int, held: Corrections | None = None) -> tuple[Row, ...]:
    """As the site has them."""
    held = fold.held if held is None else held
    playing, tables = fold.playing[number], fold.of_stage(number)
    terms, entrants = playing.terms, fold.entrants_of(number)
    course = None
    if terms.draws_by_standings and terms.players_per_table == 2:
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
    return placed(rows, bracket_of(fold, number, held).placings, held) if terms.is_knockout else rows


def bracket_of(fold: Fold, number: int, held: Corrections | None = None) -> Bracket | Heats:
    """The knockout ``number``, or its heats."""
    held = fold.held if held is None else held
    playing = fold.playing[number]
    terms = playing.terms
    out = set(playing.seeds) - {entry for entry, one in fold.entries.items() if one.out is None} - held.back
    times = {entry: float(fold.entries[entry].out or 0) for entry in out}
    left = gone(playing.seeds, times, playing.finished, held)
    sizes = (terms.players_per_table, terms.smallest_table)
    tables = fold.of_stage(number)
    return bracket(
        KINDS.get(terms.format), playing.seeds, tables, left, held, sizes=sizes, third_place=terms.third_place
    )


def position_of(fold: Fold, number: int) -> DrawPosition:
    """What the next rounds of the stage follow from."""
    playing = fold.playing[number]
    terms, present = playing.terms, fold.present(number)
    if terms.is_knockout:
        return Knockout(bracket_of(fold, number).next_round)
    if terms.format == "round_robin":
        return Over() if playing.drawn else RoundRobin(tuple(present), terms.players_per_table, fold.luck)
    if playing.drawn >= terms.rounds:
        return Over()
    own = _swiss(fold, number, present)
    if terms.format == "swiss":
        return own
    order = playing.seeds or lots_drawn(fold.first_luck, "seeding", fold.entries)
    played = rounds_played(fold.rounds_of(number), fold.of_stage(number), fold.byes_of(number), fold.held)
    edition = EDITIONS[terms.format]
    return Dutch(own, fold.first_luck, list(order), played, frozenset(present), terms.rounds, edition)


def seeds_of(fold: Fold, number: int) -> list[int]:
    """With which seeds the stage begins, by everything before it."""
    terms = fold.stages[number]
    if number == 1:
        return lots_drawn(fold.first_luck, "seeding", fold.present(1)) if terms.is_knockout else []
    there = set(fold.present(number - 1))
    best = [row.entrant for row in standings_of(fold, number - 1) if row.entrant in there]
    return best[: terms.entrants or None]


def _swiss(fold: Fold, number: int, present: Collection[int]) -> Swiss:
    terms, tables = fold.playing[number].terms, fold.of_stage(number)
    played = results(tables, fold.held, terms.players_per_table)
    tallies = tallied(fold.entrants_of(number), played, _byes(fold, number))
    points = {entry: tally.points for entry, tally in tallies.items()}
    rounds = past_rounds(fold.rounds_of(number), tables, fold.byes_of(number))
    return Swiss(
        contenders_at(points, rounds, set(present), terms.players_per_table),
        terms.players_per_table,
        terms.smallest_table,
        fold.luck,
        max(fold.rounds, default=0) + 1,
        fold.apart,
    )


def _byes(fold: Fold, number: int) -> Sequence[ScoredBye]:
    """Those that count: of a round that waits none does, unless nothing of it is left to be let go."""
    held = {table.round for table in fold.tables.values() if table.state is TableState.OPEN}
    return [
        ScoredBye(bye.entrant, bye.points, bye.round)
        for bye in fold.byes_of(number)
        if fold.rounds[bye.round].begun or bye.round not in held
    ]
