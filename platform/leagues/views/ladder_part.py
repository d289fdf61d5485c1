"""The ladder of a season as its pages show it."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leagues.models import Membership, Season
from leagues.selectors.ladder import LadderRow, ladder_of, people_read
from web.boards import BoardQuery, OwnRow, board_of, own_rows_marked

WORDS: Final = ("page", "bot")


@dataclass(frozen=True, slots=True)
class LadderPart:
    """``matches``: how many the last refit knew, None before the first. ``settled``: see ``Ladder``. ``own``: the
    reader's bots in the league, those that have left included; ``own_rows``: ids of their rows."""

    html: SafeString
    matches: int | None
    settled: bool
    own: list[Membership]
    own_rows: list[str]


def ladder_part(request: HttpRequest, season: Season) -> LadderPart:
    """Return the page of the ladder that is asked for."""
    query = BoardQuery.of(request, *WORDS)
    ladder = ladder_of(season, people=bool(query.text("bot")))
    order = ladder.by_rating
    numbers = {at: number for number, at in enumerate(order, start=1)}
    board = board_of(order, query, filtered_by="bot", words=lambda at: _words(ladder.rows[at]))
    people_read(ladder.rows[at] for at in board.rows)
    rows = [(numbers[at], *drawn) for at, drawn in zip(board.rows, ladder.drawn(board.rows), strict=True)]
    context = {"league": season.league, "season": season, "board": board, "rows": rows}
    html = render_to_string("leagues/parts/ladder_table.html", context)
    own = _own(request, season)
    members = {ladder.rows[at].entry.membership_id: place for place, at in enumerate(order)}
    places = members if own and board.is_long else {}
    marked = [OwnRow(f"m{one.pk}", one.bot.name, places.get(one.pk)) for one in own]
    html = own_rows_marked(html, marked, board_of(range(board.of), query, filtered_by="bot"))
    matches = ladder.snapshot.matches if ladder.snapshot else None
    return LadderPart(html, matches, ladder.settled, own, [row.id for row in marked])


def _words(row: LadderRow) -> tuple[str, ...]:
    bot = row.entry.version.bot
    return bot.name, bot.owner.get_username()


def _own(request: HttpRequest, season: Season) -> list[Membership]:
    if request.user.pk is None:
        return []
    own = Membership.objects.filter(league=season.league_id, bot__owner=request.user.pk)
    return list(own.select_related("bot").order_by("pk"))
