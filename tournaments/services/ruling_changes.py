"""What a ruling has changed of what was drawn, for the chain: the difference of what was in force before and after."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Bye, Fixture, Round, Stage, SupersededMatch, Tournament
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.selectors.standings.results import standings_of
from tournaments.services.chaining import has_chain, link_append, standings_content

Place = tuple[int, int, int]  # round, table, attempt


@dataclass(frozen=True, slots=True)
class ActiveState:
    """Tables by place with their seats and reasons, which of all matches are called off, byes by round, the stages that
    have begun, each with when, and which of them are over. A stage that restarts begins at another time, and one that
    is restored at the time of before."""

    tables: dict[Place, dict[str, Any]] = field(default_factory=dict)
    off: frozenset[Place] = frozenset()
    byes: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    stages: dict[int, datetime | None] = field(default_factory=dict)
    over: frozenset[int] = frozenset()


def active_state(tournament: Tournament) -> ActiveState:
    """Return it as it stands in the database."""
    if not has_chain(tournament.pk):
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


def changes_append(tournament: Tournament, before: ActiveState, kind: str = "effects") -> None:
    """Append to the chain what is no longer as it was ``before``, if anything: by a ruling, or of another ``kind``:
    "redrawn", a round that waits, or "mended", stages that restart after a replay."""
    after = active_state(tournament)
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
        link_append(tournament.pk, kind, content)


def standings_append(tournament: Tournament) -> None:
    """Append to the chain the standings of all begun stages, where a ruling has changed them after the end."""
    if has_chain(tournament.pk):
        begun = [stage for stage in tournament.stages.all() if stage.started_at]
        content = [{"stage": stage.number, "standings": standings_content(standings_of(stage))} for stage in begun]
        link_append(tournament.pk, "standings", {"stages": content})
