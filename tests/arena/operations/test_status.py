"""The public page of the site's status: what it says, what it never says, and what it costs."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.operations import views
from arena.operations.models import Incident
from arena.operations.views import StatusCache
from leagues.services import league_pause
from matches.models import Match
from matches.queue.worker_status import worker_seen, worker_status_denied
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.leagues.factories import open_league
from tests.matches.factories import MatchFactory
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.services import tournament_pause

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def status_cache(monkeypatch: pytest.MonkeyPatch) -> StatusCache:
    """Nothing of another test."""
    fresh = StatusCache()
    monkeypatch.setattr(views, "STATUS_CACHE", fresh)
    return fresh


def read(client: Client) -> str:
    page = client.get("/status/")
    assert page.status_code == 200
    assert_clean_page(page)
    return " ".join(page.content.decode().split())


def number(page: str, label: str) -> int:
    """Of the figures the one with this label."""
    return int(page.partition(f"<dt>{label}</dt><dd>")[2].partition("<")[0])


def test_a_quiet_site_works(client: Client) -> None:
    worker_seen(name="barn-1")
    page = read(client)
    for text in ("All systems normal.", "No incidents reported."):
        assert text in page
    assert [number(page, label) for label in ("Matches waiting", "Uploads waiting", "Workers online")] == [0, 0, 1]


def test_an_earlier_status_is_not_shown_when_it_cannot_be_read(client: Client) -> None:
    assert "must-revalidate" in client.get("/status/")["Cache-Control"]


def test_it_shows_waiting_work_paused_contests_and_incidents(client: Client) -> None:
    worker_seen(name="barn-1")
    MatchFactory()
    Match.objects.update(released_at=timezone.now() - timedelta(minutes=25))
    cup = tournament_pause(tournament=running_tournament(entries=3, name="Harvest Cup"))
    league = league_pause(league=open_league(bots=1))
    now = timezone.now()
    Incident.objects.create(text="Uploads were <b>slow</b>", began_at=now - timedelta(days=2), ended_at=now)
    Incident.objects.create(text="Letters are late", began_at=now - timedelta(hours=1))
    Incident.objects.create(text="Long ago", began_at=now - timedelta(days=90), ended_at=now - timedelta(days=80))
    Incident.objects.create(text="Next week", began_at=now + timedelta(days=7))
    page = read(client)
    for text in ("some work has been waiting", "longest 25 min", cup.name, league.name):
        assert text in page
    assert (number(page, "Matches waiting"), number(page, "Workers online")) == (1, 1)
    for text in ("Uploads were &lt;b&gt;slow", "Letters are late", "ongoing"):
        assert text in page
    for unsaid in ("Long ago", "Next week"):
        assert unsaid not in page


def test_without_a_worker_it_says_that_matches_are_paused(client: Client) -> None:
    MatchFactory()
    page = read(client)
    assert page.count("Matches are paused: no workers are online.") == 2  # in the notice and in the footer
    assert "All systems normal" not in page


def test_without_a_worker_an_idle_site_does_not_say_that_all_is_well(client: Client) -> None:
    page = read(client)
    assert page.count("No workers are online: new matches will wait.") == 2
    assert "All systems normal" not in page


def test_it_names_no_machine_version_or_path_and_no_draft(client: Client) -> None:
    MatchFactory()
    worker_status_denied(name="barn-9.internal", missing=["landlock: not in the kernel 5.4.0. Boot /boot/vmlinuz"])
    TournamentFactory(name="Secret Cup", state="draft")
    page = read(client)
    for word in ("barn-9", "landlock", "5.4.0", "/boot", "Secret Cup"):
        assert word not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_simultaneous_requests_compute_the_status_once(
    language: str, client: Client, status_cache: StatusCache
) -> None:
    read(client)
    with CaptureQueriesContext(connection) as queries:
        for _visitor in range(20):
            Client(headers={"accept-language": language}).get("/status/")
    assert len(queries) == 0
    MatchFactory()
    assert number(read(client), "Matches waiting") == 0
    status_cache._until = 0.0
    assert number(read(client), "Matches waiting") == 1


def test_others_get_the_cached_status_while_it_is_computed(
    status_cache: StatusCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, looks = threading.Event(), threading.Event(), []

    def look() -> Any:
        looks.append(1)
        if len(looks) > 1:
            begun.set()
            go_on.wait(60)
        return f"look {len(looks)}"

    monkeypatch.setattr("arena.operations.views.operations_status", look)
    assert status_cache.status() == "look 1"
    status_cache._until = 0.0
    other = threading.Thread(target=status_cache.status)
    other.start()
    assert begun.wait(60)
    assert [status_cache.status() for _ in range(5)] == ["look 1"] * 5
    go_on.set()
    other.join()
    assert (status_cache.status(), len(looks)) == ("look 2", 2)


def test_a_failed_computation_is_repeated(status_cache: StatusCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr("arena.operations.views.operations_status", fail)
        for _try in range(2):
            with pytest.raises(ConnectionError):
                status_cache.status()
    worker_seen(name="barn-1")
    assert status_cache.status().is_well


def test_staff_report_incidents_in_the_admin(client: Client) -> None:
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    typed = {"text": "Letters are late", "began_at_0": "2026-11-23", "began_at_1": "08:00:00"}
    client.post("/admin/operations/incident/add/", typed | {"ended_at_0": "", "ended_at_1": ""})
    assert Incident.objects.get().text == "Letters are late"


def test_an_incident_does_not_end_before_it_began() -> None:
    now = timezone.now()
    wrong = Incident(text="x", began_at=now, ended_at=now - timedelta(hours=1))
    with pytest.raises(ValidationError):
        wrong.full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        wrong.save()
