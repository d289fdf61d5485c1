"""Which files of ours a result crosses on its way to a viewer's screen, and an upload on its way to its verdict.

``python -m benchmarks.house_paths [-v]`` (``make house``) traces runs of tests that take the way in one process. A file
is crossed when a function in it runs; what only its import executes does not count, nor do the rules of games, values
of luck, what runs inside the cage, and the tests' own files. It traces the checkout in which it is called: of an older
one with ``PYTHONPATH=.:platform``, as long as that has the tests and functions named here.
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
# By the test that takes a part of the way: the function while which it is traced, or after whose first call.
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
    """A plugin of pytest that notes the files below ``root`` of which a function runs, see ``ROUTES``."""

    root: str
    mode: str
    start: str
    crossed: set[str] = field(default_factory=set)
    depth: int = 0  # calls of ``start`` that have not ended, or that were made
    importing: int = 0  # modules that are being executed; the first request imports the views
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
    """Run one test in this process, and return the files that are crossed.

    Raises:
        RuntimeError: it was not there or did not pass, or never called ``start``.
    """
    import pytest  # of the development group

    walk, said = Walk(f"{root}/", mode, start), io.StringIO()
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    try:
        with contextlib.redirect_stdout(said):
            pytest.main(["-q", "-m", "", "-p", "no:cacheprovider", str(root / test)], plugins=[walk])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if not walk.passed or not walk.crossed:
        raise RuntimeError(f"{test} did not pass, or never came to {start}:\n{said.getvalue()[-2000:]}")
    return walk.crossed


def crossed(root: Path, tests: Mapping[str, tuple[str, str]]) -> set[str]:
    """Return the files that the tests cross, each run in a process of its own."""
    found: set[str] = set()
    for test, (mode, start) in tests.items():
        command = [sys.executable, "-m", "benchmarks.house_paths", "--trace", test, mode, start]
        ended = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True)
        found |= set(json.loads(ended.stdout.splitlines()[-1]))
    return found


def main(arguments: Sequence[str]) -> None:
    """Print how many files each way crosses; with ``-v`` which."""
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
