"""A check has a minute on the clock for all its games: a bot that sleeps it away is at fault, a slow machine is not."""

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from bots.models import BotVersion, VersionState
from games.protocol import Limits, PlatformFault, Verdict
from matches.referee import trial
from matches.tasks import matches_qualify_version_task
from matches.worker.process import worker_process_close
from tests.bots.factories import BotVersionFactory
from tests.hostile.cases import BOTS

pytestmark = pytest.mark.django_db

HONEST = b"def act(view): return view['actions'][0]\n"


@pytest.fixture(scope="module", autouse=True)
def cage() -> Iterator[None]:
    yield
    worker_process_close()


@pytest.fixture(autouse=True)
def long_lease(settings: Any) -> None:
    """A heartbeat's own connection cannot see what a test has not committed."""
    settings.LEASE_SECONDS = 1000


def checked(source: bytes) -> BotVersion:
    version = BotVersionFactory(open=True, package=source)
    with patch("matches.worker.qualification.hub_announce"):
        matches_qualify_version_task()
    version.refresh_from_db()
    return version


class Boxes:
    """A cage whose bots have used so many seconds."""

    def __init__(self, cpu: float, slept: float) -> None:
        self.box = SimpleNamespace(cpu=cpu, slept=slept, is_act_idle=False)

    def start(self, *_args: Any) -> Any:
        return self.box


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of a check, to be set."""
    seconds = [0.0]
    monkeypatch.setattr(trial, "monotonic", lambda: seconds[0])
    return seconds


@pytest.mark.parametrize(
    ("cpu", "slept", "verdict"),
    [(40.0, 2.0, Verdict.CPU_TIME), (2.0, 40.0, Verdict.SLEPT), (10.0, 5.0, None), (0.0, 0.0, None)],
)
def test_a_used_up_budget_is_distinguished_from_waiting(
    cpu: float, slept: float, verdict: Verdict | None, now: list[float]
) -> None:
    own: dict[str, bytes] = {"bot.py": HONEST}
    cage = trial.ClockedCage(Boxes(cpu, slept), own, 60)
    cage.start(own, {}, 1, Limits())
    now[0] = 60.0
    cage.check()
    now[0] = 61.0
    with pytest.raises(trial.OutOfTime if verdict else PlatformFault) as caught:
        cage.check()
    if verdict:
        assert isinstance(caught.value, trial.OutOfTime)
        assert caught.value.report()["verdict"] == verdict
        assert "all games of a check have 60 s" in caught.value.report()["detail"]


def test_a_bot_of_the_house_is_not_charged_to_the_candidate(now: list[float]) -> None:
    cage = trial.ClockedCage(Boxes(50, 0), {"bot.py": HONEST}, 60)
    cage.start({"bot.py": HONEST}, {}, 1, Limits())
    now[0] = 61.0
    with pytest.raises(PlatformFault):
        cage.check()


def test_a_check_that_runs_out_of_time_by_the_bot_is_a_refusal() -> None:
    spent = trial.OutOfTime(Verdict.SLEPT, 30, 1, 28)
    with patch.object(trial.ClockedCage, "check", side_effect=[None, None, spent]):
        version = checked(HONEST)
    assert version.state == VersionState.REFUSED
    assert (version.report["verdict"], version.report["limit"]) == ("slept", 30)
    assert "slept 28.0 s" in version.report["detail"]


def test_a_machine_that_is_slow_is_not_the_bots_fault(settings: Any) -> None:
    settings.CHECK_SECONDS = 30
    minutes = iter(range(0, 100_000, 20))
    with patch.object(trial, "monotonic", lambda: float(next(minutes))):
        version = checked(HONEST)
    assert (version.state, version.report) == (VersionState.QUEUED, {})
    assert checked_again(version).state == VersionState.ACCEPTED


@pytest.mark.parametrize(("within", "games"), [(0.0, 4), (1.0, trial.GAMES_MOST)])
def test_more_than_the_first_two_blocks_are_played_only_while_there_is_time(
    within: float, games: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CHECK_SECONDS = 600  # however slow this machine is
    monkeypatch.setattr(trial, "MORE_WITHIN", within)
    version = checked(HONEST)
    assert (version.state, version.report["games"]) == (VersionState.ACCEPTED, games)


def checked_again(version: BotVersion) -> BotVersion:
    with patch("matches.worker.qualification.hub_announce"):
        matches_qualify_version_task()
    version.refresh_from_db()
    return version


@pytest.mark.processes
@pytest.mark.timeout(60)
def test_a_slow_sleeper_ends_at_its_start_and_the_report_says_that_it_slept() -> None:
    began = time.monotonic()
    version = checked((BOTS / "h24_slow_sleeper.py").read_bytes())
    assert time.monotonic() - began < 40
    assert version.state == VersionState.REFUSED
    assert (version.report["stage"], version.report["verdict"]) == ("start", "slept")
