"""The preview of a ruling: its consequences, and the standings before and after it. Nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from django.db.models import Q

from tournaments.formats.knockout import BoutChange
from tournaments.models import Entry, Fixture, Rewound, Stage, SupersededMatch, Tournament
from tournaments.models import Ruling as RulingRow
from tournaments.selectors.rounds.stage_draws import Redraw
from tournaments.standings import Row, RulingCode, final_ranking, has_standings_result

MATCH_LISTS: Final = ("undone", "restored", "called_off", "released", "barred", "admitted")  # of ``Consequences``


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed ruling, about the match of a ``fixture``, an ``entry``, another ``ruling``, or none of them.

    For a replaced result, ``scores`` has the score of each entry. For a disqualification, ``annul`` tells whether
    results are annulled: see ``standings.StandingRuling``.
    """

    kind: RulingCode
    fixture: Fixture | None = None
    entry: Entry | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    annul: bool = False
    ruling: RulingRow | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """The standings of a stage before and after the ruling. ``after`` is empty if the stage would restart."""

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
    """The consequences of a ruling.

    Matches:

    - ``undone``: fixtures that are superseded, because other bots meet there, or none;
    - ``restored``: superseded matches that count again;
    - ``again``: the fixture that is replayed;
    - ``called_off``: matches that are cancelled;
    - ``released``: cancelled matches that are played after all, from their start;
    - ``barred``: matches in which a bot forfeits its seat because it is out;
    - ``admitted``: matches in which such a bot plays again.

    Rounds:

    - ``bracket``: matches of knockouts in which other bots meet, or from which other bots go on, each with its stage;
    - ``redraw``: the waiting round, which is drawn again;
    - ``standing``: numbers of rounds that stay as they are, although the standings from which they were drawn change.

    Stages:

    - ``rewound``: stages that restart;
    - ``revived``: stages that are restored to an earlier state;
    - ``pending``: a stage that restarts if, after the matches to come, other bots go on to it.

    ``to_play`` tells whether new matches have to be played. For ``basis`` see ``ruling_preview_basis_of``.
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


def ruling_preview_basis_of(tournament: Tournament, follows: Consequences) -> str:
    """Return a digest of the proposed ruling and of everything that it affects.

    That is the match or the bot, the earlier rulings on it, and the matches, rounds and stages that change. The results
    of other matches may change the standings meanwhile, but do not change this digest.
    """
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
    """The row of an entry before and after the ruling. ``after`` is None if the stage restarts."""

    entry: Entry
    before: Row
    after: Row | None

    @property
    def up(self) -> int:
        """The number of ranks gained; negative if ranks are lost."""
        return self.before.rank - self.after.rank if self.after else 0

    @property
    def down(self) -> int:
        return -self.up


def ruling_preview_ranks_moved(change: Change, entries: Mapping[int, Entry]) -> list[Moved]:
    """Return the entries whose rows change, in the order of the new standings."""
    before = {row.entrant: row for row in change.before}
    after = {row.entrant: row for row in change.after}
    order = change.after or change.before
    return [
        Moved(entries[row.entrant], before[row.entrant], after.get(row.entrant))
        for row in order
        if change.restarts or _label(before[row.entrant]) != _label(after[row.entrant])
    ]


def ruling_preview_places_moved(follows: Consequences) -> dict[int, tuple[int, int]]:
    """Return, for each entry whose place changes, the place before and the place after the ruling.

    The places are those in the ranking of all stages. If a stage restarts or has no result, its ranks have no meaning,
    and the result is empty.
    """
    ranked = [one for one in follows.changes if not one.stage.kind.is_play_off]
    if not all(has_standings_result(one.before) and has_standings_result(one.after) for one in ranked):
        return {}
    before = {one.entrant: one.rank for one in final_ranking([one.before for one in ranked])}
    after = {one.entrant: one.rank for one in final_ranking([one.after for one in ranked])}
    both = before.keys() & after.keys()
    return {entry: (before[entry], after[entry]) for entry in both if before[entry] != after[entry]}


def _label(row: Row) -> tuple[object, ...]:
    """Return the part of a row that readers of the standings see."""
    counted = row.played, row.byes, row.won, row.drawn, row.lost, row.game_points
    return row.rank, row.points, row.disqualified, *counted


@dataclass(frozen=True, slots=True)
class TableMoved:
    """A table of a round before and after the round is drawn again. It has no entries where there is no such table."""

    table: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The tables and byes of a round that change. ``stay`` is the number of tables that do not change."""

    round: int
    tables: tuple[TableMoved, ...]
    byes_before: tuple[Entry, ...]
    byes_after: tuple[Entry, ...]
    stay: int


def ruling_preview_round_redrawn(redraw: Redraw, entries: Mapping[int, Entry]) -> Redrawn:
    """Return the changes to a round that is drawn again, for the preview."""
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
