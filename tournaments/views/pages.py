"""What anyone may look at: the list, a tournament, its live cells, its data."""

from functools import partial
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from contests.game_settings_form import game_title, limit_labels, option_labels
from matches.referee import FAULT_POLICY
from tournaments.forms import EntryForm, NonceForm
from tournaments.models import ENTERING, PLAYING, Publication, Tournament, TournamentState
from tournaments.plan import plan_of
from tournaments.selectors.entering.inviting import may_enter
from tournaments.selectors.entering.room import limit_reached, places_left
from tournaments.selectors.entering.visible import everyones, tournaments_counted, tournaments_visible
from tournaments.selectors.pages.ladder_cups import passed_over_of
from tournaments.selectors.pages.luck import adds_luck, lucks_shown
from tournaments.selectors.pages.proof import head_shown
from tournaments.selectors.pages.tournament_page import stage_shown, tie_breaks_of
from tournaments.selectors.rounds.agenda import ACTS, FOR_ARBITERS
from tournaments.services import FORFEITS_ALLOWED
from tournaments.services.entering import invited_only
from tournaments.views.board_part import WORDS, Reader, board_part, entries_part, own_rows
from tournaments.views.invitations import opened
from tournaments.views.lookups import counted_or_404
from tournaments.views.told_besides import told_besides
from tournaments.workload import workload_now
from web.boards import BoardQuery
from web.kept_parts import AGAIN, answer_shared
from web.live_deltas import STATE, state_had
from web.shared_pages import LIST_SECONDS, share_for
from web.topics import share

PAGE_SIZE: Final = 24


@share_for(LIST_SECONDS)
def tournament_list(request: HttpRequest) -> HttpResponse:
    visible = tournaments_visible(request.user).order_by()
    counts = dict(visible.values_list("state").annotate(Count("pk", distinct=True)))
    found = tournaments_counted(request.user)
    state = request.GET.get("state", "")
    if state in TournamentState.values:
        found = found.filter(state=state)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    tabs = [(one.value, one.label, counts[one]) for one in TournamentState if counts.get(one)]
    rows = [(tournament, game_title(tournament.game)) for tournament in page]
    context = {"page": page, "rows": rows, "state": state, "tabs": tabs, "all": sum(counts.values())}
    return render(request, "tournaments/list.html", context)


def tournament_detail(
    request: HttpRequest,
    slug: str,
    *,
    entry_form: EntryForm | None = None,
    nonce_form: NonceForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a tournament; also, with the reason and another ``status``, for what was refused here."""
    tournament = counted_or_404(request, slug)
    reader, query = Reader.of(request, tournament), BoardQuery.of(request, *WORDS)
    playing, frozen = _counts(tournament)
    part = None if tournament.state in ENTERING else board_part(request, reader, query)
    context = _moving_context(request, reader)
    context |= told_besides(reader, playing=playing, held=part.held if part else 0) if reader.rules else {}
    link = opened(request, tournament)
    may_come = may_enter(request.user, tournament, link)
    if tournament.takes_entries and request.user.is_authenticated and may_come:
        limit = limit_reached(tournament, sum(not (one.is_withdrawn or one.bot.is_house) for one in reader.own))
        context["entry_form"] = entry_form or EntryForm(tournament=tournament, user=request.user, limit=limit)
    lucks = lucks_shown(request.user, tournament)
    stage = stage_shown(tournament, query)
    began = tournament.stage.number
    context |= {
        "stage": stage,
        "part": part.html if part else entries_part(request, reader, query),
        "again": part.again if part else 0,
        "state": part.state if part else "",
        "shared": reader.follows_what_strangers_do,
        "own_rows": own_rows(reader),
        "live": query.but(
            stage=stage.number, round=(part and part.round) or "", **{"from": tournament.state, "began": began}
        ),
        "with_bracket": reader.shown and stage.has_bracket_to_show,
        "not_invited": "" if may_come else invited_only(opened=bool(link)),
        "places_left": places_left(tournament, playing),
        "plan": plan_of(tournament, frozen if tournament.started_at else playing),
        "most_entries": tournament.entrants_most,
        "workload": workload_now(tournament) if context["entering"] and reader.runs else None,
        "cup": (cup := tournament.ladder_cup if tournament.is_of_ladder else None),
        "passed_over": passed_over_of(cup) if cup else (),
        "game_title": game_title(tournament.game),
        "options": option_labels(tournament.ruleset, tournament.options),
        "limits": limit_labels(tournament.limits),
        "tie_breaks": tie_breaks_of(tournament),
        "by_fide": any(stage.has_fide_tie_breaks for stage in tournament.stages.all()),
        "faults": {
            "percent": int(100 * FAULT_POLICY.share),
            "in_a_row": FAULT_POLICY.in_a_row,
            "forfeits": FORFEITS_ALLOWED + 1,
        },
        "taken_out": [entry for entry in reader.own if entry.withdrawn_because],
        "lucks": lucks,
        "adds_luck": adds_luck(request.user, tournament, lucks),
        "head": head_shown(request.user, tournament),
        "nonce_form": nonce_form or NonceForm(),
        "acts": ACTS if reader.runs else FOR_ARBITERS,
    }
    return render(request, "tournaments/detail.html", context, status=status)


def tournament_live(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the cells of the page that change; ``from`` is the state the reader's page was made in. Where a large board
    is not rendered after every match, the answer says in how many seconds to ask again. Whoever has a state of the
    board is sent what has changed since. Whoever has no part in the tournament shares an answer with strangers.
    """
    had = state_had(request)
    if not getattr(request.user, "is_staff", False):
        found = everyones(request.user).filter(slug=slug).values_list("pk", "created_at", "revision").first()
        if found is not None:
            asked = BoardQuery.of(request, *WORDS, "from", "began")
            name = f"tournament-live/{found[0]}/{found[1].timestamp()}/{asked}/{had}"
            answer = answer_shared(name, found[2], partial(_live, request, slug, had))
            share(answer, f"tournament.{found[0]}")
            return answer
    return _live(request, slug, had)


def _live(request: HttpRequest, slug: str, had: str) -> HttpResponse:
    tournament = counted_or_404(request, slug)
    reader = Reader.of(request, tournament)
    # Before the start there is no board; and if it starts meanwhile, what was read before does not know who plays.
    is_entered = tournament.state in ENTERING
    part = None if is_entered else board_part(request, reader, BoardQuery.of(request, *WORDS), had)
    context = _moving_context(request, reader) | {"part": part.html if part else ""}
    if reader.rules or (reader.follows_what_strangers_do and not reader.own):  # the mark is for what is shared
        context |= told_besides(reader, playing=_counts(tournament)[0], held=part.held if part else 0)
    answer = render(request, "tournaments/live.html", context)
    answer[STATE] = part.state if part else ""
    if part and part.again:
        answer[AGAIN] = str(part.again)
    return answer


def _moving_context(request: HttpRequest, reader: Reader) -> dict[str, Any]:
    """Return what is shown beside the board."""
    tournament = reader.tournament
    return {
        "tournament": tournament,
        "entering": tournament.state in ENTERING,
        "runs": reader.runs,
        "rules": reader.rules,
        "shown": reader.shown,
        "publications": Publication.choices,
        "moved_on": _moved_on(request, tournament),
    }


def _moved_on(request: HttpRequest, tournament: Tournament) -> bool:
    """Tell whether the page that asks was made before the start or the end, or before the stage that began last."""
    shown = request.GET.get("from", tournament.state)
    began = shown in ENTERING and tournament.state not in ENTERING
    ended = shown in PLAYING and tournament.state == TournamentState.FINISHED
    return began or ended or (_number(request, "began") or tournament.stage.number) < tournament.stage.number


def _counts(tournament: Tournament) -> tuple[int, int]:
    """Return how many bots are in, and how many were at the start, of one that ``counted_or_404`` has read."""
    return getattr(tournament, "entry_count", 0), getattr(tournament, "frozen_count", 0)


def _number(request: HttpRequest, name: str) -> int | None:
    wanted = request.GET.get(name, "")
    return int(wanted) if wanted.isdecimal() and len(wanted) < 9 else None
