"""What a tournament refuses, each with a sentence for the person who asked."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from contests.game_settings_form import game_settings_missing_message, game_settings_outdated_message
from tournaments.models import TournamentState
from web.errors import Refusal


class TournamentError(Refusal):
    """Nothing was changed; the text says what was wrong and what to do. The API answers 409 unless said."""

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
    """What is over has counted its results, such as a series that has ended."""

    code = "counted"

    def __init__(self, counted_in: str) -> None:
        sentence = _("%(name)s has ended and counts the results of this tournament. Reopen it first.")
        super().__init__(sentence % {"name": counted_in})


class SupersededRules(TournamentError):
    """A draft by rules that have a newer version; it can not be announced any more."""

    code = "superseded"

    def __init__(self, ruleset: str, newest: str) -> None:
        self.ruleset = ruleset
        self.newest = newest
        super().__init__(game_settings_outdated_message(ruleset, newest))


class GameMissing(TournamentError):
    """The game's package is gone or broken: nothing can be drawn or played."""

    code = "game_missing"

    def __init__(self, ruleset: str) -> None:
        super().__init__(game_settings_missing_message(ruleset))


class UnknownTempo(TournamentError):
    """There is no such way to broadcast matches."""

    code = "invalid"
    status = 400
    field = "tempo"

    def __init__(self) -> None:
        super().__init__(_("Choose how the matches are broadcast."))


class TooFewEntries(TournamentError):
    """Not even one table can be filled."""

    code = "too_few"

    def __init__(self, entries: int, seats: int) -> None:
        self.entries = entries
        self.seats = seats
        super().__init__(
            _("A table needs %(seats)d bots and %(entries)d entered. Wait for more entries or add house bots.")
            % {"seats": seats, "entries": entries}
        )


class TooLarge(TournamentError):
    """More than can be drawn, or more than the workers may be asked for."""


class TooManyForFormat(TooLarge):
    """The library that knows the rules would not finish a round in its time."""

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
    """No round robin at tables larger than two is found for so many in time."""

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
    """More games than one tournament may ask of the workers."""

    code = "too_many_games"

    def __init__(self, games: int, most: int) -> None:
        self.games = games
        self.most = most
        super().__init__(
            _("These entries would play %(games)d games; at most %(most)d are allowed. Let fewer bots take part.")
            % {"games": games, "most": most}
        )


class TooMuchWork(TooLarge):
    """Its organiser would have more worker-hours of unfinished tournaments than they may."""

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
    """A bot may not enter, or not be withdrawn. ``code``: "not_yours", "other_game", "no_version", "already",
    "shut_out", "limit", "full", "withdrawn", "late", "invitation",
    "not_a_member", "team", "team_size"."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.field = {"invitation": "invitation", "full": "", "late": ""}.get(code, "bot")
        self.status = 403 if code in ("invitation", "not_yours", "not_a_member") else 409
        super().__init__(sentence)


class AnswerRefused(TournamentError):
    """A question to entrants is not answered, or not so. ``number``: of the question."""

    code = "answers"
    status = 400

    def __init__(self, number: int | str, sentence: str) -> None:
        self.number = number
        self.field = f"answers.{number}"
        super().__init__(sentence)


class QuestionRefused(TournamentError):
    """Entrants are not asked this. ``field``: of the form, beside which the sentence belongs."""

    code = "question"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class CupRefused(TournamentError):
    """No cup is made of a ladder. ``code``: "superseded", "over_cap", "too_few"; none every week:
    "no_season", "already", "ended"."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.field = "best" if code == "too_few" else ""
        super().__init__(sentence)


class EditRefused(TournamentError):
    """It cannot be edited so. ``field``: of the form, beside which the sentence belongs."""

    code = "fixed"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class CopyRefused(EditRefused):
    """It cannot be held again so."""

    code = "not_again"


class TemplateRefused(EditRefused):
    """A template cannot be saved or used so."""

    code = "template"


class EditStale(TournamentError):
    """It is not what it was when its form was shown."""

    code = "stale"
    status = 412  # If-Match

    def __init__(self) -> None:
        super().__init__(
            _("Meanwhile a bot has entered, or the tournament was changed: nothing is saved. Look again, then save.")
        )


class NonceRefused(TournamentError):
    """Nothing is added to the luck: not now, not by this person, or not this."""

    code = "luck"
    field = "text"


class CeremonyRefused(TournamentError):
    """The ceremony does not do this, or not now. ``field``: of the form, beside which the sentence belongs."""

    code = "ceremony"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class SourcesRefused(TournamentError):
    """The sources are not released, or not then."""

    code = "sources"


class CeremonyChanged(TournamentError):
    """Ranks that were revealed are not those that they were."""

    code = "ranks_changed"

    def __init__(self) -> None:
        super().__init__(_("Ranks that were revealed have changed. Correct them first, then go on."))


class RulingRefused(TournamentError):
    """It cannot be ruled so. ``field``: of the form, beside which the sentence belongs."""

    code = "cannot_rule"

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class RulingStale(TournamentError):
    """Something has changed since the consequences were shown."""

    code = "stale"

    def __init__(self) -> None:
        super().__init__(
            _("Results or rulings have changed meanwhile: look at the consequences again, then confirm once more.")
        )
