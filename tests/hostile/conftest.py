"""Prints the table of all cases after the run."""

import pytest

from .duel import Row
from .table import Setting, lines

PLAYED: dict[Setting, dict[str, Row]] = {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if PLAYED:
        terminalreporter.write_sep("=", "hostile bots and uploads")
        for line in lines(PLAYED):
            terminalreporter.write_line(line)
