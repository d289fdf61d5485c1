"""One cage for all tests of this room, and a shorthand for bots in it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from games.protocol import Limits
from sandbox import Box, Cage

DEFAULTS = Limits()
VIEW = {"actions": ["go", "stop"], "turn": 1}
Start = Callable[..., Box]


@pytest.fixture(scope="session")
def cage() -> Iterator[Cage]:
    with Cage.open() as opened:
        yield opened


@pytest.fixture
def start(cage: Cage) -> Iterator[Start]:
    """Start a bot with this source; every box is closed after the test."""
    boxes = []

    def begin(
        source: str,
        *,
        beside: Mapping[str, bytes] | None = None,
        table: Mapping[str, Any] | None = None,
        seed: int = 7,
        limits: Limits = DEFAULTS,
    ) -> Box:
        box = cage.start({"bot.py": source.encode(), **(beside or {})}, table or {}, seed, limits)
        boxes.append(box)
        return box

    yield begin
    for box in boxes:
        box.close()
