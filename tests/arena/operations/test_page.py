"""The page of operators: for staff alone, and it shows who plays, who cannot, and what waits."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.operations.metrics import metrics_backup_note
from games.catalogue import BROKEN
from matches.models import WorkerPresence
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.matches.factories import MatchFactory

pytestmark = pytest.mark.django_db


def test_it_is_for_staff_alone(client: Client) -> None:
    assert client.get("/operations/").status_code == 302
    client.force_login(UserFactory(is_organiser=True))
    assert client.get("/operations/").status_code == 403


def test_it_shows_waiting_work_and_workers(client: Client) -> None:
    now = timezone.now()
    MatchFactory()
    WorkerPresence.objects.create(name="barn-1", seen_at=now + timedelta(hours=1), slots=3, clock_ahead=-7.5)
    WorkerPresence.objects.create(name="barn-2", seen_at=now - timedelta(hours=1))
    WorkerPresence.objects.create(name="barn-3", seen_at=now, slots=0, denied="namespaces: <get> a kernel")
    client.force_login(UserFactory(is_staff=True))
    page = client.get("/operations/").content.decode()
    workers = ("barn-1", "-7.5&nbsp;s", "playing", "barn-2", "offline", "barn-3", "no sandbox", "&lt;get&gt; a kernel")
    for text in workers:
        assert text in page


def test_it_begins_with_what_needs_attention(client: Client) -> None:
    WorkerPresence.objects.create(name="barn-1", seen_at=timezone.now() + timedelta(hours=1))
    client.force_login(UserFactory(is_staff=True))
    assert 'href="#data"' in client.get("/operations/").content.decode()
    metrics_backup_note(size=1, sha256="0" * 64)
    page = client.get("/operations/").content.decode()
    assert "All systems normal." in page
    assert "Needs attention" not in page
    WorkerPresence.objects.update(clock_ahead=-7.5)
    page = client.get("/operations/").content.decode()
    assert 'href="#workers"' in page
    assert "All systems normal." not in page


def test_it_takes_at_most_twelve_queries(client: Client) -> None:
    for number in range(3):
        MatchFactory()
        WorkerPresence.objects.create(name=f"barn-{number}", seen_at=timezone.now() + timedelta(hours=1))
    client.force_login(UserFactory(is_staff=True))
    client.get("/operations/")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/operations/").status_code == 200
    assert len(queries) <= 12, len(queries)


def test_a_game_that_is_left_out_is_listed_with_what_is_wrong(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.force_login(UserFactory(is_staff=True))
    assert "Disabled games" not in client.get("/operations/").content.decode()
    monkeypatch.setitem(BROKEN, "pig", "ImportError: <gone> (a-package 1.2)")  # type: ignore[arg-type]
    page = client.get("/operations/")
    assert_clean_page(page)
    assert "ImportError: &lt;gone&gt; (a-package 1.2)" in page.content.decode()
