"""Shared by the tests of the log."""

import io
import logging
import logging.config
from collections.abc import Callable, Iterator
from copy import deepcopy

import pytest
from django.conf import settings
from structlog.contextvars import clear_contextvars


@pytest.fixture(autouse=True)
def _no_ids_left() -> Iterator[None]:
    clear_contextvars()
    yield
    clear_contextvars()


@pytest.fixture
def log_as() -> Iterator[Callable[[str], io.StringIO]]:
    """What is logged from now on, as text or as JSON."""

    def begin(kind: str) -> io.StringIO:
        written = io.StringIO()
        ours = deepcopy(settings.LOGGING)
        ours["handlers"]["console"]["stream"] = written
        ours["formatters"]["line"]["kind"] = kind
        logging.config.dictConfig(ours)
        return written

    yield begin
    logging.config.dictConfig(settings.LOGGING)
