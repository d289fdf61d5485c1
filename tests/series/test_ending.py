"""The end of a series: a final table, certificates that can be checked, and who is notified."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from notices.models import Follow, Notice
from series.models import TournamentSeries
from series.services import SeriesRefused, series_add, series_end, series_remove, series_reopen, series_update
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.series.factories import finished_cup, series_of
from tests.tournaments.factories import TournamentFactory, bot_of
from tests.tournaments.rulings.rule import rule
from tournaments.errors import ResultsCounted
from tournaments.models import Publication, Tournament
from tournaments.services import tournament_publish

pytestmark = pytest.mark.django_db
SHEET = 'class="certificate"'


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def sheets(series: TournamentSeries, client: Client | None = None, bot: Any = None) -> str:
    name, arguments = ("series:certificate", [series.slug, bot.pk]) if bot else ("series:certificates", [series.slug])
    answer = (client or Client()).get(reverse(name, args=arguments))
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def ended(*authors: Any, **fields: Any) -> tuple[TournamentSeries, list[Any]]:
    """A series of two tournaments that has ended, and the bots in the order of its table."""
    organiser = fields.pop("organiser", None) or OrganiserFactory()
    bots = [bot_of(one) for one in authors]
    cups = [finished_cup(organiser, bots, **fields) for _ in range(2)]
    series = series_of(organiser, *cups, **fields)
    return series_end(series=series), bots


def test_everybody_in_the_final_table_has_one_with_an_address_to_check() -> None:
    series, bots = ended(*(UserFactory(username=name) for name in ("ada", "bob", "clara")))
    page = sheets(series)
    assert page.count(SHEET) == 3
    for place, (name, points, bot) in enumerate(zip(("ada", "bob", "clara"), (20, 12, 6), bots, strict=True), 1):
        address = reverse("series:certificate", args=[series.slug, bot.pk])
        assert address in page.replace("<wbr>", "")
        single = sheets(series, bot=bot)
        assert single.count(SHEET) == 1
        for text in (f"<h2>{name}</h2>", f"Place {place} of 3", f"Points: {points}", bot.name, series.name):
            assert text in single
    assert sheets(series, bot=bot_of(UserFactory())) == "404"


def test_a_ruling_after_the_end_changes_what_is_checked() -> None:
    series, (first, second) = ended(UserFactory(), UserFactory())
    assert "Place 2 of 2" in sheets(series, bot=second)
    for event in series.events.all():
        rule(event.tournament, "disqualify", entry=event.tournament.entries.get(bot=first), reason="It cheated.")
    assert "Place 1 of 1" in sheets(series, bot=second)
    assert sheets(series, bot=first) == "404"


def test_it_ends_when_all_is_over_and_shown_and_can_be_reopened() -> None:
    organiser = OrganiserFactory()
    series = series_of(organiser)
    with pytest.raises(SeriesRefused, match="No tournament"):
        series_end(series=series)
    cup = finished_cup(organiser, [bot_of(UserFactory()) for _ in range(2)], publication=Publication.HIDDEN)
    series_add(series=series, tournament=cup)
    with pytest.raises(SeriesRefused, match="is not over"):
        series_end(series=series)
    assert SHEET not in sheets(series)
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.EVERYONE)
    first = series_end(series=series).ended_at
    assert series_end(series=series).ended_at == first is not None
    with pytest.raises(SeriesRefused, match="Reopen it first"):
        series_add(series=series, tournament=TournamentFactory(organiser=organiser))
    with pytest.raises(SeriesRefused, match="Reopen it first"):
        series_remove(series=series, tournament=cup)
    with pytest.raises(SeriesRefused, match="Reopen it first"):
        series_update(series=series, best=1)
    assert series_update(series=series, name="Still the same table", best=series.best).name == "Still the same table"
    assert series_reopen(series=series).ended_at is None
    assert SHEET not in sheets(series)


def test_tournaments_of_an_ended_series_are_neither_hidden_nor_reopened(client: Client) -> None:
    series, (first, _second) = ended(UserFactory(), UserFactory())
    cup = series.events.earliest("pk").tournament
    text = f"{series.name} has ended"
    for fewer in (Publication.PARTICIPANTS, Publication.HIDDEN):
        with pytest.raises(ResultsCounted, match=text):
            tournament_publish(tournament=cup, publication=fewer)
    with pytest.raises(ResultsCounted, match=text):
        rule(cup, "reopen", reason="Once more.")
    client.force_login(cup.organiser)
    form = {"publication": "hidden"}
    page = client.post(reverse("tournaments:publish", args=[cup.slug]), form, follow=True).content.decode()
    assert text in page
    by_organiser = {"authorization": f"Token {token_of(cup.organiser)}"}
    answer = client.put(
        f"/api/tournaments/{cup.slug}/publication/", form, content_type="application/json", headers=by_organiser
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "counted")
    assert "Points: 20" in sheets(series, bot=first)
    series_reopen(series=series)
    assert tournament_publish(tournament=cup, publication=Publication.HIDDEN).publication == "hidden"
    with pytest.raises(SeriesRefused, match="is not over"):
        series_end(series=series)


def test_its_organiser_alone_ends_it_on_the_page_and_over_the_api(client: Client) -> None:
    organiser, author = OrganiserFactory(), UserFactory()
    series = series_of(organiser, finished_cup(organiser, [bot_of(author), bot_of(UserFactory())]))
    address, api = reverse("series:end", args=[series.slug]), f"/api/series/{series.slug}/end/"
    assert client.post(address).status_code == 302
    client.force_login(author)
    by_author = {"headers": {"authorization": f"Token {token_of(author)}"}}
    assert client.post(address).status_code == client.put(api, **by_author).status_code == 403
    series.refresh_from_db()
    assert series.ended_at is None
    client.force_login(organiser)
    client.post(address)
    page = client.get(reverse("series:detail", args=[series.slug])).content.decode()
    assert reverse("series:certificates", args=[series.slug]) in page
    assert "Reopen the series" in page
    client.post(address, {"act": "reopen"})
    by_organiser = {"headers": {"authorization": f"Token {token_of(organiser)}"}}
    assert client.put(api, **by_organiser).json()["ended_at"] is not None
    assert client.delete(api, **by_organiser).status_code == 204


def test_the_box_manage_is_its_organisers_and_names_the_next_step(client: Client) -> None:
    organiser = OrganiserFactory()
    series = series_of(organiser)
    address = reverse("series:detail", args=[series.slug])

    def next_step() -> str:
        client.force_login(organiser)
        page = client.get(address).content.decode()
        return " ".join(page.partition('id="agenda"')[2].partition('class="manage-bar"')[0].split())

    assert "New tournament" in next_step()
    series_add(series=series, tournament=finished_cup(organiser, [bot_of(UserFactory()), bot_of(UserFactory())]))
    assert 'class="button primary" form="end">End the series' in next_step()
    series_add(series=series, tournament=TournamentFactory(organiser=organiser))
    assert "Nothing to do right now." in next_step()
    Tournament.objects.filter(state="open").update(state="cancelled")
    series_end(series=series)
    assert "its table is final" in next_step()
    client.logout()
    for reader in (None, UserFactory()):
        if reader is not None:
            client.force_login(reader)
        assert 'class="card manage"' not in client.get(address).content.decode()


def test_authors_and_followers_are_notified_once_and_nobody_outside_the_group() -> None:
    group = GroupFactory()
    member, follower, outsider = UserFactory.create_batch(3)
    for one in (member, follower):
        member_in(group, one)
    fields = {"organiser": group.created_by, "audience": "group", "group": group}
    cup = finished_cup(group.created_by, [bot_of(member), bot_of(member)], audience="group", group=group)
    series = series_of(fields.pop("organiser"), cup, **fields)
    for one in (member, follower, outsider):
        Follow.objects.create(person=one, kind="series", target=series.pk)
    series_end(series=series)
    series_reopen(series=series)
    series_end(series=series)
    notices = Notice.objects.filter(kind="series.finished").values_list("person", flat=True)
    assert sorted(notices) == sorted([member.pk, follower.pk])
    outside, inside = Client(), Client()
    outside.force_login(outsider)
    inside.force_login(follower)
    assert sheets(series, outside) == sheets(series, outside, bot=cup.entries.earliest("pk").bot) == "404"
    assert sheets(series, inside).count(SHEET) == 1
