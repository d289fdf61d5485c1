"""A ruling before it is made: whether it may be, and what would follow. Nothing is written here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from tournaments.facts import misplaced
from tournaments.models import Entry, Fixture, RulingKind, Seed, Stage, Tournament
from tournaments.models import Ruling as RulingRow
from tournaments.selectors.corrections import rulings_of
from tournaments.selectors.knockout import bracket_as_it_is
from tournaments.selectors.results import standings_of
from tournaments.selectors.tables import tables_of
from tournaments.standings import Corrections, Kind, Row, Ruling, corrections


@dataclass(frozen=True, slots=True)
class Proposal:
    """What shall be ruled: of the match of a ``fixture``, of an ``entry``, or of neither; ``scores`` by entry of a
    replaced result, ``annul`` of a disqualification, see ``standings.Ruling``."""

    kind: Kind
    fixture: Fixture | None = None
    entry: Entry | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    annul: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A stage's standings before and after; ``after`` is empty if the stage would begin anew."""

    stage: Stage
    before: tuple[Row, ...]
    after: tuple[Row, ...]

    @property
    def anew(self) -> bool:
        return not self.after

    @property
    def nothing(self) -> bool:
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Consequences:
    """``undone``: the fixtures that lose their place, because their players are no longer those who meet there;
    ``again``: the one that is played anew; ``standing``: rounds drawn later from the standings, which stay as they are;
    ``rewound``: the stages that begin anew. ``basis``: a digest of the proposal and of the state all this was told of.
    """

    proposal: Proposal
    basis: str
    changes: tuple[Change, ...]
    undone: tuple[Fixture, ...]
    again: Fixture | None
    standing: tuple[int, ...]
    rewound: tuple[Stage, ...]

    @property
    def to_play(self) -> bool:
        """Whether matches are left to be played that were not before."""
        return bool(self.undone or self.again or self.rewound)


def basis_of(tournament: Tournament, proposal: Proposal) -> str:
    """A digest of what shall be ruled and of everything that its consequences hang on: rulings, fixtures with the
    states of their matches, who has left."""
    told: list[object] = [
        *(proposal.kind.value, tournament.state, tournament.rulings.count()),
        proposal.fixture.pk if proposal.fixture else None,
        proposal.entry.pk if proposal.entry else None,
        *(sorted(proposal.scores.items()), proposal.annul),
        *tournament.fixtures.order_by("pk").values_list("pk", "match_id", "match__state"),
        *tournament.entries.order_by("pk").values_list("pk", "withdrawn"),
    ]
    return sha256(repr(told).encode()).hexdigest()


def plays_again(entry: Entry) -> bool:
    """Whether an entry that is out takes part again once that is taken back: not if it had left before."""
    about = (RulingKind.DISQUALIFY, RulingKind.REINSTATE)
    last = RulingRow.objects.filter(entry=entry, kind__in=about).order_by("-number").first()
    return last is None or last.kind != RulingKind.DISQUALIFY or not last.data.get("had_left", False)


def consequences_of(tournament: Tournament, proposal: Proposal) -> Consequences:
    """What would follow from a ruling that may be made."""
    basis = basis_of(tournament, proposal)
    made = rulings_of(tournament)
    before, after = corrections(made), _after(made, proposal)
    changes: list[Change] = []
    undone: list[Fixture] = []
    rewound: list[Stage] = []
    anew = False
    for stage in tournament.stages.all():
        if not stage.started:
            continue
        was = standings_of(stage, before)
        if anew:
            undone += _fixtures(stage)
            rewound.append(stage)
            changes.append(Change(stage, was, ()))
            continue
        lost = _misplaced(stage, after) if stage.is_knockout else []
        undone += lost
        becomes = standings_of(stage, replace(after, undone=frozenset(one.match_id for one in lost)))
        changes.append(Change(stage, was, becomes))
        reopened = proposal.kind is Kind.REPLAY and _is_of(proposal.fixture, stage)
        anew = bool(lost) or reopened or _others_go_on(stage, was, becomes, proposal)
    return Consequences(
        proposal=proposal,
        basis=basis,
        changes=tuple(changes),
        undone=tuple(undone),
        again=proposal.fixture if proposal.kind is Kind.REPLAY else None,
        standing=tuple(_rounds_standing(proposal)),
        rewound=tuple(rewound),
    )


def _after(made: Sequence[Ruling], proposal: Proposal) -> Corrections:
    ruling = Ruling(
        number=len(made) + 1,
        kind=proposal.kind,
        match=proposal.fixture.match_id if proposal.fixture else None,
        entrant=proposal.entry.pk if proposal.entry else None,
        scores=proposal.scores,
        annul=proposal.annul,
    )
    held = corrections([*made, ruling])
    if proposal.entry is None:
        return held
    if proposal.kind in (Kind.WITHDRAW, Kind.DISQUALIFY):
        return replace(held, left=frozenset([proposal.entry.pk]))
    if proposal.kind is Kind.REINSTATE and plays_again(proposal.entry):
        return replace(held, back=frozenset([proposal.entry.pk]))
    return held


def _is_of(fixture: Fixture | None, stage: Stage) -> bool:
    return fixture is not None and fixture.round.stage_id == stage.pk


def _fixtures(stage: Stage) -> list[Fixture]:
    fixtures = Fixture.objects.filter(round__stage=stage).select_related("round__stage", "match")
    return list(fixtures.prefetch_related("match__seats"))


def _misplaced(stage: Stage, held: Corrections) -> list[Fixture]:
    """The fixtures of a knockout whose players are not those whom its bracket would put there."""
    fixtures = {one.match_id: one for one in _fixtures(stage)}
    entries = dict(stage.tournament.entries.values_list("version_id", "pk"))
    lost = misplaced(
        tables_of(stage, entries, reasons=True),
        lambda undone: bracket_as_it_is(stage, replace(held, undone=undone)),
    )
    return [fixtures[table.match] for table in lost]


def _others_go_on(stage: Stage, was: Sequence[Row], becomes: Sequence[Row], proposal: Proposal) -> bool:
    """Whether the next stage would have begun with other bots, or in another order. Who is disqualified while its
    results stand has gone on: it only leaves."""
    following = Stage.objects.filter(tournament=stage.tournament_id, number=stage.number + 1).first()
    if following is None or not following.started or (proposal.kind is Kind.DISQUALIFY and not proposal.annul):
        return False
    stayed = Entry.objects.filter(tournament=following.tournament_id, withdrawn=False).values_list("pk", flat=True)
    there = set(stayed) | set(Seed.objects.filter(stage=following).values_list("entry", flat=True))
    most = following.entrants or None
    old = [row.entrant for row in was if row.entrant in there][:most]
    return old != [row.entrant for row in becomes if row.entrant in there][:most]


def _rounds_standing(proposal: Proposal) -> Iterator[int]:
    fixture = proposal.fixture
    if fixture is not None and fixture.round.stage.is_swiss:
        later = fixture.round.stage.played.filter(number__gt=fixture.round.number)
        yield from later.values_list("number", flat=True)
