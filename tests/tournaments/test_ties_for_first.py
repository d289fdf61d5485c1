"""Ties for first: the podium says where the lot decided, and an organiser may let places be shared."""

import pytest
from django.urls import reverse

from tests.arena.factories import OrganiserFactory
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.proof.events import LAST, cup_of, play_out
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.test_forms import typed
from tests.tournaments.test_pages import text_of
from tournaments.models import Tournament
from tournaments.proof.verify import proof_verify
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import tournament_advance

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def drawn_out(**fields):
    """Over, with every match drawn but those that the first entry plays, which it loses."""
    cup = running_tournament(4, **fields)
    last = cup.entries.order_by("pk").first().pk
    finish_matches(cup, lambda entries: [0.5 if last not in entries else float(one != last) for one in entries])
    assert tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert cup.state == "finished"
    return cup


def podium(client, cup):
    page = text_of(client.get(reverse("tournaments:detail", args=[cup.slug])))
    return page[page.index("Final ranking") :][:400]


def test_the_podium_says_where_the_lot_decided(client):
    cup = drawn_out()
    assert [row.rank for row in standings_of(cup.stage)] == [1, 2, 3, 4]
    assert podium(client, cup).count("by lot") == 3


def test_a_winner_by_points_is_none_by_lot(client):
    cup = running_tournament(4)
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    assert "by lot" not in podium(client, cup)


def test_places_are_shared_where_that_was_announced(client):
    cup = drawn_out(tie_breaks=["wins", "shared", "lot"])
    assert [row.rank for row in standings_of(cup.stage)] == [1, 1, 1, 4]
    said = podium(client, cup)
    assert (said.count("shared"), said.count("by lot")) == (3, 0)
    rows = client.get(f"/api/tournaments/{cup.slug}/standings/").json()["results"]
    assert [row["rank"] for row in rows] == [1, 1, 1, 4]
    ties = text_of(client.get(reverse("tournaments:tie-breaks", args=[cup.slug])))
    assert ties.count("share the place Points") + ties.count("share the place See") == 2
    assert ties.count("nothing before it tells them apart") == 2
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "Shared</abbr>" not in page  # a column that would be empty
    assert "Wins</abbr>" in page
    for file in ("standings.csv", "tournament.json"):
        assert client.get(reverse("tournaments:export", args=[cup.slug, file])).status_code == 200


def test_a_proof_with_shared_places_holds(tmp_path):
    cup = play_out(cup_of([LAST] * 3, tie_breaks=["shared", "lot"]))
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).ended


def test_the_form_takes_it_last(client):
    client.force_login(OrganiserFactory())
    new = reverse("tournaments:create")
    wrong = client.post(new, typed(tie_break_1="shared", tie_break_2="wins"))
    assert "share the place: choose no tie-break after it" in str(wrong.context["form"].errors["tie_break_2"])
    assert client.post(new, typed(tie_break_1="wins", tie_break_2="shared", name="Shared")).status_code == 302
    assert Tournament.objects.get(name="Shared").tie_breaks == ["wins", "shared", "lot"]
