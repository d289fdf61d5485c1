"""Prints the table of all cases after the run."""

import pytest

from .duel import Row
from .table import lines

TABLES: dict[str, list[Row]] = {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for who, rows in TABLES.items():
        terminalreporter.write_sep("=", f"hostile bots, as {who}")
        for line in lines(rows, who):
            terminalreporter.write_line(line)
