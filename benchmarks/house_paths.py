"""List the files that a result crosses on its way to a viewer's screen, and an upload on its way to its verdict.

``python -m benchmarks.house_paths [-v]`` (``make house``) traces tests that run such a path in one process. A file is
crossed if one of its functions runs. Code that runs only on import does not count, nor do rules of games, values of
luck, code inside the cage and the tests themselves. It traces the checkout from which it is called; an older one with
``PYTHONPATH=.:platform``, if it has the tests and functions that are named here.
"""

import contextlib
import io
import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Final

ROOMS: Final = ("platform/", "tournaments/", "bots/", "sandbox/")
LEFT_OUT: Final = ("platform/games/", "platform/luck/", "sandbox/inside/")
# By test: WHILE traces during calls of the function, the other mode traces after its first call.
WHILE: Final = "while"
FROM: Final = "from"
ROUTES: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "a result to a viewer's screen": {
        "tests/matches/test_playing.py::test_a_match_is_played_to_its_end_and_its_records_verify": (
            WHILE,
            "platform/matches/queue/result_writing.py:match_results_write",
        ),
        "tests/tournaments/test_pushed_rows.py::test_a_result_is_sent_as_rows_that_make_the_page_what_it_would_be": (
            FROM,
            "tournaments/services/tournament_chain.py:tournament_chain_results_publish",
        ),
    },
    "an upload to its verdict": {
        "tests/bots/test_pages.py::test_a_bot_and_its_first_file_are_made_in_one_go": (
            WHILE,
            "bots/views.py:bot_create_view",
        ),
        "tests/matches/test_qualification.py::test_a_bot_that_plays_is_accepted_with_what_it_used": (
            WHILE,
            "platform/matches/tasks.py:matches_qualify_version_task",
        ),
    },
}


@dataclass
class Walk:
    """A plugin of pytest that records the files below ``root`` of which a function runs, see ``ROUTES``."""

    root: str
    mode: str
    start: str
    crossed: set[str] = field(default_factory=set)
    depth: int = 0  # calls of ``start`` that are running, or in the other mode all calls
    importing: int = 0  # modules that are being imported, such as views during the first request
    passed: int = 0

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.passed += report.when == "call" and report.passed

    def note(self, frame: FrameType, event: str, _what: object) -> None:
        code = frame.f_code
        if event not in ("call", "return"):
            return
        if code.co_name == "<module>":
            self.importing += 1 if event == "call" else -1
        if self.importing or not code.co_filename.startswith(self.root):
            return
        name = code.co_filename[len(self.root) :]
        if f"{name}:{code.co_name}" == self.start:
            self.depth += 1 if event == "call" else -(self.mode == WHILE)
        if self.depth and name.startswith(ROOMS) and not name.startswith(LEFT_OUT):
            self.crossed.add(name)


def trace(root: Path, test: str, mode: str, start: str) -> set[str]:
    """Run one test in this process, and return the files that it crosses.

    Raises:
        RuntimeError: the test does not exist or failed, or ``start`` was not called.
    """
    import pytest  # not installed on sites

    walk, output = Walk(f"{root}/", mode, start), io.StringIO()
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    try:
        with contextlib.redirect_stdout(output):
            pytest.main(["-q", "-m", "", "-p", "no:cacheprovider", str(root / test)], plugins=[walk])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if not walk.passed or not walk.crossed:
        raise RuntimeError(f"{test} did not pass, or never came to {start}:\n{output.getvalue()[-2000:]}")
    return walk.crossed


def crossed(root: Path, tests: Mapping[str, tuple[str, str]]) -> set[str]:
    """Return the files that the tests cross. Each test runs in a new process."""
    found: set[str] = set()
    for test, (mode, start) in tests.items():
        command = [sys.executable, "-m", "benchmarks.house_paths", "--trace", test, mode, start]
        ended = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True)
        found |= set(json.loads(ended.stdout.splitlines()[-1]))
    return found


def main(arguments: Sequence[str]) -> None:
    """Print how many files each path crosses; with ``-v`` also which."""
    root = Path.cwd().resolve()
    if arguments[:1] == ["--trace"]:
        print(json.dumps(sorted(trace(root, *arguments[1:]))))
        return
    for name, tests in ROUTES.items():
        files = crossed(root, tests)
        print(f"{f'files from {name}':48} {len(files):6}")
        if "-v" in arguments:
            print(*(f"        {one}" for one in sorted(files)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
