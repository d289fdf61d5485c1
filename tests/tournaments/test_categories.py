"""Categories of entrants: who chooses them, who corrects them, and the rankings that follow."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from matches.proof.chain import ProofError
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, bot_of, in_state
from tests.tournaments.test_registration import api, question_add, signed_in
from tournaments import services
from tournaments.errors import AnswerRefused, QuestionRefused, WrongState
from tournaments.models import Entry, EntryAnswers, RegistrationKind, Tournament
from tournaments.proof.organiser_links import proof_edited_link
from tournaments.proof.state import ChainState
from tournaments.selectors.entering.registration import registration_categories_of, registration_questions_of
from tournaments.standings import standings_category_places

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

NAMES = ("Year 9", "Year 10")


@pytest.fixture
def cup() -> Any:
    cup = TournamentFactory(name="Sorted Cup")
    question_add(cup, RegistrationKind.CATEGORY, "Which year?", *NAMES, is_required=False)
    cup.refresh_from_db()
    return cup


def enter(cup: Any, category: str, **bot: Any) -> Entry:
    author = UserFactory()
    return services.entry_create(tournament=cup, bot=bot_of(author, **bot), by=author, answers={"1": category})


def test_an_author_must_choose_one_and_may_change_it_while_entries_are_open(cup: Any) -> None:
    author = UserFactory()
    bot = bot_of(author)
    for wrong in ({}, {"1": "Year 11"}, {"1": True}):
        with pytest.raises(AnswerRefused):
            services.entry_create(tournament=cup, bot=bot, by=author, answers=wrong)
    entry = services.entry_create(tournament=cup, bot=bot, by=author, answers={"1": "Year 9"})
    entry.refresh_from_db()
    assert (entry.category, EntryAnswers.objects.get().answers) == ("Year 9", {})
    page = signed_in(author).get(f"/tournaments/{cup.slug}/answers/{entry.pk}/")
    assert '<option value="Year 9" selected>' in page.content.decode()
    address = f"/api/tournaments/{cup.slug}/entries/{bot.slug}/"
    put = api(author, "put", f"{address}answers/", {"answers": {"1": "Year 10"}})
    assert put.json()["answers"] == {"1": "Year 10"}
    assert api(None, "get", address).json()["category"] == "Year 10"
    assert "Year 10" in Client().get(f"/tournaments/{cup.slug}/").content.decode()
    services.tournament_lock(tournament=cup)
    assert api(author, "put", f"{address}answers/", {"answers": {"1": "Year 9"}}).status_code == 409


def test_there_is_one_question_for_two_to_twelve_and_with_it_the_categories_go(cup: Any) -> None:
    for choices, field in ((NAMES, "kind"), (("one",), "choices"), (tuple(map(str, range(13))), "choices")):
        with pytest.raises(QuestionRefused) as error:
            question_add(cup, RegistrationKind.CATEGORY, "Another?", *choices)
        assert error.value.field == field
    entry = enter(cup, "Year 9")
    copied = services.tournament_copy(tournament=cup, name="Again", days=7)
    services.registration_question_remove(tournament=cup, number=1)
    for one in (cup, copied, entry):
        one.refresh_from_db()
    assert (entry.category, registration_questions_of(cup), registration_categories_of(copied)) == ("", (), NAMES)


def test_only_the_organiser_corrects_it_until_the_end_and_the_chain_records_it(cup: Any) -> None:
    entry, arbiter, staff = enter(cup, "Year 9"), UserFactory(), UserFactory(is_staff=True)
    cup.arbiters.add(arbiter)
    services.tournament_lock(tournament=cup)
    page = f"/tournaments/{cup.slug}/registration/"
    address, sent = f"{page}category/{entry.pk}/", f"/api/tournaments/{cup.slug}/entries/{entry.bot.slug}/category/"
    people = ((entry.bot.owner, 403), (UserFactory(), 403), (arbiter, 403), (cup.organiser, 302), (staff, 302))
    for person, status in people:
        assert signed_in(person).post(address, {"category": "Year 10"}).status_code == status
        api_status = 200 if status == 302 else status
        assert api(person, "put", sent, {"category": "Year 10"}).status_code == api_status
    assert api(None, "put", sent, {"category": "Year 9"}).status_code == 401
    assert api(cup.organiser, "put", sent, {"category": "<b>"}).status_code == 400
    assert 'name="category"' in signed_in(cup.organiser).get(page).content.decode()
    assert 'name="category"' not in signed_in(arbiter).get(page).content.decode()
    assert_clean_page(signed_in(cup.organiser).get(page))
    entry.refresh_from_db()
    assert entry.category == "Year 10"
    edits = cup.chain.filter(kind="edited").values_list("content", flat=True)
    assert [one for one in edits if "categories" in one] == [f'{{"categories":{{"{entry.pk}":"Year 10"}}}}']
    Tournament.objects.filter(pk=cup.pk).update(state="cancelled")
    with pytest.raises(WrongState):
        services.entry_category_set(entry=entry, category="")


def test_places_within_a_category_follow_from_the_ranks_of_the_whole() -> None:
    names = {1: "a", 2: "b", 3: "b", 4: "a", 5: "b"}
    found = standings_category_places([(1, 1), (2, 2), (3, 2), (4, 2), (5, 5), (6, 6)], names)
    assert {entrant: (one.category, one.rank, one.is_shared) for entrant, one in found.items()} == {
        1: ("a", 1, False),
        4: ("a", 2, False),
        2: ("b", 1, True),
        3: ("b", 1, True),
        5: ("b", 3, False),
    }


def test_standings_certificates_and_exports_show_both_places() -> None:
    cup = in_state("finished")
    stored = [{"number": 1, "kind": "category", "text": "Year?", "choices": list(NAMES), "is_required": True}]
    Tournament.objects.filter(pk=cup.pk).update(registration=[{**stored[0], "is_withdrawn": False}])
    rows = api(None, "get", f"/api/tournaments/{cup.slug}/standings/").json()["results"]
    last = rows[-1]
    Entry.objects.filter(pk=last["entry"]).update(category="Year 10")
    part = api(None, "get", f"/api/tournaments/{cup.slug}/standings/?category=Year 10").json()["results"]
    assert [(one["entry"], one["rank"], one["category"], one["category_rank"]) for one in part] == [
        (last["entry"], last["rank"], "Year 10", 1)
    ]
    page = Client().get(f"/tournaments/{cup.slug}/?category=Year 10")
    assert_clean_page(page)
    assert f"overall {last['rank']}" in page.content.decode()
    assert [f'id="s{one["entry"]}"' in page.content.decode() for one in rows[-2:]] == [False, True]
    assert "overall" not in Client().get(f"/tournaments/{cup.slug}/?category=Nobody").content.decode()
    sheet = Client().get(f"/tournaments/{cup.slug}/certificates/{last['entry']}/").content.decode()
    assert f"Place {last['rank']} of {len(rows)}" in sheet
    assert "Place 1 in Year 10" in sheet
    file = b"".join(Client().get(f"/tournaments/{cup.slug}/export/standings.csv").streaming_content).decode()
    assert [row["category"] for row in csv.DictReader(io.StringIO(file))][-1] == "Year 10"
    with pytest.raises(WrongState):
        services.entry_category_set(entry=Entry.objects.get(pk=last["entry"]), category="Year 9")


def test_a_proof_with_a_category_that_was_put_back_is_read_and_one_with_nonsense_is_not() -> None:
    state = ChainState()
    for name in ("Year 9", "Year 10", "Year 9", "Year 9"):  # authors may have changed it in between
        proof_edited_link(state, 1, {"categories": {"7": name}})
    for wrong in ({"7": 9}, {"x": "Year 9"}, ["7"]):
        with pytest.raises(ProofError):
            proof_edited_link(state, 2, {"categories": wrong})
