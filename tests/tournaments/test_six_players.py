"""Karteneck for six: only where the organiser sets the option for it."""

from typing import Any

import pytest

from tournaments.forms import TournamentForm

pytestmark = pytest.mark.django_db


def typed(**fields: Any) -> TournamentForm:
    """The form for a table of six as a browser sends it when only ``fields`` were changed."""
    form = TournamentForm(initial={"game": "karteneck"})
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    return TournamentForm({**data, "name": "Six", "game": "karteneck", "players_per_table": 6, **fields})


def test_six_are_refused_beside_the_option_that_they_need() -> None:
    form = typed()
    assert list(form.errors) == ["option_max_players"]
    assert "5 is not for 6 players." in str(form.errors["option_max_players"])
    assert "From 2 to 5 in this game. 6 with “Most players” set to 6." in str(form["players_per_table"].help_text)


def test_six_are_accepted_with_it() -> None:
    form = typed(option_max_players="6")
    assert form.is_valid(), form.errors
    assert form.cleaned_data["settings"]["options"]["max_players"] == 6
