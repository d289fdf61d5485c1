"""Append to the chain how a ruling has changed the draw: the difference between the states before and after."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Bye, Fixture, Round, Stage, SupersededMatch, Tournament
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services.tournament_chain import (
    has_tournament_chain,
    tournament_chain_link_append,
    tournament_chain_standings_content,
)

Place = tuple[int, int, int]  # round, table, attempt


@dataclass(frozen=True, slots=True)
class ActiveState:
    """The part of a tournament that a ruling can change.

    ``tables`` has the luck, seats and reasons of each table. ``off`` has the places of all cancelled matches, including
    superseded ones. ``byes`` has the byes of each round. ``over`` has the stages that are over.

    ``stages`` has the time at which each stage began. A stage that restarts gets a new time. A stage that is restored
    gets its earlier time again.
    """

    tables: dict[Place, dict[str, Any]] = field(default_factory=dict)
    off: frozenset[Place] = frozenset()
    byes: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    stages: dict[int, datetime | None] = field(default_factory=dict)
    over: frozenset[int] = frozenset()


def ruling_chain_state(tournament: Tournament) -> ActiveState:
    """Return the current state from the database; an empty state if the tournament has no chain."""
    if not has_tournament_chain(tournament.pk):
        return ActiveState()
    entries = entry_by_version(tournament)
    seats: defaultdict[int, list[int]] = defaultdict(list)
    rows = MatchSeat.objects.filter(match__fixture__round__tournament=tournament).order_by("index")
    for match, version in rows.values_list("match_id", "version_id"):
        seats[match].append(entries[version])
    tables, off = {}, set()
    for fixture in Fixture.objects.filter(round__tournament=tournament).select_related("round", "match"):
        place = (fixture.round.number, fixture.table, fixture.attempt)
        tables[place] = {"luck": fixture.luck, "seats": seats[fixture.match_id], "reasons": fixture.reasons}
        if fixture.match.state == MatchState.CANCELLED:
            off.add(place)
    superseded = SupersededMatch.objects.filter(ruling__tournament=tournament, match__state=MatchState.CANCELLED)
    off |= set(superseded.values_list("round", "table", "attempt"))
    byes: dict[int, list[dict[str, Any]]] = {
        number: [] for number in Round.objects.filter(tournament=tournament).values_list("number", flat=True)
    }
    for bye in Bye.objects.filter(round__tournament=tournament).select_related("round").order_by("entry"):
        byes[bye.round.number].append({"entry": bye.entry_id, "points": bye.points, "reasons": bye.reasons})
    stages = list(Stage.objects.filter(tournament=tournament, started_at__isnull=False).order_by("number"))
    return ActiveState(
        tables=tables,
        off=frozenset(off),
        byes=byes,
        stages={stage.number: stage.started_at for stage in stages},
        over=frozenset(stage.number for stage in stages if stage.finished_at is not None),
    )


def ruling_chain_changes_append(tournament: Tournament, before: ActiveState, kind: str = "effects") -> None:
    """Append the differences between ``before`` and the current state to the chain, if there are any.

    ``kind`` is "effects" for a ruling, "redrawn" for a waiting round that was drawn again, and "mended" for stages that
    restart after a replay.
    """
    after = ruling_chain_state(tournament)
    gone = [place for place in sorted(before.tables) if place not in after.tables]
    new = [
        {"place": list(place), **after.tables[place]}
        for place in sorted(after.tables)
        if before.tables.get(place) != after.tables[place]
    ]
    content: dict[str, Any] = {
        "undone": [list(place) for place in gone],
        "drawn": new,
        "called_off": [list(place) for place in sorted(after.off - before.off)],
        "restored": [list(place) for place in sorted(before.off - after.off)],
        "rounds_undone": sorted(before.byes.keys() - after.byes.keys()),
        "byes": [
            {"round": number, "byes": byes}
            for number, byes in sorted(after.byes.items())
            if before.byes.get(number) != byes
        ],
        "rewound": [number for number, began in before.stages.items() if after.stages.get(number) != began],
        "reopened": [
            number
            for number, began in after.stages.items()
            if number not in after.over and (number in before.over or before.stages.get(number) != began)
        ],
    }
    if any(content.values()):
        tournament_chain_link_append(tournament.pk, kind, content)


def ruling_chain_standings_append(tournament: Tournament) -> None:
    """Append the standings of all begun stages to the chain. Call it after a ruling on a finished tournament."""
    if has_tournament_chain(tournament.pk):
        begun = [stage for stage in tournament.stages.all() if stage.started_at]
        content = [
            {"stage": stage.number, "standings": tournament_chain_standings_content(standings_of(stage))}
            for stage in begun
        ]
        tournament_chain_link_append(tournament.pk, "standings", {"stages": content})
