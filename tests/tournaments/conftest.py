"""What tests of tournaments may ask for."""

import pytest


@pytest.fixture
def sent(monkeypatch):
    """What the broker was given: (task, id), or (task,) alone."""
    messages = []
    monkeypatch.setattr("matches.queue.dispatch._messages_waiting", lambda: messages.count(("matches.play",)))
    monkeypatch.setattr("celery.Celery.send_task", lambda self, name, args=(), **_: messages.append((name, *args)))
    return messages
