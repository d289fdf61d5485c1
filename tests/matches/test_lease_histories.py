"""Any history of workers, sweeper and organiser: one result at most, and always that of the attempt with the lease."""

from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from bots.models import BotVersion
from matches.models import Match, MatchState
from matches.queue.leases import (
    PLATFORM_FAULTS_AT_MOST,
    WORKERS_LOST_AT_MOST,
    Lease,
    lease_return,
    lease_take,
    leases_beat,
    leases_expire,
)
from matches.referee import GameResult, scoring_seat_totals, series_games_play
from matches.services import match_cancel, match_hold, match_release
from tests.bots.factories import BotVersionFactory
from tests.examples import examples
from tests.matches.factories import BRISK, MatchFactory, written
from tests.matches.in_process import InProcessCage
from tests.matches.referee.orders import order, unwatched

BLOCKS = 3
ANY = st.integers(0, 9)  # which of the leases ever given


@cache
def games() -> list[GameResult]:
    return list(series_games_play(order(BRISK, BRISK, blocks=BLOCKS), InProcessCage(), unwatched))


class History(RuleBasedStateMachine):
    """The match as it should be, beside the match as it is. Workers never forget a lease they once had."""

    def __init__(self) -> None:
        super().__init__()
        self.match: Match = MatchFactory(seats=list(BotVersion.objects.all()), blocks=BLOCKS)
        self.leases: list[Lease] = []
        self.holder: Lease | None = None
        self.state = MatchState.QUEUED
        self.faults = self.losses = 0
        self.expired = False
        self.results = self.stored = 0

    def teardown(self) -> None:
        self.match.delete()  # or the sweeper of the next history would come for it

    def one_match(self) -> QuerySet[Match]:
        return Match.objects.filter(pk=self.match.pk)

    def gives_back(self, *, lost: bool) -> None:
        self.faults, self.losses = self.faults + (not lost), self.losses + lost
        self.holder, self.expired = None, False
        given_up = self.faults >= PLATFORM_FAULTS_AT_MOST or self.losses >= WORKERS_LOST_AT_MOST
        self.state = MatchState.HELD if given_up else MatchState.QUEUED

    @rule()
    def a_worker_claims(self) -> None:
        leases = lease_take(match_ids=[self.match.pk], worker="always the same")
        assert len(leases) == (self.state == MatchState.QUEUED)
        for lease in leases:
            assert lease.blocks_stored == self.stored
            assert all((lease.attempt, lease.blocks_stored) > (other.attempt, other.stored) for other in self.leases)
            self.leases.append(lease)
            self.holder, self.state = lease, MatchState.RUNNING

    @precondition(lambda self: self.leases)
    @rule(which=ANY, blocks=st.integers(1, BLOCKS))
    def a_worker_plays(self, which: int, blocks: int) -> None:
        lease = self.leases[which % len(self.leases)]
        taken = written(lease, games()[2 * lease.blocks_stored :][: 2 * blocks])
        assert taken == (lease == self.holder)
        if taken:
            self.stored = min(BLOCKS, lease.blocks_stored + blocks)
            over = self.stored == BLOCKS
            self.results += over
            self.holder, self.expired = None, False
            self.state = MatchState.FINISHED if over else MatchState.QUEUED
            if not over:
                self.faults = self.losses = 0

    @precondition(lambda self: self.leases)
    @rule(which=ANY)
    def a_worker_gives_back(self, which: int) -> None:
        lease = self.leases[which % len(self.leases)]
        returned = lease_return(lease, "the zygote died")
        assert returned == (lease == self.holder)
        if returned:
            self.gives_back(lost=False)

    @precondition(lambda self: self.leases)
    @rule(which=ANY)
    def a_worker_is_alive(self, which: int) -> None:
        lease = self.leases[which % len(self.leases)]
        assert bool(leases_beat([lease])) == (lease == self.holder)
        if lease == self.holder:
            self.expired = False

    @precondition(lambda self: self.holder)
    @rule()
    def time_passes(self) -> None:
        self.one_match().update(lease_expires_at=timezone.now() - timedelta(seconds=1))
        self.expired = True

    @rule()
    def the_sweeper_comes(self) -> None:
        assert leases_expire() == self.expired
        if self.expired:
            self.gives_back(lost=True)

    @rule()
    def the_organiser_pauses(self) -> None:
        if match_hold(matches=self.one_match()):
            assert self.state == MatchState.QUEUED
            self.state = MatchState.HELD

    @rule()
    def the_organiser_goes_on(self) -> None:
        if match_release(matches=self.one_match()):
            assert self.state == MatchState.HELD
            self.state, self.faults, self.losses = MatchState.QUEUED, 0, 0

    @rule(meant=ANY)
    def the_organiser_calls_it_off(self, meant: int) -> None:
        if meant == 0 and match_cancel(matches=self.one_match()):
            assert self.state != MatchState.FINISHED
            self.holder, self.state, self.expired = None, MatchState.CANCELLED, False
            self.stored = 0

    @invariant()
    def the_database_agrees(self) -> None:
        self.match.refresh_from_db()
        assert self.match.state == self.state
        assert (self.match.platform_faults, self.match.workers_lost) == (self.faults, self.losses)
        assert [game.index for game in self.match.games.all()] == list(range(2 * self.stored))
        assert self.results == (self.state == MatchState.FINISHED)
        seats = list(self.match.seats.all())
        assert all(seat.score is None for seat in seats) == (self.results == 0)
        if self.results:
            assert [(seat.score, seat.points) for seat in seats] == [
                (total.score, total.points) for total in scoring_seat_totals(games())
            ]
            assert seats[0].cpu_ms == pytest.approx(scoring_seat_totals(games())[0].cpu * 1000), (
                "a slice was lost, or twice"
            )


@pytest.mark.django_db
def test_a_match_is_decided_once_in_every_history(settings: Any) -> None:
    settings.LEASE_SECONDS = 3600  # time passes when the history says so, and not on a slow machine
    BotVersionFactory()
    BotVersionFactory()
    run_state_machine_as_test(
        History,
        settings=examples(30, stateful_step_count=40, suppress_health_check=list(HealthCheck)),
    )
