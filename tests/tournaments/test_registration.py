"""Questions to entrants: who adds them, who answers, who reads the answers, and what becomes of them."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from arena.accounts.deletion import account_delete
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.teams.factories import team_of
from tests.tournaments.factories import TournamentFactory, bot_of, in_state, running_tournament
from tournaments import services
from tournaments.errors import AnswerRefused, EntryRefused, QuestionRefused, WrongState
from tournaments.models import EntryAnswers, RegistrationKind
from tournaments.selectors.entering.registration import registration_questions_of, registration_questions_open

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

KIND = RegistrationKind
FORMULA = "=HYPERLINK(1)"  # what a spreadsheet would take for a formula
ANSWERS = {"1": FORMULA, "2": "Lake School", "3": True}


def question_add(cup: Any, kind: RegistrationKind, text: str, *choices: str, is_required: bool = True) -> Any:
    services.registration_question_add(tournament=cup, kind=kind, text=text, choices=choices, is_required=is_required)


@pytest.fixture
def cup() -> Any:
    """An open tournament with a question for a text, a choice and a consent."""
    cup = TournamentFactory(name="Asking Cup")
    question_add(cup, KIND.TEXT, "What is your name?")
    question_add(cup, KIND.CHOICE, "Which school?", "Hill School", "Lake School", is_required=False)
    question_add(cup, KIND.CONSENT, "Photos may be taken.", is_required=False)
    cup.refresh_from_db()
    return cup


def enter(cup: Any, author: Any, answers: Any = ANSWERS) -> Any:
    return services.entry_create(tournament=cup, bot=bot_of(author), by=author, answers=answers)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def api(person: Any, method: str, address: str, data: Any = None) -> Any:
    headers = {"authorization": f"Token {token_of(person)}"} if person else {}
    return getattr(Client(), method)(address, data, content_type="application/json", headers=headers)


@pytest.mark.parametrize(
    ("answers", "number"),
    [
        ({}, 1),
        ({"1": " ", "3": True}, 1),
        ({"1": "Ada"}, 3),
        ({"1": "Ada", "3": False}, 3),
        ({"1": "Ada", "3": "perhaps"}, 3),
        ({"1": "Ada", "3": ["yes"]}, 3),
        ({"1": "Ada", "2": "Another School", "3": True}, 2),
        ({"1": "A" * 501, "3": True}, 1),
        ({"1": "A\0", "3": True}, 1),
        ({"1": {"a": 1}, "3": True}, 1),
        ({"1": "Ada", "3": True, "4": "?"}, "4"),
    ],
)
def test_nobody_enters_without_valid_answers(cup: Any, answers: Any, number: Any) -> None:
    author = UserFactory()
    bot = bot_of(author)
    with pytest.raises(AnswerRefused) as error:
        services.entry_create(tournament=cup, bot=bot, by=author, answers=answers)
    assert error.value.number == number
    assert not cup.entries.exists()
    refused = api(author, "post", f"/api/tournaments/{cup.slug}/entries/", {"bot": bot.slug, "answers": answers})
    assert refused.status_code == 400
    assert (refused.json()["code"], refused.json()["field"]) == ("answers", f"answers.{number}")
    assert not cup.entries.exists()


def test_the_form_has_the_questions_names_missing_answers_and_keeps_the_others(cup: Any) -> None:
    author = UserFactory()
    bot, client = bot_of(author), signed_in(author)
    page = client.get(f"/tournaments/{cup.slug}/").content.decode()
    assert page.index("What is your name?") < page.index("Photos may be taken.")
    sent = {"bot": bot.pk, "answer-1": "Ada"}
    assert client.post(f"/tournaments/{cup.slug}/enter/", sent).status_code == 422
    assert client.post(f"/tournaments/{cup.slug}/enter/", sent | {"answer-3": "on"}).status_code == 302
    assert EntryAnswers.objects.get().answers == {"1": "Ada", "3": True}


def test_an_organiser_enters_bots_of_others_without_answers_and_their_own_with(cup: Any) -> None:
    client = signed_in(cup.organiser)
    house, own = bot_of(UserFactory(), is_house=True), bot_of(cup.organiser)
    address = f"/tournaments/{cup.slug}/enter/"
    assert client.post(address, {"house_bots": [house.pk]}).status_code == 302
    refused = client.post(address, {"bot": own.pk})
    assert refused.status_code == 422
    assert "To enter, answer question 1" in refused.content.decode()
    assert list(cup.entries.values_list("bot", flat=True)) == [house.pk]


def test_answers_are_read_by_those_who_run_the_tournament_and_by_nobody_else(cup: Any) -> None:
    author, arbiter, other, staff = UserFactory(), UserFactory(), UserFactory(), UserFactory(is_staff=True)
    entry = enter(cup, author)
    enter(cup, other, {"1": "Somebody", "3": True})
    cup.arbiters.add(arbiter)
    page, file = f"/tournaments/{cup.slug}/registration/", f"/tournaments/{cup.slug}/registration/answers.csv"
    own, listed = f"/tournaments/{cup.slug}/answers/{entry.pk}/", f"/api/tournaments/{cup.slug}/answers/"
    of_entry = f"/api/tournaments/{cup.slug}/entries/{entry.bot.slug}/answers/"
    csv_url = f"/api/tournaments/{cup.slug}/export/answers.csv"
    for person, runs in ((author, 0), (other, 0), (arbiter, 1), (cup.organiser, 1), (staff, 1)):
        assert signed_in(person).get(page).status_code == (200 if runs else 403)
        assert signed_in(person).get(file).status_code == (200 if runs else 403)
        assert api(person, "get", listed).status_code == (200 if runs else 403)
        assert api(person, "get", csv_url).status_code == (200 if runs else 403)
        assert signed_in(person).get(own).status_code == (200 if person == author else 404)
        assert api(person, "get", of_entry).status_code == (200 if person == author else 404)
        posted = {"text": "Asked by?", "kind": "text"}
        may_edit = person in (cup.organiser, staff)
        assert (signed_in(person).post(page, posted).status_code == 403) != may_edit
        assert (
            api(person, "post", f"/api/tournaments/{cup.slug}/registration/", posted).status_code == 403
        ) != may_edit
        remove = f"{page}9/remove/"
        assert (signed_in(person).post(remove).status_code == 403) != may_edit
    for address in (page, file, own):
        assert Client().get(address).status_code == 302
    for address, refused in ((listed, 401), (of_entry, 401), (csv_url, 403)):
        assert api(None, "get", address).status_code == refused
    assert [row["answers"] for row in api(arbiter, "get", listed).json()["results"]] == [
        ANSWERS,
        {"1": "Somebody", "3": True},
    ]
    assert_clean_page(signed_in(cup.organiser).get(page))
    assert_clean_page(signed_in(author).get(own))


def test_no_public_page_shows_an_answer(cup: Any) -> None:
    author = UserFactory()
    entry = enter(cup, author, {"1": "TOLD-IN-PRIVATE", "3": True})
    for address in ("", "live/", "export/tournament.json", "export/standings.csv", "screen/", "fairness/"):
        answer = Client().get(f"/tournaments/{cup.slug}/{address}")
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code == 200
        assert b"TOLD-IN-PRIVATE" not in content
    for address in ("", "entries/", f"entries/{entry.bot.slug}/", "registration/"):
        answer = Client().get(f"/api/tournaments/{cup.slug}/{address}")
        assert answer.status_code == 200
        assert b"TOLD-IN-PRIVATE" not in answer.content
    assert not cup.chain.filter(content__icontains="TOLD-IN-PRIVATE").exists()


def test_the_table_as_csv_has_no_formula(cup: Any) -> None:
    enter(cup, UserFactory())
    services.entry_create(tournament=cup, bot=bot_of(UserFactory(), organisers_may_enter=True), by=cup.organiser)
    answer = signed_in(cup.organiser).get(f"/tournaments/{cup.slug}/registration/answers.csv")
    assert "private, no-store" in answer["Cache-Control"]
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert rows[0]["1. What is your name?"] == f"'{FORMULA}"
    assert (rows[0]["2. Which school?"], rows[0]["3. Photos may be taken."]) == ("Lake School", "yes")
    assert (rows[1]["1. What is your name?"], rows[1]["answered_at"]) == ("", "")


def test_an_entrant_corrects_answers_as_long_as_entries_are_open(cup: Any) -> None:
    author = UserFactory()
    entry = enter(cup, author)
    page, client = f"/tournaments/{cup.slug}/answers/{entry.pk}/", signed_in(author)
    assert "Lake School" in client.get(page).content.decode()
    assert client.post(page, {"answer-1": "Grace", "answer-2": ""}).status_code == 422
    assert client.post(page, {"answer-1": "Grace", "answer-2": "", "answer-3": "on"}).status_code == 302
    assert EntryAnswers.objects.get().answers == {"1": "Grace", "3": True}
    address = f"/api/tournaments/{cup.slug}/entries/{entry.bot.slug}/answers/"
    put = api(author, "put", address, {"answers": {"1": "Ada", "3": "yes"}})
    assert (put.status_code, put.json()["answers"]) == (200, {"1": "Ada", "3": True})
    services.tournament_lock(tournament=cup)
    with pytest.raises(EntryRefused, match="as long as entries are open"):
        services.registration_answers_set(entry=entry, answers=ANSWERS, by=author)
    assert api(author, "put", address, {"answers": ANSWERS}).status_code == 409
    assert "Ada" in client.get(page).content.decode()


def test_a_team_mate_does_not_read_the_answers_of_who_entered_the_bot(cup: Any) -> None:
    captain, mate = UserFactory(), UserFactory()
    team = team_of(captain, mate)
    bot = bot_of(team.account)
    entry = services.entry_create(tournament=cup, bot=bot, by=captain, answers={"1": "TOLD-BY-ONE", "3": True})
    page = f"/tournaments/{cup.slug}/answers/{entry.pk}/"
    assert "TOLD-BY-ONE" in signed_in(captain).get(page).content.decode()
    assert "TOLD-BY-ONE" not in signed_in(mate).get(page).content.decode()
    assert signed_in(mate).post(page, {"answer-1": "Mate", "answer-3": "on"}).status_code == 302
    assert (EntryAnswers.objects.get().by_id, EntryAnswers.objects.get().answers["1"]) == (mate.pk, "Mate")


def test_an_answered_question_stays_with_its_answers_and_another_is_deleted(cup: Any) -> None:
    entry = enter(cup, UserFactory(), {"1": "Ada", "3": True})
    for number in (1, 2, 2, 99):
        services.registration_question_remove(tournament=cup, number=number)
    cup.refresh_from_db()
    assert [(one.number, one.is_withdrawn) for one in registration_questions_of(cup)] == [(1, True), (3, False)]
    question_add(cup, KIND.TEXT, "What is your name?")
    cup.refresh_from_db()
    assert [one.number for one in registration_questions_open(cup)] == [3, 4]
    services.registration_answers_set(entry=entry, answers={"3": True, "4": "Grace"}, by=entry.bot.owner)
    assert EntryAnswers.objects.get().answers == {"1": "Ada", "3": True, "4": "Grace"}


def test_the_number_of_a_deleted_question_is_not_given_again(cup: Any) -> None:
    for number in (3, 2):
        services.registration_question_remove(tournament=cup, number=number)
    cup.refresh_from_db()
    assert [one.number for one in registration_questions_of(cup)] == [1]
    for wanted in (4, 5):  # their numbers
        question_add(cup, KIND.TEXT, f"Question {wanted}")
    services.registration_question_remove(tournament=cup, number=5)
    question_add(cup, KIND.CONSENT, "I agree.")
    cup.refresh_from_db()
    assert [one.number for one in registration_questions_open(cup)] == [1, 4, 6]


def test_invalid_questions_are_refused_with_the_field() -> None:
    cup = TournamentFactory()
    for kind, text, choices, field in (
        (KIND.TEXT, " ", (), "text"),
        (KIND.TEXT, "a" * 301, (), "text"),
        (KIND.CHOICE, "Which?", ("one",), "choices"),
        (KIND.CHOICE, "Which?", ("one", " one "), "choices"),
        (KIND.CHOICE, "Which?", ("one", "t" * 61), "choices"),
        (KIND.CHOICE, "Which?", tuple(map(str, range(21))), "choices"),
    ):
        with pytest.raises(QuestionRefused) as error:
            question_add(cup, kind, text, *choices)
        assert error.value.field == field
    for number in range(10):
        question_add(cup, KIND.TEXT, f"Question {number}")
    with pytest.raises(QuestionRefused, match="at most 10 questions"):
        question_add(cup, KIND.TEXT, "One more")


def test_no_question_is_added_once_the_tournament_has_begun() -> None:
    cup = running_tournament()
    with pytest.raises(WrongState):
        question_add(cup, KIND.TEXT, "Too late?")
    assert signed_in(cup.organiser).get(f"/tournaments/{cup.slug}/registration/").status_code == 200


def test_a_copy_has_the_questions_that_were_not_deleted(cup: Any) -> None:
    enter(cup, UserFactory())
    services.registration_question_remove(tournament=cup, number=1)
    made = services.tournament_copy(tournament=cup, name="Again", days=7)
    made.refresh_from_db()
    assert [one.text for one in registration_questions_of(made)] == ["Which school?", "Photos may be taken."]


def test_answers_go_with_the_account(cup: Any) -> None:
    author = UserFactory()
    enter(cup, author)
    account_delete(person=author)
    assert not EntryAnswers.objects.exists()
    assert cup.entries.count() == 1


@pytest.mark.parametrize("state", ["draft", "locked", "finished"])
def test_the_page_of_questions_is_there_in_every_state(state: str) -> None:
    cup = in_state(state)
    assert_clean_page(signed_in(cup.organiser).get(f"/tournaments/{cup.slug}/registration/"))
