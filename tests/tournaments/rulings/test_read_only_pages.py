"""What the pages of rulings answer that changes nothing, of tournaments that were played once for all tests."""

import re
from copy import deepcopy

import pytest

from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.rulings.rule import fixture_at, rule
from tests.tournaments.rulings.test_pages import HERE, at, finished, scores_typed
from tests.tournaments.test_pages import page
from tournaments import services
from tournaments.models import Publication, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def kept_pair(shared_rows):
    return finished(2)


@pytest.mark.parametrize(
    ("kind", "typed", "field", "words"),
    [
        ("void", {"round": 9, "table": 1}, "table", "Round 9 has no such table"),
        ("void", {"round": "<b>", "table": 1}, "round", "no such round"),
        ("replace", {**HERE, "score_0": "7", "score_1": "0"}, "score_0", "from 0 to 2"),
        ("replace", {**HERE, "score_0": "", "score_1": "0"}, "score_0", "required"),
        ("replace", {**HERE, "score_0": "nan", "score_1": "0"}, "score_0", "number"),
        ("take_back", {"ruling": 1}, "ruling", "no longer in force"),
        ("reinstate", {"entry": 0}, "entry", "valid choice"),
        ("disqualify", {"entry": 0, "annul": "keep"}, "entry", "valid choice"),
        ("disqualify", {"entry": 1, "annul": "both"}, "annul", "valid choice"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_what_was_typed_stays(client, kept_pair, kind, typed, field, words):
    cup = kept_pair
    client.force_login(cup.organiser)
    by_index = dict(zip(("score_0", "score_1"), scores_typed(cup, "", ""), strict=True))
    typed = {by_index.get(name, name): value for name, value in typed.items()}
    field = by_index.get(field, field)
    for response in (
        client.get(at(cup, kind), {**typed, "look": 1}),
        client.post(at(cup, kind), {**typed, "reason": "Yes.", "basis": "x"}),
    ):
        assert response.status_code == 422
        assert_clean_page(response)
        assert words in " ".join(response.context["form"].errors[field])
        for name, value in typed.items():
            if name in response.context["form"].fields:
                assert str(response.context["form"][name].value()) == str(value)
    assert not Ruling.objects.exists()


LINKED = re.compile(r'href="(/matches/[0-9]+/)')
MATCHES_LINKED = {  # of those of the first pages of a Swiss of three tables, two rounds and one replay
    ("everyone", "stranger"): "all",
    ("participants", "entrant"): "some",
    ("participants", "arbiter"): "all",
    ("participants", "organiser"): "all",
    ("hidden", "arbiter"): "all",
}


@pytest.fixture(scope="module")
def kept_swiss(shared_rows):
    cup = finished(6, format="swiss", rounds=2)
    rule(cup, "reopen")
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    return cup


@pytest.mark.parametrize(("publication", "reader"), MATCHES_LINKED)
def test_every_match_that_a_page_links_to_has_a_page_for_its_reader(client, kept_swiss, publication, reader):
    cup = deepcopy(kept_swiss)
    cup.arbiters.add(arbiter := UserFactory())
    services.tournament_publish(tournament=cup, publication=Publication(publication))
    entry = cup.entries.get(version=fixture_at(cup, 1, 2).match.seats.first().version)
    readers = {"arbiter": arbiter, "organiser": cup.organiser, "entrant": entry.bot.owner, "stranger": UserFactory()}
    client.force_login(readers[reader])
    pages = [("detail",), ("tie-breaks",), ("rulings",), ("pairings", 1), ("pairings", 2), ("calculation", entry.pk)]
    linked = set()
    for name, *more in pages:
        shown = page(client, name, cup.slug, *more)
        assert_clean_page(shown)
        linked |= set(LINKED.findall(shown.content.decode()))
    assert all(client.get(link).status_code == 200 for link in linked)
    played = cup.fixtures.count()
    assert len(linked) >= played if MATCHES_LINKED[publication, reader] == "all" else 0 < len(linked) < played
