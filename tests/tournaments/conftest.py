"""What tests of tournaments may ask for."""

import pytest


@pytest.fixture
def sent(monkeypatch):
    """What the broker was given: (task, id)."""
    messages = []
    monkeypatch.setattr("celery.Celery.send_task", lambda self, name, args=(), **_: messages.append((name, *args)))
    return messages
