"""Measure what the first start of a site shows after how many seconds, without the installation.

A site with its own data and the demo is started as by ``make run``. It takes minutes and is not part of ``make bench``.

python -m benchmarks.first_start
"""

import time
import urllib.request
from collections.abc import Callable
from typing import Final

from tests.browser.running import StartedSite, data_directory

AIM, MOST = 120, 420  # seconds
MATCHES: Final = """
SELECT count(*) FROM tournaments_fixture f JOIN tournaments_round r ON f.round_id = r.id
JOIN tournaments_stage s ON r.stage_id = s.id WHERE s.format = '{}'
"""


def main() -> None:
    """Print a line for each condition when it becomes true."""
    with data_directory() as var:
        begun = time.monotonic()
        site = StartedSite(var)
        try:
            left = shown_by(site)
            while left and time.monotonic() < begun + MOST:
                for name in [name for name, is_there in left.items() if _holds(is_there)]:
                    print(f"{time.monotonic() - begun:6.1f} s  {name}", flush=True)
                    del left[name]
                time.sleep(0.5)
            for name in left:
                print(f"  never  {name} (looked for {MOST} s)")
        finally:
            site.stop()


def shown_by(site: StartedSite) -> dict[str, Callable[[], bool]]:
    """Return the conditions to wait for, by name."""

    def page(path: str) -> str:
        with urllib.request.urlopen(site.url + path, timeout=20) as answer:
            return str(answer.read().decode())

    return {
        "the home page answers": lambda: "<h1" in page("/"),
        f"a board in play on the home page (aim {AIM} s)": lambda: "<watch-stage" in page("/"),
        "a Swiss with its pairings": lambda: site.count(MATCHES.format("swiss")) > 0,
        "a knockout with its bracket": lambda: site.count(MATCHES.format("single_elimination")) > 0,
        "a ladder with ratings": lambda: site.count("SELECT count(*) FROM league_rating") > 0,
        "a premiere on the timetable": lambda: ": Premiere" in page("/watch/timetable.ics"),
        "a tournament that takes entries": lambda: "Newcomers" in page("/tournaments/?state=open"),
        "a finished event to look back on": lambda: (
            site.count("SELECT count(*) FROM tournaments_tournament WHERE state = 'finished'") > 0
        ),
    }


def _holds(is_there: Callable[[], bool]) -> bool:
    try:
        return is_there()
    except Exception:  # the site has not started, or is busy
        return False


if __name__ == "__main__":
    main()
