"""Assignments whose matches are played in this process."""

from typing import Any

import pytest

from tests.matches.in_process import InProcessCage


@pytest.fixture(autouse=True)
def _no_broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LEASE_SECONDS = 1000  # a heartbeat's own connection cannot see what a test has not committed
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    monkeypatch.setattr("matches.tasks.dispatch_workers", lambda *_args: None)
