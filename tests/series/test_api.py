"""Series over the API."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from series.models import TournamentSeries
from tests.announcements.test_api import send
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.groups.factories import GroupFactory
from tests.series.factories import finished_cup, series_of
from tests.tournaments.factories import TournamentFactory, bot_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_the_organiser_makes_fills_changes_and_deletes_one() -> None:
    organiser = OrganiserFactory()
    cup = TournamentFactory(organiser=organiser)
    values = {"name": "Winter", "game": "pickomino", "place_points": [3, 2, 1], "best": 4}
    made = send(organiser, "post", reverse("api-series:list"), values)
    assert made.status_code == 201
    assert {name: made.json()[name] for name in values} == values
    assert (made.json()["slug"], made.json()["scoring"], made.json()["audience"]) == ("winter", "places", "public")
    one, events = made["Location"], reverse("api-series:events", args=["winter"])
    added = send(organiser, "post", events, {"tournament": cup.slug})
    assert (added.status_code, added.json()["slug"], added.json()["counts"]) == (201, cup.slug, False)
    assert send(organiser, "post", events, {"tournament": cup.slug}).status_code == 201
    assert [row["slug"] for row in Client().get(events).json()["results"]] == [cup.slug]
    changed = send(organiser, "patch", one, {"scoring": "share", "best": 0})
    assert changed.status_code == 200
    assert {name: changed.json()[name] for name in ("name", "scoring", "best", "place_points")} == {
        "name": "Winter",
        "scoring": "share",
        "best": 0,
        "place_points": [3, 2, 1],
    }
    event = reverse("api-series:event", args=["winter", cup.slug])
    assert [send(organiser, "delete", event).status_code for _ in range(2)] == [204, 404]
    assert send(organiser, "delete", one).status_code == 204
    assert not TournamentSeries.objects.exists()


def test_the_api_has_the_table_of_the_page() -> None:
    organiser = OrganiserFactory()
    ada, bea = (bot_of(UserFactory(username=name)) for name in ("ada", "bea"))
    cups = finished_cup(organiser, [ada, bea]), finished_cup(organiser, [bea, ada])
    series = series_of(organiser, *cups, best=1)
    content = Client().get(reverse("api-series:standings", args=[series.slug])).json()["results"]
    assert [(row["place"], row["author"], row["bot"], row["total"]) for row in content] == [
        (1, "ada", None, 10.0),
        (1, "bea", None, 10.0),
    ]
    results = ((cups[0], 1, 10.0, True), (cups[1], 2, 6.0, False))
    assert content[0]["results"] == [
        {"tournament": cup.slug, "bot": ada.slug, "place": place, "points": points, "counts": counts}
        | {"disqualified": False}
        for cup, place, points, counts in results
    ]
    events = Client().get(reverse("api-series:events", args=[series.slug])).json()["results"]
    assert [row["counts"] for row in events] == [True, True]


@pytest.mark.parametrize("who", ["nobody", "author", "organiser"])
def test_others_are_refused(who: str) -> None:
    cup = TournamentFactory()
    series = series_of(cup.organiser, cup)
    person = {"nobody": None, "author": UserFactory(), "organiser": OrganiserFactory()}[who]
    status = 403 if person else 401
    one, events = reverse("api-series:detail", args=[series.slug]), reverse("api-series:events", args=[series.slug])
    event = reverse("api-series:event", args=[series.slug, cup.slug])
    assert send(person, "patch", one, {"name": "a"}).status_code == status
    assert send(person, "delete", one).status_code == status
    assert send(person, "post", events, {"tournament": cup.slug}).status_code == status
    assert send(person, "delete", event).status_code == status
    made = send(person, "post", reverse("api-series:list"), {"name": "a", "game": "pickomino"})
    assert made.status_code == (201 if who == "organiser" else status)
    assert Client().get(one).status_code == 200


def test_a_violation_is_refused_with_its_code() -> None:
    organiser = OrganiserFactory()
    of_group = TournamentFactory(organiser=organiser, audience="group", group=GroupFactory(created_by=organiser))
    taken = TournamentFactory(organiser=organiser)
    series_of(organiser, taken)
    events = reverse("api-series:events", args=[series_of(organiser).slug])
    refused = ((of_group, 409, "audience"), (taken, 409, "in_a_series"), (TournamentFactory(), 400, "not_own"))
    for cup, status, code in refused:
        answer = send(organiser, "post", events, {"tournament": cup.slug})
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert send(organiser, "post", events, {"tournament": "none"}).status_code == 404


@pytest.mark.parametrize(
    "data",
    [
        *({}, {"name": ""}, {"name": "a\0"}, {"name": "a", "game": "chess"}, {"name": ["a"]}),
        *({"best": -1}, {"best": "x"}, {"place_points": [1, 2]}, {"place_points": "10"}, {"place_points": [1001]}),
        *({"place_points": []}, {"place_points": [-1]}, {"scoring": "x"}, {"audience": "group"}, {"group": "none"}),
    ],
)
def test_bad_values_are_refused(data: Any) -> None:
    body = data if not data or "name" in data else {"name": "a", "game": "pickomino", **data}
    assert send(OrganiserFactory(), "post", reverse("api-series:list"), body).status_code == 400
    assert not TournamentSeries.objects.exists()
