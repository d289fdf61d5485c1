"""The questions to entrants of a tournament, the check of answers, and the table of answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from tournaments.models import (
    Entry,
    EntryAnswers,
    RegistrationKind,
    RegistrationQuestion,
    TeamPlayer,
    Tournament,
)

Answer = str | bool
ANSWERS_COLUMNS: Final = ("bot", "author", "withdrawn", "answered_at")


def registration_questions_of(tournament: Tournament) -> tuple[RegistrationQuestion, ...]:
    """Return all questions in order, including withdrawn ones that have answers."""
    return tuple(RegistrationQuestion.of(one) for one in tournament.registration if "text" in one)


def registration_questions_open(tournament: Tournament) -> tuple[RegistrationQuestion, ...]:
    """Return the questions that an entrant is asked now."""
    return tuple(one for one in registration_questions_of(tournament) if not one.is_withdrawn)


def registration_category_question(tournament: Tournament) -> RegistrationQuestion | None:
    """Return the question for the category; None if the tournament has no categories."""
    return next((one for one in registration_questions_open(tournament) if one.kind == RegistrationKind.CATEGORY), None)


def registration_categories_of(tournament: Tournament) -> tuple[str, ...]:
    """Return the categories in the organiser's order."""
    question = registration_category_question(tournament)
    return question.choices if question else ()


def is_registration_question_answered(tournament: Tournament, number: int) -> bool:
    """Return whether somebody has answered question ``number`` of the tournament."""
    return EntryAnswers.objects.filter(entry__tournament=tournament, answers__has_key=str(number)).exists()


@dataclass(frozen=True, slots=True)
class AnswersLine:
    """The answers for a bot.

    ``cells`` has the answer to each question, or None. ``answered_at`` is None if there are no answers.
    """

    entry: Entry
    answers: Mapping[str, Answer]
    questions: Sequence[RegistrationQuestion]
    cells: tuple[Answer | None, ...]
    answered_at: datetime | None

    @property
    def answered(self) -> list[tuple[RegistrationQuestion, Answer | None]]:
        """Each question with its answer."""
        return list(zip(self.questions, self.cells, strict=True))


def registration_entries_to_answer(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries in order, with their answers.

    House bots are left out, unless they have answers or the tournament has categories.
    """
    entries = tournament.entries.all()
    if not registration_categories_of(tournament):
        entries = entries.filter(Q(bot__is_house=False) | Q(registration__isnull=False))
    return entries.select_related("bot__owner", "registration")


def registration_answers_line(entry: Entry, questions: Sequence[RegistrationQuestion]) -> AnswersLine:
    """Return the answers for an entry of ``registration_entries_to_answer``."""
    given = getattr(entry, "registration", None)
    answers = _with_category(entry, questions, given.answers if given else {})
    cells = tuple(answers.get(str(one.number)) for one in questions)
    return AnswersLine(entry, answers, questions, cells, given.answered_at if given else None)


def registration_answers_columns(questions: Sequence[RegistrationQuestion]) -> list[str]:
    """Return the column headings of the table of answers."""
    return [*ANSWERS_COLUMNS, *(f"{one.number}. {one.text}" for one in questions)]


def registration_answers_rows(
    tournament: Tournament, questions: Sequence[RegistrationQuestion]
) -> Iterator[dict[str, Any]]:
    """Yield a dictionary for each bot, with the keys ``registration_answers_columns``."""
    for entry in registration_entries_to_answer(tournament).iterator(1000):
        line = registration_answers_line(entry, questions)
        cells = ("yes" if cell is True else cell for cell in line.cells)
        first = (entry.bot.name, entry.bot.author_name, "yes" if entry.is_withdrawn else "", line.answered_at)
        yield dict(zip(registration_answers_columns(questions), (*first, *cells), strict=True))


def own_registration_answers(entry: Entry, user_id: int | None) -> EntryAnswers | None:
    """Return the answers that this person gave for the bot, together with its category. Do not save the result.

    The answers of other members of the team are their personal data, and are not returned.
    """
    given = EntryAnswers.objects.filter(entry=entry, by=user_id).first()
    if given is not None:
        given.answers = _with_category(entry, registration_questions_of(entry.tournament), given.answers)
    return given


def _with_category(
    entry: Entry, questions: Sequence[RegistrationQuestion], answers: Mapping[str, Answer]
) -> dict[str, Answer]:
    asked = (str(one.number) for one in questions if one.kind == RegistrationKind.CATEGORY and entry.category)
    return {**answers, **dict.fromkeys(asked, entry.category)}


def entry_team_players_of(tournament: Tournament) -> Mapping[int, Sequence[str]]:
    """Return the names of the people who play for each team, by id of the team. Takes one query."""
    found: dict[int, list[str]] = defaultdict(list)
    players = TeamPlayer.objects.filter(tournament=tournament).order_by("pk")
    for team, name in players.values_list("team", "person__username"):
        found[team].append(name)
    return found
