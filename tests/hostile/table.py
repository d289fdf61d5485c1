"""The table that ``make test-hostile`` prints: each case in each setting, and what was expected of it.

``python -m tests.hostile.table --json [--plain] [--bwrap] [CASE ...]`` plays for the user who runs it, and prints the
rows: without numpy in the zygote, by way of bwrap.
``python -m tests.hostile.table`` plays every setting this machine allows, and prints the table.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from sandbox import Backend
from tests.sandbox.ordinary_user import REPOSITORY, command

from .design import DESIGN
from .duel import EVERY, Row, play_all

ME: Final = "root" if os.geteuid() == 0 else "user"
LAST: Final = "the cage, closed"
NAMES: Final = (*EVERY, LAST)


@dataclass(frozen=True, slots=True)
class Setting:
    """Who runs the judge, whether boxes have numpy loaded before the bot comes, and who builds their walls."""

    who: str
    warm: bool
    backend: Backend = Backend.OWN

    def __str__(self) -> str:
        return f"{self.who}{'+numpy' if self.warm else ''}{'+bwrap' if self.backend is Backend.BWRAP else ''}"

    def play(self, names: Iterable[str] = ()) -> dict[str, Row]:
        """The cases named, or all, in an interpreter of its own."""
        flags = [*([] if self.warm else ["--plain"]), *(["--bwrap"] if self.backend is Backend.BWRAP else [])]
        words = ("-m", "tests.hostile.table", "--json", *flags, *names)
        line = [sys.executable, *words] if self.who == ME else command(*words)
        done = subprocess.run(line, capture_output=True, text=True, cwd=REPOSITORY, check=False)
        if not done.stdout:
            raise RuntimeError(f"{self} could not be played: {done.stderr[-2000:]}")
        return {row["case"]: Row(**row) for row in json.loads(done.stdout.splitlines()[-1])}


_WHO: Final = tuple(dict.fromkeys((ME, "user")))
SETTINGS: Final = (
    *(Setting(who, warm) for who in _WHO for warm in (True, False)),
    *(Setting(who, True, Backend.BWRAP) for who in _WHO if shutil.which("bwrap")),
)


def lines(played: Mapping[Setting, Mapping[str, Row]]) -> list[str]:
    """One line for each case of the design and each program that plays it; then our own."""
    columns = "".join(f" {f'({n})':16}" for n in range(1, len(played) + 1))
    values = [
        "one column a setting: " + ", ".join(f"({n}) {setting}" for n, setting in enumerate(played, 1)),
        f"    {'case':26}{columns}  opponent leaks expected",
    ]
    for number, title in DESIGN.items():
        values.append(f"{number:3} {title}")
        values += [_line(name, played) for name, case in EVERY.items() if number in case.numbers]
    values.append("  + our own")
    values += [_line(name, played) for name, case in EVERY.items() if not case.numbers]
    return [*values, _line(LAST, played), _summary(played)]


def _line(name: str, played: Mapping[Setting, Mapping[str, Row]]) -> str:
    rows = [rows[name] for rows in played.values() if name in rows]
    if not rows:
        return f"    {name}: not played"
    verdicts = "".join(f" {rows[name].verdict if name in rows else 'not played':16}" for rows in played.values())
    leaks = "; ".join(dict.fromkeys(row.leaks for row in rows if row.leaks)) or "0"
    fine = "fine" if all(row.opponent_fine for row in rows) else "HARMED"
    text = f"    {name:26}{verdicts}  {fine:9}{leaks:6}{rows[0].expected}"
    wrong = [row for row in rows if not row.ok]
    return text + "".join(f"\n    ^ NOT AS EXPECTED: {row.detail[-300:]!r}" for row in wrong)


def _summary(played: Mapping[Setting, Mapping[str, Row]]) -> str:
    rows = [row for rows in played.values() for row in rows.values()]
    good = sum(row.ok for row in rows)
    return f"{good} of {len(rows)} as expected; {len(DESIGN)} cases of the design, {len(played)} settings"


def main(arguments: list[str]) -> int:
    names = [name for name in arguments if not name.startswith("-")]
    if "--json" in arguments:
        backend = Backend.BWRAP if "--bwrap" in arguments else Backend.OWN
        rows = play_all(names, warm="--plain" not in arguments, backend=backend)
        print(json.dumps([asdict(row) for row in rows]))
        return 0 if all(row.ok for row in rows) else 1
    played = {setting: setting.play(names) for setting in SETTINGS}
    print("\n".join(lines(played)))
    return 0 if all(row.ok for rows in played.values() for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
