"""Standings for readers: of a large tournament that is being played they may be some seconds old.

To fold those of a thousand bots takes a tenth of a second, and everything shown of them is asked for in many forms: a
page at a time, in four languages, over the API. So they are folded for a twentieth of the time at most, by the books.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from tournaments.models import PLAYING, Stage
from tournaments.selectors.standings.making import ask_books
from tournaments.selectors.standings.packed_lines import PackedLines
from tournaments.selectors.standings.results import standings_of
from tournaments.standings import Row
from web import boards, kept_parts
from web.made_lately import LastMade, MadeLately

CACHED_SECONDS: Final = 60  # versions may be deleted, which moves no revision


def standings_lately(stage: Stage) -> LastMade[Sequence[Row]]:
    """Return the rows of a stage for a reader. Those of a stage of a page's length, or of a tournament that is not
    being played, are the newest."""
    if stage.tournament.state not in PLAYING or stage.started_at is None:
        return LastMade(standings_of(stage), stage.tournament.revision, 0)
    lately = _lately(stage)
    return lately.last() or lately.made_here()


def standings_renew(stage_id: int) -> None:
    """Fold the standings of a large stage anew, if they are old."""
    stage = Stage.objects.select_related("tournament").filter(pk=stage_id).first()
    if stage is not None and stage.tournament.state in PLAYING and stage.started_at is not None:
        _lately(stage).renew()


def _lately(stage: Stage) -> MadeLately[Sequence[Row]]:
    return MadeLately(
        key=f"standings-lately/4/{stage.pk}/{stage.started_at and stage.started_at.timestamp()}",
        revision=stage.tournament.revision,
        make=lambda: PackedLines(standings_of(stage)),
        ask=partial(ask_books, "standings", stage.pk),
        rest=kept_parts.REST,
        seconds=CACHED_SECONDS,
        worth_keeping=lambda rows: len(rows) > boards.BOARD_ROWS,
    )
