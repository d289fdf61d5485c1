"""The table that ``make test-hostile`` prints; ``python -m tests.hostile.table [CASE ...]`` prints it for one user."""

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict

from .duel import Row, play_all


def lines(rows: Iterable[Row], who: str) -> list[str]:
    """One line for each case."""
    form = "{:10} {:26} {:16} {:38} {:10} {}"
    return [
        form.format("as", "case", "verdict", "expected", "opponent", "leaks"),
        *(
            form.format(
                who, row.case, row.verdict, row.expected, "fine" if row.opponent_fine else "HARMED", row.leaks or "0"
            ).rstrip()
            + ("" if row.ok else f"   <-- NOT AS EXPECTED {row.detail[-300:]!r}")
            for row in rows
        ),
    ]


def main(arguments: list[str]) -> int:
    as_json = "--json" in arguments
    rows = play_all([name for name in arguments if not name.startswith("-")])
    if as_json:
        print(json.dumps([asdict(row) for row in rows]))
    else:
        print("\n".join(lines(rows, "root" if os.geteuid() == 0 else "user")))
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
