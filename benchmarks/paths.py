"""Count the files that a path crosses: ``python -m benchmarks.paths [ROOT]``.

A path leads from an action of a person to what that person sees of it. Each path is run by tests that have the same
names in older checkouts. A file counts if one of its functions runs during these tests. The setup of a test, imports,
migrations and tests do not count.
"""

import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from types import FrameType
from typing import Any, Final

import pytest

PATHS: Final = {
    "an upload to its verdict": (
        "test_a_bot_and_its_first_file_are_made_in_one_go",
        "test_every_house_bot_passes_the_check",
        "test_an_accepted_version_shows_its_author_what_it_used",
    ),
    "a click to its replay": (
        "test_the_page_of_a_finished_match_shows_seats_games_and_seeds_to_everyone",
        "test_frames_hold_the_whole_game_each_as_what_has_changed",
    ),
    "a socket event": ("test_a_viewer_who_comes_late_gets_the_whole_attempt_and_then_what_follows",),
    "a standing": ("test_rows_show_points_played_of_total_and_the_running_match_is_marked_live",),
    "a rating": ("test_the_page_shows_rank_interval_rating_and_bar_beside_the_official_rank",),
}
OURS: Final = ("platform", "tournaments", "bots", "sandbox")


def main(arguments: list[str]) -> int:
    """Print a line for each path of the checkout at ``arguments[0]``. Its own environment runs the tests."""
    root = Path(arguments[0] if arguments else ".").resolve()
    with tempfile.TemporaryDirectory() as directory:
        copy(__file__, Path(directory) / "paths_crossed.py")
        for path, tests in PATHS.items():
            out = Path(directory) / path.replace(" ", "_")
            environment = {**os.environ, "PYTHONPATH": directory, "PATHS_CROSSED": str(out)}
            command = [root / ".venv/bin/pytest", "-q", "-p", "paths_crossed", "-p", "no:cacheprovider"]
            done = subprocess.run(
                [*command, "-k", " or ".join(tests), "tests"], cwd=root, env=environment, capture_output=True, text=True
            )
            if done.returncode:
                print(f"{path:28} its tests do not pass: {done.stdout[-300:]}")
                continue
            files = out.read_text().split()
            rooms = Counter("/".join(file.split("/")[: 2 if file.startswith("platform") else 1]) for file in files)
            print(f"{path:28} {len(files):4} files", *(f"{room} {count}" for room, count in rooms.most_common()))
    return 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Record the files of the project in which code runs during a test."""
    out, root = Path(os.environ["PATHS_CROSSED"]), str(item.config.rootpath)
    crossed = set(out.read_text().split()) if out.exists() else set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>" and frame.f_code.co_filename.startswith(root):
            path = frame.f_code.co_filename[len(root) + 1 :]
            if path.startswith(OURS) and "/migrations/" not in path:
                crossed.add(path)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        out.write_text("\n".join(sorted(crossed)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
