"""The admin shows tournaments and leagues, finds them, and changes nothing of them."""

from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse

from bots.admin import ReadOnly
from contests.models import OrganiserAllowance, OrganiserChange, OrganiserRequest
from leagues.models import League, Membership, Season
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league
from tests.tournaments.factories import running_tournament
from tournaments.models import Entry, Ruling, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
MODELS = (Tournament, Entry, League, Season, Membership)
SECRET = bytes(range(32))


@pytest.fixture
def site(client):
    """One of each, and a client signed in as staff that may do everything."""
    cup = running_tournament(3, name="Harvest Cup")
    league = open_league(bots=1, name="Coop")
    Season.objects.update(secret=SECRET)
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return {Tournament: cup, Entry: cup.entries.first(), League: league, Season: Season.objects.get()} | {
        Membership: Membership.objects.get()
    }


def address(model: type[Any], page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", MODELS)
def test_each_is_listed_found_and_shown_without_its_secret(model, site, client):
    name = "Harvest" if model in (Tournament, Entry) else "Coop"
    for sought, found in ((name, True), ("no such name", False)):
        rows = client.get(address(model, "changelist"), {"q": sought}).context["cl"].result_count
        assert (rows > 0) == found
    for parameters in ({}, {"state__exact": "open"}) if model is League else ({},):
        assert client.get(address(model, "changelist"), parameters).context["cl"].result_count > 0
    page = client.get(address(model, "change", site[model].pk))
    assert page.status_code == 200
    shown = page.content.decode()
    assert "secret" not in shown.casefold()
    assert SECRET.hex() not in shown
    assert str(SECRET) not in shown


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_added_changed_or_deleted_by_hand(model, site, client):
    before = list(model.objects.order_by("pk").values())
    one = site[model]
    assert client.get(address(model, "add")).status_code == 403
    assert client.post(address(model, "change", one.pk), {"state": "finished", "name": "Mine"}).status_code == 403
    assert client.post(address(model, "delete", one.pk), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [one.pk], "post": "yes"}
    client.post(address(model, "changelist"), chosen)
    assert list(model.objects.order_by("pk").values()) == before


def test_every_model_of_contests_in_the_admin_is_read_only_but_for_allowances():
    registered = {
        model: registration
        for model, registration in admin.site._registry.items()
        if model._meta.app_label in ("tournaments", "league", "organisers")
    }
    assert {*MODELS, Ruling, OrganiserRequest, OrganiserChange, OrganiserAllowance} == set(registered)
    assert {model for model, one in registered.items() if not isinstance(one, ReadOnly)} == {OrganiserAllowance}


def test_the_lists_need_no_more_queries_for_more_rows(site, client, django_assert_max_num_queries):
    for model in MODELS:
        client.get(address(model, "changelist"))
    running_tournament(3)
    for model in MODELS:
        with django_assert_max_num_queries(14):
            client.get(address(model, "changelist"))
