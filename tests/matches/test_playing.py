"""A worker plays a match, with a real cage: what it writes, and what it does when something breaks."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import Mock, patch

import pytest
from django.db import DatabaseError

from bots.package_objects import PackageAway
from games.protocol import Limits, PlatformFault, Verdict
from games.record import Record
from matches.models import Fault, Match, MatchState
from matches.queue.leases import lease_return, lease_take
from matches.tasks import matches_play
from matches.worker.playing import worker_play_claim, worker_playing_stall_seconds
from matches.worker.process import Heartbeat, LeaseLost, worker_process_close, worker_process_speed
from sandbox import Cage, Layer, SandboxUnavailable
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import BRISK, CRASHES, MatchFactory
from tests.waiting import eventually

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def cage() -> Iterator[None]:
    yield
    worker_process_close()


@pytest.fixture(autouse=True)
def long_lease(settings: Any) -> None:
    """A heartbeat's own connection cannot see what a test has not committed."""
    settings.LEASE_SECONDS = 1000


def test_output_takes_no_more_memory_in_a_worker_than_is_stored(settings: Any) -> None:
    settings.OUTPUT_BYTES_PER_MATCH = 3000
    talkers = BotVersionFactory.create_batch(2, source=b"print('x' * 9000)\n" + BRISK)
    match = MatchFactory(seats=talkers)
    with patch("matches.worker.playing.match_results_write", return_value=[match.pk]) as write:
        assert worker_play_claim()
    ((played,),) = (call.args[0] for call in write.call_args_list)
    assert played.match == match
    assert len(played.games) == 2
    assert all(game.printed == () and game.logs == () for game in played.games)
    assert [log.printed for log in played.logs] == [3000, 3000]
    assert all(len(log.packed()) < 3000 for log in played.logs)


def test_a_match_is_played_to_its_end_and_its_records_verify() -> None:
    match = MatchFactory(seats=3)
    matches_play()
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert match.attempt == 1
    assert match.duration_ms is not None
    assert match.worker_speed == worker_process_speed()
    for game in match.games.all():
        assert Record.decode(bytes(game.record)).verify().points == tuple(
            game.points[(position + game.index) % 3] for position in range(3)
        )
    assert sum(seat.score or 0 for seat in match.seats.all()) == pytest.approx(3 * 1.5)
    assert all(seat.cpu_ms and seat.slowest_ms for seat in match.seats.all())


def test_the_same_match_played_again_gives_the_same_records() -> None:
    source = b"import random\ndef act(view):\n    return random.choice(view['actions'])\n"
    versions = [BotVersionFactory(source=source), BotVersionFactory(source=source)]

    def records() -> list[bytes]:
        match = MatchFactory(seats=versions)
        assert worker_play_claim()
        return [bytes(game.record) for game in match.games.all()]

    assert records() == records()


def test_a_fault_is_stored_for_its_author_and_the_match_is_finished() -> None:
    match = MatchFactory(blocks=3, seats=[BotVersionFactory(source=CRASHES), BotVersionFactory()])
    assert worker_play_claim()
    faults = Fault.objects.all()
    crashed, forfeited = ("crashed", 2, 0), ("forfeited", None, 0)
    assert [(fault.verdict, fault.line, fault.seat.index) for fault in faults] == [crashed] * 2 + [forfeited] * 4
    assert [(seat.score, seat.faulty_games, seat.has_forfeited) for seat in match.seats.all()] == [
        (0.0, 6, True),
        (6.0, 0, False),
    ]


def test_a_second_delivery_finds_nothing_to_play() -> None:
    match = MatchFactory()
    assert worker_play_claim()
    before = list(match.games.values())
    assert not worker_play_claim()
    assert list(match.games.values()) == before


@pytest.mark.parametrize("error", [PlatformFault("the zygote died"), RuntimeError("a bug of ours")])
def test_a_platform_fault_blames_no_bot_and_the_match_is_played_again(error: Exception) -> None:
    match = MatchFactory()
    with patch.object(Cage, "start", side_effect=error):
        assert worker_play_claim()
    match.refresh_from_db()
    assert match.state == MatchState.QUEUED
    assert str(error) in match.last_platform_fault
    assert not Fault.objects.exists()
    assert worker_play_claim()
    assert Match.objects.get(pk=match.pk).attempt == 2


@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize("starts", [1, 2])
def test_a_bot_whose_process_is_killed_twice_is_held_and_not_its_match(victim: int, starts: int) -> None:
    marked = b"# killed\n" + BRISK
    sources = [marked, BRISK] if victim == 0 else [BRISK, marked]
    match = MatchFactory(seats=[BotVersionFactory(source=source) for source in sources])
    start, begun = Cage.start, 0

    def killed(cage: Cage, files: Any, *rest: Any) -> Any:
        """Start the bot; the victim's process is killed from outside, in every ``starts``th of its games."""
        nonlocal begun
        box = start(cage, files, *rest)
        if files["bot.py"].startswith(marked):
            begun += 1
            if begun % starts == 0:
                os.kill(box.pid, signal.SIGKILL)
        return box

    with patch.object(Cage, "start", killed):
        assert worker_play_claim()
        match.refresh_from_db()
        assert (match.state, match.platform_faults) == (MatchState.QUEUED, 1)
        assert match.last_platform_fault.startswith("BoxLost: ")
        assert not match.seats.filter(has_forfeited=True).exists()
        assert worker_play_claim()
        match.refresh_from_db()
        assert (match.state, match.platform_faults) == (MatchState.QUEUED, 0)
        assert worker_play_claim()
    match.refresh_from_db()
    assert (match.state, match.attempt) == (MatchState.FINISHED, 3)
    assert begun == 2 * starts
    assert [seat.is_held for seat in match.seats.all()] == [index == victim for index in range(2)]
    assert {fault.verdict for fault in Fault.objects.all()} == {Verdict.FORFEITED}
    assert {fault.seat.index for fault in Fault.objects.all()} == {victim}


def test_stored_output_of_a_match_is_deleted_with_a_held_bot() -> None:
    match = MatchFactory(blocks=3)
    with patch("matches.worker.playing.claim_slice_seconds", return_value=0.0):
        assert worker_play_claim()
    match.refresh_from_db()
    assert match.blocks_kept == 1
    match.seats.filter(index=1).update(boxes_lost=1)
    (lease,) = lease_take(match_ids=[match.pk], worker="one")
    assert not lease_return(replace(lease, attempt=lease.attempt + 1), "BoxLost", 1)  # of another's attempt
    assert lease_return(lease, "BoxLost", 1)
    match.refresh_from_db()
    assert (match.state, match.blocks_kept, match.games.count()) == (MatchState.QUEUED, 0, 0)
    assert worker_play_claim()
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert match.games.count() == 6
    assert [seat.has_forfeited for seat in match.seats.all()] == [False, True]


def test_while_packages_cannot_be_had_matches_wait_and_nobody_is_blamed() -> None:
    matches = [MatchFactory(), MatchFactory()]
    with patch("bots.models.BotPackage.read", side_effect=PackageAway("no storage")):
        assert not worker_play_claim()
    for match in matches:
        match.refresh_from_db()
        assert (match.state, match.platform_faults, match.workers_lost) == (MatchState.QUEUED, 0, 0)
    assert worker_play_claim()


def test_a_machine_without_a_cage_leaves_the_match_alone() -> None:
    match = MatchFactory()
    missing = Layer("landlock", False, "not in this kernel", "use Linux 5.13 or newer")
    with (
        patch("matches.worker.playing.worker_process_cage", side_effect=SandboxUnavailable([missing])),
        pytest.raises(SandboxUnavailable, match=r"landlock.*use Linux 5\.13"),
    ):
        worker_play_claim()
    match.refresh_from_db()
    assert (match.state, match.attempt) == (MatchState.QUEUED, 0)


def test_a_match_called_off_while_it_is_played_is_dropped(settings: Any) -> None:
    match = MatchFactory(min_action_ms=1000)  # takes minutes
    settings.LEASE_SECONDS = 0.2
    with patch("matches.worker.playing.leases_beat", return_value=frozenset()):
        start = time.monotonic()
        assert worker_play_claim()
    assert time.monotonic() - start < 30
    assert not match.games.exists()
    assert Match.objects.get(pk=match.pk).platform_faults == 0


def test_a_heartbeat_renews_the_lease_while_there_is_progress(settings: Any) -> None:
    settings.LEASE_SECONDS = 0.08
    beats = threading.Semaphore(0)

    def renew() -> bool:
        beats.release()
        return True

    with Heartbeat(renew, stall=60) as heartbeat:
        for _ in range(3):
            assert beats.acquire(timeout=60)
            heartbeat.alive()


def test_only_the_playing_thread_renews_the_lease(settings: Any) -> None:
    settings.LEASE_SECONDS = 8
    renewed, looks, clock = list[int](), threading.Semaphore(0), Mock(return_value=0.0)

    def renew() -> bool:
        renewed.append(threading.get_ident())
        return True

    def look() -> bool:
        looks.release()
        return False

    with (
        patch("matches.worker.process.time", Mock(monotonic=clock)),
        patch("matches.worker.process.worker_process_drain_is_over", look),
        patch("matches.worker.process.LOOKS_EVERY", 0.01),
        Heartbeat(renew, stall=60) as heartbeat,
    ):
        for moment in (0.9, 1.0, 1.5, 2.9):
            clock.return_value = moment
            heartbeat.beat()
            for _ in range(2):
                assert looks.acquire(timeout=60)
        assert renewed == [threading.get_ident()] * 2, "at 1.0 and 2.9"
        clock.return_value = 5.0
        assert eventually(lambda: len(renewed) > 2, 60)
    assert renewed[2] != threading.get_ident(), "where nobody does, the thread does"


def test_a_lost_lease_is_noticed_at_the_next_sign_of_life(settings: Any) -> None:
    settings.LEASE_SECONDS = 0.04
    attempted = threading.Event()

    def renew() -> bool:
        attempted.set()
        return False

    with Heartbeat(renew, stall=60) as heartbeat:
        assert attempted.wait(60)
        with pytest.raises(LeaseLost):
            _live_on(heartbeat)


def test_a_heartbeat_outlives_a_database_that_is_busy(settings: Any) -> None:
    settings.LEASE_SECONDS = 0.04
    beats = threading.Semaphore(0)

    def renew() -> bool:
        beats.release()
        raise DatabaseError("locked")

    with Heartbeat(renew, stall=60) as heartbeat:
        assert beats.acquire(timeout=60)
        assert beats.acquire(timeout=60)
        heartbeat.alive()


def test_seven_bots_that_are_slow_to_start_are_not_taken_for_a_process_that_hangs() -> None:
    limits = Limits(start_wall=300.0)
    assert worker_playing_stall_seconds(limits, seats=7) > 7 * (limits.start_wall + limits.act_wall)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_process_that_hangs_is_killed_even_if_it_cannot_say_so(settings: Any) -> None:
    settings.LEASE_SECONDS = 0.04
    killed = threading.Event()

    def cannot(seconds: float) -> None:
        raise DatabaseError(seconds)

    def kill(pid: int, number: int) -> None:
        killed.set()
        raise SystemExit  # ends the thread, as the signal does

    with patch("matches.worker.process.os.kill", kill), Heartbeat(lambda: True, stall=0.05, last_words=cannot):
        assert killed.wait(5)


def test_a_worker_that_has_had_its_time_to_stop_hands_back_what_it_is_at_and_is_killed() -> None:
    killed, done = threading.Event(), list[str]()

    def kill(pid: int, number: int) -> None:
        done.append("killed")
        killed.set()

    with (
        patch("matches.worker.process.os.kill", kill),
        patch("matches.worker.process.worker_process_drain_is_over", return_value=True),
        Heartbeat(lambda: True, stall=60, hand_back=lambda: done.append("handed back")),
    ):
        assert killed.wait(60)
    assert done[:2] == ["handed back", "killed"]


@pytest.mark.parametrize("seen", [[True], [False, True]])  # at once, or only when its cage is there
def test_a_worker_that_is_to_stop_claims_nothing_and_has_another_woken(seen: list[bool]) -> None:
    match = MatchFactory()
    with (
        patch("matches.worker.playing.worker_process_is_draining", side_effect=seen),
        patch("matches.tasks.worker_process_is_draining", return_value=True),
        patch("matches.tasks.dispatch_workers") as wake,
    ):
        matches_play()
    wake.assert_called_once()
    match.refresh_from_db()
    assert (match.state, match.attempt) == (MatchState.QUEUED, 0)


def _live_on(heartbeat: Heartbeat) -> None:
    for _ in range(100):
        heartbeat.alive()
        time.sleep(0.01)
