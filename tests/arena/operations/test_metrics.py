"""Metrics require a token and show the state of the work; dashboard and alerts use no others."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from arena.operations.metrics import metrics_queues
from matches.models import Contest, Match, MatchState, WorkerPresence
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
MONITORING = ROOT / "deploy" / "monitoring"
AGO = timedelta(minutes=10)


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.METRICS_TOKEN = "a token"


def read(client: Client) -> dict[tuple[str, str], float]:
    """Return each sample by its name and the value of its one label."""
    answer = client.get("/metrics", headers={"authorization": "Bearer a token"})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.parametrize("shown", [None, "Bearer ", "Bearer a toke", "Bearer a token2", "Basic a token", "Bearer é"])
def test_without_the_token_there_is_nothing(client: Client, shown: str | None) -> None:
    headers = {"authorization": shown} if shown is not None else {}
    assert client.get("/metrics", headers=headers).status_code == 404
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert client.get("/metrics", headers=headers).status_code == 404


def test_a_site_that_has_no_token_has_no_metrics(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    for shown in ("Bearer ", "Bearer", ""):
        assert client.get("/metrics", headers={"authorization": shown}).status_code == 404


def test_metrics_have_the_age_of_queues(client: Client) -> None:
    old = timezone.now() - AGO
    waiting, playing, held = MatchFactory(), MatchFactory(), MatchFactory()
    Match.objects.filter(pk=waiting.pk).update(released_at=old)
    Match.objects.filter(pk=playing.pk).update(state=MatchState.RUNNING, lease_expires_at=old)
    Match.objects.filter(pk=held.pk).update(state=MatchState.HELD, released_at=old)
    Contest.objects.create(name="tournament.1", news_at=old)
    BotVersionFactory(open=True)
    metrics = read(client)
    assert metrics["pecking_queue_waiting", "matches"] == 1
    assert metrics["pecking_queue_oldest_seconds", "matches"] == pytest.approx(600, abs=60)
    assert metrics["pecking_queue_claimed", "matches"] == metrics["pecking_queue_expired", "matches"] == 1
    assert metrics["pecking_queue_oldest_seconds", "books"] == pytest.approx(600, abs=60)
    assert metrics["pecking_queue_waiting", "checks"] == 1
    assert metrics["pecking_queue_waiting", "hooks"] == metrics["pecking_queue_oldest_seconds", "hooks"] == 0


def test_metrics_have_workers_and_their_clocks(client: Client) -> None:
    now = timezone.now()
    WorkerPresence.objects.create(name="one", seen_at=now + AGO, slots=3, clock_ahead=-7.5)
    WorkerPresence.objects.create(name="gone", seen_at=now - AGO, slots=5, clock_ahead=9)
    WorkerPresence.objects.create(name="bare", seen_at=now + AGO, slots=0, denied="namespaces: get a kernel")
    metrics = read(client)
    assert (metrics["pecking_workers", ""], metrics["pecking_worker_slots", ""]) == (1, 3)
    assert metrics["pecking_workers_denied", ""] == 1
    assert metrics["pecking_worker_clock_ahead_seconds", "one"] == -7.5
    assert ("pecking_worker_clock_ahead_seconds", "gone") not in metrics


def test_metrics_have_recent_matches_and_their_faults(client: Client) -> None:
    crashes = BotVersionFactory(source=b"def act(view):\n    raise ValueError\n")
    recent = FinishedMatchFactory(seats=[crashes, BotVersionFactory()])
    old = FinishedMatchFactory(seats=[crashes, BotVersionFactory()])
    Match.objects.filter(pk=old.pk).update(finished_at=timezone.now() - AGO)
    Match.objects.filter(pk=recent.pk).update(finished_at=timezone.now(), worker_speed=0.8)
    metrics = read(client)
    assert metrics["pecking_matches_lately", ""] == 1
    assert metrics["pecking_worker_speed", ""] == pytest.approx(0.8)
    assert metrics["pecking_faults_lately", "crashed"] >= 1


def test_reading_the_queues_costs_the_same_whatever_waits(django_assert_num_queries: Any) -> None:
    for _ in range(3):
        MatchFactory()
    with django_assert_num_queries(1):
        assert len(list(metrics_queues())) == 4


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:pecking|django)_[a-z_]+", text))


def test_dashboard_and_alerts_use_existing_metrics(client: Client) -> None:
    crashes = BotVersionFactory(source=b"def act(view):\n    raise ValueError\n")
    played = FinishedMatchFactory(seats=[crashes, BotVersionFactory()])
    Match.objects.filter(pk=played.pk).update(finished_at=timezone.now(), worker_speed=1.0)
    WorkerPresence.objects.create(name="one", seen_at=timezone.now() + AGO)
    client.get("/")
    there = {name for name, _label in read(client)}
    panels = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    names = {name for panel in panels for target in panel["targets"] for name in names_in(target["expr"])}
    names |= names_in((MONITORING / "alerts.yml").read_text())
    assert len(names) > 8
    assert names <= there, names - there
    unnamed = {name for name in there if name.startswith("pecking")} - names_in(
        (ROOT / "docs/how-to/monitor.md").read_text()
    )
    assert not unnamed, "docs/how-to/monitor.md says nothing of them"


def test_every_alert_says_what_to_do() -> None:
    alerts = re.findall(r"alert: (\w+)", (MONITORING / "alerts.yml").read_text())
    documented = re.findall(r"^\*\*(\w+)\.\*\*", (ROOT / "docs/how-to/monitor.md").read_text(), re.MULTILINE)
    assert alerts
    assert documented == alerts
