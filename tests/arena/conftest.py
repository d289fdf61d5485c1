"""Shared by the tests of people and site-wide pages."""

from collections.abc import Iterator

import pytest
from celery import current_app
from django.core.cache import cache

from arena.embedded.supervisor import Supervisor


@pytest.fixture(autouse=True)
def _fresh_rate_limits() -> None:
    """What one test tried too often is not held against the next."""
    cache.clear()


@pytest.fixture
def worker() -> Iterator[None]:
    """Tasks are done at once, by the sender."""
    current_app.conf.update(task_always_eager=True, task_eager_propagates=True)
    yield
    current_app.conf.update(task_always_eager=False, task_eager_propagates=False)


@pytest.fixture
def messages() -> list[str]:
    """The messages of the supervisor."""
    return []


@pytest.fixture
def supervisor(messages: list[str]) -> Iterator[Supervisor]:
    supervisor = Supervisor(messages.append)
    yield supervisor
    supervisor.stop(patience=0)
