"""Two versions of one bot, and matches that are played in this process."""

from typing import Any

import pytest

from bots.models import BotVersion
from games.catalogue import GAMES
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import BRISK
from tests.matches.in_process import InProcessCage


@pytest.fixture(autouse=True)
def _no_broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LEASE_SECONDS = 1000  # a heartbeat's own connection cannot see what a test has not committed
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    monkeypatch.setattr("matches.tasks.dispatch_workers", lambda *_args: None)


@pytest.fixture
def old() -> BotVersion:
    return BotVersionFactory(source=BRISK)


@pytest.fixture
def new(old: BotVersion) -> BotVersion:
    return BotVersionFactory(bot=old.bot, source=GAMES["pickomino"].house_bots[0].source())
