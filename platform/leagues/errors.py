"""Errors of leagues, each with a sentence for the user."""

from django.utils.translation import gettext as _

from contests.game_settings_form import game_settings_missing_message, game_settings_outdated_message
from web.errors import Refusal


class LeagueError(Refusal):
    """Nothing was changed. The text says what was wrong and what to do. The API answers 409 by default."""

    code = "changed"
    status = 409


class LeagueWrongState(LeagueError):
    """The league, or its season, is not in a state that allows this."""

    code = "wrong_state"

    def __init__(self, state: str, sentence: str) -> None:
        self.state = state
        super().__init__(sentence)


class NotADraft(LeagueWrongState):
    """Only a draft can be edited and opened."""

    def __init__(self, state: str) -> None:
        super().__init__(state, _("The league has opened already; its terms are fixed. Reload the page."))


class LeagueFixed(LeagueError):
    """A field that affects results cannot be changed once the league is open. ``field`` is its name."""

    code = "fixed"

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(_("This cannot be edited any more."))


class LeagueSupersededRules(LeagueError):
    """The draft uses rules that have a newer version, so the league cannot open."""

    code = "superseded"

    def __init__(self, ruleset: str, newest: str) -> None:
        self.ruleset = ruleset
        self.newest = newest
        super().__init__(game_settings_outdated_message(ruleset, newest))


class NotOpen(LeagueWrongState):
    """Only an open league can begin and end seasons."""

    def __init__(self, state: str) -> None:
        super().__init__(state, _("This needs an open league. Reload the page."))


class LeagueGameMissing(LeagueError):
    """The game's package is gone or broken: no match can be played."""

    code = "game_missing"

    def __init__(self, ruleset: str) -> None:
        super().__init__(game_settings_missing_message(ruleset))


class SeasonRunning(LeagueWrongState):
    """The next season cannot begin before the last one has ended."""

    def __init__(self) -> None:
        super().__init__("running", _("A season is running already: end it first."))


class LadderBeingFitted(LeagueError):
    """The final ladder of the last season is still being fitted, and the next season starts from it."""

    code = "ladder_being_fitted"

    def __init__(self) -> None:
        super().__init__(_("The final ladder of the last season is still being computed. Try again in a minute."))


class NoSeason(LeagueWrongState):
    """There is no running season to end."""

    def __init__(self) -> None:
        super().__init__("finished", _("No season is running. Reload the page."))


class JoinRefused(LeagueError):
    """A bot may not join or leave.

    ``code`` is "closed", "not_yours", "other_game", "no_version", "already", "limit", "full", "left", "late",
    "taken_out", "reason", "copy", "not_a_member" or "team_size".
    """

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.field = {"closed": "", "full": "", "reason": "reason"}.get(code, "bot")
        self.status = {"not_yours": 403, "not_a_member": 403, "taken_out": 403, "reason": 400}.get(code, 409)
        super().__init__(sentence)


class LeaguePaused(LeagueError):
    """The league is paused already."""

    def __init__(self) -> None:
        super().__init__(_("The league is paused already."))


class LeagueNotPaused(LeagueError):
    """The league is not paused."""

    def __init__(self) -> None:
        super().__init__(_("The league is not paused."))
