"""Look up the tournament in an address for readers who may see it.

Also render pages in which the reader's own bots are marked.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from announcements.selectors import with_announcements
from leagues.models import League, Season
from leagues.selectors.seasons import current_season
from leagues.views.lookups import own_league
from teams.selectors import acts_for_owner, team_owners_of
from tournaments.models import (
    Entry,
    ForbiddenPair,
    KeptGroup,
    Publication,
    Tournament,
    TournamentState,
    TournamentTemplate,
    WeeklyCup,
)
from tournaments.selectors.entering.visible import (
    may_own_tournament,
    may_rule_tournament,
    may_see_tournament_results,
    tournament_templates_visible,
    tournaments_visible,
)
from tournaments.selectors.pages.cards import tournament_entries_counted, tournaments_with_counts
from tournaments.selectors.pages.ladder_cups import weekly_cup_of
from tournaments.selectors.pages.sources import has_released_tournament_sources
from web.boards import Board, BoardQuery, OwnRow, board_of, board_own_rows_marked
from web.page_cache import OVER_SECONDS, PLAYED_SECONDS, cache_page_for, page_mark_unlisted

_JOINED: Final = ["ladder_cup__season__league", "ceremony"]  # relations that the page of a tournament needs


def tournament_lookup_relation_register(relation: str) -> None:
    """Read ``relation`` whenever the tournament of a page is read.

    Packages above this one call this for their panels; see ``web.panels``.
    """
    if relation not in _JOINED:
        _JOINED.append(relation)


def tournament_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament, if the reader may know of it.

    Raises:
        Http404: there is no such tournament, it is a draft of somebody else, or it is of a group to which the reader
            does not belong.
    """
    return _shared(request, get_object_or_404(tournaments_visible(request.user).prefetch_related("rulings"), slug=slug))


def tournament_with_counts_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament of ``tournament_or_404`` with two numbers.

    ``entry_count`` is the number of bots that take part, ``frozen_count`` the number that took part at the start. Use
    it only for pages that show them: counting takes as long as all other queries here together.
    """
    counted = with_announcements(tournaments_with_counts(tournaments_visible(request.user)), "tournament").annotate(
        frozen_count=tournament_entries_counted(version__isnull=False)
    )
    counted = counted.select_related(*_JOINED).defer("ceremony__revealed")
    return _shared(request, get_object_or_404(counted.prefetch_related("rulings"), slug=slug))


def shown_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament for readers who may see its pairings and results. Others are refused."""
    tournament = tournament_or_404(request, slug)
    if not may_see_tournament_results(request.user, tournament):
        raise PermissionDenied(_("The organiser has not published the pairings and results of this tournament yet."))
    return tournament


def _shared(request: HttpRequest, tournament: Tournament) -> Tournament:
    """Return ``tournament``. If the response is the same for all strangers, let a cache share it among them."""
    if tournament.is_unlisted:
        page_mark_unlisted(request)
    if tournament.is_everyones:
        is_over = tournament.state in (TournamentState.FINISHED, TournamentState.CANCELLED)
        cache_page_for(request, f"tournament.{tournament.pk}", OVER_SECONDS if is_over else PLAYED_SECONDS)
    return tournament


def own_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament for its organiser and staff. Others are refused."""
    tournament = tournament_or_404(request, slug)
    if not may_own_tournament(request.user, tournament):
        raise PermissionDenied(_("Only the organiser of this tournament may do this."))
    return tournament


def ruled_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament for its organiser, its arbiters and staff. Others are refused."""
    tournament = tournament_or_404(request, slug)
    if not may_rule_tournament(request.user, tournament):
        raise PermissionDenied(_("Only the organiser and the arbiters of this tournament may do this."))
    return tournament


Places = Mapping[int, tuple[str, int]]


def tournament_board_rendered(
    request: HttpRequest,
    tournament: Tournament,
    query: BoardQuery,
    read: Callable[[], tuple[dict[str, Any], Board[Any], Places]],
    template: str,
) -> SafeString:
    """Render a part of a page, with the reader's own bots marked.

    ``read`` returns three values: the context of the ``template``, the board that is shown, and for each entry the HTML
    element of its row and its place on the unfiltered board.
    """
    context, board, places = read()
    user = AnonymousUser() if tournament.publication == Publication.EVERYONE else request.user
    html = render_to_string(template, {"user": user, "tournament": tournament, "board": board, **context})
    rows = [
        OwnRow(places[pk][0], bot, places[pk][1] if board.is_long else None)
        for pk, bot in _own_entries(request, tournament)
        if pk in places
    ]
    return board_own_rows_marked(
        html, rows, board_of(range(board.of), query, name=board.name, filtered_by="bot", size=board.size)
    )


def _own_entries(request: HttpRequest, tournament: Tournament) -> list[tuple[int, str]]:
    if request.user.pk is None:
        return []
    own = tournament.entries.filter(bot__owner__in=team_owners_of(request.user))
    return list(own.order_by("pk").values_list("pk", "bot__name"))


def own_forbidden_pair(request: HttpRequest, slug: str, pk: int) -> ForbiddenPair:
    return get_object_or_404(ForbiddenPair, tournament=own_tournament(request, slug), pk=pk)


def own_forbidden_group(request: HttpRequest, slug: str, pk: int) -> KeptGroup:
    return get_object_or_404(KeptGroup, tournament=own_tournament(request, slug), pk=pk)


def weekly_cup_or_404(league: League) -> WeeklyCup:
    """Return the plan of the league's weekly cup, or raise ``Http404``."""
    weekly = weekly_cup_of(league)
    if weekly is None:
        raise Http404
    return weekly


def own_weekly_cup(request: HttpRequest, slug: str) -> WeeklyCup:
    return weekly_cup_or_404(own_league(request, slug))


def ladder_cup_season_or_404(request: HttpRequest, slug: str) -> Season:
    """Return the season for a new cup, which is the running or else the last one. For those who run the league."""
    season = current_season(league := own_league(request, slug))
    if season is None:
        raise Http404
    season.league = league
    return season


def own_entry_or_404(request: HttpRequest, slug: str, **which: Any) -> Entry:
    """Return the entry that fulfils ``which``, with its tournament.

    Raises:
        Http404: there is no such entry, or the reader does not act for its bot.
    """
    tournament = tournament_or_404(request, slug)
    entry = tournament.entries.select_related("bot").filter(**which).first()
    if entry is None or not acts_for_owner(request.user, entry.bot.owner_id):
        raise Http404(_("You have no such bot in this tournament."))
    entry.tournament = tournament
    return entry


def tournament_with_sources_or_404(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament for readers who may read its sources now.

    Raises:
        Http404: the tournament has not released its sources.
        PermissionDenied: the reader may not see its results.
    """
    tournament = shown_tournament(request, slug)
    if not has_released_tournament_sources(tournament):
        raise Http404(_("This tournament has released no sources."))
    return tournament


def tournament_template_or_404(request: HttpRequest, template_id: int) -> TournamentTemplate:
    """Return the template if the reader may use it; else raise ``Http404``."""
    return get_object_or_404(tournament_templates_visible(request.user), pk=template_id)
