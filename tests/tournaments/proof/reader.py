"""A reader of a chain that grows, and the tournament as the site has it, in one form: who plays, with which version, at
which tables and by which luck, and the standings to the last digit.
"""

import json
from typing import Any

from bots.models import VersionState
from matches.models import MatchState
from matches.proof.chain import Link, chain_link_check
from matches.replay.records import records_of_matches
from tournaments.facts import TableState
from tournaments.models import ChainLink, Fixture, Tournament, TournamentState
from tournaments.proof import ruling_links
from tournaments.proof.computed import proof_computed_standings as standings_read
from tournaments.proof.replay import KINDS, proof_link_apply
from tournaments.proof.state import ChainState
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.pages.proof_and_luck import proof_link_of
from tournaments.selectors.standings.ranking import standings_of


class Reader:
    """Replays a chain while it grows."""

    def __init__(self) -> None:
        self.state, self.last = ChainState(), Link(0, "", "", "", "")

    def read(self, cup: Tournament) -> None:
        """Replay what has been added."""
        rows = ChainLink.objects.filter(tournament=cup, number__gt=self.last.number).order_by("number")
        secrets = [bytes(luck.secret) for luck in cup.lucks.all()]
        records = records_of_matches([row.match_id for row in rows if row.match_id is not None])
        for row in rows:
            link = proof_link_of(row)
            chain_link_check(link, self.last, KINDS)
            proof_link_apply(self.state, link, json.loads(link.content), secrets, records)
            self.last = link
        ruling_links.proof_ruling_links_settle(self.state)
        assert not self.state.expected, self.state.expected
        assert next(records, None) is None

    def knows(self, cup: Tournament) -> dict[str, Any]:
        """What it takes the tournament for; see ``as_it_is``."""
        state, held = self.state, self.state.held
        return {
            "over": state.over,
            "stages": {number: (list(one.seeds), one.finished is not None) for number, one in state.playing.items()},
            "rounds": {
                number: (one.stage, one.begun, sorted((bye.entrant, bye.points) for bye in one.byes))
                for number, one in state.rounds.items()
            },
            "tables": {
                (*place, one.attempt): (one.seating, one.state.value, state.luck_of[one.match])
                for place, one in state.tables.items()
            },
            "out": {entry for entry, one in state.entries.items() if one.out is not None},
            "packages": {entry: one.package for entry, one in state.entries.items()},
            "standings": {number: standings_read(state, number, held) for number in state.playing},
        }

    def package(self, fixture: Fixture, entry: int) -> str:
        """With which package it takes the entry to play in a match."""
        match = self.state.tables[fixture.round.number, fixture.table].match
        return self.state.entries[entry].package_at(self.state.round_of[match].since)

    def lets_bar(self, fixture: Fixture, entry: int) -> bool:
        """Whether the entry may have lost that match before it begins."""
        match = self.state.tables[fixture.round.number, fixture.table].match
        return match in self.state.shut_out.get(entry, ())


TABLE_STATES = {MatchState.FINISHED: TableState.FINISHED, MatchState.CANCELLED: TableState.CANCELLED}


def as_it_is(cup: Tournament) -> dict[str, Any]:
    """The tournament as the site has it."""
    entries = entry_by_version(cup)
    stages = [stage for stage in cup.stages.all() if stage.started_at]
    fixtures = cup.fixtures.select_related("round", "match").prefetch_related("match__seats")
    return {
        "over": {TournamentState.FINISHED: "end", TournamentState.CANCELLED: "cancelled"}.get(cup.state, ""),
        "stages": {
            one.number: (list(one.seeds.values_list("entry", flat=True)), one.finished_at is not None) for one in stages
        },
        "rounds": {
            one.number: (
                one.stage.number,
                one.started_at is not None,
                sorted(one.byes.values_list("entry", "points")),
            )
            for one in cup.rounds.select_related("stage")
        },
        "tables": {
            (one.round.number, one.table, one.attempt): (
                tuple(entries[seat.version_id] for seat in one.match.seats.all()),
                TABLE_STATES.get(one.match.state, TableState.OPEN).value,
                one.luck,
            )
            for one in fixtures
        },
        "out": set(cup.entries.filter(is_withdrawn=True, version__isnull=False).values_list("pk", flat=True)),
        "packages": dict(cup.entries.filter(version__isnull=False).values_list("pk", "version__sha256")),
        "standings": {one.number: standings_of(one) for one in stages},
    }


def is_ineligible(cup: Tournament) -> bool:
    """Whether a bot was deleted that nobody has withdrawn yet."""
    there = cup.entries.filter(is_withdrawn=False, version__isnull=False)
    return there.exclude(version__state=VersionState.ACCEPTED).exists()
