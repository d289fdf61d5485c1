"""What a format is given of a stage to draw its next round: entrants, past rounds, and the bracket, read from rows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

from tournaments.facts import contenders_at, counted_results, past_rounds, stage_rounds_played
from tournaments.formats import RankedEntrant
from tournaments.formats.knockout import Bracket, Heats
from tournaments.formats.position import DrawPosition
from tournaments.match_secrets import luck_of
from tournaments.models import Round, Stage
from tournaments.selectors.rounds.apart import kin_of
from tournaments.selectors.rounds.stages import bracket_for, bye_facts_of, byes_of, seeding_of, tables_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.results import entrants_of, scored_byes_of
from tournaments.standings import Corrections, tallied
from tournaments.trf import RoundPlayed


def contenders_of(
    stage: Stage, present: Collection[int], before: float = inf, held: Corrections | None = None
) -> list[RankedEntrant]:
    """Return what is known of the ``present`` entries from the stage so far, or from its rounds ``before`` one. Points
    are those of the finished matches. ``held``: as if the rulings were these instead of those that were made."""
    entrants = entrants_of(stage)
    held = corrections_of(stage.tournament) if held is None else held
    tables = tables_of(stage, entrants, annulled=[one for one in entrants.values() if held.annulled(one)], held=held)
    tables = [table for table in tables if table.round < before and table.match not in held.undone]
    played = counted_results(tables, held, stage.players_per_table)
    tallies = tallied(
        list(dict.fromkeys(entrants.values())), played, [bye for bye in scored_byes_of(stage) if bye.round < before]
    )
    points = {entry: tally.points for entry, tally in tallies.items()}
    numbers = [number for number in stage.played.values_list("number", flat=True) if number < before]
    rounds = past_rounds(numbers, tables, bye_facts_of(stage))
    return contenders_at(points, rounds, present, stage.players_per_table)


def rounds_played_of(stage: Stage, before: float = inf, held: Corrections | None = None) -> list[RoundPlayed]:
    """Return every round, or those ``before`` one, up to the first with a match that is not decided; see
    ``facts.stage_rounds_played``. ``held``: as if the rulings were these instead of those that were made."""
    held = corrections_of(stage.tournament) if held is None else held
    tables = [table for table in tables_of(stage, entrants_of(stage), held=held) if table.match not in held.undone]
    rounds = [number for number in stage.played.values_list("number", flat=True) if number < before]
    return stage_rounds_played(rounds, tables, byes_of(stage, held), held)


@dataclass(frozen=True)
class StageRows:
    """Of a stage after ``drawn`` rounds, with the rounds ``before`` one; ``held``: as if the rulings were these."""

    stage: Stage
    present: Sequence[int]
    drawn: int
    next_round: int
    luck: bytes
    before: float = inf
    held: Corrections | None = None

    @property
    def first_luck(self) -> bytes:
        return luck_of(self.stage.tournament)

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        return [frozenset(pair) for pair in self.stage.tournament.forbidden_pairs.values_list("one", "other")]

    @property
    def kin(self) -> Sequence[frozenset[int]]:
        return kin_of(self.stage.tournament)

    def seeding(self) -> Sequence[int]:
        return seeding_of(self.stage)

    def contenders(self) -> Sequence[RankedEntrant]:
        return contenders_of(self.stage, self.present, self.before, self.held)

    def rounds_played(self) -> Sequence[RoundPlayed]:
        return rounds_played_of(self.stage, self.before, self.held)

    def bracket(self) -> Bracket | Heats:
        return bracket_for(self.stage, self.present, self.held)


def position_of(stage: Stage, present: Sequence[int]) -> DrawPosition:
    """Return the position of a stage all of whose rounds so far are decided. ``present``: the entries that play on, the
    best seed first in a later stage.
    """
    tournament = stage.tournament
    known = StageRows(stage, present, stage.drawn, tournament.next_round, tournament.luck.value)
    return stage.kind.position(stage.terms, known)


def position_before(played: Round, field: Collection[int], held: Corrections) -> DrawPosition:
    """Return the position before a round that was drawn, the last of its stage so far, for those in the ``field``."""
    stage, luck = played.stage, luck_of(played.tournament, played.luck)
    known = StageRows(stage, list(field), stage.drawn - 1, played.number, luck, played.number, held)
    return stage.kind.position(stage.terms, known)
