"""The check of an upload whose game raises, hangs or is gone: the game is named, no bot is blamed, and the check is
repeated when the game is another."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from bots.checks import version_checks_release
from bots.models import CHECK_FAULTS_AT_MOST, BotVersion, VersionState
from games.catalogue import GAMES
from games.catalogue.code import game_code
from matches.worker import qualification
from matches.worker.qualification import qualification_check_next
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.contests.test_stuck_games import HOLDS, KilledWorker, breaks_after, installed, removed
from tests.games.sample import pig
from tests.matches.in_process import InProcessCage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("matches.worker.qualification.worker_process_cage", InProcessCage)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    installed("1.0.0", monkeypatch)
    yield
    game_code.cache_clear()


def hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules loop; what the heartbeat does then, but for the end of the process."""
    last_words: list[Any] = []

    class Watched(qualification.Heartbeat):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            last_words.append(self._last_words)

    def hanging(_position: Any, _won: int) -> Any:
        last_words[-1](104.2)
        raise KilledWorker

    monkeypatch.setattr(qualification, "Heartbeat", Watched)
    monkeypatch.setattr(pig.position.Position, "_next", hanging)


def checks(version: BotVersion) -> int:
    """Check until nothing is to be checked, without the pauses after faults; how often that was."""
    for number in range(20):
        BotVersion.objects.filter(state=VersionState.QUEUED).update(lease_expires_at=None)
        before = version.check_attempt
        with suppress(KilledWorker):
            qualification_check_next()
        version.refresh_from_db()
        if version.check_attempt == before:
            return number
    raise AssertionError("there is no end to it")


BROKEN_GAMES = [
    ("raises", lambda patch: breaks_after(40, patch), "pecking-order-pig 1.0.0: ZeroDivisionError: in the rules"),
    ("hangs", hangs, "pecking-order-pig 1.0.0: the game did not answer in 104 s"),
    ("gone", removed, "UnknownRuleset: ruleset &#x27;pig&#x27; is unknown"),
]


@pytest.mark.parametrize(("breaks", "reason"), [one[1:] for one in BROKEN_GAMES], ids=[one[0] for one in BROKEN_GAMES])
def test_the_game_is_named_and_the_bot_is_checked_when_it_is_fixed(
    breaks: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = BotVersionFactory(open=True, bot=BotFactory(game="pig"), package=HOLDS)
    address, author = reverse("bots:version", args=[version.bot.slug, version.number]), Client()
    author.force_login(version.bot.owner)
    with monkeypatch.context() as patch:
        breaks(patch)
        assert checks(version) == CHECK_FAULTS_AT_MOST
        assert (version.state, version.is_held, "verdict" in version.report) == (VersionState.QUEUED, True, False)
        page = " ".join(author.get(address).content.decode().split())
        assert "The check failed because of an error in the game" in page
        assert reason in page
        for other in (None, UserFactory()):
            client = Client()
            if other is not None:
                client.force_login(other)
            assert reason not in client.get(address).content.decode()
        assert version_checks_release() == 0  # the same code would fail once more
    installed("1.0.1", monkeypatch)
    assert version_checks_release() == 1
    assert checks(version) == 1
    assert (version.state, version.check_faults) == (VersionState.ACCEPTED, 0)
    assert "game_fault" not in version.report
    assert "pig" in GAMES


def test_what_waits_for_one_game_does_not_hold_up_what_waits_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.checks.RELEASED_AT_ONCE", 1)
    versions = [BotVersionFactory(open=True, bot=BotFactory(game=game)) for game in ("pickomino", "gone", "pig")]
    codes = (str(game_code("pickomino")), "gone 1.0.0 0", "pecking-order-pig 0.9.0 0")
    for version, code in zip(versions, codes, strict=True):
        report = {"game_fault": "ValueError", "game_code": code}
        BotVersion.objects.filter(pk=version.pk).update(check_faults=CHECK_FAULTS_AT_MOST, report=report)
    assert version_checks_release() == 1
    for version in versions:
        version.refresh_from_db()
    assert [version.is_held for version in versions] == [True, True, False]
    assert version_checks_release() == 0


def test_the_next_upload_for_a_game_that_is_broken_costs_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    breaks_after(40, monkeypatch)
    for most in (CHECK_FAULTS_AT_MOST, 1):
        version = BotVersionFactory(open=True, bot=BotFactory(game="pig"), package=HOLDS)
        assert checks(version) == most
        assert version.is_held
