"""Compute the consequences of a proposed ruling.

For this, the state that follows from all rulings, including the proposed one, is compared with the current state. The
consequences include the matches that are cancelled, that are played after all, and that the stand-in plays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from matches.models import UNDECIDED, MatchState
from matches.models import Seat as MatchSeat
from tournaments.facts import Replaced, TableFact, TableState, facts_bracket_replaced, facts_tables_replaced
from tournaments.formats.knockout import BoutChange, BracketSlot, heat_bouts_changed
from tournaments.models import Entry, Fixture, Rewound, Seed, Stage, SupersededMatch, Tournament
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rounds.forbidden_pairs import forbidden_author_groups_of
from tournaments.selectors.rounds.stage_draws import waiting_round_redraw
from tournaments.selectors.rounds.stages import stage_bracket_current, stage_superseded_tables_of, stage_table_facts_of
from tournaments.selectors.rulings.corrections import entries_shut_out_by_rulings
from tournaments.selectors.rulings.ruling_log import rulings_of
from tournaments.selectors.rulings.ruling_preview import Change, Consequences, Proposal, ruling_preview_basis_of
from tournaments.selectors.standings.ranking import standings_of
from tournaments.standings import (
    Absence,
    Corrections,
    Row,
    RulingCode,
    StandingRuling,
    standings_corrections,
    standings_taking_part,
)

SILENT: Final = (RulingCode.NOTE, RulingCode.REOPEN)  # kinds of rulings that change no results, draws or entries


def ruling_consequences_of(tournament: Tournament, proposal: Proposal) -> Consequences:
    """Return the consequences of a ruling that is allowed. A ruling of a ``SILENT`` kind has none."""
    follows = Consequences(proposal=proposal) if proposal.kind in SILENT else _consequences(tournament, proposal)
    return replace(follows, basis=ruling_preview_basis_of(tournament, follows))


def _consequences(tournament: Tournament, proposal: Proposal) -> Consequences:
    made = rulings_of(tournament)
    before = standings_corrections(made)
    after, present = _with_people(
        tournament, proposal, before, standings_corrections([*made, _fact(len(made) + 1, proposal)])
    )
    seats = Seats(tournament, proposal, after)
    after = replace(after, released=frozenset(one.match_id for one in seats.released))
    plan = _Plan(proposal)
    for stage in tournament.stages.all():
        plan.settle(stage, before, after)
    redraw = waiting_round_redraw(tournament, present, after, after.back)
    if redraw is not None and redraw.played.stage in plan.rewound:
        redraw = None  # the stage of the round restarts, so the round is deleted
    elsewhere = {one.match_id for one in plan.undone}
    if redraw is not None:
        elsewhere |= set(redraw.played.fixtures.values_list("match", flat=True))
    return Consequences(
        proposal=proposal,
        changes=tuple(plan.changes),
        undone=tuple(plan.undone),
        restored=tuple(plan.restored),
        again=proposal.fixture if proposal.kind is RulingCode.REPLAY else None,
        called_off=_fixtures_except(seats.called_off, elsewhere),
        released=_fixtures_except(seats.released, elsewhere),
        barred=_fixtures_except(seats.barred, elsewhere),
        admitted=_fixtures_except(seats.admitted, elsewhere),
        bracket=tuple(plan.bracket),
        redraw=redraw,
        standing=tuple(_rounds_standing(proposal)),
        rewound=tuple(plan.rewound),
        revived=tuple(plan.revived),
        pending=plan.pending,
        to_play=plan.to_play or bool(seats.released),
    )


def _fixtures_except(fixtures: Sequence[Fixture], elsewhere: set[int]) -> tuple[Fixture, ...]:
    return tuple(one for one in fixtures if one.match_id not in elsewhere)


def ruling_consequences_of_restart(stage: Stage) -> Consequences | None:
    """Return the consequences if ``stage`` must restart; None if it continues. It must not be the first stage.

    A match of the stage before may have been replayed since the stage began. If other entries now go on to the stage
    than when it began, it must restart.
    """
    tournament = stage.tournament
    held = standings_corrections(rulings_of(tournament))
    proposal = Proposal(RulingCode.NOTE)
    before = Stage.objects.get(tournament=tournament, number=stage.number - 1)
    seeds = list(stage.seeds.values_list("entry_id", flat=True))
    there = _entries_able_to_advance(stage, held)
    if _best_entries(standings_of(before, _as_played(held)), there, stage) == seeds:
        return None
    plan = _Plan(proposal)
    for later in tournament.stages.filter(number__gte=stage.number):
        plan.roll_back(later, held)
    return Consequences(proposal=proposal, undone=tuple(plan.undone), rewound=tuple(plan.rewound), to_play=True)


def _fact(number: int, proposal: Proposal) -> StandingRuling:
    return StandingRuling(
        number=number,
        kind=proposal.kind,
        match=proposal.fixture.match_id if proposal.fixture else None,
        entrant=proposal.entry.pk if proposal.entry else None,
        scores=proposal.scores,
        annul=proposal.annul,
        names=proposal.ruling.number if proposal.ruling else None,
    )


def entry_absence_of(entry: Entry) -> Absence:
    """Return the reasons other than rulings for which an entry is out."""
    return Absence(entry.pk, left=entry.left_at is not None, struck=bool(entry.withdrawn_because))


def _with_people(
    tournament: Tournament, proposal: Proposal, before: Corrections, after: Corrections
) -> tuple[Corrections, frozenset[int]]:
    """Return two values: ``after`` with the entries that leave and come back, and the entries that then take part."""
    absences = [entry_absence_of(entry) for entry in tournament.entries.all()]
    there = standings_taking_part(absences, before)
    named = proposal.ruling
    if proposal.kind is RulingCode.REINSTATE and proposal.entry is not None:
        absences = [replace(one, struck=False) if one.entrant == proposal.entry.pk else one for one in absences]
    elif named is not None and named.kind == RulingCode.REINSTATE and named.data.get("because"):
        absences = [replace(one, struck=True) if one.entrant == named.entry_id else one for one in absences]
    present = standings_taking_part(absences, after)
    return replace(after, left=there - present, back=present - there), present


@dataclass(slots=True)
class _Plan:
    """Collects the consequences stage by stage. Call ``settle`` for the stages in their order."""

    proposal: Proposal
    changes: list[Change] = field(default_factory=list)
    undone: list[Fixture] = field(default_factory=list)
    restored: list[SupersededMatch] = field(default_factory=list)
    bracket: list[tuple[Stage, BoutChange]] = field(default_factory=list)
    rewound: list[Stage] = field(default_factory=list)
    revived: list[Rewound] = field(default_factory=list)
    pending: Stage | None = None
    to_play: bool = False
    restarts: bool = False  # whether the stages after the current one restart

    def settle(self, stage: Stage, before: Corrections, after: Corrections) -> None:
        if not stage.started_at:
            return
        if self.restarts:
            self.roll_back(stage, before)
            return
        replaced = _replaced(stage, after)
        self.undone += _fixtures(stage, replaced.lost)
        self.restored += _superseded(replaced.back)
        then = replace(after, undone=_matches(replaced.lost), restored=_matches(replaced.back))
        was, becomes = standings_of(stage, before), standings_of(stage, then)
        self.changes.append(Change(stage, was, becomes))
        if stage.kind.has_bracket:
            brackets = stage_bracket_current(stage, before), stage_bracket_current(stage, then)
            self.bracket += ((stage, one) for one in heat_bouts_changed(*brackets, self._ruled(stage)))
        open_ = self._open(stage, then)
        self.to_play |= open_ and (bool(replaced.lost or replaced.back) or self._replays(stage))
        following = Stage.objects.filter(tournament=stage.tournament_id, number=stage.number + 1).first()
        if following is not None:
            self._go_on(stage, following, before, then, open_)

    def roll_back(self, stage: Stage, before: Corrections) -> None:
        """Restart a stage, if it has begun."""
        if stage.started_at:
            self.undone += _fixtures(stage)
            self.rewound.append(stage)
            self.changes.append(Change(stage, standings_of(stage, before), ()))
            self.to_play = True

    def _ruled(self, stage: Stage) -> BracketSlot | None:
        """Return the slot of the match that the ruling is about, in the bracket of the stage; None if it has none."""
        fixture = self.proposal.fixture
        if fixture is None or fixture.reasons is None or fixture.round.stage_id != stage.pk:
            return None
        return BracketSlot.read(fixture.reasons["place"])

    def _replays(self, stage: Stage) -> bool:
        fixture = self.proposal.fixture
        return self.proposal.kind is RulingCode.REPLAY and fixture is not None and fixture.round.stage_id == stage.pk

    def _open(self, stage: Stage, then: Corrections) -> bool:
        """Return whether the stage still has matches to play."""
        if self._replays(stage):
            return True
        if stage.kind.has_bracket:
            return not stage_bracket_current(stage, then).finished
        ruled = then.void | frozenset(then.given) | then.undone
        return any(one.state is TableState.OPEN and one.match not in ruled for one in _stage_tables(stage, then))

    def _go_on(self, stage: Stage, following: Stage, before: Corrections, then: Corrections, open_: bool) -> None:
        """Decide whether ``following`` restarts because other entries go on to it, and whether it is restored.

        An entry may be disqualified without its results being annulled. Such an entry still counts as one that goes on
        to ``following``, and then leaves it.
        """
        if open_ and stage.kind.has_bracket:
            self.restarts = following.started_at is not None
            return
        if open_:
            self.pending = following if following.started_at and self.to_play else None
            return
        there = _entries_able_to_advance(following, before)
        old = _best_entries(standings_of(stage, _as_played(before)), there, following)
        back = then.back if self.proposal.kind is RulingCode.TAKE_BACK else frozenset()
        new = _best_entries(standings_of(stage, _as_played(then)), there | back, following)
        began = list(following.seeds.values_list("entry_id", flat=True))
        if following.started_at and new in (old, began):
            return
        self.restarts = following.started_at is not None
        kept = Rewound.objects.filter(stage=following).order_by("-pk")
        again = next((one for one in kept if one.seeds == new), None)
        if again is not None and self.proposal.kind is RulingCode.TAKE_BACK:
            together = Rewound.objects.filter(ruling=again.ruling_id, stage__number__gte=following.number)
            self.revived += together.select_related("stage").order_by("stage__number")
            rows = SupersededMatch.objects.filter(rewound__in=together).select_related("stage", "match")
            self.restored += rows
            self.to_play |= any(one.match.state != MatchState.FINISHED for one in rows)


def _replaced(stage: Stage, after: Corrections) -> Replaced:
    active, lost = _stage_tables(stage, after), stage_superseded_tables_of(stage, _entrants(stage))
    lost = [one for one in lost if not SupersededMatch.objects.filter(match=one.match, rewound__isnull=False).exists()]
    if not stage.kind.has_bracket:
        return facts_tables_replaced(active, lost, after)
    waiting = set(
        Fixture.objects.filter(round__stage=stage, round__started_at__isnull=True).values_list("match", flat=True)
    )
    leaving = [one.match for one in active if one.match in waiting and after.left & set(one.seating)]
    return facts_bracket_replaced(
        active,
        lost,
        after,
        lambda undone, restored: stage_bracket_current(stage, replace(after, undone=undone, restored=restored)),
        leaving,
    )


def _entrants(stage: Stage) -> dict[int, int]:
    return entry_by_version(stage.tournament)


def _stage_tables(stage: Stage, held: Corrections) -> list[TableFact]:
    return stage_table_facts_of(stage, _entrants(stage), reasons=stage.kind.has_bracket, held=held)


def _matches(tables: Sequence[TableFact]) -> frozenset[int]:
    return frozenset(one.match for one in tables)


def _fixtures(stage: Stage, tables: Sequence[TableFact] | None = None) -> list[Fixture]:
    """Return the fixtures of the ``tables``, or all fixtures of the stage."""
    fixtures = Fixture.objects.filter(round__stage=stage).select_related("round__stage", "match")
    if tables is not None:
        fixtures = fixtures.filter(match__in=_matches(tables))
    return list(fixtures.order_by("round__number", "table"))


def _superseded(tables: Sequence[TableFact]) -> list[SupersededMatch]:
    found = SupersededMatch.objects.filter(match__in=_matches(tables)).select_related("stage", "match")
    return list(found.order_by("round", "table"))


def _entries_able_to_advance(following: Stage, held: Corrections) -> frozenset[int]:
    """Return the entries that can go on to ``following``: those that take part, and those that have a seed in it."""
    stayed = Entry.objects.filter(tournament=following.tournament_id, is_withdrawn=False).values_list("pk", flat=True)
    return frozenset(stayed) | frozenset(Seed.objects.filter(stage=following).values_list("entry", flat=True))


def _as_played(held: Corrections) -> Corrections:
    """Return the corrections without the disqualifications that do not annul results."""
    return replace(held, disqualified={entry: annul for entry, annul in held.disqualified.items() if annul})


def _best_entries(rows: Sequence[Row], there: frozenset[int], following: Stage) -> list[int]:
    best = following.kind.going_on(following.terms, rows, there)
    return following.kind.seeded(following.terms, best, forbidden_author_groups_of(following.tournament))


def _rounds_standing(proposal: Proposal) -> Iterator[int]:
    """Yield the numbers of the rounds that were drawn from standings in which results now change."""
    if proposal.ruling is not None and proposal.ruling.match_id is not None:
        number = proposal.ruling.data.get("round", inf)
        stage = Stage.objects.filter(tournament=proposal.ruling.tournament_id, played__number=number).first()
    elif proposal.fixture is not None:
        number, stage = proposal.fixture.round.number, proposal.fixture.round.stage
    else:
        return
    if stage is not None and stage.kind.draws_by_standings:
        yield from stage.played.filter(number__gt=number).values_list("number", flat=True)


REVERSING = (RulingCode.TAKE_BACK, RulingCode.REINSTATE)
NOT_BEGUN = (MatchState.HELD, MatchState.QUEUED)
BEGUN = (MatchState.RUNNING, MatchState.ON_AIR)


class Seats:
    """The matches that are called off, released, barred or admitted: see ``Consequences``.

    In a stage with standings by points, a match of two is not played if the results of one player are annulled, because
    its result would count for nobody. Cancelled matches are released only by a ruling that reverses another ruling.
    """

    def __init__(self, tournament: Tournament, proposal: Proposal, held: Corrections) -> None:
        fixtures = Fixture.objects.filter(round__tournament=tournament).select_related("round__stage", "match")
        fixtures = fixtures.filter(match__state__in=(*UNDECIDED, MatchState.CANCELLED)).order_by(
            "round__number", "table"
        )
        entries = entry_by_version(tournament)
        sitting: dict[int, list[MatchSeat]] = {}
        for seat in MatchSeat.objects.filter(match__fixture__in=fixtures).order_by("index"):
            sitting.setdefault(seat.match_id, []).append(seat)
        out = self._out(tournament, proposal, held)
        called_off: list[Fixture] = []
        released: list[Fixture] = []
        barred: list[Fixture] = []
        admitted: list[Fixture] = []
        for fixture in fixtures:
            seats = sitting.get(fixture.match_id, [])
            state, players = fixture.match.state, [entries[seat.version_id] for seat in seats]
            if self._not_played(fixture, players, held):
                called_off += [fixture] if state != MatchState.CANCELLED else []
                continue
            if state == MatchState.CANCELLED:
                released += [fixture] if proposal.kind in REVERSING else []
            if state not in NOT_BEGUN or fixture.match.blocks_kept:
                continue
            forfeits = [(player in out, seat.has_forfeited) for player, seat in zip(players, seats, strict=True)]
            barred += [fixture] if (True, False) in forfeits else []
            admitted += [fixture] if (False, True) in forfeits else []
        self.called_off, self.released = tuple(called_off), tuple(released)
        self.barred, self.admitted = tuple(barred), tuple(admitted)

    @staticmethod
    def _out(tournament: Tournament, proposal: Proposal, held: Corrections) -> frozenset[int]:
        out = entries_shut_out_by_rulings(tournament, held)
        if (
            proposal.kind is RulingCode.REINSTATE
            and proposal.entry is not None
            and proposal.entry.pk not in held.disqualified
        ):
            return out - {proposal.entry.pk}
        named = proposal.ruling
        if named is not None and named.kind == RulingCode.REINSTATE and named.data.get("because"):
            assert named.entry_id is not None  # noqa: S101  it reinstated an entry
            return out | {named.entry_id}
        return out

    @staticmethod
    def _not_played(fixture: Fixture, players: list[int], held: Corrections) -> bool:
        if fixture.match_id in held.void or fixture.match_id in held.given:
            return True
        stage = fixture.round.stage
        duel = not stage.kind.has_bracket and stage.players_per_table == 2 and fixture.match.state not in BEGUN
        return duel and any(held.annulled(player) for player in players)
