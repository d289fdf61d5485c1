"""The check of an upload, in a real cage."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.urls import reverse
from django.utils import timezone

from bots.checks import version_checks_expire
from bots.models import BotVersion, VersionState
from games.catalogue import GAMES
from games.protocol import Limits, PlatformFault
from matches.referee.trial import GAMES_MOST
from matches.tasks import matches_qualify_version_task
from matches.worker.process import worker_process_close
from sandbox import Cage
from tests.bots.factories import BotVersionFactory

pytestmark = pytest.mark.django_db

PRINTS = b"def act(view):\n    print('hello')\n    return view['actions'][0]\n"
LATE = b"""
class Bot:
    def __init__(self, table):
        self.turns = 0

    def act(self, view):
        self.turns += 1
        if self.turns > 5:
            print("soon")
            return {}["missing"]
        return view["actions"][0]
"""


@pytest.fixture(scope="module", autouse=True)
def cage() -> Iterator[None]:
    yield
    worker_process_close()


@pytest.fixture(autouse=True)
def long_lease(settings: Any) -> None:
    """A heartbeat's own connection cannot see what a test has not committed."""
    settings.LEASE_SECONDS = 1000
    settings.CHECK_SECONDS = 600  # time for all games, however slow this machine is


def checked(source: bytes) -> BotVersion:
    version = BotVersionFactory(open=True, package=source)  # these very bytes: they decide the luck of the check
    with patch("matches.worker.qualification.hub_announce") as announce:
        matches_qualify_version_task()
    assert {call.args for call in announce.call_args_list} == {(f"version.{version.pk}",)}
    version.refresh_from_db()
    return version


def test_a_bot_that_plays_is_accepted_with_what_it_used() -> None:
    version = checked(PRINTS)
    assert version.state == VersionState.ACCEPTED
    report = version.report
    assert report["games"] == GAMES_MOST == 20
    assert "act_idle" not in report
    assert 0 < report["slowest_action"] < report["limit"] == Limits().act_cpu
    assert report["output"].startswith("hello\n")
    assert version.bot.current == version


BOTH = b"""class Bot:
    def __init__(self, table): pass
    def act(self, view): return view["actions"][0]
def act(view): return {}["never asked"]
"""


@pytest.mark.parametrize(
    ("source", "idle"),
    [
        (BOTH, True),
        (BOTH.replace(b"def act(view): return", b"act = lambda view:"), True),
        (BOTH.replace(b"def act(view): return", b"act ="), None),
        (BOTH.replace(b"class Bot", b"class Robot").replace(b'{}["never asked"]', b'view["actions"][0]'), None),
    ],
)
def test_of_a_class_bot_and_act_the_report_says_which_is_asked(source: bytes, idle: bool | None, client: Any) -> None:
    version = checked(source.replace(b"= {}", b"= 5 #"))
    assert (version.state, version.report.get("act_idle")) == (VersionState.ACCEPTED, idle)
    client.force_login(version.bot.owner)
    page = client.get(reverse("bots:version", args=[version.bot.slug, version.number])).content.decode()
    assert ("both a class Bot and a function act: only the class is used" in " ".join(page.split())) is bool(idle)


def test_a_bot_that_fails_with_both_is_told_so_too() -> None:
    report = checked(BOTH.replace(b'return view["actions"][0]', b"return 7")).report
    assert (report["verdict"], report["act_idle"]) == ("malformed", True)
    report = checked(BOTH.replace(b"    def act(self", b"    def play(self")).report
    assert report["verdict"] == "no_entry_point"
    assert "the function act beside it is not used" in report["detail"]


@pytest.mark.parametrize("house", GAMES["pickomino"].house_bots, ids=lambda bot: bot.name)
def test_every_house_bot_passes_the_check(house: Any) -> None:
    assert checked(house.source()).state == VersionState.ACCEPTED


@pytest.mark.parametrize(
    ("source", "stage", "verdict"),
    [
        (b"def act(view:\n", "start", "import_error"),
        (b"def play(view): pass\n", "start", "no_entry_point"),
        (b"def act(view):\n    return 'nonsense'\n", "mirror", "illegal_action"),
        (b"def act(view):\n    return 7\n", "mirror", "malformed"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_with_the_reason(source: bytes, stage: str, verdict: str) -> None:
    version = checked(source)
    assert version.state == VersionState.REFUSED
    assert (version.report["stage"], version.report["verdict"]) == (stage, verdict)


def test_the_author_is_told_the_exception_the_line_and_the_view() -> None:
    report = checked(LATE).report
    assert report["exception"].startswith("KeyError")
    assert report["line"] == 10
    assert "missing" in report["detail"]
    assert report["output"] == "soon\n"
    assert report["view"]["actions"]
    assert report["games"] == 1


def test_a_bot_that_fails_only_against_others_is_refused_in_the_house() -> None:
    # It rolls until it can roll no more, so against itself hardly anybody has a worm.
    jealous = b"""
def act(view):
    if sum(view["worms"]) > 4:
        raise RuntimeError("somebody has worms")
    return "roll" if "roll" in view["actions"] else view["actions"][0]
"""
    report = checked(jealous).report
    assert (report["stage"], report["exception"], report["games"]) == ("house", "RuntimeError", 3)


def test_a_fault_of_the_platform_is_never_a_refusal() -> None:
    version = BotVersionFactory(open=True)
    with patch.object(Cage, "start", side_effect=PlatformFault("the zygote died")):
        matches_qualify_version_task()
    version.refresh_from_db()
    assert (version.state, version.report) == (VersionState.QUEUED, {})
    matches_qualify_version_task()
    version.refresh_from_db()
    assert version.state == VersionState.ACCEPTED


def test_a_worker_that_is_to_stop_leaves_the_check_to_another_and_hands_back_one_that_takes_too_long() -> None:
    version = BotVersionFactory(open=True)
    with patch("matches.worker.qualification.worker_process_is_draining", return_value=True):
        matches_qualify_version_task()
    version.refresh_from_db()
    assert (version.state, version.check_attempt) == (VersionState.QUEUED, 0)

    def has_had_its_time(*_args: Any, hand_back: Any, **_more: Any) -> None:
        hand_back()
        raise SystemExit

    with patch("matches.worker.qualification.Heartbeat", has_had_its_time), pytest.raises(SystemExit):
        matches_qualify_version_task()
    version.refresh_from_db()
    assert version.state == VersionState.QUEUED
    matches_qualify_version_task()
    version.refresh_from_db()
    assert version.state == VersionState.ACCEPTED


def test_a_fault_of_the_platform_that_stays_does_not_spin() -> None:
    version = BotVersionFactory(open=True)
    with patch.object(Cage, "start", side_effect=PlatformFault("the zygote died")) as start:
        matches_qualify_version_task()
        matches_qualify_version_task()
        matches_qualify_version_task()
    version.refresh_from_db()
    assert start.call_count == 2
    assert version.state == VersionState.CHECKING
    BotVersion.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    version_checks_expire()
    matches_qualify_version_task()
    version.refresh_from_db()
    assert version.state == VersionState.ACCEPTED


def test_a_second_delivery_of_the_check_changes_nothing() -> None:
    version = checked(PRINTS)
    before = BotVersion.objects.filter(pk=version.pk).values().get()
    matches_qualify_version_task()
    assert BotVersion.objects.filter(pk=version.pk).values().get() == before
