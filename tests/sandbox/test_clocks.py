"""Time on the clock: sleep costs what computing costs, and what the machine takes from an honest bot costs nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from games.protocol import CLOCK_FACTOR, CLOCK_GRACE, BotFault, Limits, Verdict
from sandbox import Box
from sandbox.process import Process

from .conftest import VIEW, Start

pytestmark = pytest.mark.processes

SLEEPS = "import time\ndef act(view):\n time.sleep({})\n return 'go'"
COMPUTES = """
from time import process_time
def act(view):
    end = process_time() + 0.03
    while process_time() < end: pass
    return 'go'
"""


def actions_until_the_fault(box: Box, most: int) -> tuple[int, BotFault | None]:
    for done in range(most):
        try:
            box.act(VIEW)
        except BotFault as fault:
            return done, fault
    return most, None


def test_sleep_in_each_action_is_charged_to_the_games_bank(start: Start) -> None:
    box = start(SLEEPS.format(0.1), limits=Limits(game_cpu=0.5))
    done, fault = actions_until_the_fault(box, 50)
    assert fault is not None
    assert 3 <= done <= 6  # 0.09 s and more of each are charged
    assert (fault.verdict, fault.limit) == (Verdict.SLEPT, 0.5)
    assert "slept" in fault.detail
    assert fault.cpu < 0.5


def test_short_naps_cost_at_most_a_trifle_for_free(start: Start) -> None:
    done, fault = actions_until_the_fault(start(SLEEPS.format(0.03), limits=Limits(game_cpu=0.3)), 50)
    assert fault is not None
    assert fault.verdict is Verdict.SLEPT
    assert done <= 20


def test_the_start_is_never_charged_to_the_games_bank(start: Start) -> None:
    source = "import time\ntime.sleep(0.1)\nsum(range(20_000_000))\ndef act(view): return 'go'"
    assert start(source, limits=Limits(game_cpu=0.05)).act(VIEW).action == "go"


def test_starvation_of_earlier_actions_gives_no_credit_for_this_one(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Process, "starved", lambda _self: 1000.0)  # in its life so far
    box = start(SLEEPS.format(60), limits=Limits(act_cpu=0.1, act_wall=0.4))
    with pytest.raises(BotFault) as caught:
        box.act(VIEW)
    assert caught.value.verdict is Verdict.SLEPT
    assert caught.value.wall < 5


def test_a_bank_that_was_slept_away_is_not_blamed_on_computing(start: Start) -> None:
    computes = " end = time.process_time() + 0.2\n while time.process_time() < end: pass\n return"
    source = SLEEPS.format("0.45 if view['turn'] == 1 else 0").replace(" return", computes)
    box = start(source, limits=Limits(act_cpu=0.5, game_cpu=0.5))
    _done, fault = actions_until_the_fault(box, 3)
    assert fault is not None
    assert fault.verdict is Verdict.SLEPT


@pytest.fixture
def crowd() -> Iterator[None]:
    """A machine with ten times as much to do as it has cores, each in a session of its own: the kernel may share the
    cores out between sessions, and the bot's is one."""
    command = [sys.executable, "-S", "-c", "while True: pass"]
    spinning = [subprocess.Popen(command, start_new_session=True) for _ in range(10 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
        for one in spinning:
            one.wait()


@pytest.mark.usefixtures("crowd")
def test_an_honest_bot_on_a_crowded_machine_is_blamed_for_nothing(start: Start) -> None:
    """Each of its actions takes several times its processor time on the clock, in all more than the game's bank."""
    box = start(COMPUTES, limits=Limits(start_cpu=5, act_cpu=0.08, game_cpu=1.0, game_wall=1.0))
    walls: list[float] = []
    while sum(walls) <= 1.2 and len(walls) < 28:  # 0.84 s of processor time
        walls.append(box.act(VIEW).wall)
    if sum(walls) <= 1.2:
        pytest.skip("the machine gave the bot all it wanted: whether it is blamed for waiting was not seen")


def test_the_limit_on_the_clock_follows_the_limit_on_processor_time() -> None:
    limits = Limits(start_cpu=1, start_wall=300, act_cpu=0.5, act_wall=300, game_cpu=10, game_wall=7200)
    for span, cpu in (("start", 1), ("act", 0.5), ("game", 10)):
        assert getattr(limits, f"{span}_wall") == CLOCK_FACTOR * cpu + CLOCK_GRACE[span]
    assert Limits(act_wall=0.25).act_wall == 0.25
    assert Limits() == Limits(start_wall=10.0, act_wall=12.0, game_wall=120.0)  # as older matches have stored them
    assert Limits.from_dict(limits.to_dict()) == limits
