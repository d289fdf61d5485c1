"""A bot of a tournament is chosen from a list, or typed where the list would make a page too long."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import EntryFactory, TournamentFactory, running_tournament
from tests.tournaments.rulings.rule import rule
from tournaments.entry_form import TYPED_MOST, EntryField
from tournaments.models import ForbiddenPair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


@pytest.fixture
def _typed(monkeypatch):
    for module in ("entry_form", "ruling_forms"):
        monkeypatch.setattr(f"tournaments.{module}.LISTED_MOST", 1)


def chosen(cup, typed):
    """The entry that is meant, or why none is."""
    try:
        return EntryField(cup.entries.all()).clean(typed)
    except ValidationError as error:
        return error.code


@pytest.mark.usefixtures("_typed")
def test_a_bot_is_meant_by_its_name_the_address_of_its_page_and_the_number_in_a_link():
    cup = TournamentFactory(entries=2)
    one = cup.entries.first()
    ways = (one.bot.name, f" {one.bot.name} ", f"https://here/bots/{one.bot.slug}/", f"/{one.bot.slug}", str(one.pk))
    assert [chosen(cup, way) for way in ways] == [one] * len(ways)
    outsider = EntryFactory()
    nobody = ("nobody", outsider.bot.name, f"/{outsider.bot.slug}", str(outsider.pk), "/", "9" * 30, "²", "a\0b")
    assert {chosen(cup, way) for way in (*nobody, "x" * (TYPED_MOST + 1))} == {"unknown"}
    assert chosen(cup, "") == "required"


@pytest.mark.usefixtures("_typed")
def test_two_bots_with_one_name_are_not_confused():
    cup = TournamentFactory(entries=3)
    one, other, third = cup.entries.all()
    for entry, name in ((one, "Twin"), (other, "Twin"), (third, str(one.pk))):
        entry.bot.name = name
        entry.bot.save()
    assert [chosen(cup, typed) for typed in ("Twin", str(one.pk))] == ["several", "several"]
    assert chosen(cup, f"/bots/{other.bot.slug}/") == other
    third.bot.name = "win/draw"
    third.bot.save()
    assert chosen(cup, "win/draw") == third


def test_a_list_says_what_to_choose_from_it(client: Client):
    cup = running_tournament(4, format="swiss", rounds=2)
    client.force_login(cup.organiser)
    rule(cup, "withdraw", entry=cup.entries.first())
    for kind, prompt in (("withdraw", "Choose a bot"), ("take_back", "Choose a ruling")):
        page = client.get(reverse("tournaments:rule", args=[cup.slug, kind])).content.decode()
        assert page.count('<option value="" selected>') == 1
        assert f'<option value="" selected>{prompt}</option>' in page
    apart = client.get(reverse("tournaments:apart", args=[cup.slug])).content.decode()
    assert apart.count('<option value="" selected>Choose a bot</option>') == 2


@pytest.mark.usefixtures("_typed")
def test_forms_of_a_large_tournament_take_what_is_typed(client: Client):
    cup = running_tournament(4, format="swiss", rounds=2)
    client.force_login(cup.organiser)
    one, other, *_ = cup.entries.select_related("bot")
    rule = reverse("tournaments:rule", args=[cup.slug, "withdraw"])
    assert b"<option" not in client.get(rule).content
    looked = client.get(rule, {"entry": one.bot.name, "look": 1})
    assert looked.status_code == 200
    posted = {"entry": one.bot.name, "reason": "asked", "basis": looked.context["basis"]}
    assert client.post(rule, posted).status_code == 302
    one.refresh_from_db()
    assert one.is_withdrawn
    assert client.get(rule, {"entry": "nobody", "look": 1}).status_code == 422
    void = reverse("tournaments:rule", args=[cup.slug, "void"])
    assert b"Table 1" not in client.get(void).content
    data = {"round": 1, "look": 1}
    assert [client.get(void, {**data, "table": table}).status_code for table in (2, 3, "x")] == [200, 422, 422]
    apart = reverse("tournaments:apart", args=[cup.slug])
    third = cup.entries.filter(is_withdrawn=False).last()
    assert b"<option" not in client.get(apart).content
    assert client.post(apart, {"one": other.bot.name, "other": f"/bots/{third.bot.slug}/"}).status_code == 302
    assert ForbiddenPair.objects.count() == 1
