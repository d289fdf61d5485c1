"""Public league pages: the list, a league with its ladder, its seasons, its bots, and the reasons for a pairing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from bots.authorship import Authorship
from bots.selectors import bot_author_shown
from contests.game_settings_form import (
    game_settings_colour,
    game_settings_limit_labels,
    game_settings_option_labels,
    game_title,
)
from leagues.forms import JoinForm, RecordFilter
from leagues.models import League, LeagueMatch, LeagueState, Membership, MembershipState, Season, SeasonEntry
from leagues.selectors.bots import league_bot_graph, league_bot_history, league_bot_record, league_bot_versions
from leagues.selectors.ladder import (
    LadderRow,
    ladder_authorships,
    ladder_leaders_of,
    ladder_line,
    ladder_of,
    league_ladder_people_read,
    with_ladder_revision_counts,
)
from leagues.selectors.matches import (
    league_bot_has_result,
    league_bot_season_matches,
    league_match_explanation,
    league_matches_recent,
    league_matches_with_seats,
    season_match_progress_of,
)
from leagues.selectors.pairs import season_near_copy_pairs_of, season_pairs_of
from leagues.selectors.permissions import (
    league_exclusion_of,
    league_exclusions_of,
    league_limit_reached,
    leagues_listed,
    leagues_ordered,
    may_lift_league_exclusion,
    may_run_league,
)
from leagues.selectors.seasons import current_season, current_seasons, season_division_moves_of
from leagues.views.lookups import league_or_404, own_league, season_or_404
from leagues.views.sharing import league_embeds_offered, league_preview_of
from matches.models import MatchState
from teams.selectors import team_owners_of
from web.boards import Board, BoardQuery, OwnRow, RowsCounted, board_of, board_own_rows_marked
from web.page_cache import CLOCK, LIST_SECONDS, OVER_SECONDS, cache_page_for, public_page
from web.topics import topic_share

WORDS: Final = ("page", "bot", "authorship", "division")


@dataclass(frozen=True, slots=True)
class LadderPart:
    """A page of the ladder.

    ``matches`` is the number of matches in the last refit; None before the first refit. For ``settled`` see ``Ladder``.
    ``own`` are the reader's bots in the league, including those that have left. ``own_rows`` are the ids of their rows.
    """

    html: SafeString
    matches: int | None
    settled: bool
    own: list[Membership]
    own_rows: list[str]


def _league_ladder_part(request: HttpRequest, season: Season) -> LadderPart:
    """Return the requested page of the ladder.

    If the query string has no division, the page shows the division of the reader's best bot. Anonymous visitors get
    cached pages, and see the first division.
    """
    query = BoardQuery.of(request, *WORDS)
    wanted = query.text("authorship") if query.text("authorship") in Authorship.values else ""
    ladder = ladder_of(season, people=bool(query.text("bot") or wanted))
    own = _own_memberships(request, season)
    theirs = {one.pk for one in own}
    usual = min((row.entry.division for row in ladder.rows if row.entry.membership_id in theirs), default=1)
    division = min(max(query.number("division") or usual, 1), season.divisions)
    order = [at for at in ladder.by_rating if ladder.rows[at].entry.division == division]
    numbers = {at: number for number, at in enumerate(order, start=1)}
    if wanted:
        order = [at for at in order if ladder.rows[at].entry.version.authorship == wanted]
    board = board_of(order, query, filtered_by="bot", words=lambda at: _ladder_filter_words(ladder.rows[at]))
    league_ladder_people_read(ladder.rows[at] for at in board.rows)
    moves = season_division_moves_of(season, ladder.rows)
    rows = [
        (numbers[at], moves.get(drawn[0].entry.membership_id, 0), *drawn)
        for at, drawn in zip(board.rows, ladder.drawn(board.rows), strict=True)
    ]
    context: dict[str, Any] = {"user": request.user, "league": season.league, "season": season, "board": board}
    context |= {"divisions": league_division_tabs(query, season, division, usual)}
    context |= {"rows": rows, "written": _authorship_choices(query, wanted, ladder_authorships(season))}
    html = render_to_string("leagues/parts/ladder_table.html", context)
    members = {ladder.rows[at].entry.membership_id: place for place, at in enumerate(order)}
    places = members if own and board.is_long else {}
    marked = [OwnRow(f"m{one.pk}", one.bot.name, places.get(one.pk)) for one in own]
    html = board_own_rows_marked(html, marked, board_of(range(board.of), query, filtered_by="bot"))
    matches = ladder.snapshot.matches if ladder.snapshot else None
    return LadderPart(html, matches, ladder.settled, own, [row.id for row in marked])


def _authorship_choices(query: BoardQuery, wanted: str, declared: Collection[str]) -> list[tuple[str, str, bool]]:
    """Return the choices of the authorship filter. Each has a label, a query string, and whether it is chosen.

    The list is empty if no author has declared an authorship.
    """
    offered = [one for one in Authorship if one in declared or one == wanted]
    if not offered:
        return []
    choices = [("", gettext("all")), *((one.value, one.label) for one in offered)]
    return [(str(label), query.but(authorship=value, page=""), value == wanted) for value, label in choices]


def league_division_tabs(query: BoardQuery, season: Season, chosen: int, usual: int) -> list[tuple[int, str, bool]]:
    """Return the tabs of the divisions. Each has a number, a query string, and whether it is chosen.

    The list is empty if there are no divisions. ``usual`` is the division that is shown without a query string.
    """
    numbers = range(1, season.divisions + 1) if season.divisions > 1 else ()
    return [(one, query.but(division=one if one != usual else "", page=""), one == chosen) for one in numbers]


def _ladder_filter_words(row: LadderRow) -> tuple[str, ...]:
    bot = row.entry.version.bot
    return bot.name, bot.author_name


def _own_memberships(request: HttpRequest, season: Season) -> list[Membership]:
    if request.user.pk is None:
        return []
    own = Membership.objects.filter(league=season.league_id, bot__owner__in=team_owners_of(request.user))
    return list(own.select_related("bot").order_by("pk"))


PAGE_SIZE: Final = 24
MATCHES_SHOWN: Final = 12
EXCLUSIONS_SHOWN: Final = 30
MATCHES_PER_PAGE: Final = 25
PAIRS_PER_PAGE: Final = 50


@public_page(max_age=LIST_SECONDS, query=("page",))
@require_safe
def league_list_view(request: HttpRequest) -> HttpResponse:
    page = Paginator(leagues_ordered(leagues_listed(request.user)), PAGE_SIZE).get_page(request.GET.get("page"))
    seasons = current_seasons(page)
    leaders = ladder_leaders_of(seasons.values())
    rows = [
        (
            league,
            game_title(league.game),
            game_settings_colour(league.game),
            season,
            leaders.get(season.pk) if season else None,
        )
        for league, season in ((league, seasons.get(league.pk)) for league in page)
    ]
    return render(request, "leagues/list.html", {"page": page, "rows": rows})


@public_page(query=WORDS)
def league_detail_view(
    request: HttpRequest, slug: str, *, join_form: JoinForm | None = None, status: int = 200
) -> HttpResponse:
    """Render the page of a league. ``status`` and the bound ``join_form`` report a rejected request."""
    league = league_or_404(request, slug)
    seasons = list(with_ladder_revision_counts(league.seasons.order_by("-number")))
    context = _ladder_context(request, league, seasons[0] if seasons else None) | _terms(league)
    own = context["ladder"].own if seasons else []
    mine = [one for one in own if one.state == MembershipState.ACTIVE]
    context |= {
        "seasons": seasons,
        "embeds": league_embeds_offered(league),
        "preview": league_preview_of(request, league),
        "mine": mine,
        "own_bots": [one.bot for one in mine],
        "exclusions": league_exclusions_of(league)[:EXCLUSIONS_SHOWN],
        "near_copies": season_near_copy_pairs_of(seasons[0]) if context["runs"] and seasons else (),
        "members": _members(league, BoardQuery.of(request, *WORDS, "members")) if context["runs"] else None,
    }
    if league.state == LeagueState.OPEN and request.user.is_authenticated:
        limit = league_limit_reached(league, sum(not one.bot.is_house for one in mine))
        context["join_form"] = join_form or JoinForm(league=league, user=request.user, limit=limit)
    return render(request, "leagues/detail.html", context, status=status)


@public_page(query=WORDS)
@require_safe
def league_live_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the parts of the page that change."""
    league = league_or_404(request, slug)
    context = _ladder_context(request, league, current_season(league))
    answer = render(request, "leagues/live.html", context)
    if request.user.is_anonymous and league.is_everyones:
        topic_share(answer, f"league.{league.pk}")
    return answer


@public_page(query=WORDS)
@require_safe
def season_detail_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Render the ladder of a season: the current one, or the final one if the season has ended."""
    found = season_or_404(request, slug, number)
    return render(request, "leagues/season.html", _ladder_context(request, found.league, found) | _terms(found.league))


@public_page()
@require_safe
def season_match_view(request: HttpRequest, slug: str, number: int, match_number: int) -> HttpResponse:
    """Explain why these bots were paired."""
    found = season_or_404(request, slug, number)
    rows = LeagueMatch.objects.filter(season=found).select_related("match")
    row = get_object_or_404(rows, number=match_number)
    if row.match.state == MatchState.FINISHED:  # later changes of the league do not affect this page
        cache_page_for(request, CLOCK, OVER_SECONDS)
    [fixture] = league_matches_with_seats([row])
    context = {"league": found.league, "season": found, "fixture": fixture, "story": league_match_explanation(row)}
    return render(request, "leagues/match.html", context)


def _ladder_context(request: HttpRequest, league: League, season: Season | None) -> dict[str, Any]:
    context: dict[str, Any] = {"league": league, "season": season, "runs": may_run_league(request.user, league)}
    context["live"] = BoardQuery.of(request, *WORDS).but()
    if season is not None:
        context |= {
            "ladder": _league_ladder_part(request, season),
            "progress": season_match_progress_of(season),
            "fixtures": league_matches_recent(season, MATCHES_SHOWN),
        }
    return context


def _members(league: League, query: BoardQuery) -> Board[Membership]:
    """Return a page of the active members. The names of all members are read only for a search."""
    found = (
        league.memberships.filter(state=MembershipState.ACTIVE).select_related("bot__owner").order_by("joined_at", "pk")
    )
    if not query.text("bot"):
        return board_of(RowsCounted(found, getattr(league, "bot_count", 0)), query, name="members", filtered_by="bot")
    names = list(found.values_list("pk", "bot__name", bot_author_shown("bot__")))
    board: Board[Any] = board_of(names, query, name="members", filtered_by="bot", words=lambda row: row[1:])
    return replace(board, rows=list(found.filter(pk__in=[row[0] for row in board.rows])))


def _terms(league: League) -> dict[str, Any]:
    return {
        "options": game_settings_option_labels(league.ruleset, league.options),
        "limits": game_settings_limit_labels(league.limits),
        "game_title": game_title(league.game),
    }


@public_page(query=("season", "version", "opponent", "page"))
@require_safe
def season_bot_view(request: HttpRequest, slug: str, bot: str) -> HttpResponse:
    """Render a bot in the season requested in the query string, or else in the running or last season."""
    league = league_or_404(request, slug)
    members = league.memberships.select_related("bot__owner", "bot__current")
    membership = get_object_or_404(members, bot__slug=bot)
    context: dict[str, Any] = {"league": league, "membership": membership, "bot": membership.bot}
    has_left = membership.state == MembershipState.LEFT
    context["taken_out"] = league_exclusion_of(league, membership.bot) if has_left else None
    out = context["taken_out"]
    context["may_let_in"] = (
        out is not None and league.takes_bots and may_lift_league_exclusion(request.user, league, out)
    )
    seasons = _seasons(league, membership)
    season = _season(seasons, request.GET.get("season", ""))
    if season is not None:
        versions, record = league_bot_versions(season, membership), league_bot_record(season, membership.bot)
        row = ladder_line(season, membership)
        is_rating_due = row is not None and row.rank is None and league_bot_has_result(season, row.entry.version)
        chosen = RecordFilter(request.GET, versions=(one.version.number for one in versions), opponents=record.drawn)
        found = league_bot_season_matches(season, membership.bot, **chosen.picked())
        page = Paginator(found, MATCHES_PER_PAGE).get_page(request.GET.get("page"))
        context |= {
            "season": season,
            "seasons": [one for one in seasons if one.plays],
            "row": row,
            "is_rating_due": is_rating_due,
            "graph": league_bot_graph(league_bot_history(season, membership)),
            "versions": versions,
            "record": record,
            "filter": chosen,
            "page_obj": page,
            "fixtures": league_matches_with_seats(list(page)),
        }
    return render(request, "leagues/bot.html", context)


def _seasons(league: League, membership: Membership) -> list[Any]:
    """Return the seasons of the league, oldest first, each with ``plays``: whether the bot is in it."""
    entered = SeasonEntry.objects.filter(season=OuterRef("pk"), membership=membership)
    return list(league.seasons.order_by("number").annotate(plays=Exists(entered)))


def _season(seasons: Sequence[Any], wanted: str) -> Any:
    """Return the requested season, or else the running or last one; None if the league has no season."""
    if not (wanted.isdecimal() and len(wanted) < 9):
        return seasons[-1] if seasons else None
    found = next((one for one in seasons if one.number == int(wanted)), None)
    if found is None:
        raise Http404
    return found


@login_required
@require_safe
def season_pairs_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    league = own_league(request, slug)
    season = get_object_or_404(Season.objects.select_related("league"), league=league, number=number)
    found = season_pairs_of(season)
    page = Paginator(found.rows, PAIRS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "league": league,
        "season": season,
        "page_obj": page,
        "standing_out": found.standing_out,
    }
    return render(request, "leagues/pairs.html", context)
