"""A format in one folder and one line of the registry is offered, estimated, drawn, shown, exported and proven."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.urls import reverse

from tests.arena.factories import OrganiserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.formats.random_pairing.format import RANDOM_PAIRING
from tests.tournaments.proof.events import FIRST, LAST, MIDDLE, cup_of, play_out
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.test_forms import typed
from tournaments.formats.registry import FORMATS
from tournaments.models import Tournament
from tournaments.models.stage import StageError
from tournaments.proof.verify import proof_verify
from tournaments.services import tournament_advance

pytestmark = pytest.mark.django_db
CODE = RANDOM_PAIRING.code
FOLDER = Path(__file__).parent


@pytest.fixture(autouse=True)
def registered(monkeypatch, settings):
    """Its line in the registry; and its folder lies beside those of the tests, not of the site."""
    monkeypatch.setitem(FORMATS, CODE, RANDOM_PAIRING)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], FOLDER]}]


def test_the_form_offers_estimates_and_makes_it(client):
    client.force_login(OrganiserFactory())
    page = client.get(reverse("tournaments:create")).content.decode()
    assert "Random pairings" in page
    assert RANDOM_PAIRING.summary in page
    fields = typed(format=CODE, rounds="3", blocks="1", entrants_most="5")
    estimate = " ".join(client.post(reverse("tournaments:estimate"), fields).content.decode().split())
    assert "3 rounds, 6 matches, 12 games." in estimate
    assert client.post(reverse("tournaments:create"), fields).status_code == 302
    stage = Tournament.objects.get().stage
    assert (stage.format, stage.rounds, str(stage.get_format_display())) == (CODE, 3, "Random pairings")
    assert client.post(reverse("tournaments:create"), fields | {"rounds": ""}).status_code == 422


def test_it_is_drawn_round_by_round_shown_and_exported(client):
    cup = running_tournament(5, format=CODE, rounds=3)
    drawn = []
    while cup.state == "running":
        drawn.append(cup.fixtures.filter(round__number=cup.stage.drawn).count())
        assert cup.rounds.get(number=cup.stage.drawn).byes.count() == 1
        finish_matches(cup)
        assert tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
        cup = Tournament.objects.get(pk=cup.pk)
    assert (drawn, cup.state) == ([2, 2, 2], "finished")
    page = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert_clean_page(page)
    assert "Random pairings" in page.content.decode()
    why = client.get(reverse("tournaments:pairings", args=[cup.slug, 2]))
    assert_clean_page(why)
    assert "Lots brought these bots together." in why.content.decode()
    data = json.loads(client.get(reverse("tournaments:export", args=[cup.slug, "tournament.json"])).getvalue())
    assert data["stages"][0]["format"] == CODE
    assert data["stages"][0]["fixtures"][0]["reasons"] == {"places": [1, 2]}
    assert client.get(reverse("tournaments:export", args=[cup.slug, "fixtures.csv"])).status_code == 200
    assert client.get(f"/api/tournaments/{cup.slug}/").json()["stages"][0]["format"] == CODE


def test_its_proof_holds_and_knows_each_draw(tmp_path):
    cup = play_out(cup_of([FIRST, LAST, MIDDLE, LAST, FIRST], format=CODE, rounds=2))
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"))
    assert (proved.entries, proved.matches, proved.rounds, proved.own_rules) == (5, 4, 2, 0)


def test_a_stage_that_it_does_not_play_is_not_saved():
    with pytest.raises(StageError, match="needs a number of rounds"):
        running_tournament(4, format=CODE)
    with pytest.raises(StageError, match="no format has the code 'chess_boxing'"):
        running_tournament(4, format="chess_boxing")


def test_one_more_format_needs_no_migration(settings):
    settings.MIGRATION_MODULES = {}  # as on a site
    call_command("makemigrations", "--check", "--dry-run", "tournaments", verbosity=0)


def test_a_complete_format_passes_the_check():
    call_command("check")


@pytest.mark.parametrize(
    ("lack", "message"),
    [
        ({"label": ""}, "has no label"),
        ({"summary": ""}, "has no summary"),
        ({"family": "nowhere"}, "has no template round.html in formats/nowhere/"),
        ({"tables": (2,)}, "wrong_tables"),
        ({"tie_breaks": ("beauty",)}, "breaks ties by 'beauty'"),
        ({"code": "other"}, "under another code than its own, 'other'"),
        ({"has_bracket": True}, "has a bracket, but no method that makes it"),
        ({"draws_by_standings": True, "draws_one_by_one": False}, "not one round at a time"),
    ],
)
def test_the_check_names_what_a_format_lacks(monkeypatch, lack, message):
    monkeypatch.setitem(FORMATS, CODE, replace(RANDOM_PAIRING, **lack))
    with pytest.raises(SystemCheckError, match=r"tournaments\.E001") as refused:
        call_command("check")
    assert message in str(refused.value)
