"""Public tournament pages: the list, the page of a tournament, and its live cells."""

from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.selectors import system_status_cached
from tournaments.entry_form import EntryForm
from tournaments.models import ENTERING, PLAYING, Publication, Tournament, TournamentState
from tournaments.selectors.entering.visible import everyones, tournaments_listed, with_counts
from tournaments.selectors.pages.cards import GROUP_OF, by_group, cards_of, grouped
from tournaments.selectors.rounds.agenda import agenda_of
from tournaments.selectors.rounds.fixtures import held_of
from tournaments.selectors.rounds.timeline import coming_of
from tournaments.views.board_part import WORDS, BoardPart, Reader, board_part
from tournaments.views.detail_page import DetailPage
from tournaments.views.lookups import tournament_with_counts_or_404
from tournaments.views.sharing import preview_of
from web.boards import REFRESH_HEADER, BoardQuery
from web.page_cache import LIST_SECONDS, public_page
from web.topics import share

PAGE_SIZE: Final = 24


@public_page(max_age=LIST_SECONDS, query=("state", "page"))
def tournament_list(request: HttpRequest) -> HttpResponse:
    visible = tournaments_listed(request.user).order_by()
    counts = dict(visible.values_list("state").annotate(Count("pk", distinct=True)))
    found = by_group(with_counts(tournaments_listed(request.user)))
    state = request.GET.get("state", "")
    if state in TournamentState.values:
        found = found.filter(state=state)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    # The tab of open tournaments is shown even if none is open: it also links to contests that always accept bots.
    shown = [one for one in GROUP_OF if counts.get(one) or (one == TournamentState.OPEN and counts)]
    tabs = [(one.value, one.label, counts.get(one, 0)) for one in shown]
    groups = grouped(cards_of(list(page)))
    context = {"page": page, "groups": groups, "state": state, "tabs": tabs, "all": sum(counts.values())}
    return render(request, "tournaments/list.html", context)


@public_page(query=WORDS)
def tournament_detail(
    request: HttpRequest,
    slug: str,
    *,
    entry_form: EntryForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page of a tournament. ``status`` and the bound ``entry_form`` report a rejected request."""
    tournament = tournament_with_counts_or_404(request, slug)
    reader, query = Reader.of(request, tournament), BoardQuery.of(request, *WORDS)
    playing, frozen = _counts(tournament)
    page = DetailPage(request, reader, query, playing, frozen, refused_entry=entry_form)
    context = _moving_context(request, reader, page.board) | {"page": page, "preview": preview_of(request, tournament)}
    context |= _tasks_context(reader, playing=playing, held=page.board.held if page.board else 0)
    return render(request, "tournaments/detail.html", context, status=status)


@public_page(query=(*WORDS, "from", "began"))
def tournament_live(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the cells of the page that change. ``from`` is the state of the tournament when the page was rendered.

    If the standings are stale, a header gives the seconds after which to repeat the request. A user without a role in
    the tournament gets the response for anonymous visitors.
    """
    answer = _live(request, slug)
    if not getattr(request.user, "is_staff", False):
        found = everyones(request.user).filter(slug=slug).values_list("pk", flat=True).first()
        if found is not None:
            share(answer, f"tournament.{found}")
    return answer


def _live(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_with_counts_or_404(request, slug)
    reader = Reader.of(request, tournament)
    # There is no board before the start. If the tournament starts now, the data read above lack the frozen entries.
    is_entered = tournament.state in ENTERING
    part = None if is_entered else board_part(request, reader, BoardQuery.of(request, *WORDS))
    context = _moving_context(request, reader, part) | {"part": part.html if part else ""}
    context |= _tasks_context(reader, playing=_counts(tournament)[0], held=part.held if part else 0)
    answer = render(request, "tournaments/live.html", context)
    if part and part.again:
        answer[REFRESH_HEADER] = str(part.again)
    return answer


def _tasks_context(reader: Reader, *, playing: int, held: int) -> dict[str, Any]:
    """Return the context for organisers and arbiters only. ``playing`` is the number of bots that are in, ``held`` the
    number of held matches."""
    tournament = reader.tournament
    if not reader.rules:
        return {}
    context: dict[str, Any] = {"agenda": agenda_of(tournament, playing=playing, held=held, owns=reader.runs)}
    context["coming"] = coming_of(tournament, playing)
    if reader.runs:
        is_running = tournament.state == TournamentState.RUNNING
        context["held"] = held_of(tournament) if held and is_running else ()
        context["workers"] = system_status_cached() if tournament.state in PLAYING else None
    return context


def _moving_context(request: HttpRequest, reader: Reader, board: BoardPart | None) -> dict[str, Any]:
    """Return the context of the live cells outside the board."""
    tournament = reader.tournament
    return {
        "tournament": tournament,
        "entering": tournament.state in ENTERING,
        "stage": tournament.stage,
        "next_at": board.next_at if board else None,
        "runs": reader.runs,
        "rules": reader.rules,
        "shown": reader.shown,
        "publications": Publication.choices,
        "moved_on": _moved_on(request, tournament),
    }


def _moved_on(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether the requesting page was rendered before the start, the end, or the start of the last stage."""
    shown = request.GET.get("from", tournament.state)
    began = shown in ENTERING and tournament.state not in ENTERING
    ended = shown in PLAYING and tournament.state == TournamentState.FINISHED
    return began or ended or (_number(request, "began") or tournament.stage.number) < tournament.stage.number


def _counts(tournament: Tournament) -> tuple[int, int]:
    """Return how many bots take part and how many were there at the start.

    ``tournament`` is read by ``tournament_with_counts_or_404``.
    """
    return getattr(tournament, "entry_count", 0), getattr(tournament, "frozen_count", 0)


def _number(request: HttpRequest, name: str) -> int | None:
    wanted = request.GET.get(name, "")
    return int(wanted) if wanted.isdecimal() and len(wanted) < 9 else None
