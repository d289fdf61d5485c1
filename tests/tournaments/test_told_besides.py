"""Who runs a tournament follows the cells that everyone shares, and asks for their own as soon as there is something
that they alone are told."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db.models import F
from django.test import Client
from django.urls import reverse

from matches.models import Match, WorkerPresence
from matches.queue.worker_status import worker_denied
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import worker_up
from tests.tournaments.books import books_make
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.test_live_deltas import TEMPLATE
from tournaments import services
from tournaments.models import Publication, Tournament
from web import boards
from web.live_deltas import HAVE, STATE, cells_in
from web.topics import SHARED

pytestmark = pytest.mark.django_db
ROWS = 5
RULING = ("arbiter", "organiser", "staff")
MARK = re.compile(r' data-personal="([0-9a-f]{16})"')
ROW = re.compile(r'<tr id="s(\d+)"')


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    books_make(monkeypatch)
    monkeypatch.setattr(boards, "BOARD_ROWS", ROWS)
    monkeypatch.setattr("web.moments.MOMENT", 0)
    monkeypatch.setattr("web.snapshots.REFRESH_EVERY", 0)
    monkeypatch.setattr("tournaments.selectors.standings.snapshots.REFRESH_RATIO", 0)
    caches["optional"].clear()


def swiss(**fields: Any) -> Tournament:
    worker_up()
    return running_tournament(8, format="swiss", rounds=3, **fields)


class Screen:
    """A page as ``live-cells.js`` keeps it; ``own``: how often its reader asked for their own cells."""

    def __init__(self, cup: Tournament, role: str) -> None:
        self.cup, self.client, self.own = cup, Client(), 0
        person = {"staff": lambda: UserFactory(is_staff=True), "organiser": lambda: cup.organiser}
        user = person.get(role, UserFactory)()
        if role == "arbiter":
            cup.arbiters.add(user)
        self.client.force_login(user)
        self.html = self.fresh()
        [self.mark] = MARK.findall(self.html)[:1]
        [self.state] = re.findall(r' data-state="([0-9a-f]{32})"', self.html) or [""]
        [self.src] = re.findall(r'<live-cells[^>]* data-shared[^>]* src="([^"]*)"', self.html)

    def fresh(self) -> str:
        return self.client.get(reverse("tournaments:detail", args=[self.cup.slug])).content.decode()

    def follow(self) -> None:
        if self._take(Client()) != self.mark:
            self.own += 1
            self.mark = self._take(self.client)

    def _take(self, client: Client) -> str:
        answer = client.get(self.src.replace("&amp;", "&"), headers={HAVE: self.state})
        assert (SHARED in answer) == (client is not self.client)
        text = answer.content.decode()
        [mark] = MARK.findall(text)
        self.state = answer[STATE]
        for part in (TEMPLATE.sub("", text), *TEMPLATE.findall(text)):
            self._merge(part)
        return mark

    def _merge(self, part: str) -> None:
        for fresh in (one for top in cells_in(part) for one in top.all()):
            there = cells(self.html).get(fresh.id)
            if there and "data-live-list" not in there:
                self.html = self.html.replace(there, part[fresh.start : fresh.end])


def cells(html: str) -> dict[str, str]:
    return {one.id: html[one.start : one.end] for top in cells_in(html) for one in top.all()}


def texts(html: str) -> dict[str, str]:
    """What every cell shows; lists are longer, and of another order, on a page that has been open."""
    found = {name: " ".join(html.split()) for name, html in cells(html).items() if "data-live-list" not in html}
    return {name: text for name, text in found.items() if name != "tournament-moved-on"}


def result(cup: Tournament) -> None:
    finish_matches(cup, most=1)
    services.results_append(tournament_id=cup.pk)


def round_over(cup: Tournament) -> None:
    finish_matches(cup)
    services.results_append(tournament_id=cup.pk)
    services.tournament_advance(tournament_id=cup.pk)


def announced(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(revision=F("revision") + 1)


def fault(cup: Tournament) -> None:
    left = cup.fixtures.exclude(match__state__in=["finished", "held"]).values("match")[:1]
    Match.objects.filter(pk__in=left).update(state="held", last_platform_fault="it died")
    announced(cup)


def layers_missing(cup: Tournament) -> None:
    worker_denied(name="w@host", missing=["landlock: not in this kernel."])
    announced(cup)


def workers_gone(cup: Tournament) -> None:
    WorkerPresence.objects.all().delete()
    announced(cup)


EVENTS: dict[str, tuple[Callable[[Tournament], Any], str]] = {
    "a match fails": (fault, "1 match is held"),
    "no worker is left": (workers_gone, "no worker is up"),
    "a layer is missing": (layers_missing, ""),
    "it is paused": (lambda cup: services.tournament_pause(tournament=cup), "Paused: no match begins"),
}


@pytest.mark.parametrize("role", RULING)
@pytest.mark.parametrize("event", EVENTS)
def test_who_runs_a_tournament_sees_at_once_what_they_alone_are_told(role: str, event: str) -> None:
    cup = swiss()
    result(cup)
    screen = Screen(cup, role)
    result(cup)
    screen.follow()
    assert screen.own == 0, "a result is everyone's"
    assert texts(screen.html) == texts(screen.fresh())
    cup.refresh_from_db()
    happens, words = EVENTS[event]
    happens(cup)
    screen.follow()
    assert screen.own == (event != "a layer is missing")
    assert texts(screen.html) == texts(screen.fresh())
    agenda = cells(screen.html)["agenda"]
    assert (words in agenda) == (role != "arbiter" or event == "it is paused") or not words
    screen.follow()
    assert screen.own == (event != "a layer is missing"), "once"
    assert words not in Client().get(reverse("tournaments:live", args=[cup.slug])).content.decode() or not words


@pytest.mark.parametrize("role", RULING)
@pytest.mark.parametrize("review", [True, False])
def test_a_round_that_waits_is_told_at_once_and_its_tables_are_shown_to_who_arranges_them(
    role: str, review: bool
) -> None:
    later = {} if review else {"round_minutes": 600}
    cup = swiss(has_round_review=review, **later)
    if review:
        services.round_start(played=cup.rounds.get())
    result(cup)
    screen = Screen(cup, role)
    round_over(cup)
    assert cup.rounds.filter(started_at=None).count() == 1
    screen.follow()
    owns = role != "arbiter"
    assert screen.own == 1
    assert ("Arrange and let it begin" in cells(screen.html)["agenda"]) == owns
    assert texts(screen.html)["agenda"] == texts(screen.fresh())["agenda"]
    drafts = f'id="f{cup.fixtures.filter(round__number=2).first().pk}"'  # type: ignore[union-attr]
    own, others = (
        client.get(reverse("tournaments:live", args=[cup.slug])).content.decode()
        for client in (screen.client, Client())
    )
    assert (drafts in own) == (owns or not review)
    assert (drafts in others) == (not review)
    services.tournament_pause(tournament=Tournament.objects.get(pk=cup.pk))
    screen.follow()
    assert ("Arrange and let it begin" in cells(screen.html)["agenda"]) == owns
    assert texts(screen.html)["agenda"] == texts(screen.fresh())["agenda"]


def test_bots_that_change_places_in_a_round_that_waits_are_seen_by_who_arranges_it() -> None:
    cup = swiss(has_round_review=True)
    screen = Screen(cup, "staff")
    one, other = (
        cup.entries.get(version=fixture.match.seats.first().version_id)  # type: ignore[union-attr]
        for fixture in cup.fixtures.order_by("table")[:2]
    )
    before = texts(screen.html)
    services.places_swap(played=cup.rounds.get(), by=cup.organiser, one=one, other=other, despite=[])
    screen.follow()
    assert screen.own == 1
    assert before != texts(screen.html) == texts(screen.fresh())


def test_the_stage_before_the_start_counts_the_bots_for_its_organiser() -> None:
    worker_up()
    cup = TournamentFactory(entries=3)
    screen = Screen(cup, "organiser")
    version = BotVersionFactory()
    services.entry_create(tournament=cup, bot=version.bot, by=version.bot.owner)
    screen.follow()
    assert screen.own == 1
    assert "4 bots are in" in cells(screen.html)["agenda"]
    services.tournament_lock(tournament=Tournament.objects.get(pk=cup.pk))
    screen.follow()
    assert screen.own == 2
    assert "4 bots will play" in cells(screen.html)["agenda"]


@pytest.mark.parametrize("role", RULING)
def test_who_rules_is_shown_the_rows_that_come_to_stand_on_the_page(role: str) -> None:
    cup = swiss()
    screen = Screen(cup, role)
    rows = ROW.findall(screen.html)
    # Of the three others one at least meets a row, and at most three bots win.
    finish_matches(cup, lambda table: [float(str(entry) not in rows) for entry in table])
    services.results_append(tournament_id=cup.pk)
    screen.follow()
    assert set(rows) != set(ROW.findall(screen.html)), "others have come"
    assert screen.own == 0
    assert texts(screen.html) == texts(screen.fresh())


def test_a_name_that_looks_like_a_place_or_a_tag_stays_one() -> None:
    cup = swiss()
    entry = cup.entries.select_related("bot").get(pk=ROW.findall(Screen(cup, "organiser").html)[0])
    caches["optional"].clear()
    type(entry.bot).objects.filter(pk=entry.bot_id).update(name="{id}<b>{name}")
    shown = Screen(cup, "organiser").fresh()
    assert "{id}&lt;b&gt;{name}</a>" in shown
    assert "<b>{name}" not in shown


@pytest.mark.parametrize("publication", [one for one in Publication if one != Publication.EVERYONE])
def test_of_what_is_not_everyones_strangers_are_not_even_told_when_it_changes(publication: str) -> None:
    cup = swiss(publication=publication)
    answer = Client().get(reverse("tournaments:live", args=[cup.slug])).content.decode()
    assert not MARK.findall(answer)


def test_every_match_that_fails_is_told() -> None:
    cup = swiss()
    screen = Screen(cup, "organiser")
    for held in (1, 2):
        fault(cup)
        screen.follow()
        assert f"{held} match" in cells(screen.html)["agenda"]
        assert cells(screen.html)["agenda"].count("it died") == screen.own == held
