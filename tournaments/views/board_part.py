"""What a tournament's page shows of its play, or before it of its entries: kept for all who see the same of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import thread_time
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from bots.models import Bot
from tournaments.models import ENTERING, Entry, Publication, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_own, may_rule, may_see_results
from tournaments.selectors.pages.standings_shown import standings_shown
from tournaments.selectors.pages.tournament_page import TournamentPage, entries_of, page_of, words_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.ranking import PODIUM, ranking_of
from tournaments.views.brackets import PAGE, bracket_part
from web import boards
from web.boards import BoardQuery, board_of
from web.kept_parts import TOKEN, KeptPart, PlacedRow, RenderedPart, part_kept, part_of_reader

WORDS: Final = ("stage", "round", "page", "bot", "tables", PAGE)
KEPT_SECONDS: Final = 10  # while it is played: some of what is shown goes by the clock
KEPT_OVER_SECONDS: Final = 60  # analyses of its games, and new names of bots, come later


@dataclass(frozen=True)
class Reader:
    """Who looks at a tournament, and what that makes of its page; ``own``: the reader's entries."""

    user: AbstractBaseUser | AnonymousUser
    tournament: Tournament
    runs: bool
    rules: bool
    shown: bool
    own: Sequence[Entry]

    @classmethod
    def of(cls, request: HttpRequest, tournament: Tournament) -> "Reader":
        user = request.user
        bots = Bot.objects.filter(owner=user.pk).values("pk")  # a join would read all entries
        own = tournament.entries.filter(bot__in=bots) if user.pk is not None else Entry.objects.none()
        return cls(
            user,
            tournament,
            runs=may_own(user, tournament),
            rules=may_rule(user, tournament),
            shown=may_see_results(user, tournament),
            own=list(own.select_related("bot", "version")),
        )

    @property
    def is_anyone(self) -> bool:
        """Nothing of the page is this reader's alone, but for what ``part_of_reader`` puts in."""
        return self.tournament.publication == Publication.EVERYONE

    @property
    def follows_what_strangers_do(self) -> bool:
        """What changes on the page is the same for the reader as for strangers, but for that and for what those who
        rule are told besides."""
        return self.is_anyone and self.tournament.state != TournamentState.DRAFT

    @property
    def sees_drafts(self) -> bool:
        """The reader is shown rounds that wait until the organiser lets them begin."""
        return self.runs and self.tournament.has_round_review

    @property
    def audience(self) -> str:
        """Who sees the same matches as this reader."""
        return f"{self.shown:d}" + ("" if self.is_anyone else f"/{self.user.pk}")


@dataclass(frozen=True, slots=True)
class BoardPart:
    """``again``: in how many seconds there is a newer one to be had, 0 if this is the newest. ``round``: the only one
    that is shown, None where it is all of them. ``state``: what it shows, see ``web.live_deltas``. ``held``: how many
    matches are, after faults of the platform."""

    html: SafeString
    again: int
    round: int | None
    state: str
    held: int


def board_part(request: HttpRequest, reader: Reader, query: BoardQuery, had: str = "") -> BoardPart:
    """Return the board of a tournament that has begun; of a reader who ``had`` a state of it what has changed since."""
    tournament = reader.tournament
    name = f"board/{tournament.pk}/{tournament.created_at.timestamp()}/{reader.sees_drafts:d}{reader.audience}/{query}"
    seconds = KEPT_OVER_SECONDS if tournament.is_over else KEPT_SECONDS

    def render() -> RenderedPart:
        page = page_of(tournament, query, drafts=reader.sees_drafts)
        spent = thread_time()
        standings = _standings_part(reader, page, query, f"{name}/standings", seconds)
        apart = thread_time() - spent
        places, crosstable = standings.data
        context = _board_context(reader, page, query)
        context |= {"standings": mark_safe(standings.html), "crosstable": mark_safe(crosstable), "csrf_token": TOKEN}  # noqa: S308
        html = render_to_string("tournaments/parts/board.html", context)
        data = places, page.round, page.progress.held
        is_large = standings.is_large or page.tables.is_long
        return RenderedPart(html, data, is_large, is_live=True, old_until=standings.old_until, apart=apart)

    kept = part_kept(name, tournament.revision, seconds, render)
    places, shown, held = kept.data
    html = _for_reader(request, kept.since(had), reader, places, query)
    return BoardPart(html, kept.again(tournament.revision), shown, kept.state, held)


def entries_part(request: HttpRequest, reader: Reader, query: BoardQuery) -> SafeString:
    """Return the entries of a tournament that has not begun."""
    tournament = reader.tournament
    name = f"entries/{tournament.pk}/{tournament.created_at.timestamp()}/{reader.rules:d}{reader.audience}/{query}"

    def render() -> RenderedPart:
        context = _entries_context(reader, query)
        is_long = context["board"].is_long
        places = {entry.pk: place for place, entry in enumerate(context["playing"])} if is_long else {}
        html = render_to_string("tournaments/parts/entries.html", {**context, "csrf_token": TOKEN})
        return RenderedPart(html, places)

    kept = part_kept(name, tournament.revision, KEPT_SECONDS, render)
    return _for_reader(request, kept, reader, kept.data, query)


def _standings_part(reader: Reader, page: TournamentPage, query: BoardQuery, name: str, seconds: int) -> RenderedPart:
    """Return the rows of the standings. Those of a long board are kept by themselves while it is played, so that the
    tables beside them are rendered more often; what is over changes by names alone, for which a board kept from rows
    that were kept would wait twice. ``data`` is where all rows are, if the board is long, and the crosstable."""
    tournament, stage = reader.tournament, page.stage

    def render() -> RenderedPart:
        shown = standings_shown(tournament, page, query)
        context = {"user": _user_of(reader), "tournament": tournament, "stage": stage, "standings": shown}
        places = {row.entrant: place for place, row in enumerate(page.rows)} if shown.board.is_long else {}
        html = render_to_string("tournaments/parts/standings.html", context) if page.rows and reader.shown else ""
        crosstable = render_to_string("tournaments/parts/crosstable.html", context) if shown.crosstable else ""
        return RenderedPart(html, (places, crosstable), shown.board.is_long, old_until=page.stale_until)

    if tournament.is_over or len(page.rows) <= boards.BOARD_ROWS:
        return render()
    revision = f"{page.standings.version}/{page.ratings.version}"
    kept = part_kept(name, revision, seconds, lambda: replace(render(), old_until=0))
    old_until = max(kept.newer_at(revision), page.stale_until)
    return RenderedPart(kept.html, kept.data, is_large=True, old_until=old_until)


def _board_context(reader: Reader, board: TournamentPage, query: BoardQuery) -> dict[str, Any]:
    """Return what the template of the board reads beside the standings."""
    tournament = reader.tournament
    ended = reader.shown and tournament.state == TournamentState.FINISHED
    with_bracket = reader.shown and board.stage.has_bracket_to_show
    entries = entries_of(tournament) if ended or with_bracket else []
    ranking = ranking_of(tournament, entries, {board.stage.number: board.rows}) if ended else []
    return {
        "user": _user_of(reader),
        "tournament": tournament,
        "stage": board.stage,
        "board": board,
        "shown": reader.shown,
        "bracket": bracket_part(board.stage, entries, query) if with_bracket else None,
        "podium": [one for one in ranking if one.placed.rank <= PODIUM and not one.placed.row.disqualified],
        "ranking": ranking if sum(not one.kind.is_play_off for one in board.stages) > 1 else (),
    }


def _user_of(reader: Reader) -> AbstractBaseUser | AnonymousUser:
    return AnonymousUser() if reader.is_anyone else reader.user


def _entries_context(reader: Reader, query: BoardQuery) -> dict[str, Any]:
    tournament, entries = reader.tournament, entries_of(reader.tournament)
    out = corrections_of(tournament).disqualified
    playing = [entry for entry in entries if not entry.is_withdrawn]
    return {
        "user": _user_of(reader),
        "tournament": tournament,
        "entering": True,
        "rules": reader.rules,
        "playing": playing,
        "board": board_of(playing, query, filtered_by="bot", words=words_of),
        "withdrawn": [entry for entry in entries if entry.is_withdrawn and entry.pk not in out],
        "disqualified": [entry for entry in entries if entry.pk in out] if reader.shown else (),
    }


def own_rows(reader: Reader) -> list[str]:
    """Return the ids of the elements that are marked as the reader's own: rows of board and final ranking."""
    return [f"{kind}{entry.pk}" for kind in "sk" for entry in reader.own]


def _for_reader(
    request: HttpRequest, kept: KeptPart, reader: Reader, places: dict[int, int], query: BoardQuery
) -> SafeString:
    """Return it with the reader's own bots marked, and buttons to withdraw them."""
    tournament = reader.tournament
    own = [PlacedRow(f"s{entry.pk}", entry.bot.name, places.get(entry.pk)) for entry in reader.own]
    own += [PlacedRow(f"k{entry.pk}", entry.bot.name, None) for entry in reader.own]  # in the final ranking
    html = part_of_reader(kept.html_for(request), own, board_of(range(len(places)), query, filtered_by="bot"))
    if reader.rules or not tournament.lets_withdraw:
        return html
    for entry in reader.own:
        context = {"tournament": tournament, "entry": entry, "entering": tournament.state in ENTERING}
        place = f'data-own="s{entry.pk}">'
        if place in html:
            button = render_to_string("tournaments/parts/withdraw.html", context, request)
            html = mark_safe(html.replace(place, place + button))  # noqa: S308  templates escaped it
    return html
