"""The books without a broker."""

from collections.abc import Sequence
from typing import Any

import pytest

from tournaments.selectors.standings.making import MAKE_TASK
from tournaments.tasks import make_lately


def books_make(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Have what readers of a large tournament ask for made at once, and send nothing else; return what was asked for,
    to which more is added."""
    asked: list[tuple[str, int]] = []

    def send(_app: Any, name: str, args: Sequence[Any] = (), **_kwargs: Any) -> None:
        if name == MAKE_TASK:
            asked.append((args[0], args[1]))
            make_lately(*args)

    monkeypatch.setattr("celery.Celery.send_task", send)
    return asked
