"""The preview of a ruling: what would follow from it, with the standings before and after side by side. Nothing is
written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from django.db.models import Q

from tournaments.formats.knockout import BoutChange
from tournaments.models import Entry, Fixture, Rewound, Stage, SupersededMatch, Tournament
from tournaments.models import Ruling as RulingRow
from tournaments.selectors.rounds.stage_facts import Redraw
from tournaments.standings import Row, RulingCode

MATCH_LISTS: Final = ("undone", "restored", "called_off", "released", "barred", "admitted")  # of ``Consequences``


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
    """A stage's standings before and after; ``after`` is empty if the stage would restart."""

    stage: Stage
    before: tuple[Row, ...]
    after: tuple[Row, ...]

    @property
    def restarts(self) -> bool:
        return not self.after

    @property
    def nothing(self) -> bool:
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Consequences:
    """``undone``: the fixtures that lose their place, because others (or nobody) meet there; ``restored``: the matches
    that have their place again; ``again``: the fixture that is played again; ``called_off``: matches that are not
    played (to the end); ``released``: matches that were called off and are played after all, from their start;
    ``barred``: matches in which a bot that is out forfeits its seat, ``admitted``: in which one plays again itself.

    ``bracket``: the matches of knockouts, each with its stage, from which others go on, or in which others meet.
    ``redraw``: the round that waits, drawn again; ``standing``: rounds drawn later from the standings, which stay as
    they are. ``rewound``: the stages that restart; ``revived``: those that are again what they were; ``pending``:
    the stage that restarts if, after what is to be played, others go on to it. ``basis``: see ``basis_of``.
    ``to_play``: matches are left to be played that were not before.
    """

    proposal: Proposal
    basis: str = ""
    changes: tuple[Change, ...] = ()
    undone: tuple[Fixture, ...] = ()
    restored: tuple[SupersededMatch, ...] = ()
    again: Fixture | None = None
    called_off: tuple[Fixture, ...] = ()
    released: tuple[Fixture, ...] = ()
    barred: tuple[Fixture, ...] = ()
    admitted: tuple[Fixture, ...] = ()
    bracket: tuple[tuple[Stage, BoutChange], ...] = ()
    redraw: Redraw | None = None
    standing: tuple[int, ...] = ()
    rewound: tuple[Stage, ...] = ()
    revived: tuple[Rewound, ...] = ()
    pending: Stage | None = None
    to_play: bool = False


def basis_of(tournament: Tournament, follows: Consequences) -> str:
    """Return a digest of what shall be ruled and of what that touches: the match or the bot, the rulings on it, and the
    matches, rounds and stages that change. Results elsewhere move points in the standings, and leave it as it is."""
    proposal = follows.proposal
    fixture, entry, named = proposal.fixture, proposal.entry, proposal.ruling
    match_id = fixture.match_id if fixture else named.match_id if named else None
    entry_id = entry.pk if entry else named.entry_id if named else None
    about = Q(match=match_id) if match_id else Q(entry=entry_id) if entry_id else Q()
    matches = [one for name in MATCH_LISTS for one in getattr(follows, name)]
    values: list[object] = [
        *(proposal.kind.value, tournament.state, *sorted(proposal.scores.items()), proposal.annul),
        *(match_id, entry_id, named.number if named else None),
        *tournament.rulings.filter(about).order_by("number").values_list("number", flat=True),
        *tournament.entries.filter(pk__in=[entry_id] if entry_id else []).values_list(
            "is_withdrawn", "withdrawn_because"
        ),
        *tournament.fixtures.filter(match=match_id).values_list("pk", "match__state"),
        *((one.match_id, one.match.state) for one in matches),
        *((follows.redraw and (follows.redraw.played.pk, follows.redraw.before, follows.redraw.after)) or ()),
        *((stage.pk, one.bout.place, one.goes_on, one.instead, one.meet) for stage, one in follows.bracket),
        *(follows.standing, [one.pk for one in follows.rewound], [one.pk for one in follows.revived]),
        *(follows.pending and follows.pending.pk, follows.to_play),
    ]
    return sha256(repr(values).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry's row before and after; ``after`` is None where the stage restarts."""

    entry: Entry
    before: Row
    after: Row | None

    @property
    def up(self) -> int:
        """Ranks gained; below 0: lost."""
        return self.before.rank - self.after.rank if self.after else 0

    @property
    def down(self) -> int:
        return -self.up


def ranks_moved(change: Change, entries: Mapping[int, Entry]) -> list[Moved]:
    """Return the entries whose row changes, in the order in which they would stand."""
    before = {row.entrant: row for row in change.before}
    after = {row.entrant: row for row in change.after}
    order = change.after or change.before
    return [
        Moved(entries[row.entrant], before[row.entrant], after.get(row.entrant))
        for row in order
        if change.restarts or _label(before[row.entrant]) != _label(after[row.entrant])
    ]


def _label(row: Row) -> tuple[object, ...]:
    """Return what a reader of the standings would see change."""
    counted = row.played, row.byes, row.won, row.drawn, row.lost, row.game_points
    return row.rank, row.points, row.disqualified, *counted


@dataclass(frozen=True, slots=True)
class TableMoved:
    """A table of a round that is drawn again, before and after; nobody where there is none."""

    table: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The tables and byes of a round that change. ``stay``: how many tables do not."""

    round: int
    tables: tuple[TableMoved, ...]
    byes_before: tuple[Entry, ...]
    byes_after: tuple[Entry, ...]
    stay: int


def round_redrawn(redraw: Redraw, entries: Mapping[int, Entry]) -> Redrawn:
    """Return what a round drawn again changes, for people."""
    before, after = (dict(enumerate(one.tables, start=1)) for one in (redraw.before, redraw.after))
    sitting = {
        table: tuple(tuple(entries[entry] for entry in one.get(table, ((), None))[0]) for one in (before, after))
        for table in sorted(before.keys() | after.keys())
    }
    idle, then = (tuple(entries[entry] for entry, _, _ in one.byes) for one in (redraw.before, redraw.after))
    return Redrawn(
        round=redraw.played.number,
        tables=tuple(TableMoved(table, *both) for table, both in sitting.items() if both[0] != both[1]),
        byes_before=idle if idle != then else (),
        byes_after=then if idle != then else (),
        stay=sum(one == other for one, other in sitting.values()),
    )
