"""The organiser's box on the page of a tournament: what waits, what comes by itself, and the menu of each bot."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.groups.factories import GroupFactory
from tests.leagues.factories import open_league
from tests.tournaments.factories import EntryFactory, TournamentFactory, running_tournament
from tournaments import services
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.pages.cards import tournament_cards_grouped, tournament_cards_of, tournament_cards_order
from tournaments.selectors.rounds.timeline import tournament_timeline_coming

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def page(cup: Tournament, reader: object) -> str:
    client = Client()
    if reader is not None:
        client.force_login(reader)  # type: ignore[arg-type]
    return client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()


def test_only_officials_have_the_box_and_an_arbiter_less_of_it() -> None:
    cup = running_tournament(4, format="swiss", rounds=3)
    arbiter = UserFactory()
    cup.arbiters.add(arbiter)
    entry = cup.entries.first()
    assert entry is not None
    publish, plan = (reverse(f"tournaments:{name}", args=[cup.slug]) for name in ("publish", "plan"))
    rulings = f'href="{reverse("tournaments:rulings", args=[cup.slug])}">Add a ruling</a>'
    for reader in (None, UserFactory(), entry.bot.owner):
        assert 'class="card manage"' not in page(cup, reader)
    for reader in (cup.organiser, UserFactory(is_staff=True)):
        shown = page(cup, reader)
        assert publish in shown
        assert plan in shown
        assert 'form="act-pause"' in shown
    shown = page(cup, arbiter)
    assert 'form="act-pause"' in shown
    assert rulings in shown
    assert '<details class="menu"><summary class="button small">More' not in shown
    assert publish not in shown
    assert plan not in shown


def test_a_league_has_the_same_box_with_its_own_acts() -> None:
    league = open_league(bots=2)
    client = Client()
    client.force_login(league.organiser)
    shown = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    bar = shown.partition('class="manage-bar"')[2].partition("</section>")[0]
    places = [
        bar.index(one) for one in ("Edit", "Announcements", "Questions", "Pause", "More", "End the season", "Close")
    ]
    assert places == sorted(places)
    assert shown.index('id="agenda"') < shown.index('class="manage-bar"')
    client.force_login(UserFactory())
    assert 'class="card manage"' not in client.get(reverse("leagues:detail", args=[league.slug])).content.decode()


def test_the_audience_of_results_is_chosen_in_the_menu_and_saved() -> None:
    cup = running_tournament(2)
    client = Client()
    client.force_login(cup.organiser)
    assert 'value="everyone" aria-pressed="true"' in " ".join(page(cup, cup.organiser).split())
    client.post(reverse("tournaments:publish", args=[cup.slug]), {"publication": Publication.HIDDEN})
    assert 'value="hidden" aria-pressed="true"' in " ".join(page(cup, cup.organiser).split())


def test_the_organiser_has_a_menu_in_each_row_and_an_author_in_their_own() -> None:
    cup = running_tournament(4, format="swiss", rounds=3)
    entries = list(cup.entries.order_by("pk"))
    own = entries[0]

    def menus(reader: object) -> list[int]:
        return sorted(int(one) for one in re.findall(r'popovertarget="acts(\d+)" aria-label', page(cup, reader)))

    disqualify = reverse("tournaments:rule", args=[cup.slug, "disqualify"])
    assert menus(cup.organiser) == [one.pk for one in entries]
    assert f"{disqualify}?entry={own.pk}" in page(cup, cup.organiser)
    assert menus(own.bot.owner) == [own.pk]
    assert disqualify not in page(cup, own.bot.owner)
    assert menus(UserFactory()) == []
    services.entry_withdraw(entry=own, by=cup.organiser)
    assert menus(cup.organiser) == [one.pk for one in entries[1:]]


def test_automatic_steps_are_listed_in_order() -> None:
    cup = TournamentFactory(
        organiser=OrganiserFactory(),
        entries_close_at=NOW + timedelta(hours=1),
        first_round_at=NOW + timedelta(hours=2),
    )
    assert [one.text for one in tournament_timeline_coming(cup)] == ["Entries close", "The tournament starts"]
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.LOCKED, entries_close_at=NOW - timedelta(hours=1))
    cup.refresh_from_db()
    EntryFactory.create_batch(4, tournament=cup)
    services.round_plan_set(
        tournament=cup,
        stage=1,
        place=2,
        premieres_at=NOW + timedelta(hours=5),
        tempo="story",
        starts_at=NOW + timedelta(hours=4),
    )
    assert [one.text for one in tournament_timeline_coming(cup)] == [
        "The tournament starts",
        "Round 1",
        "Round 2",
        "Premiere: Round 2",
    ]
    shown = page(cup, cup.organiser)
    assert "Happens automatically" in shown
    assert "Not available right now." not in shown, "the footer says how the site is"


def test_lists_have_running_tournaments_first_and_finished_ones_last() -> None:
    states = ["finished", "open", "running", "draft", "paused", "cancelled", "locked"]
    for state in states:
        cup = TournamentFactory()
        times = {"started_at": NOW} if state in ("running", "paused", "finished") else {}
        times |= {"finished_at": NOW} if state == "finished" else {}
        Tournament.objects.filter(pk=cup.pk).update(state=state, **times)
    found = tournament_cards_grouped(tournament_cards_of(list(tournament_cards_order(Tournament.objects.all()))))
    assert [(str(label), [card.tournament.state for card in cards]) for label, cards in found] == [
        ("Running", ["running", "paused"]),
        ("Open for entries", ["locked", "open"]),
        ("Drafts", ["draft"]),
        ("Finished", ["finished"]),
        ("Cancelled", ["cancelled"]),
    ]
    shown = " ".join(Client().get(reverse("tournaments:list")).content.decode().split())
    assert shown.index(">Running</h2>") < shown.index(">Open for entries</h2>") < shown.index(">Finished</h2>")
    assert ">Drafts</h2>" not in shown


def test_what_starts_first_and_what_ended_last_stands_first_in_every_list() -> None:
    group = GroupFactory()
    hours = {"late": 3, "soon": 1, "someday": None, "old": -5, "new": -1}
    for name, after in hours.items():
        cup = TournamentFactory(name=name, audience="group", group=group)
        when = NOW + timedelta(hours=after) if after else None
        past = {"state": "finished", "started_at": when, "finished_at": when}
        Tournament.objects.filter(pk=cup.pk).update(**past if (after or 0) < 0 else {"first_round_at": when})
    wanted = ["soon", "late", "someday", "new", "old"]
    assert [one.name for one in tournament_cards_order(Tournament.objects.all())] == wanted
    for address in (reverse("tournaments:list"), reverse("groups:detail", args=[group.slug])):
        client = Client()
        client.force_login(group.created_by)
        html = client.get(address).content.decode()
        places = [html.index(f">{name}<") for name in wanted]
        assert places == sorted(places), address
