"""Shared by the tests of leagues: no broker."""

import pytest


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
