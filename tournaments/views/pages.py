"""Public tournament pages: the list, the page of a tournament, and its live cells.

After a refused request, the page of the tournament is shown with the reason above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from contests.game_settings_form import game_settings_limit_labels, game_settings_option_labels, game_title
from matches.referee import FAULT_POLICY
from matches.selectors import matches_system_status_cached
from tournaments.entry_form import EntryForm
from tournaments.errors import TournamentError
from tournaments.formats.format import Plan
from tournaments.models import ENTERING, PLAYING, Entry, LadderCup, Publication, Stage, Tournament, TournamentState
from tournaments.selectors.entering.entry_rules import entry_limit_reached, entry_places_left, may_enter_tournament
from tournaments.selectors.entering.visible import tournaments_for_everyone, tournaments_listed
from tournaments.selectors.pages.cards import (
    GROUP_OF,
    tournament_cards_grouped,
    tournament_cards_of,
    tournament_cards_order,
    tournaments_with_counts,
)
from tournaments.selectors.pages.ladder_cups import ladder_cup_passed_over
from tournaments.selectors.pages.proof_and_luck import may_add_luck_now, tournament_lucks_shown
from tournaments.selectors.pages.tournament_page import tournament_stage_shown
from tournaments.selectors.rounds.agenda import ACTS, FOR_ARBITERS, tournament_agenda_of
from tournaments.selectors.rounds.fixtures import fixture_matches_held
from tournaments.selectors.rounds.timeline import tournament_timeline_coming
from tournaments.selectors.standings.tie_breaks import tournament_tie_breaks_of
from tournaments.services import FORFEITS_ALLOWED
from tournaments.services.invitations import invitation_refusal
from tournaments.standings import TieBreak
from tournaments.views.board_part import (
    WORDS,
    BoardPart,
    Reader,
    board_part_entries,
    board_part_own_rows,
    tournament_board_part,
)
from tournaments.views.invitations import tournament_invitation_opened
from tournaments.views.lookups import tournament_with_counts_or_404
from tournaments.views.sharing import tournament_sharing_embeds, tournament_sharing_preview
from tournaments.workload import Workload, workload_now, workload_plan
from web.boards import REFRESH_HEADER, BoardQuery
from web.page_cache import LIST_SECONDS, public_page
from web.screens import EmbedOffered
from web.topics import topic_share

PAGE_SIZE: Final = 24


@public_page(max_age=LIST_SECONDS, query=("state", "page"))
def tournament_list_view(request: HttpRequest) -> HttpResponse:
    visible = tournaments_listed(request.user).order_by()
    counts = dict(visible.values_list("state").annotate(Count("pk", distinct=True)))
    found = tournament_cards_order(tournaments_with_counts(tournaments_listed(request.user)))
    state = request.GET.get("state", "")
    if state in TournamentState.values:
        found = found.filter(state=state)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    # The tab of open tournaments is shown even if none is open: it also links to contests that always accept bots.
    shown = [one for one in GROUP_OF if counts.get(one) or (one == TournamentState.OPEN and counts)]
    tabs = [(one.value, one.label, counts.get(one, 0)) for one in shown]
    groups = tournament_cards_grouped(tournament_cards_of(list(page)))
    context = {"page": page, "groups": groups, "state": state, "tabs": tabs, "all": sum(counts.values())}
    return render(request, "tournaments/list.html", context)


@public_page(query=WORDS)
def tournament_detail_view(
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
    context = _moving_context(request, reader, page.board) | {
        "page": page,
        "preview": tournament_sharing_preview(request, tournament),
    }
    context |= _tasks_context(reader, playing=playing, held=page.board.held if page.board else 0)
    return render(request, "tournaments/detail.html", context, status=status)


@public_page(query=(*WORDS, "from", "began"))
def tournament_live_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the cells of the page that change.

    The parameter ``from`` is the state of the tournament when the page was rendered. If the standings are stale, a
    header has the number of seconds after which the page repeats the request. A user without a role in the tournament
    gets the response for anonymous visitors.
    """
    answer = _live(request, slug)
    if not getattr(request.user, "is_staff", False):
        found = tournaments_for_everyone(request.user).filter(slug=slug).values_list("pk", flat=True).first()
        if found is not None:
            topic_share(answer, f"tournament.{found}")
    return answer


def _live(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_with_counts_or_404(request, slug)
    reader = Reader.of(request, tournament)
    # There is no board before the start. If the tournament starts just now, the data above lacks the frozen entries.
    is_entered = tournament.state in ENTERING
    part = None if is_entered else tournament_board_part(request, reader, BoardQuery.of(request, *WORDS))
    context = _moving_context(request, reader, part) | {"part": part.html if part else ""}
    context |= _tasks_context(reader, playing=_counts(tournament)[0], held=part.held if part else 0)
    answer = render(request, "tournaments/live.html", context)
    if part and part.again:
        answer[REFRESH_HEADER] = str(part.again)
    return answer


def _tasks_context(reader: Reader, *, playing: int, held: int) -> dict[str, Any]:
    """Return the context that only organisers and arbiters get.

    ``playing`` is the number of bots that take part. ``held`` is the number of held matches.
    """
    tournament = reader.tournament
    if not reader.rules:
        return {}
    context: dict[str, Any] = {"agenda": tournament_agenda_of(tournament, playing=playing, held=held, owns=reader.runs)}
    context["coming"] = tournament_timeline_coming(tournament, playing)
    if reader.runs:
        is_running = tournament.state == TournamentState.RUNNING
        context["held"] = fixture_matches_held(tournament) if held and is_running else ()
        context["workers"] = matches_system_status_cached() if tournament.state in PLAYING else None
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
    """Return how many bots take part, and how many took part at the start.

    ``tournament`` is read by ``tournament_with_counts_or_404``.
    """
    return getattr(tournament, "entry_count", 0), getattr(tournament, "frozen_count", 0)


def _number(request: HttpRequest, name: str) -> int | None:
    wanted = request.GET.get(name, "")
    return int(wanted) if wanted.isdecimal() and len(wanted) < 9 else None


@dataclass
class DetailPage:
    """The data for the template. Each property is read once, when the template needs it.

    ``playing`` is the number of bots that take part, ``frozen`` the number at the start. ``refused_entry`` is the entry
    form with errors, after a refused request.
    """

    request: HttpRequest
    reader: Reader
    query: BoardQuery
    playing: int
    frozen: int
    refused_entry: EntryForm | None = None

    @property
    def tournament(self) -> Tournament:
        return self.reader.tournament

    @cached_property
    def board(self) -> BoardPart | None:
        """The board; None before the start."""
        is_entered = self.tournament.state in ENTERING
        return None if is_entered else tournament_board_part(self.request, self.reader, self.query)

    @cached_property
    def part(self) -> SafeString:
        """The board, or the entries before the start."""
        return self.board.html if self.board else board_part_entries(self.request, self.reader, self.query)

    @cached_property
    def stage(self) -> Stage:
        return tournament_stage_shown(self.tournament, self.query)

    @property
    def live(self) -> str:
        """The query string for requests of the live cells."""
        shown = (self.board and self.board.round) or ""
        made_in = {"from": self.tournament.state, "began": self.tournament.stage.number}
        return self.query.but(stage=self.stage.number, round=shown, **made_in)

    @cached_property
    def own_rows(self) -> Sequence[str]:
        return board_part_own_rows(self.reader)

    @property
    def with_bracket(self) -> bool:
        return self.reader.shown and self.stage.has_bracket_to_show

    @cached_property
    def invitation(self) -> str:
        """The digest of the invitation link that this visitor has opened."""
        return tournament_invitation_opened(self.request, self.tournament)

    @cached_property
    def may_enter(self) -> bool:
        return may_enter_tournament(self.request.user, self.tournament, self.invitation)

    @property
    def not_invited(self) -> str:
        """Why the visitor may not enter a bot."""
        return "" if self.may_enter else invitation_refusal(opened=bool(self.invitation))

    @cached_property
    def entry_form(self) -> EntryForm | None:
        user = self.request.user
        if not (self.tournament.takes_entries and user.is_authenticated and self.may_enter):
            return None
        count = sum(not (one.is_withdrawn or one.bot.is_house) for one in self.reader.own)
        limit = entry_limit_reached(self.tournament, count)
        return self.refused_entry or EntryForm(tournament=self.tournament, user=user, limit=limit, playing=self.playing)

    @cached_property
    def places_left(self) -> int:
        return entry_places_left(self.tournament, self.playing)

    @cached_property
    def plan(self) -> Plan | None:
        return workload_plan(self.tournament, self.frozen if self.tournament.started_at else self.playing)

    @cached_property
    def workload(self) -> Workload | None:
        is_shown = self.tournament.state in ENTERING and self.reader.runs
        return workload_now(self.tournament) if is_shown else None

    @cached_property
    def cup(self) -> LadderCup | None:
        return self.tournament.ladder_cup if self.tournament.is_of_ladder else None

    @cached_property
    def passed_over(self) -> Sequence[Any]:
        return ladder_cup_passed_over(self.cup) if self.cup else ()

    @property
    def game_title(self) -> str:
        return game_title(self.tournament.game)

    @property
    def options(self) -> Any:
        return game_settings_option_labels(self.tournament.ruleset, self.tournament.options)

    @property
    def limits(self) -> Any:
        return game_settings_limit_labels(self.tournament.limits)

    @property
    def tie_breaks(self) -> tuple[TieBreak, ...]:
        return tournament_tie_breaks_of(self.tournament)

    @property
    def by_fide(self) -> bool:
        return any(stage.has_fide_tie_breaks for stage in self.tournament.stages.all())

    @property
    def faults(self) -> dict[str, int]:
        """The limits of faults at which a bot forfeits a match, and the number of forfeits at which it is withdrawn."""
        percent = int(100 * FAULT_POLICY.share)
        return {"percent": percent, "in_a_row": FAULT_POLICY.in_a_row, "forfeits": FORFEITS_ALLOWED + 1}

    @property
    def taken_out(self) -> list[Entry]:
        return [entry for entry in self.reader.own if entry.withdrawn_because]

    @cached_property
    def adds_luck(self) -> bool:
        """Whether the reader may add a nonce, and has not added one yet."""
        user, tournament = self.request.user, self.tournament
        if user.pk is None or tournament.state != TournamentState.LOCKED:
            return False
        return may_add_luck_now(user, tournament, tournament_lucks_shown(user, tournament))

    @property
    def formats(self) -> str:
        """The formats of the tournament's stages, in order."""
        return " → ".join(str(one.get_format_display()) for one in self.tournament.stages.all())

    @property
    def entered(self) -> list[Entry]:
        """The reader's bots that take part."""
        return [entry for entry in self.reader.own if not entry.is_withdrawn]

    @property
    def embeds(self) -> Sequence[EmbedOffered]:
        """The parts that other sites may show."""
        return tournament_sharing_embeds(self.tournament)

    @property
    def acts(self) -> Sequence[str]:
        """The actions whose forms are on the page."""
        return ACTS if self.reader.runs else FOR_ARBITERS


def tournament_page_refused(request: HttpRequest, slug: str, error: TournamentError) -> HttpResponse:
    messages.error(request, str(error))
    return tournament_detail_view(request, slug, status=409)
