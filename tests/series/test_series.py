"""Series: their tournaments, their table, and what their pages show to whom."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.accounts.deletion import account_delete
from bots.deletion import deleted_bots_account
from series.models import SeriesEvent, TournamentSeries
from series.selectors.table import series_table
from series.services import SeriesRefused, series_add, series_create, series_delete, series_remove, series_update
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.groups.factories import GroupFactory, member_in
from tests.series.factories import finished_cup, series_of
from tests.tournaments.factories import TournamentFactory, bot_of
from tournaments.models import Publication, Tournament
from tournaments.services import tournament_publish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def bots(*names: str) -> list[Any]:
    return [bot_of(UserFactory(username=name), name=f"Bot of {name}") for name in names]


def table_of(series: TournamentSeries) -> list[tuple[int, str, float]]:
    return [(one.row.rank, one.entrant.name, one.total) for one in series_table(series).rows]


def test_points_of_places_add_up_over_the_events() -> None:
    organiser, (ada, bea, cleo) = OrganiserFactory(), bots("ada", "bea", "cleo")
    series = series_of(organiser, finished_cup(organiser, [ada, bea, cleo]), finished_cup(organiser, [bea, ada, cleo]))
    assert table_of(series) == [(1, "ada", 16), (1, "bea", 16), (3, "cleo", 6)]
    series_add(series=series, tournament=finished_cup(organiser, [cleo, ada]))
    assert table_of(series) == [(1, "ada", 22), (2, "bea", 16), (3, "cleo", 16)]


def test_only_the_best_results_count_and_a_share_of_score_may_count_instead() -> None:
    organiser, (ada, bea, cleo) = OrganiserFactory(), bots("ada", "bea", "cleo")
    cups = finished_cup(organiser, [ada, bea, cleo]), finished_cup(organiser, [bea, cleo, ada])
    series = series_of(organiser, *cups, best=1)
    assert table_of(series) == [(1, "bea", 10), (2, "ada", 10), (3, "cleo", 6)]
    series_update(series=series, scoring="share", best=0)
    series.refresh_from_db()
    assert table_of(series) == [(1, "bea", 150), (2, "ada", 100), (3, "cleo", 50)]


def test_house_bots_stand_for_themselves() -> None:
    organiser, house = OrganiserFactory(), UserFactory(username="house")
    two = [BotVersionFactory(bot=BotFactory(owner=house, name=name, is_house=True)).bot for name in ("Kiwi", "Rail")]
    assert table_of(series_of(organiser, finished_cup(organiser, two))) == [(1, "Kiwi", 10), (2, "Rail", 6)]


@pytest.mark.parametrize("publication", [Publication.HIDDEN, Publication.PARTICIPANTS])
def test_nothing_counts_before_everybody_may_see_it(publication: str) -> None:
    organiser, (ada, bea) = OrganiserFactory(), bots("ada", "bea")
    sealed = finished_cup(organiser, [ada, bea], publication=publication)
    series = series_of(organiser, sealed)
    address = reverse("series:detail", args=[series.slug])
    for client in (Client(), signed_in(ada.owner), signed_in(organiser)):
        page = client.get(address).content.decode()
        assert sealed.name in page
        assert "series-table" not in page
    listed = Client().get(reverse("api-series:standings", args=[series.slug])).json()
    assert listed["results"] == []
    tournament_publish(tournament=sealed, publication=Publication.EVERYONE)
    cache.clear()
    assert "series-table" in Client().get(address).content.decode()
    tournament_publish(tournament=sealed, publication=Publication.HIDDEN)
    cache.clear()
    assert "series-table" not in Client().get(address).content.decode()


def test_a_tournament_that_plays_and_one_that_became_a_groups_do_not_count() -> None:
    organiser, (ada, bea) = OrganiserFactory(), bots("ada", "bea")
    group = GroupFactory(created_by=organiser)
    running = TournamentFactory(organiser=organiser, entries=2)
    draft = TournamentFactory(organiser=organiser, state="draft", name="Not announced")
    of_group = finished_cup(organiser, [ada, bea], name="Of the group")
    series = series_of(organiser, running, draft, of_group)
    Tournament.objects.filter(pk=of_group.pk).update(audience="group", group=group)
    page = Client().get(reverse("series:detail", args=[series.slug])).content.decode()
    assert running.name in page
    assert "Not announced" not in page
    assert "Of the group" not in page
    assert table_of(series) == []
    own = signed_in(organiser).get(reverse("series:detail", args=[series.slug])).content.decode()
    assert "Not announced" in own
    assert "Of the group" in own


def test_a_tournament_is_in_one_series() -> None:
    organiser = OrganiserFactory()
    cup = TournamentFactory(organiser=organiser)
    first, second = series_of(organiser, cup), series_of(organiser)
    assert series_add(series=first, tournament=cup).series == first
    with pytest.raises(SeriesRefused, match="another series"):
        series_add(series=second, tournament=cup)
    with pytest.raises(IntegrityError), transaction.atomic():
        SeriesEvent.objects.create(series=second, tournament=cup)
    series_remove(series=first, tournament=cup)
    series_remove(series=first, tournament=cup)
    assert series_add(series=second, tournament=cup).series == second


def test_tournaments_of_others_and_of_other_games_are_refused() -> None:
    series = series_of()
    with pytest.raises(SeriesRefused, match="organiser"):
        series_add(series=series, tournament=TournamentFactory())
    with pytest.raises(SeriesRefused, match="same game"):
        series_add(series=series, tournament=TournamentFactory(organiser=series.organiser, ruleset="laghetti/1"))


@pytest.mark.parametrize(
    ("audience", "allowed"),
    [
        ("public", {"public"}),
        ("unlisted", {"public", "unlisted"}),
        ("group", {"public", "unlisted", "group"}),
    ],
)
def test_a_reader_of_a_series_sees_its_tournaments(audience: str, allowed: set[str]) -> None:
    organiser = OrganiserFactory()
    group, other = GroupFactory(created_by=organiser), GroupFactory(created_by=organiser)
    series = series_of(organiser, audience=audience, group=group if audience == "group" else None)
    for theirs in ("public", "unlisted", "group"):
        cup = TournamentFactory(organiser=organiser, audience=theirs, group=group if theirs == "group" else None)
        if theirs in allowed:
            series_add(series=series, tournament=cup)
        else:
            with pytest.raises(SeriesRefused, match="Not everybody"):
                series_add(series=series, tournament=cup)
    with pytest.raises(SeriesRefused, match="Not everybody"):
        series_add(series=series, tournament=TournamentFactory(organiser=organiser, audience="group", group=other))


def test_a_series_opens_and_never_closes_nor_beyond_its_tournaments() -> None:
    organiser = OrganiserFactory()
    group = GroupFactory(created_by=organiser)
    cup = TournamentFactory(organiser=organiser, audience="group", group=group)
    series = series_of(organiser, cup, audience="group", group=group)
    with pytest.raises(SeriesRefused, match="Not everybody"):
        series_update(series=series, audience="public", group_id=None)
    Tournament.objects.filter(pk=cup.pk).update(audience="public", group=None)
    series_update(series=series, audience="public", group_id=None)
    series.refresh_from_db()
    assert series.is_open
    with pytest.raises(SeriesRefused, match="more people"):
        series_update(series=series, audience="unlisted", group_id=None)


def test_a_series_of_a_group_is_for_its_members_alone() -> None:
    organiser, member = OrganiserFactory(), UserFactory()
    group = GroupFactory(created_by=organiser)
    member_in(group, member)
    cup = TournamentFactory(organiser=organiser, name="Open cup")
    series = series_of(organiser, cup, name="Zobelreihe", audience="group", group=group)
    address = reverse("series:detail", args=[series.slug])
    pages = (
        address,
        reverse("series:list"),
        reverse("tournaments:detail", args=[cup.slug]),
        f"{reverse('search')}?q=zobel",
    )
    for outsider in (Client(), signed_in(UserFactory()), signed_in(OrganiserFactory())):
        assert outsider.get(address).status_code == 404
        assert not [one for one in pages if b"Zobelreihe" in outsider.get(one).content]
    inside = signed_in(member)
    assert [b"Zobelreihe" in inside.get(one).content for one in pages] == [True] * 4
    assert b"Zobelreihe" in inside.get(reverse("groups:detail", args=[group.slug])).content


def test_an_unlisted_series_is_linked_from_no_page_of_lists() -> None:
    organiser = OrganiserFactory()
    cup, hidden = TournamentFactory(organiser=organiser), TournamentFactory(organiser=organiser, audience="unlisted")
    series = series_of(organiser, cup, hidden, name="Whispered", audience="unlisted")
    answer = Client().get(reverse("series:detail", args=[series.slug]))
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")
    assert b"Whispered" not in Client().get(reverse("tournaments:detail", args=[cup.slug])).content
    assert b"Whispered" in Client().get(reverse("tournaments:detail", args=[hidden.slug])).content
    assert b"Whispered" in signed_in(organiser).get(reverse("tournaments:detail", args=[cup.slug])).content
    assert b"Whispered" not in Client().get(reverse("series:list")).content


def test_an_organiser_makes_a_series_by_the_pages_alone() -> None:
    organiser = OrganiserFactory()
    cup = TournamentFactory(organiser=organiser)
    client = signed_in(organiser)
    manage = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    way = re.search(r'href="([^"]*/series/new/[^"]*)"', manage)
    assert way is not None
    form = {"name": "Winter", "game": "pickomino", "scoring": "places", "place_points": "10 6, 3", "best": 2}
    made = client.post(way[1], {**form, "audience": "public"})
    series = TournamentSeries.objects.get()
    assert made["Location"] == reverse("series:detail", args=["winter"])
    assert (series.place_points, series.best, series.events.get().tournament) == ([10, 6, 3], 2, cup)
    page = client.get(made["Location"]).content.decode()
    assert cup.name in page
    other = TournamentFactory(organiser=organiser)
    client.post(reverse("series:add", args=["winter"]), {"tournament": other.slug})
    client.post(reverse("series:remove", args=["winter", cup.slug]))
    assert series.events.get().tournament == other
    client.post(reverse("series:edit", args=["winter"]), {**form, "name": "Spring", "audience": "public"})
    series.refresh_from_db()
    assert (series.name, series.slug) == ("Spring", "winter")
    client.post(reverse("series:delete", args=["winter"]))
    assert not TournamentSeries.objects.exists()
    assert Tournament.objects.count() == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("place_points", one) for one in ("", "10, six", "1 2", "9999", "-1", "², 1", " ".join(["1"] * 51))),
        *(("best", one) for one in ("-1", "61", "", "x")),
        *(("name", one) for one in ("", "a" * 81, "a\u202eb")),
        *(("game", "chess"), ("scoring", "x"), ("audience", "group:nobody"), ("description", "a" * 2001)),
    ],
)
def test_bad_values_stand_beside_their_field(field: str, value: str) -> None:
    form = {
        "name": "A",
        "game": "pickomino",
        "scoring": "places",
        "place_points": "3 1",
        "best": 0,
        "audience": "public",
    }
    answer = signed_in(OrganiserFactory()).post(reverse("series:create"), form | {field: value})
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not TournamentSeries.objects.exists()


def test_markdown_of_the_description_is_cleaned() -> None:
    series = series_of(description="**Fridays** <script>alert(1)</script> [x](javascript:alert(1))")
    page = Client().get(reverse("series:detail", args=[series.slug])).content.decode()
    assert "<strong>Fridays</strong>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_others_change_nothing() -> None:
    series = series_of()
    for person, status in ((UserFactory(), 403), (OrganiserFactory(), 403), (None, 302)):
        client = signed_in(person) if person else Client()
        for name in ("edit", "delete", "add"):
            assert client.post(reverse(f"series:{name}", args=[series.slug])).status_code == status
    assert TournamentSeries.objects.get().events.count() == 0


def test_the_page_takes_the_same_queries_however_many_events_it_has(django_assert_max_num_queries: Any) -> None:
    organiser, entered = OrganiserFactory(), bots("ada", "bea")
    series = series_of(organiser, *(finished_cup(organiser, entered) for _ in range(4)))
    address = reverse("series:detail", args=[series.slug])
    Client().get(address)
    with django_assert_max_num_queries(10):
        Client().get(address)


def test_a_deleted_organiser_leaves_the_series_and_a_deleted_author_the_row() -> None:
    organiser, (ada, bea) = OrganiserFactory(), bots("ada", "bea")
    series = series_of(organiser, finished_cup(organiser, [ada, bea]))
    assert table_of(series)[0][1] == "ada"
    account_delete(person=ada.owner)
    account_delete(person=organiser)
    series.refresh_from_db()
    assert series.organiser == deleted_bots_account()
    page = Client().get(reverse("series:detail", args=[series.slug])).content.decode()
    assert ">ada<" not in page
    assert ">bea<" in page


def test_addresses_are_made_of_names_and_stay_free() -> None:
    organiser = OrganiserFactory()
    slugs = [
        series_create(organiser=organiser, name=name, game="pickomino").slug for name in ("New", "A b", "A b", "…")
    ]
    assert slugs == ["new-2", "a-b", "a-b-2", "series-2"]
    series_delete(series=TournamentSeries.objects.get(slug="a-b"))


def test_pages_of_series_are_below_tournaments_in_the_navigation() -> None:
    page = Client().get(reverse("series:list")).content.decode()
    way = re.escape(reverse("tournaments:list"))
    assert re.search(rf'<a href="{way}"\s+aria-current="true">', page)


def test_what_is_no_name_in_addresses_names_no_first_tournament() -> None:
    answer = signed_in(OrganiserFactory()).get(reverse("series:create"), {"tournament": "a\0b"})
    assert answer.status_code == 200
