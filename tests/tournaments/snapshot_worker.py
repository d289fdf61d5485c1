"""The workers that process results, without a broker."""

from collections.abc import Sequence
from typing import Any

import pytest

from tournaments.selectors.standings.ranking import REFRESH_TASK
from tournaments.tasks import tournament_snapshots_refresh_task


def refresh_snapshots_at_once(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Refresh at once the snapshots that are requested for now, and send nothing else; return what was requested, to
    which more is added."""
    requested: list[tuple[str, int]] = []

    def send(_app: Any, name: str, args: Sequence[Any] = (), countdown: float | None = None, **_options: Any) -> None:
        if name == REFRESH_TASK and not countdown:
            requested.append((args[0], args[1]))
            tournament_snapshots_refresh_task(*args)

    monkeypatch.setattr("celery.Celery.send_task", send)
    return requested
