"""The errors of refused requests to tournaments. Their messages are for the person who made the request."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from contests.game_settings_form import game_settings_missing_message, game_settings_outdated_message
from tournaments.models import TournamentState
from web.errors import Refusal


class TournamentError(Refusal):
    """The base of all refusals. Nothing was changed. The message says what was wrong and what to do.

    The API answers with status 409, unless a subclass has another ``status``.
    """

    code = "changed"
    status = 409


class WrongState(TournamentError):
    """The tournament is not in a state that allows this."""

    code = "wrong_state"

    def __init__(self, state: TournamentState, needed: Collection[TournamentState]) -> None:
        self.state = state
        self.needed = frozenset(needed)
        wanted = _(" or ").join(f"“{one.label}”" for one in TournamentState if one in self.needed)
        super().__init__(
            _("This needs a tournament that is %(wanted)s, but it is now “%(state)s”. Reload the page.")
            % {"wanted": wanted, "state": state.label}
        )


class ResultsCounted(TournamentError):
    """A contest that has ended, such as a series, counts the results of the tournament."""

    code = "counted"

    def __init__(self, counted_in: str) -> None:
        sentence = _("%(name)s has ended and counts the results of this tournament. Reopen it first.")
        super().__init__(sentence % {"name": counted_in})


class SupersededRules(TournamentError):
    """The draft uses rules that have a newer version, so it cannot be announced."""

    code = "superseded"

    def __init__(self, ruleset: str, newest: str) -> None:
        self.ruleset = ruleset
        self.newest = newest
        super().__init__(game_settings_outdated_message(ruleset, newest))


class GameMissing(TournamentError):
    """The package of the game is missing or broken, so nothing can be drawn or played."""

    code = "game_missing"

    def __init__(self, ruleset: str) -> None:
        super().__init__(game_settings_missing_message(ruleset))


class UnknownTempo(TournamentError):
    """The tempo of the broadcast does not exist."""

    code = "invalid"
    status = 400
    field = "tempo"

    def __init__(self) -> None:
        super().__init__(_("Choose how the matches are broadcast."))


class TooFewEntries(TournamentError):
    """There are too few entries to fill a table."""

    code = "too_few"

    def __init__(self, entries: int, seats: int) -> None:
        self.entries = entries
        self.seats = seats
        super().__init__(
            _("A table needs %(seats)d bots and %(entries)d entered. Wait for more entries or add house bots.")
            % {"seats": seats, "entries": entries}
        )


class TooLarge(TournamentError):
    """There are more entries than can be drawn, or more games than the workers may play for the tournament."""


class TooManyForFormat(TooLarge):
    """The library for the format cannot draw a round of so many entries in time."""

    code = "too_many"

    def __init__(self, entries: int, most: int) -> None:
        self.entries = entries
        self.most = most
        super().__init__(
            _(
                "By these rules of FIDE rounds can be drawn for %(most)d bots at most, and %(entries)d entered. Choose"
                " the Swiss, or FIDE's rules before 2026 for up to 256."
            )
            % {"most": most, "entries": entries}
        )


class TooManyForTables(TooLarge):
    """A round robin at tables larger than two cannot be drawn for so many entries in time."""

    code = "too_many"

    def __init__(self, entries: int, most: int) -> None:
        self.entries = entries
        self.most = most
        super().__init__(
            _(
                "A round robin at tables of more than two is drawn for %(most)d bots at most, not for %(entries)d."
                " Choose the Swiss, tables of two, or fewer bots."
            )
            % {"most": most, "entries": entries}
        )


class TooManyGames(TooLarge):
    """The tournament would have more games than one tournament may have."""

    code = "too_many_games"

    def __init__(self, games: int, most: int) -> None:
        self.games = games
        self.most = most
        super().__init__(
            _("These entries would play %(games)d games; at most %(most)d are allowed. Let fewer bots take part.")
            % {"games": games, "most": most}
        )


class TooMuchWork(TooLarge):
    """The unfinished tournaments of the organiser would exceed the limit of worker-hours."""

    code = "too_much_work"

    def __init__(self, *, wanted: float, taken: float, allowed: float) -> None:
        self.wanted, self.taken, self.allowed = wanted, taken, allowed
        super().__init__(
            _(
                "This tournament will take about %(wanted).1f worker-hours, your other unfinished ones %(taken).1f; you"
                " may have %(allowed).1f at a time. Let fewer bots take part, play fewer deals, or ask staff for more."
            )
            % {"wanted": wanted, "taken": taken, "allowed": allowed}
        )


class EntryRefused(TournamentError):
    """The bot cannot be entered or withdrawn.

    ``code`` is "not_yours", "other_game", "no_version", "already", "shut_out", "limit", "full", "withdrawn", "late",
    "invitation", "not_a_member", "team" or "team_size".
    """

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.field = {"invitation": "invitation", "full": "", "late": ""}.get(code, "bot")
        self.status = 403 if code in ("invitation", "not_yours", "not_a_member") else 409
        super().__init__(sentence)


class AnswerRefused(TournamentError):
    """An answer to question ``number`` is missing or invalid."""

    code = "answers"
    status = 400

    def __init__(self, number: int | str, sentence: str) -> None:
        self.number = number
        self.field = f"answers.{number}"
        super().__init__(sentence)


class QuestionRefused(TournamentError):
    """The question cannot be added. ``field`` is the field of the form beside which the message is shown."""

    code = "question"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class CupRefused(TournamentError):
    """A cup cannot be created from the ladder, or a weekly cup cannot be planned or ended.

    ``code`` is "superseded", "over_cap" or "too_few", and for a weekly cup also "no_season", "already" or "ended".
    """

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.field = "best" if code == "too_few" else ""
        super().__init__(sentence)


class EditRefused(TournamentError):
    """The setting cannot be edited, or cannot have this value.

    ``field`` is the field of the form beside which the message is shown.
    """

    code = "fixed"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class CopyRefused(EditRefused):
    """The tournament cannot be copied to this date."""

    code = "not_again"


class TemplateRefused(EditRefused):
    """The template cannot be saved or used."""

    code = "template"


class EditStale(TournamentError):
    """The tournament has changed since its form was shown."""

    code = "stale"
    status = 412  # If-Match

    def __init__(self) -> None:
        super().__init__(
            _("Meanwhile a bot has entered, or the tournament was changed: nothing is saved. Look again, then save.")
        )


class NonceRefused(TournamentError):
    """The nonce cannot be added now, by this person, or with this text."""

    code = "luck"
    field = "text"


class CeremonyRefused(TournamentError):
    """The step of the ceremony is not possible now.

    ``field`` is the field of the form beside which the message is shown.
    """

    code = "ceremony"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class SourcesRefused(TournamentError):
    """The sources cannot be released at all, or cannot be released at this time."""

    code = "sources"


class CeremonyChanged(TournamentError):
    """Ranks have changed after the ceremony revealed them."""

    code = "ranks_changed"

    def __init__(self) -> None:
        super().__init__(_("Ranks that were revealed have changed. Correct them first, then go on."))


class RulingRefused(TournamentError):
    """The ruling is not allowed. ``field`` is the field of the form beside which the message is shown."""

    code = "cannot_rule"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class RulingStale(TournamentError):
    """The state has changed since the consequences of the ruling were shown."""

    code = "stale"

    def __init__(self) -> None:
        super().__init__(
            _("Results or rulings have changed meanwhile: look at the consequences again, then confirm once more.")
        )
