"""The ladder of a season as its pages show it: rendered once per refit for everyone."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leagues.models import Membership, Season
from leagues.selectors.ladder import LadderRow, ladder_of, ladder_revision
from web.boards import BoardQuery, board_of
from web.kept_parts import PlacedRow, RenderedPart, part_kept, part_of_reader

WORDS: Final = ("page", "bot")
KEPT_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class LadderPart:
    """``matches``: how many the last refit knew, None before the first. ``settled``: see ``Ladder``. ``again``: in how
    many seconds there is a newer one to be had, 0 if this is the newest. ``own``: the reader's bots in the league,
    those that have left included; ``own_rows``: ids of their rows."""

    html: SafeString
    matches: int | None
    settled: bool
    again: int
    state: str
    own: list[Membership]
    own_rows: list[str]


def ladder_part(request: HttpRequest, season: Season, had: str = "") -> LadderPart:
    """Return the page of the ladder that is asked for; of a reader who ``had`` a state of it what has changed since."""
    query = BoardQuery.of(request, *WORDS)
    revision = ladder_revision(season)

    def render() -> RenderedPart:
        ladder = ladder_of(season)
        board = board_of(range(len(ladder.rows)), query, filtered_by="bot", words=lambda at: _words(ladder.rows[at]))
        context = {"league": season.league, "season": season, "board": board, "rows": ladder.drawn(board.rows)}
        places = {row.entry.membership_id: at for at, row in enumerate(ladder.rows)} if board.is_long else {}
        data = places, ladder.snapshot.matches if ladder.snapshot else None, ladder.settled
        return RenderedPart(
            render_to_string("leagues/parts/ladder_table.html", context), data, board.is_long, is_live=True
        )

    name = f"ladder/{season.pk}/{season.starts_at.timestamp()}/{query}"
    kept = part_kept(name, revision, KEPT_SECONDS, render)
    places, matches, settled = kept.data
    own = _own(request, season)
    rows = [PlacedRow(f"m{one.pk}", one.bot.name, places.get(one.pk)) for one in own]
    html = part_of_reader(kept.since(had).html, rows, board_of(range(len(places)), query, filtered_by="bot"))
    return LadderPart(html, matches, settled, kept.again(revision), kept.state, own, [row.id for row in rows])


def _words(row: LadderRow) -> tuple[str, ...]:
    bot = row.entry.version.bot
    return bot.name, bot.owner.get_username()


def _own(request: HttpRequest, season: Season) -> list[Membership]:
    if request.user.pk is None:
        return []
    own = Membership.objects.filter(league=season.league_id, bot__owner=request.user.pk)
    return list(own.select_related("bot").order_by("pk"))
