"""Probes: they answer every client through every proxy, and say the truth of the database."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.test import Client

from arena.operations import health
from arena.operations.health import ProbeMiddleware
from tests.waiting import eventually

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "reachable_silent_servers", lambda _patience: {})


def fetch(client: Client, address: str, **more: Any) -> tuple[int, dict[str, Any]]:
    answer = client.get(address, **more)
    return answer.status_code, answer.json()


def test_a_probe_by_number_and_without_tls_is_answered(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["peck.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    assert fetch(client, "/healthz", headers={"host": "10.1.2.3:8000"}) == (200, {"status": "ok"})
    status, data = fetch(client, "/readyz", headers={"host": "10.1.2.3:8000"})
    assert (status, data["status"]) == (200, "ok")
    assert client.get("/", headers={"host": "10.1.2.3:8000"}).status_code != 200


def test_without_its_database_it_is_alive_and_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object) -> None:
        raise OperationalError("no route to host")

    monkeypatch.setattr(connections["default"], "cursor", away)
    assert fetch(client, "/healthz")[0] == 200
    status, data = fetch(client, "/readyz")
    assert (status, data["status"], data["database"]) == (503, "unavailable", False)
    assert "route" not in str(data)


def test_a_database_that_lacks_a_migration_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_args: ["one"])
    status, data = fetch(client, "/readyz")
    assert (status, data["database"], data["migrations"]) == (503, True, False)


def test_an_unreachable_server_is_reported_and_does_not_change_readiness(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "reachable_silent_servers", lambda _patience: {"REDIS_URL": "refused"})
    status, data = fetch(client, "/readyz")
    assert (status, data["servers"]) == (200, False)
    assert "refused" not in str(data)


def test_frequent_probes_get_the_cached_answer(monkeypatch: pytest.MonkeyPatch, rf: Any) -> None:
    looks: list[float] = []
    monkeypatch.setattr(health, "reachable_silent_servers", lambda patience: looks.append(patience) or {})
    now = 100.0
    monkeypatch.setattr(health.time, "monotonic", lambda: now)
    probe: Callable[..., Any] = ProbeMiddleware(lambda _request: pytest.fail("it goes no further"))
    for _ in range(50):
        assert probe(rf.get("/readyz")).status_code == 200
    assert len(looks) == 1
    now += health.LOOK_EVERY
    probe(rf.get("/readyz"))
    assert len(looks) == 2


def test_while_somebody_looks_the_others_are_given_the_last_answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    readiness, looks, go_on = health.Readiness(), [], threading.Event()

    def slow(_patience: float) -> dict[str, str]:
        looks.append(1)
        assert len(looks) == 1 or go_on.wait(60)
        return {}

    monkeypatch.setattr(health, "reachable_silent_servers", slow)
    monkeypatch.setattr(readiness, "_database", lambda: True)
    first = readiness.found()
    monkeypatch.setattr(readiness, "_until", 0.0)
    looking = threading.Thread(target=readiness.found)
    looking.start()
    assert eventually(lambda: len(looks) == 2)
    assert [readiness.found() for _ in range(20)] == [first] * 20
    go_on.set()
    looking.join(60)
    assert len(looks) == 2


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_nothing_is_written_by_a_probe(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405
    assert "Set-Cookie" not in client.get(address).headers


def test_a_stopping_process_is_alive_and_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = threading.Event()
    monkeypatch.setattr(health, "LEAVING", leaving)
    assert fetch(client, "/readyz")[0] == 200
    leaving.set()
    status, data = fetch(client, "/readyz")
    assert (status, data["status"], data["database"]) == (503, "leaving", True)
    assert fetch(client, "/healthz") == (200, {"status": "ok"})
