"""Preview a ruling: what would follow from it. Nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from tournaments.models import Entry, Fixture, Rewound, Stage, SupersededMatch, Tournament
from tournaments.models import Ruling as RulingRow
from tournaments.selectors.rounds.waiting_rounds import Redraw
from tournaments.standings import Row, RulingCode


@dataclass(frozen=True, slots=True)
class Proposal:
    """What shall be ruled: of the match of a ``fixture``, of an ``entry``, of another ``ruling``, or of none of these;
    ``scores`` by entry of a replaced result, ``annul`` of a disqualification, see ``standings.StandingRuling``."""

    kind: RulingCode
    fixture: Fixture | None = None
    entry: Entry | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    annul: bool = False
    ruling: RulingRow | None = None


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
    """``undone``: the fixtures that lose their place, because others (or nobody) meet there; ``restored``: the matches
    that have their place again; ``again``: the fixture that is played anew; ``called_off``: matches that are not played
    (to the end); ``released``: matches that were called off and are played after all, from their start; ``barred``:
    matches in which a bot that is out forfeits its seat, ``admitted``: in which one plays again itself.

    ``redraw``: the round that waits, drawn again; ``standing``: rounds drawn later from the standings, which stay as
    they are. ``rewound``: the stages that begin anew; ``revived``: those that are again what they were; ``pending``:
    the stage that begins anew if, after what is to be played, others go on to it. ``basis``: a digest of the proposal
    and of the state all this was told of. ``to_play``: matches are left to be played that were not before.
    """

    proposal: Proposal
    basis: str
    changes: tuple[Change, ...] = ()
    undone: tuple[Fixture, ...] = ()
    restored: tuple[SupersededMatch, ...] = ()
    again: Fixture | None = None
    called_off: tuple[Fixture, ...] = ()
    released: tuple[Fixture, ...] = ()
    barred: tuple[Fixture, ...] = ()
    admitted: tuple[Fixture, ...] = ()
    redraw: Redraw | None = None
    standing: tuple[int, ...] = ()
    rewound: tuple[Stage, ...] = ()
    revived: tuple[Rewound, ...] = ()
    pending: Stage | None = None
    to_play: bool = False


def basis_of(tournament: Tournament, proposal: Proposal) -> str:
    """Return a digest of what shall be ruled and of everything that its consequences hang on: rulings, fixtures with
    the states of their matches, who has left."""
    values: list[object] = [
        *(proposal.kind.value, tournament.state, tournament.rulings.count()),
        proposal.fixture.pk if proposal.fixture else None,
        proposal.entry.pk if proposal.entry else None,
        *(sorted(proposal.scores.items()), proposal.annul),
        proposal.ruling.number if proposal.ruling else None,
        *tournament.fixtures.order_by("pk").values_list("pk", "match_id", "match__state"),
        *tournament.entries.order_by("pk").values_list("pk", "is_withdrawn"),
    ]
    return sha256(repr(values).encode()).hexdigest()
