"""An event from its draft to its certificates: its organiser creates it, then only time passes, and nobody is signed
in."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Match, MatchState
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.matches.factories import games_of, leased, written
from tests.tournaments.factories import TournamentFactory, bot_of
from tests.tournaments.test_forms import typed
from tests.tournaments.time_travel import pass_time
from tournaments.models import FINAL, Publication, Tournament
from tournaments.services import ceremony_announce, entry_create, round_plan_set
from tournaments.services.sweep import entries_open_due

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
BEAT = ("tournaments.sweep", "matches.sweep", "matches.end_broadcasts", "notices.email", "hooks.deliver")
CALENDAR = {"entries_open_at": 1, "entries_close_at": 30, "first_round_at": 31}  # hours from now


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    caches["optional"].clear()
    current_app.loader.import_default_modules()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def beat() -> None:
    """What the clock of the site and its workers do between two looks at it."""
    for name in BEAT:
        current_app.tasks[name]()
    for match in Match.objects.filter(state=MatchState.QUEUED):
        assert written(leased(match), games_of(match))
    for name in BEAT:
        current_app.tasks[name]()


def created() -> Tournament:
    """A draft that its organiser writes on the form, with its times, its final on show and its ceremony; they sign
    out then."""
    client, organiser = Client(), OrganiserFactory()
    client.force_login(organiser)
    now = timezone.now().replace(second=0, microsecond=0)
    times = {name: f"{now + hours * HOUR:%Y-%m-%dT%H:%M}" for name, hours in CALENDAR.items()}
    data = {"format": "single_elimination", "blocks": 1, "publication": "hidden", "time_zone": "UTC", **times}
    answer = client.post(reverse("tournaments:create"), typed(**data))
    assert answer.status_code == 302, answer.context["form"].errors
    cup = Tournament.objects.get()
    round_plan_set(tournament=cup, stage=1, place=FINAL, premieres_at=now + 40 * HOUR, tempo="highlights")
    ceremony_announce(tournament=cup, planned_at=now + 45 * HOUR, pace=5)
    Session.objects.all().delete()
    return cup


def state(cup: Tournament) -> str:
    cup.refresh_from_db()
    return cup.state


def test_an_event_runs_from_its_draft_to_its_certificates_with_nobody_signed_in() -> None:
    cup = created()
    seen: list[tuple[str, str]] = []
    for hour in range(48):
        beat()
        if hour == 2:
            for _ in range(4):
                bot = bot_of(UserFactory())
                entry_create(tournament=cup, bot=bot, by=bot.owner)
        if not seen or seen[-1] != (state(cup), cup.publication):
            seen.append((cup.state, cup.publication))
        pass_time(HOUR)
    for _ in range(6):  # the ceremony goes on in seconds
        beat()
        pass_time(timedelta(seconds=20))
    assert [one for one, _ in seen][:4] == ["draft", "open", "locked", "running"]
    assert ("finished", Publication.HIDDEN) in seen
    assert (state(cup), cup.publication) == ("finished", Publication.EVERYONE)
    assert not Session.objects.exists()
    page = Client().get(reverse("tournaments:certificates", args=[cup.slug])).content.decode()
    assert page.count('<article class="certificate">') == 4
    final = Match.objects.filter(fixture__round=cup.rounds.last()).get()
    assert final.airs_at is not None
    assert final.premieres_at is not None
    assert final.airs_at >= final.premieres_at


def drafted(**times: datetime) -> Tournament:
    return TournamentFactory(state="draft", **times)


def test_a_draft_opens_at_its_time_once_and_not_before() -> None:
    cup = drafted(entries_open_at=timezone.now() + HOUR)
    assert (entries_open_due(), state(cup)) == (0, "draft")
    pass_time(HOUR)
    assert (entries_open_due(), state(cup)) == (1, "open")
    assert (entries_open_due(), state(cup)) == (0, "open")
    assert list(cup.chain.values_list("kind", flat=True)) == ["terms", "secret"]


def test_a_draft_without_a_time_waits_for_its_organiser() -> None:
    cup = drafted(first_round_at=timezone.now() - HOUR)
    assert (entries_open_due(), state(cup)) == (0, "draft")


def test_one_that_cannot_open_costs_the_others_nothing() -> None:
    past = timezone.now() - HOUR
    old, good = drafted(entries_open_at=past, ruleset="pickomino/0"), drafted(entries_open_at=past)
    assert (entries_open_due(), state(old), state(good)) == (1, "draft", "open")


@pytest.mark.parametrize(
    ("hours", "field"),
    [
        ({"entries_open_at": 3, "entries_close_at": 2}, "entries_close_at"),
        ({"entries_open_at": 3, "first_round_at": 2}, "first_round_at"),
        ({"entries_open_at": -1}, "entries_open_at"),
    ],
)
def test_entries_open_before_they_close_and_before_the_first_round(hours: dict[str, int], field: str) -> None:
    client, now = Client(), timezone.now()
    client.force_login(OrganiserFactory())
    times: dict[str, Any] = {name: f"{now + hour * HOUR:%Y-%m-%dT%H:%M}" for name, hour in hours.items()}
    answer = client.post(reverse("tournaments:create"), typed(**times))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
