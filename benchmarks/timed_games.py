"""The site's Celery application with measured games: its processes record the processor time of their games alone.

Under other loads, this is more precise than comparing with another run of the same games.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from celery.signals import worker_process_init
from django.conf import settings

from arena.celery_app import app
from games.table import Table

__all__ = ["app"]
FILE: Final = "games-took"  # the name of a file in the data of the site
SAMPLED: Final = 97


def taken(site: Path) -> float:
    """Return the seconds of processor time that games have taken on a site, without the bots."""
    file = site / FILE
    return sum(map(float, file.read_text().split())) if file.exists() else 0.0


@worker_process_init.connect
def time_games(**_: Any) -> None:
    from matches.referee import series_games_play
    from matches.worker import playing
    from matches.worker.playing import LiveLog  # importing these needs the tables of the site

    clock = Clock()
    LiveLog._write = clock.apart(LiveLog._write)  # type: ignore[method-assign]
    playing.series_games_play = clock.timed(series_games_play)  # type: ignore[attr-defined]  # the name was imported into ``playing``


class Clock:
    """Times games without what they do for the site. Calls for spectators are timed only at every ``SAMPLED``th action,
    because reading the clock takes about as long as such a call.
    """

    def __init__(self) -> None:
        self._apart = 0.0  # seconds
        self._look = min(-(time.thread_time() - time.thread_time()) for _ in range(1000))

    def apart(self, act: Callable[..., None]) -> Callable[..., None]:
        """Return ``act`` wrapped so that its time is not counted as the game's."""

        def acted(*arguments: object) -> None:
            begun = time.thread_time()
            act(*arguments)
            self._apart += time.thread_time() - begun

        return acted

    def timed(self, played: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def timed(order: object, cage: object, watch: Callable[[int, Table], None], *more: object) -> Iterator[Any]:
            seconds, calls = 0.0, 0

            def watched(index: int, table: Table) -> None:
                nonlocal calls
                calls += 1
                if calls % SAMPLED:
                    watch(index, table)
                    return
                apart, begun = self._apart, time.thread_time()
                watch(index, table)
                own = time.thread_time() - begun - self._look - (self._apart - apart)
                self._apart += SAMPLED * max(0.0, own)

            games, apart = played(order, cage, watched, *more), self._apart
            while True:
                begun = time.thread_time()
                game = next(games, None)
                seconds += time.thread_time() - begun
                if game is None:
                    break
                yield game
            with (settings.VAR_DIR / FILE).open("a") as file:
                print(seconds - (self._apart - apart), file=file)

        return timed
