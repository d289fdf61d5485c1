"""What a tournament's own page shows beside the cells that follow its play."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from contests.game_settings_form import game_title, limit_labels, option_labels
from matches.referee import FAULT_POLICY
from tournaments.entry_form import EntryForm
from tournaments.formats.format import Plan
from tournaments.models import ENTERING, Entry, LadderCup, Stage, Tournament, TournamentState
from tournaments.selectors.entering.entry_rules import limit_reached, may_enter, places_left
from tournaments.selectors.pages.ladder_cups import passed_over_of
from tournaments.selectors.pages.proof import adds_luck, lucks_shown
from tournaments.selectors.pages.tournament_page import stage_shown, tie_breaks_of
from tournaments.selectors.rounds.agenda import ACTS, FOR_ARBITERS
from tournaments.services import FORFEITS_ALLOWED
from tournaments.services.entering import invited_only
from tournaments.standings import TieBreak
from tournaments.views.board_part import BoardPart, Reader, board_part, entries_part, own_rows
from tournaments.views.invitations import opened
from tournaments.views.sharing import embeds_offered
from tournaments.workload import Workload, plan_of, workload_now
from web.boards import BoardQuery
from web.screens import EmbedOffered


@dataclass
class DetailPage:
    """The page as the template reads it: each property is read once, when it is asked for.

    ``playing``: how many bots are in; ``frozen``: how many were at the start. ``refused_entry``: the form that comes
    back with errors.
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
        """The board, None before there is one."""
        is_entered = self.tournament.state in ENTERING
        return None if is_entered else board_part(self.request, self.reader, self.query)

    @cached_property
    def part(self) -> SafeString:
        """The board, or the entries before there is one."""
        return self.board.html if self.board else entries_part(self.request, self.reader, self.query)

    @cached_property
    def stage(self) -> Stage:
        return stage_shown(self.tournament, self.query)

    @property
    def live(self) -> str:
        """The query of the address of the cells that change."""
        shown = (self.board and self.board.round) or ""
        made_in = {"from": self.tournament.state, "began": self.tournament.stage.number}
        return self.query.but(stage=self.stage.number, round=shown, **made_in)

    @cached_property
    def own_rows(self) -> Sequence[str]:
        return own_rows(self.reader)

    @property
    def with_bracket(self) -> bool:
        return self.reader.shown and self.stage.has_bracket_to_show

    @cached_property
    def invitation(self) -> str:
        """The digest of the invitation link that this visitor has opened."""
        return opened(self.request, self.tournament)

    @cached_property
    def may_enter(self) -> bool:
        return may_enter(self.request.user, self.tournament, self.invitation)

    @property
    def not_invited(self) -> str:
        """Why the visitor may not enter a bot."""
        return "" if self.may_enter else invited_only(opened=bool(self.invitation))

    @cached_property
    def entry_form(self) -> EntryForm | None:
        user = self.request.user
        if not (self.tournament.takes_entries and user.is_authenticated and self.may_enter):
            return None
        count = sum(not (one.is_withdrawn or one.bot.is_house) for one in self.reader.own)
        limit = limit_reached(self.tournament, count)
        return self.refused_entry or EntryForm(tournament=self.tournament, user=user, limit=limit)

    @cached_property
    def places_left(self) -> int:
        return places_left(self.tournament, self.playing)

    @cached_property
    def plan(self) -> Plan | None:
        return plan_of(self.tournament, self.frozen if self.tournament.started_at else self.playing)

    @cached_property
    def workload(self) -> Workload | None:
        is_shown = self.tournament.state in ENTERING and self.reader.runs
        return workload_now(self.tournament) if is_shown else None

    @cached_property
    def cup(self) -> LadderCup | None:
        return self.tournament.ladder_cup if self.tournament.is_of_ladder else None

    @cached_property
    def passed_over(self) -> Sequence[Any]:
        return passed_over_of(self.cup) if self.cup else ()

    @property
    def game_title(self) -> str:
        return game_title(self.tournament.game)

    @property
    def options(self) -> Any:
        return option_labels(self.tournament.ruleset, self.tournament.options)

    @property
    def limits(self) -> Any:
        return limit_labels(self.tournament.limits)

    @property
    def tie_breaks(self) -> tuple[TieBreak, ...]:
        return tie_breaks_of(self.tournament)

    @property
    def by_fide(self) -> bool:
        return any(stage.has_fide_tie_breaks for stage in self.tournament.stages.all())

    @property
    def faults(self) -> dict[str, int]:
        """The bounds at which a bot forfeits a match, and is withdrawn."""
        percent = int(100 * FAULT_POLICY.share)
        return {"percent": percent, "in_a_row": FAULT_POLICY.in_a_row, "forfeits": FORFEITS_ALLOWED + 1}

    @property
    def taken_out(self) -> list[Entry]:
        return [entry for entry in self.reader.own if entry.withdrawn_because]

    @cached_property
    def adds_luck(self) -> bool:
        """The reader may add randomness of their own, and has not yet."""
        user, tournament = self.request.user, self.tournament
        if user.pk is None or tournament.state != TournamentState.LOCKED:
            return False
        return adds_luck(user, tournament, lucks_shown(user, tournament))

    @property
    def formats(self) -> str:
        """The formats of its stages, one after the other."""
        return " → ".join(str(one.get_format_display()) for one in self.tournament.stages.all())

    @property
    def entered(self) -> list[Entry]:
        """The reader's bots that are in."""
        return [entry for entry in self.reader.own if not entry.is_withdrawn]

    @property
    def embeds(self) -> Sequence[EmbedOffered]:
        """The parts that other sites may show."""
        return embeds_offered(self.tournament)

    @property
    def acts(self) -> Sequence[str]:
        """The actions whose forms the page holds."""
        return ACTS if self.reader.runs else FOR_ARBITERS
