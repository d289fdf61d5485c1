"""Ask entrants questions, and store their answers.

Also store which people play for which team when entries are frozen. Nobody plays for two teams.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bots.models import Bot
from teams.models import TeamMember
from teams.selectors import is_team_larger_than
from tournaments.errors import AnswerRefused, EntryRefused, QuestionRefused
from tournaments.models import (
    ANSWER_LENGTH,
    CATEGORIES_MOST,
    CHOICE_LENGTH,
    CHOICES_MOST,
    ENTERING,
    OPEN_QUESTIONS_MOST,
    QUESTION_LENGTH,
    STORED_QUESTIONS_MOST,
    Entry,
    EntryAnswers,
    RegistrationKind,
    RegistrationQuestion,
    TeamPlayer,
    Tournament,
    TournamentState,
)
from tournaments.selectors.entering.entry_rules import entry_named_twice_reason
from tournaments.selectors.entering.registration import (
    Answer,
    is_registration_question_answered,
    registration_categories_of,
    registration_category_question,
    registration_questions_of,
    registration_questions_open,
)
from tournaments.services.tournament_chain import tournament_chain_link_append
from tournaments.services.transitions import tournament_announce_later, tournament_locked

CHOOSING: Final = (RegistrationKind.CHOICE, RegistrationKind.CATEGORY)
OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


def registration_question_add(
    *,
    tournament: Tournament,
    kind: RegistrationKind,
    text: str,
    choices: Sequence[str] = (),
    is_required: bool = True,
) -> RegistrationQuestion:
    """Add a question for authors who enter from now on. A consent and a category always require an answer.

    Authors who have entered before may answer the question as long as entries are open.

    Raises:
        WrongState: the tournament has started.
        QuestionRefused: there are too many questions, the same question or a category is asked already, or the text or
            the choices are missing, too many or too long.
    """
    text, choices = " ".join(text.split()), [" ".join(one.split()) for one in choices]
    choices = [one for one in choices if one] if kind in CHOOSING else []
    _question_require(text, choices, kind)
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *ENTERING)
        questions, open_questions = registration_questions_of(tournament), registration_questions_open(tournament)
        if len(open_questions) >= OPEN_QUESTIONS_MOST:
            sentence = ngettext(
                "You can ask at most %(most)d question.", "You can ask at most %(most)d questions.", OPEN_QUESTIONS_MOST
            )
            raise QuestionRefused("", sentence % {"most": OPEN_QUESTIONS_MOST})
        if len(questions) >= STORED_QUESTIONS_MOST:
            raise QuestionRefused("", _("Too many removed questions have answers: no more can be added."))
        if any(one.text == text for one in open_questions):
            raise QuestionRefused("text", _("You already ask this question."))
        if kind == RegistrationKind.CATEGORY and registration_category_question(tournament) is not None:
            raise QuestionRefused("kind", _("You already ask for a category. Remove that question first."))
        question = RegistrationQuestion(
            number=_last_number(tournament) + 1,
            kind=kind,
            text=text,
            choices=tuple(choices),
            is_required=is_required or kind in (RegistrationKind.CONSENT, RegistrationKind.CATEGORY),
        )
        _questions_save(tournament, [*questions, question])
    return question


def registration_question_remove(*, tournament: Tournament, number: int) -> None:
    """Stop asking a question. Do nothing if there is no such question.

    If the question has answers, it is kept together with them; otherwise, it is deleted. Its number is not used again.
    If the question asks for the category, the categories of all entries are deleted.

    Raises:
        WrongState: the tournament has started.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *ENTERING)
        kept = list(registration_questions_of(tournament))
        for place, one in enumerate(kept):
            if one.number == number:
                if one.kind == RegistrationKind.CATEGORY:
                    tournament.entries.exclude(category="").update(category="")
                kept[place : place + 1] = (
                    [replace(one, is_withdrawn=True)] if is_registration_question_answered(tournament, number) else []
                )
                break
        _questions_save(tournament, kept)


def registration_answers_set(*, entry: Entry, answers: Mapping[str, Any], by: AbstractUser) -> EntryAnswers:
    """Replace all answers of ``by`` for an entry.

    Raises:
        EntryRefused: entries are not open.
        AnswerRefused: see ``registration_answers_checked``.
    """
    with transaction.atomic():
        tournament = tournament_locked(entry.tournament_id, *TournamentState)
        entry.refresh_from_db(fields=["is_withdrawn"])
        if not tournament.takes_entries or entry.is_withdrawn:
            raise EntryRefused("late", _("Answers can be changed as long as entries are open."))
        return registration_answers_write(tournament, entry, answers, by)


def registration_answers_write(
    tournament: Tournament, entry: Entry, answers: Mapping[str, Any], by: AbstractUser
) -> EntryAnswers:
    """Store the answers of ``by`` for ``entry``. Call it with the tournament locked.

    If another member of the team has answered before, that member's answers are deleted, because they are personal
    data.
    """
    checked = registration_answers_checked(registration_questions_open(tournament), answers)
    if (asked := registration_category_question(tournament)) is not None:
        entry.category = str(checked.pop(str(asked.number)))
        entry.save(update_fields=["category"])
    before = EntryAnswers.objects.filter(entry=entry, by=by.pk).first()
    withdrawn = {str(one.number) for one in registration_questions_of(tournament) if one.is_withdrawn}
    kept = {number: one for number, one in (before.answers if before else {}).items() if number in withdrawn}
    return EntryAnswers.objects.update_or_create(entry=entry, defaults={"by_id": by.pk, "answers": kept | checked})[0]


def entry_category_set(*, entry: Entry, category: str) -> Entry:
    """Change the category of an entry, for the organiser, until the tournament is over. "" means no category.

    The change is appended to the chain.

    Raises:
        WrongState: the tournament is over.
        AnswerRefused: the tournament has no such category.
    """
    with transaction.atomic():
        tournament = tournament_locked(entry.tournament_id, *(one for one in TournamentState if one not in OVER))
        known = registration_categories_of(tournament)
        if category and category not in known:
            asked = registration_category_question(tournament)
            sentence = _("Choose one of these categories: %(categories)s.") % {"categories": ", ".join(known)}
            raise AnswerRefused(asked.number if asked else "", sentence)
        if Entry.objects.filter(pk=entry.pk).exclude(category=category).update(category=category):
            tournament_chain_link_append(tournament.pk, "edited", {"categories": {str(entry.pk): category}})
            tournament_announce_later(tournament.pk)
    entry.category = category
    return entry


def _question_require(text: str, choices: Sequence[str], kind: RegistrationKind) -> None:
    if not text or len(text) > QUESTION_LENGTH or "\0" in text:
        raise QuestionRefused("text", _("Enter 1 to %(most)d characters.") % {"most": QUESTION_LENGTH})
    if kind not in CHOOSING:
        return
    most = CATEGORIES_MOST if kind == RegistrationKind.CATEGORY else CHOICES_MOST
    if not 2 <= len(choices) <= most or len(set(choices)) < len(choices):
        raise QuestionRefused("choices", _("Give 2 to %(most)d different choices.") % {"most": most})
    if any(len(one) > CHOICE_LENGTH or "\0" in one for one in choices):
        raise QuestionRefused("choices", _("A choice can have at most %(most)d characters.") % {"most": CHOICE_LENGTH})


def _last_number(tournament: Tournament) -> int:
    return max((one["number"] for one in tournament.registration), default=0)


def _questions_save(tournament: Tournament, questions: Sequence[RegistrationQuestion]) -> None:
    stored, last = [one.stored for one in questions], _last_number(tournament)
    if last not in (0, *(one.number for one in questions)):
        stored.append({"number": last})
    Tournament.objects.filter(pk=tournament.pk).update(registration=stored)
    tournament_announce_later(tournament.pk)


def registration_one_team_require(tournament: Tournament, bot: Bot) -> None:
    """Require that nobody of the bot's owner or team has entered already, alone or with another team.

    People who join a team later are checked when entries are frozen.

    Raises:
        EntryRefused: somebody has entered already. The code is ``team``.
    """
    found = TeamMember.objects.filter(team=bot.owner_id).values_list("person", flat=True)
    people = set(found) or {bot.owner_id}
    others = people | set(TeamMember.objects.filter(person__in=people).values_list("team", flat=True))
    entered = _owners(Entry.objects.filter(tournament=tournament, is_withdrawn=False))
    if entered & (others - {bot.owner_id}):
        raise EntryRefused("team", entry_named_twice_reason(bot))


def registration_team_size_require(tournament: Tournament, bot: Bot) -> None:
    """Require that the team of the bot has no more people than the tournament allows.

    People who join a team later take part as long as there is room: see ``registration_team_players_freeze``.

    Raises:
        EntryRefused: the team is too large. The code is ``team_size``.
    """
    most = tournament.team_size
    if most is not None and is_team_larger_than(bot.owner_id, most):
        sentence = ngettext(
            "A team has at most %(most)d person in this tournament.",
            "A team has at most %(most)d people in this tournament.",
            most,
        )
        raise EntryRefused("team_size", sentence % {"most": most})


def registration_team_players_freeze(tournament: Tournament, entries: QuerySet[Entry]) -> list[int]:
    """Store the current members of the teams of these entries. They replace the members that were stored before.

    A person who entered a bot alone does not play for a team. A person in several teams plays for the team that entered
    first. Return the ids of the teams in which nobody is left.

    Call it with the tournament locked.
    """
    TeamPlayer.objects.filter(tournament=tournament).delete()
    own = entries.filter(bot__is_house=False).order_by("created_at", "pk")
    owners = list(own.values_list("bot__owner", "bot__owner__is_team"))
    teams = list(dict.fromkeys(owner for owner, is_team in owners if is_team))
    return _team_players_add(tournament, teams, alone={owner for owner, is_team in owners if not is_team})


def _team_players_add(tournament: Tournament, teams: Sequence[int], *, alone: Iterable[int] = ()) -> list[int]:
    """Store the current members of these teams who play neither ``alone`` nor for another team.

    If a team has more members than the tournament allows, those who joined first play. Return the ids of the teams in
    which nobody is left.
    """
    if not teams:
        return []
    members: dict[int, list[int]] = {team: [] for team in teams}
    for team, person in TeamMember.objects.filter(team__in=teams).order_by("pk").values_list("team", "person"):
        members[team].append(person)
    taken = {*alone, *TeamPlayer.objects.filter(tournament=tournament).values_list("person", flat=True)}
    rows = []
    for team in teams:
        free = [person for person in members[team] if person not in taken][: tournament.team_size]
        taken |= set(free)
        rows += [TeamPlayer(tournament=tournament, team_id=team, person_id=person) for person in free]
    TeamPlayer.objects.bulk_create(rows)
    return sorted(set(teams) - {row.team_id for row in rows})


def registration_team_players_late(tournament: Tournament, team_id: int) -> None:
    """Store the members of a team whose bot enters after the start, unless members of the team are stored already."""
    is_team = TeamMember.objects.filter(team=team_id).exists()
    if is_team and not TeamPlayer.objects.filter(tournament=tournament, team=team_id).exists():
        _team_players_add(tournament, [team_id])


def _owners(entries: QuerySet[Entry]) -> set[int]:
    return set(entries.filter(bot__is_house=False).values_list("bot__owner", flat=True))


YES: Final = (True, "true", "yes", "on")


NO: Final = (None, False, "", "false", "no", "off")


def registration_answers_checked(
    questions: Sequence[RegistrationQuestion], given: Mapping[str, Any]
) -> dict[str, Answer]:
    """Check the answers ``given``, and return the answers to store, without empty ones. Keys are numbers of questions.

    Raises:
        AnswerRefused: a required answer is missing, an answer is not among the choices or too long, or the question
            does not exist.
    """
    numbers = {str(one.number) for one in questions}
    for number in given:
        if number not in numbers:
            raise AnswerRefused(number[:20], _("Question %(number)s is not asked here.") % {"number": number[:20]})
    checked = {str(one.number): _checked(one, given.get(str(one.number))) for one in questions}
    return {number: answer for number, answer in checked.items() if answer is not None}


def _checked(question: RegistrationQuestion, given: Any) -> Answer | None:
    number, named = question.number, {"number": question.number, "question": question.text}
    if question.kind == RegistrationKind.CONSENT:
        if isinstance(given, bool | str | None) and given in YES:
            return True
        raise AnswerRefused(number, _("To enter, agree to question %(number)d: “%(question)s”") % named)
    if given is not None and not isinstance(given, str):
        raise AnswerRefused(number, _("Answer question %(number)d with a text: “%(question)s”") % named)
    text = (given or "").strip()
    if not text:
        if question.is_required:
            raise AnswerRefused(number, _("To enter, answer question %(number)d: “%(question)s”") % named)
        return None
    if question.choices and text not in question.choices:
        choices = {**named, "choices": ", ".join(question.choices)}
        sentence = _("Answer question %(number)d, “%(question)s”, with one of these: %(choices)s.")
        raise AnswerRefused(number, sentence % choices)
    if len(text) > ANSWER_LENGTH or "\0" in text:
        most = {**named, "most": ANSWER_LENGTH}
        raise AnswerRefused(
            number, _("The answer to question %(number)d, “%(question)s”, can have at most %(most)d characters.") % most
        )
    return text
