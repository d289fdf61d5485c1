"""A tournament may carry its own lake deck: typed into the form, stored as data, refused beside its field."""

from typing import Any

import pytest
from django.test import Client

from games.catalogue.laghetti.deck import LAKES, laghetti_deck_write
from tests.arena.factories import OrganiserFactory
from tests.arena.pages import assert_clean_page
from tournaments.forms import TournamentForm, tournament_form_initial
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
NEW = "/tournaments/new/"
OWN = [list(card) for card in LAKES[::-1]]


@pytest.fixture
def organiser(client: Client) -> Client:
    client.force_login(OrganiserFactory())
    return client


def typed(**fields: Any) -> dict[str, Any]:
    """The form for laghetti as a browser sends it when only these fields were changed."""
    form = TournamentForm(initial={"game": "laghetti"})
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    return {**data, "name": "Lake Cup", "game": "laghetti", "players_per_table": 3, **fields}


@pytest.mark.parametrize("text", [laghetti_deck_write(OWN), laghetti_deck_write(OWN).replace("\n", "\r\n"), str(OWN)])
def test_a_typed_deck_is_stored_as_data(organiser: Client, text: str) -> None:
    organiser.post(NEW, typed(option_deck=text))
    cup = Tournament.objects.get()
    assert cup.options["deck"] == OWN
    form = TournamentForm({**typed(), **tournament_form_initial(cup)})
    assert form.is_valid(), form.errors
    assert form.cleaned_data["settings"]["options"]["deck"] == OWN


def test_the_default_deck_is_there_to_be_changed(organiser: Client) -> None:
    page = organiser.get(NEW, {"game": "laghetti"})
    assert_clean_page(page)
    organiser.post(NEW, typed())
    assert Tournament.objects.get().options["deck"] == [list(card) for card in LAKES]
    assert typed()["option_deck"].splitlines()[0] == "6 2 7 3"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (laghetti_deck_write(OWN[:23]), "Not 24 cards but 23."),
        (laghetti_deck_write([*OWN[:23], OWN[0]]), "no card has the value"),
        ("nonsense", "Not 24 cards but 1."),
        ("[" * 3000, "Not 24 cards but 1."),
        ("x" * 5000, "at most 4000"),
    ],
)
def test_a_wrong_deck_is_refused_beside_its_field_and_stays_as_typed(organiser: Client, text: str, why: str) -> None:
    page = organiser.post(NEW, typed(option_deck=text))
    assert not Tournament.objects.exists()
    form = page.context["form"]
    assert list(form.errors) == ["option_deck"]
    assert why in str(form.errors["option_deck"])
    assert form["option_deck"].value() == text
    assert_clean_page(page)


def test_a_wrong_deck_and_a_wrong_number_of_players_are_reported_together(organiser: Client) -> None:
    form = organiser.post(NEW, typed(option_deck="nonsense", players_per_table=9)).context["form"]
    assert set(form.errors) == {"option_deck", "players_per_table"}


def test_a_tournaments_page_folds_the_deck_away(organiser: Client) -> None:
    response = organiser.post(NEW, typed(option_deck=laghetti_deck_write(OWN)), follow=True)
    assert_clean_page(response)
    assert "<br>".join(laghetti_deck_write(OWN).split("\n")[:2]) in response.content.decode()
