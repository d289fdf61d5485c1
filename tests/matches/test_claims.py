"""What a worker plays next: shares by account, several short matches at once, and slices of long ones."""

import time
from datetime import timedelta
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.utils import timezone

from bots.models import BotVersion
from matches.contest_kinds import ContestKey, ContestKind
from matches.models import Account, Contest, Game, Match, MatchState
from matches.queue.claims import (
    DEBT_AT_MOST,
    Claim,
    _accounts_next,
    _waiting,
    claim_settle,
    claim_slice_seconds,
    claim_take,
)
from matches.queue.leases import leases_expire
from matches.queue.result_writing import match_results_write
from matches.queue.worker_status import worker_seen
from matches.referee import MatchSpec, series_games_play
from matches.services import PlannedMatch, match_hold, match_release, match_seats_forfeit
from matches.worker.playing import Shift, worker_play_claim
from tests.bots.factories import BotVersionFactory
from tests.matches.creating import matches_of
from tests.matches.factories import BRISK
from tests.matches.in_process import InProcessCage

pytestmark = pytest.mark.django_db

QUEUED = 100_000
CUP = ContestKind("cup", finished_task="tests.result")
FIRST, SECOND = CUP.numbered(1), CUP.numbered(2)


@pytest.fixture(autouse=True)
def long_lease(settings: Any) -> None:
    """A heartbeat's own connection cannot see what a test has not committed."""
    settings.LEASE_SECONDS = 1000


@pytest.fixture
def in_process() -> Any:
    with patch("matches.worker.playing.worker_process_cage", return_value=InProcessCage()) as cage:
        yield cage


@pytest.fixture
def bots() -> list[BotVersion]:
    return [BotVersionFactory(source=BRISK) for _ in range(2)]


def queue(
    bots: list[BotVersion], account: str, count: int, contest: ContestKey | None = None, **fields: Any
) -> list[Match]:
    data: dict[str, Any] = {"ruleset": "pickomino", "options": {}, "blocks": 1, "limits": {}, **fields}
    pairings = [PlannedMatch(bots, number.to_bytes(16)) for number in range(count)]
    return matches_of(pairings=pairings, account=account, contest=contest, **data)


def known(contest: ContestKey, block_seconds: float) -> None:
    """Workers have played some of it."""
    Contest.objects.update_or_create(name=str(contest), defaults={"block_seconds": block_seconds})


def served(rounds: int, seconds: float = 10.0) -> list[str]:
    """The accounts of so many claims that take ``seconds`` each; nothing of them is played."""
    accounts = []
    for number in range(rounds):
        claim = claim_take(f"worker:{number}")
        assert claim is not None
        accounts.append(claim.account)
        claim_settle(claim, seconds=seconds)
    return accounts


def ids(claim: Claim | None) -> list[int]:
    return [lease.match_id for lease in claim.leases] if claim else []


def test_a_backlog_takes_no_more_than_its_share(bots: list[BotVersion]) -> None:
    queue(bots, "organiser.1", 40)
    assert served(6) == ["organiser.1"] * 6
    queue(bots, "organiser.2", 6)
    queue(bots, "league.1", 3)
    assert sorted(served(9)) == ["league.1"] * 3 + ["organiser.1"] * 3 + ["organiser.2"] * 3
    assert sorted(served(6)) == ["organiser.1"] * 3 + ["organiser.2"] * 3


def test_late_accounts_have_no_claim_on_the_past_and_lone_ones_owe_little(bots: list[BotVersion]) -> None:
    Account.objects.create(name="organiser.1", spent=5000)
    Account.objects.create(name="organiser.2", spent=100)
    Account.objects.create(name="organiser.3", spent=10)
    queue(bots, "organiser.2", 20)
    queue(bots, "organiser.1", 20)
    queue(bots, "organiser.3", 20)
    spent = dict(Account.objects.values_list("name", "spent"))
    assert spent == {"organiser.1": 100 + DEBT_AT_MOST, "organiser.2": 100, "organiser.3": 100}


def test_shares_are_of_time_and_not_of_matches(bots: list[BotVersion]) -> None:
    queue(bots, "organiser.1", 30)
    queue(bots, "organiser.2", 30)
    for _ in range(22):
        claim = claim_take("w")
        assert claim is not None
        claim_settle(claim, seconds=9.0 if claim.account == "organiser.1" else 1.0)
    slow, quick = (Match.objects.filter(account=f"organiser.{n}", state="running").count() for n in (1, 2))
    assert abs(9 * slow - quick) <= 9
    assert quick > 5 * slow


def test_several_short_matches_of_a_contest_are_taken_together(bots: list[BotVersion]) -> None:
    first = queue(bots, "organiser.1", 30, FIRST)
    queue(bots, "organiser.1", 3, SECOND)
    known(FIRST, 0.5)
    assert ids(claim_take("w")) == [match.pk for match in first[:20]]  # ten seconds of work
    assert ids(claim_take("v")) == [match.pk for match in first[20:]], "another contest is another claim"


def test_the_workers_share_what_one_could_take_alone(bots: list[BotVersion]) -> None:
    worker_seen(name="w@host", slots=2)
    queue(bots, "organiser.1", 6, FIRST)
    known(FIRST, 0.1)
    assert [len(ids(claim_take(name))) for name in "abc"] == [3, 2, 1]


def test_how_long_a_match_takes_is_learned_from_the_first(bots: list[BotVersion], in_process: Any) -> None:
    queue(bots, "organiser.1", 12, FIRST)
    assert worker_play_claim()
    assert Match.objects.filter(state="finished").count() == 1
    seconds = Contest.objects.get().block_seconds
    assert seconds is not None
    assert 0 < seconds < 5
    assert worker_play_claim()
    assert Match.objects.filter(state="finished").count() == 12
    assert Account.objects.get().spent == pytest.approx(12 * seconds, abs=5)


def test_a_worker_renews_its_leases_whenever_it_has_written(bots: list[BotVersion], in_process: Any) -> None:
    queue(bots, "organiser.1", 3, FIRST)
    known(FIRST, 0.1)
    with (
        patch("matches.worker.playing.WRITTEN_EVERY", 0),
        patch("matches.worker.playing.Heartbeat.beat", autospec=True) as beat,
    ):
        assert worker_play_claim()
    assert beat.call_count == 3


def test_an_account_does_not_pay_for_the_time_in_which_its_worker_was_cut_off(
    bots: list[BotVersion], in_process: Any
) -> None:
    queue(bots, "organiser.1", 1, FIRST)

    def cut_off(order: MatchSpec, *args: Any) -> Any:
        for game in series_games_play(order, *args):
            Match.objects.filter(state="running").update(lease_expires_at=timezone.now() - timedelta(seconds=1))
            leases_expire()
            yield game

    with (
        patch("matches.worker.playing.series_games_play", cut_off),
        patch("matches.worker.playing.time.monotonic", side_effect=count(0, 100)),
        patch(
            "matches.referee.match_series.scoring_pause_after_game", return_value=0.0
        ),  # which would be as long as that clock says
    ):
        assert worker_play_claim()
    assert Account.objects.get().spent == claim_slice_seconds()


def test_a_match_that_workers_failed_with_is_taken_alone(bots: list[BotVersion]) -> None:
    first, *others = queue(bots, "organiser.1", 5, FIRST)
    known(FIRST, 0.1)
    Match.objects.filter(pk=first.pk).update(workers_lost=1)
    assert ids(claim_take("w")) == [first.pk]
    assert ids(claim_take("w")) == [match.pk for match in others]


def test_what_is_not_due_waits(bots: list[BotVersion]) -> None:
    queue(bots, "organiser.1", 1)
    Match.objects.update(dispatch_at=timezone.now() + timedelta(minutes=1))
    assert claim_take("w") is None


def test_slow_matches_leave_a_worker_to_the_others(bots: list[BotVersion]) -> None:
    worker_seen(name="w@host", slots=3)
    queue(bots, "organiser.1", 5, min_action_ms=500)
    assert [claim is not None for claim in (claim_take("a"), claim_take("b"), claim_take("c"))] == [True, True, False]
    queue(bots, "organiser.1", 1)
    claim = claim_take("c")
    assert claim is not None
    assert claim.account == "organiser.1"


def test_a_long_match_is_played_slice_by_slice_and_others_come_between(bots: list[BotVersion], in_process: Any) -> None:
    (long,) = queue(bots, "organiser.1", 1, blocks=3)
    (alone,) = queue(bots, "nobody", 1, blocks=3)
    with (
        patch("matches.queue.claims.claim_slice_seconds", return_value=10.0),
        patch("matches.worker.playing.claim_slice_seconds") as seconds,
    ):
        seconds.return_value = 0.0
        claims = []
        while (waiting := Match.objects.filter(state="queued").order_by("pk")).exists():
            before = {match.pk: match.blocks_kept for match in waiting}
            assert worker_play_claim()
            claims += [pk for pk, stored in before.items() if Match.objects.get(pk=pk).blocks_kept != stored]
    Match.objects.filter(pk=alone.pk).update(secret=long.secret)
    results = []
    for match in (Match.objects.get(pk=long.pk), Match.objects.get(pk=alone.pk)):
        assert (match.state, match.attempt, match.blocks_played) == (MatchState.FINISHED, 1, 3)
        assert [game.index for game in match.games.all()] == list(range(6))
        results.append([(seat.score, seat.points, seat.places) for seat in match.seats.all()])
    assert results[0] == results[1]
    assert set(claims[:2]) == set(claims[2:]) == {long.pk, alone.pk}, "one match took the worker's time alone"


@pytest.mark.processes
def test_a_stopping_rule_counts_the_blocks_of_all_slices(bots: list[BotVersion], in_process: Any) -> None:
    other = BotVersionFactory(source=b"def act(view):\n    return view['actions'][0]\n")
    rule = {"effect": 0.2, "error": 0.05}
    at_once, sliced = (
        queue([bots[0], other], account, 1, blocks=60, stopping=rule)[0] for account in ("organiser.1", "organiser.2")
    )
    match_hold(matches=Match.objects.filter(pk=sliced.pk))
    assert worker_play_claim()
    match_release(matches=Match.objects.filter(pk=sliced.pk))
    with patch("matches.worker.playing.claim_slice_seconds", return_value=0.0):
        while worker_play_claim():
            pass
    ends = Match.objects.order_by("pk").values_list("blocks_played", "ending", "llr")
    assert ends[0] == ends[1]
    assert 8 <= ends[0][0] < 60
    assert Game.objects.filter(match=sliced).count() == Game.objects.filter(match=at_once).count()


def test_a_worker_that_is_lost_in_a_slice_loses_that_slice_alone(bots: list[BotVersion], in_process: Any) -> None:
    (match,) = queue(bots, "organiser.1", 1, blocks=4)
    played: list[int] = []

    def watched(order: MatchSpec, *args: Any) -> Any:
        for game in series_games_play(order, *args):
            played.append(game.index)
            yield game

    with (
        patch("matches.worker.playing.claim_slice_seconds", return_value=0.0),
        patch("matches.worker.playing.series_games_play", watched),
    ):
        worker_play_claim()
        with (
            patch("matches.worker.playing.match_results_write", side_effect=KeyboardInterrupt),
            pytest.raises(KeyboardInterrupt),
        ):
            worker_play_claim()
        Match.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
        assert leases_expire() == 1
        while worker_play_claim():
            pass
    assert played == [0, 1, 2, 3, 2, 3, 4, 5, 6, 7]
    match.refresh_from_db()
    assert (match.state, match.attempt, match.blocks_played) == (MatchState.FINISHED, 2, 4)
    assert [(game.index, game.attempt) for game in match.games.all()] == [(n, 1 if n < 2 else 2) for n in range(8)]


def test_a_match_that_has_begun_is_not_taken_from_its_bots_between_two_slices(
    bots: list[BotVersion], in_process: Any
) -> None:
    (match,) = queue(bots, "organiser.1", 1, blocks=2)
    with patch("matches.worker.playing.claim_slice_seconds", return_value=0.0):
        worker_play_claim()
    match.refresh_from_db()
    assert (match.state, match.blocks_kept) == (MatchState.QUEUED, 1)
    assert match_seats_forfeit(seats=match.seats.all()) == 0


def test_results_that_cannot_be_written_together_are_written_one_by_one(
    bots: list[BotVersion], in_process: Any
) -> None:
    good, bad = queue(bots, "organiser.1", 2, FIRST)
    known(FIRST, 0.1)

    def broken(played: Any, **speed: Any) -> Any:
        if any(one.match.pk == bad.pk for one in played):
            raise ValueError("no such number")
        return match_results_write(played, **speed)

    with patch("matches.worker.playing.match_results_write", broken):
        assert worker_play_claim()
    good.refresh_from_db()
    bad.refresh_from_db()
    assert (good.state, bad.state, bad.platform_faults) == (MatchState.FINISHED, MatchState.QUEUED, 1)
    assert "no such number" in bad.last_platform_fault


def test_what_a_shift_had_no_time_for_goes_back(bots: list[BotVersion]) -> None:
    queue(bots, "organiser.1", 4, FIRST)
    known(FIRST, 0.1)
    claim = claim_take("w")
    assert claim is not None
    assert len(claim.work) == 4
    with patch("matches.worker.playing.claim_slice_seconds", return_value=0.0):
        Shift(claim, InProcessCage()).work()
    states = list(Match.objects.order_by("pk").values_list("state", "attempt", "workers_lost"))
    assert states == [("finished", 1, 0)] + [("queued", 1, 0)] * 3


def test_a_claim_is_as_quick_from_a_long_queue_as_from_a_short_one(
    bots: list[BotVersion], capsys: pytest.CaptureFixture[str]
) -> None:
    queue(bots, "organiser.1", 1, FIRST)
    queue(bots, "organiser.2", 2)
    known(FIRST, 0.4)
    grow("organiser.1", 500)
    short = seconds_of_a_claim()
    grow("organiser.1", QUEUED)
    for reading in (_waiting("organiser.1"), _accounts_next(2)):
        plan = reading.explain()
        assert "match_queued_by_account" in plan, plan
    long = seconds_of_a_claim()
    with capsys.disabled():
        print(f"\na claim: {short * 1000:.1f} ms of 500 queued, {long * 1000:.1f} ms of {QUEUED}")
    assert long < 5 * short


def grow(account: str, size: int) -> None:
    """So many of its matches are queued."""
    names = ", ".join(field.column for field in Match._meta.fields if field.name != "id")
    with connection.cursor() as cursor:
        while lacking := size - Match.objects.filter(account=account, state="queued").count():
            some = f"SELECT {names} FROM matches_match WHERE account_id = %s AND state = 'queued' LIMIT {lacking}"
            cursor.execute(f"INSERT INTO matches_match ({names}) {some}", [account])
        cursor.execute("ANALYZE")


def seconds_of_a_claim() -> float:
    took = []
    for number in range(9):
        began = time.perf_counter()
        claim = claim_take(f"w:{number}")
        took.append(time.perf_counter() - began)
        assert claim is not None
        claim_settle(claim, seconds=10)
    return min(took)  # the others waited for the machine


def test_accounts_with_waiting_matches_block_nobody(bots: list[BotVersion]) -> None:
    for number in range(5):
        waiting = queue(bots, f"organiser.{number}", 1)
        Match.objects.filter(pk=waiting[0].pk).update(dispatch_at=timezone.now() + timedelta(hours=1))
    queue(bots, "organiser.9", 1)
    Account.objects.filter(name="organiser.9").update(spent=1000)
    assert served(1) == ["organiser.9"]
    assert claim_take("worker:2") is None
