"""A match that is held: its organiser and staff see why and can release it; nobody else sees it."""

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from matches.models import Match, MatchState, WorkerPresence
from matches.queue.worker_status import worker_seen
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.creating import match_of
from tests.matches.factories import SECRET, FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db

WHY = "PlatformFault: the zygote died <b>"


@pytest.fixture
def held() -> Match:
    bots = [BotVersionFactory(), BotVersionFactory()]
    match = match_of(
        ruleset="pickomino", options={}, versions=bots, secret=SECRET, blocks=1, limits={},
        organiser_id=UserFactory().pk,
    )  # fmt: skip
    Match.objects.filter(pk=match.pk).update(state=MatchState.HELD, platform_faults=5, last_platform_fault=WHY)
    match.refresh_from_db()
    return match


def page_for(client: Client, user: User | None, match: Match, name: str = "detail") -> str:
    client.logout()
    if user is not None:
        client.force_login(user)
    return client.get(reverse(f"matches:{name}", args=[match.pk])).content.decode()


@pytest.mark.parametrize("name", ["detail", "cells"])
def test_its_organiser_and_staff_read_why_and_nobody_else_does(client: Client, held: Match, name: str) -> None:
    organiser = User.objects.get(pk=held.organiser_id)
    author = held.seats.all()[0].version.bot.owner
    for user in (organiser, UserFactory(is_staff=True)):
        assert "the zygote died &lt;b&gt;" in page_for(client, user, held, name)
    for user in (None, UserFactory(), author):
        assert "zygote" not in page_for(client, user, held, name)


def test_staff_find_held_matches_and_release_or_call_them_off(client: Client, held: Match) -> None:
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    address = reverse("admin:matches_match_changelist")
    other = MatchFactory()
    found = client.get(address, {"state__exact": "held", "q": "zygote"}).content.decode()
    assert "the zygote died &lt;b&gt;" in found
    assert f"/{held.pk}/change" in found
    assert f"/{other.pk}/change" not in found
    chosen = {"action": "release", "_selected_action": [held.pk, other.pk], "confirmed": "1"}
    done = client.post(address, chosen, follow=True)
    assert "Done for 1 row." in done.content.decode()
    held.refresh_from_db()
    assert (held.state, held.platform_faults) == (MatchState.QUEUED, 0)
    client.post(address, {"action": "call_off", "_selected_action": [held.pk], "confirmed": "1"})
    held.refresh_from_db()
    other.refresh_from_db()
    assert (held.state, other.state) == (MatchState.CANCELLED, MatchState.QUEUED)


def test_staff_without_leave_to_change_matches_look_only(client: Client, held: Match) -> None:
    client.force_login(UserFactory(is_staff=True))
    address = reverse("admin:matches_match_changelist")
    client.post(address, {"action": "release", "_selected_action": [held.pk], "confirmed": "1"})
    held.refresh_from_db()
    assert held.state == MatchState.HELD


def test_no_page_of_the_admin_shows_the_secret_of_a_match(client: Client, held: Match) -> None:
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    html = client.get(reverse("admin:matches_match_change", args=[held.pk])).content.decode()
    assert "zygote" in html
    assert "secret" not in html.lower()
    assert SECRET.hex() not in html


def test_the_operator_finds_workers_whose_clock_is_wrong(client: Client) -> None:
    for name, ahead in (("right@host", 0.4), ("wrong@host", -3600.0)):
        worker_seen(name=name)
        WorkerPresence.objects.filter(name=name).update(clock_ahead=ahead)
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    html = client.get(reverse("admin:matches_workerpresence_changelist"), {"clock": "wrong"}).content.decode()
    assert "wrong@host" in html
    assert "-3600 s" in html
    assert "right@host" not in html


def test_the_games_of_a_match_that_goes_on_keep_their_seeds(client: Client) -> None:
    match = FinishedMatchFactory(blocks=2)
    seed = page_for(client, None, match).count("seed")
    record = reverse("matches:record", args=[match.pk, 0, "json"])
    assert client.get(record).status_code == 200
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.QUEUED, finished_at=None, blocks_kept=1, blocks_played=None
    )
    assert client.get(record).status_code == 404
    assert client.get(reverse("api-matches:games", args=[match.pk])).json()["count"] == 0
    assert page_for(client, None, match).count("seed") < seed
