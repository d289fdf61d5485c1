"""The part of a tournament's page that has its board; before the start, its entries."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from math import ceil
from time import time
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from django.template.context_processors import csrf
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from bots.models import Bot
from teams.selectors import team_owners_of
from tournaments.formats.knockout.pages.bracket import bracket_page_rounds_out, bracket_tables_with_outcomes
from tournaments.models import ENTERING, Entry, Publication, Stage, Tournament, TournamentState
from tournaments.pushed_rows import has_tournament_pushed_rows
from tournaments.selectors.entering.entry_rules import entry_places_left
from tournaments.selectors.entering.visible import may_own_tournament, may_rule_tournament, may_see_tournament_results
from tournaments.selectors.pages.standings_shown import standings_shown
from tournaments.selectors.pages.tournament_page import (
    TournamentPage,
    tournament_board_filter_words,
    tournament_entries_of,
    tournament_page_of,
)
from tournaments.selectors.rounds.fixtures import (
    FixturePairing,
    RoundTable,
    fixture_pairings_playing,
    fixture_tables_shown,
)
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.standings.ranking import PODIUM, FinalRank, final_ranking_of, standings_snapshot_places
from tournaments.standings import has_standings_result
from tournaments.views.brackets import PAGE, BracketPart, bracket_view_part
from web.boards import Board, BoardQuery, OwnRow, board_of, board_own_rows_marked

MENU: Final = "tournaments/parts/row_menu.html"
MENU_PLACE: Final = re.compile(r'data-own="s(\d+)">')
OWN_NOW: Final = "<!-- what the reader's own bots do -->"  # the placeholder in a template for the reader's own bots
PLAYING_SHOWN: Final = 6  # tables
WORDS: Final = ("stage", "round", "page", "bot", "category", "tables", PAGE)


@dataclass(frozen=True)
class Reader:
    """The reader of a tournament's page, and how the page depends on the reader. ``own`` are the reader's entries."""

    user: AbstractBaseUser | AnonymousUser
    tournament: Tournament
    runs: bool
    rules: bool
    shown: bool
    own: Sequence[Entry]

    @classmethod
    def of(cls, request: HttpRequest, tournament: Tournament) -> "Reader":
        user = request.user
        bots = Bot.objects.filter(owner__in=team_owners_of(user)).values("pk")  # a join would read all entries
        own = tournament.entries.filter(bot__in=bots) if user.pk is not None else Entry.objects.none()
        return cls(
            user,
            tournament,
            runs=may_own_tournament(user, tournament),
            rules=may_rule_tournament(user, tournament),
            shown=may_see_tournament_results(user, tournament),
            own=list(own.select_related("bot", "version")),
        )

    @property
    def is_anyone(self) -> bool:
        """Whether the page is the same as for everybody, except for what ``board_own_rows_marked`` inserts."""
        return self.tournament.publication == Publication.EVERYONE and self.tournament.is_open

    @property
    def follows_what_strangers_do(self) -> bool:
        """Whether the live parts of the page are the same as for strangers.

        The marks of the reader's own bots do not count.
        """
        return self.tournament.is_everyones and not self.rules

    @property
    def sees_drafts(self) -> bool:
        """Whether the reader sees rounds that wait for the organiser's review."""
        return self.runs and self.tournament.has_round_review


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The board of a tournament.

    ``again`` is the number of seconds after which a newer board can be requested; 0 if this one is current. ``round``
    is the round that is shown; None for all rounds. ``held`` is the number of matches that are held after faults of the
    platform. ``next_at`` is when the next round or broadcast begins, if that is known. ``latest`` is the round to
    watch; None if there is none. As long as there is nothing else to watch, ``premiere_at`` is when the first broadcast
    begins. ``has_featured`` tells whether the board shows a match that is being played.
    """

    html: SafeString
    again: int
    round: int | None
    held: int
    next_at: datetime | None
    latest: int | None
    premiere_at: datetime | None
    has_featured: bool


def tournament_board_part(request: HttpRequest, reader: Reader, query: BoardQuery) -> BoardPart:
    """Return the board of a tournament that has begun."""
    page = tournament_page_of(reader.tournament, query, drafts=reader.sees_drafts)
    context = _board_context(reader, page, query)
    html = render_to_string("tournaments/parts/board.html", context)
    places = standings_snapshot_places(page.rows, {entry.pk for entry in reader.own}) if reader.own else {}
    board = board_of(range(len(page.rows)), query.without("category"), filtered_by="bot")
    html = _for_reader(request, html, reader, context["entries"], places if board.is_long else {}, board)
    html = mark_safe(html.replace(OWN_NOW, _own_now(reader, page, places, board)))  # noqa: S308  templates escaped both
    again = max(1, ceil(page.stale_until - time())) if page.stale_until else 0
    next_at = page.next_at or page.progress.airs_at
    premiere_at = None if page.progress.running else page.progress.airs_at
    featured = context["featured"] is not None
    return BoardPart(html, again, page.round, page.progress.held, next_at, page.watchable, premiere_at, featured)


def board_part_entries(request: HttpRequest, reader: Reader, query: BoardQuery) -> SafeString:
    """Return the entries of a tournament that has not begun."""
    context = _entries_context(reader, query)
    board = context["board"]
    places = {entry.pk: place for place, entry in enumerate(context["playing"])} if board.is_long else {}
    html = render_to_string("tournaments/parts/entries.html", context)
    numbered = board_of(range(board.of), query, filtered_by="bot")
    return _for_reader(request, html, reader, board.rows, places, numbered)


def _board_context(reader: Reader, board: TournamentPage, query: BoardQuery) -> dict[str, Any]:
    tournament = reader.tournament
    with_bracket = reader.shown and board.stage.has_bracket_to_show
    part = bracket_view_part(board.stage, query) if with_bracket else None
    board = _with_outcomes(board, part) if part else board
    shown = standings_shown(tournament, board, query)
    rows: dict[str, Any] = {"user": _user_of(reader), "tournament": tournament, "stage": board.stage}
    lines = {line.entry.pk for line in shown.board.rows}
    rows["rounds_out"] = bracket_page_rounds_out(board.stage, part.bracket, lines) if part else {}
    rows |= {"standings": shown, "is_pushed": _is_pushed(board, query), "revision": board.standings.revision}
    with_rows = board.rows and reader.shown
    ended = reader.shown and tournament.state == TournamentState.FINISHED
    has_stages = sum(not one.kind.is_play_off for one in board.stages) > 1
    entries = tournament_entries_of(tournament) if ended and has_stages else []
    known, most = {board.stage.number: board.rows}, None if has_stages else PODIUM
    ranking = final_ranking_of(tournament, entries, known, to_rank=most) if ended else []
    podium = [one for one in ranking if one.placed.rank <= PODIUM and not one.placed.row.disqualified]
    stage = board.stages[-1] if board.stages else board.stage  # the stage being played, not the stage that is shown
    playing = _tables_playing(board, stage) if reader.shown and not tournament.is_over else []
    return {
        "playing": playing,
        "featured": _featured(reader, stage, playing),
        "next_at": board.next_at or board.progress.airs_at,
        "user": _user_of(reader),
        "tournament": tournament,
        "stage": board.stage,
        "board": board,
        "entries": [line.entry for line in shown.board.rows],
        "standings": render_to_string("tournaments/parts/standings.html", rows) if with_rows else "",
        "crosstable": render_to_string("tournaments/parts/crosstable.html", rows) if shown.crosstable else "",
        "shown": reader.shown,
        "is_pushed": rows["is_pushed"],
        "bracket": part,
        "rounds": board.rounds,
        "podium": podium,
        "decider": _decider(board, podium),
        "ranking": ranking if has_stages else (),
    }


def _with_outcomes(page: TournamentPage, part: BracketPart) -> TournamentPage:
    """Return the page of a knockout. At each table, the entries that go on are marked as winners."""
    tables = bracket_tables_with_outcomes(page.stage, page.tables.rows, part.bracket)
    pairings = iter(tables)
    rounds = tuple(replace(one, pairings=tuple(islice(pairings, len(one.pairings)))) for one in page.rounds)
    return replace(page, tables=page.tables.showing(tables), rounds=rounds)


def _tables_playing(board: TournamentPage, stage: Stage) -> Sequence[FixturePairing]:
    """Return the first tables that are being played, whatever round, stage and page of tables is requested."""
    is_all = board.stage == stage and board.tables.pages == 1 and board.round in (None, board.latest)
    if is_all:
        return [one for one in board.tables.rows if one.is_playing][:PLAYING_SHOWN]
    return fixture_pairings_playing(stage, PLAYING_SHOWN) if board.progress.running else ()


def _decider(board: TournamentPage, podium: Sequence[FinalRank]) -> FixturePairing | None:
    """Return the last match between the first two, among the matches on the page.

    Return None if they never met, or if several bots share the second place.
    """
    if len(podium) > 2 and podium[2].placed.rank == podium[1].placed.rank:
        return None
    first_two = {one.entry.pk for one in podium[:2]}
    met = (one for one in board.tables.rows if one.decided and first_two <= {sat.entry.pk for sat in one.sittings})
    return max(met, key=lambda one: (one.round, one.table), default=None) if len(first_two) == 2 else None


def _featured(reader: Reader, stage: Stage, playing: Sequence[FixturePairing]) -> RoundTable | None:
    """Return the first table that is being played, with its board, if the reader may see the match.

    In a round that is drawn by standings, the leaders sit at this table.
    """
    if not playing:
        return None
    table = fixture_tables_shown(_user_of(reader), stage, playing[0].round, [playing[0].table])[0]
    return table if table.board else None


def _own_now(reader: Reader, page: TournamentPage, places: Mapping[int, int], board: Board[int]) -> str:
    """Return the ranks and current matches of the reader's own bots, for the part about current play.

    ``places`` has the places of their rows.
    """
    if not (reader.own and reader.shown) or reader.tournament.is_over:
        return ""
    last = [pairing for pairing in page.tables.rows if pairing.round >= (page.latest or 0)]
    seats = {one.entry.pk: pairing for pairing in last for one in pairing.sittings}
    own = [
        {
            "entry": entry,
            "row": page.rows[places[entry.pk]],
            "href": f"{board.page_of(places[entry.pk]) if board.is_long else ''}#s{entry.pk}",
            "has_rank": has_standings_result(page.rows),
            "pairing": seats.get(entry.pk),
        }
        for entry in reader.own
        if entry.pk in places
    ]
    return render_to_string("tournaments/parts/own_now.html", {"own": own, "stage": page.stage}) if own else ""


def _is_pushed(page: TournamentPage, query: BoardQuery) -> bool:
    """Return whether rows are pushed to the page.

    No rows are pushed to a filtered board, because their places on it are not known.
    """
    return has_tournament_pushed_rows(page.stage, len(page.rows)) and not (query.text("bot") or query.text("category"))


def _user_of(reader: Reader) -> AbstractBaseUser | AnonymousUser:
    return AnonymousUser() if reader.is_anyone else reader.user


def _entries_context(reader: Reader, query: BoardQuery) -> dict[str, Any]:
    tournament, entries = reader.tournament, tournament_entries_of(reader.tournament)
    out = ruling_corrections_of(tournament).disqualified
    playing = [entry for entry in entries if not entry.is_withdrawn]
    return {
        "user": _user_of(reader),
        "tournament": tournament,
        "entering": True,
        "playing": playing,
        "places_left": entry_places_left(tournament, len(playing)) if tournament.takes_entries else 0,
        "board": board_of(playing, query, filtered_by="bot", words=tournament_board_filter_words),
        "withdrawn": [entry for entry in entries if entry.is_withdrawn and entry.pk not in out],
        "disqualified": [entry for entry in entries if entry.pk in out] if reader.shown else (),
    }


def board_part_own_rows(reader: Reader) -> list[str]:
    """Return the ids of the elements to mark as the reader's own: rows of the board and of the final ranking."""
    return [f"{kind}{entry.pk}" for kind in "sk" for entry in reader.own]


def _for_reader(
    request: HttpRequest,
    html: str,
    reader: Reader,
    shown: Sequence[Entry],
    places: Mapping[int, int],
    board: Board[int],
) -> SafeString:
    """Return ``html`` with the reader's own bots marked, and with a menu for each bot that the reader may act on.

    ``shown`` are the entries in ``html``.
    """
    tournament = reader.tournament
    own = [OwnRow(f"s{entry.pk}", entry.bot.name, places.get(entry.pk)) for entry in reader.own]
    own += [OwnRow(f"k{entry.pk}", entry.bot.name, None) for entry in reader.own]  # in the final ranking
    marked = board_own_rows_marked(html, own, board)
    if not (reader.rules or tournament.lets_withdraw):
        return marked
    entries = {entry.pk: entry for entry in (shown if reader.rules else reader.own)}
    context = {"tournament": tournament, "rules": reader.rules, "entering": tournament.state in ENTERING}
    context |= {"user": request.user, **csrf(request)}  # read once here, not for each menu

    def with_menu(place: re.Match[str]) -> str:
        entry = entries.get(int(place[1]))
        menu = render_to_string(MENU, {**context, "entry": entry}) if entry else ""
        return place[0] + menu

    return mark_safe(MENU_PLACE.sub(with_menu, marked))  # noqa: S308  templates escaped it
