"""The figures of ``make load``: what counts as an answer, as a delivery, and as too slow."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from channels.layers import channel_layers

from benchmarks.load import visitors
from benchmarks.load.figures import Load, Notes, percentile
from benchmarks.load.spectators import OF_TOURNAMENT, deliveries_note, publications
from benchmarks.load.visitors import FILES, Address
from live import hub_announce
from tests.brokers import Broker
from tests.waiting import eventually


@pytest.mark.parametrize(("share", "value"), [(0.5, 51), (0.95, 96), (0.99, 100), (1.0, 100)])
def test_a_percentile_is_a_value_that_was_measured(share: float, value: float) -> None:
    assert percentile(range(100, 0, -1), share) == value


def test_without_values_there_is_nothing_to_show() -> None:
    assert percentile([], 0.95) == 0


def test_each_viewer_is_timed_until_a_publication_or_a_later_one_arrives() -> None:
    notes = Notes()
    deliveries_note(notes, [10.0, 11.0], [[9.0, 10.01, 11.03], [10.02, 11.5], [11.04]])
    assert notes.taken[OF_TOURNAMENT] == pytest.approx([10, 30, 20, 500, 1040, 40])
    assert not notes.errors


def test_a_viewer_who_receives_nothing_after_a_publication_is_an_error() -> None:
    notes = Notes()
    deliveries_note(notes, [10.0, 11.0], [[10.01], []])
    assert len(notes.taken[OF_TOURNAMENT]) == 1
    assert sum(notes.errors.values()) == 3


def test_a_viewer_may_receive_a_publication_before_it_is_recorded() -> None:
    notes = Notes()
    deliveries_note(notes, [10.0, 11.0], [[10.01, 10.999]])
    assert notes.taken[OF_TOURNAMENT] == pytest.approx([10, 0])
    assert not notes.errors


def test_announcements_of_a_worker_are_noted_when_published(tmp_path: Path, settings: Any) -> None:
    address = f"unix://{tmp_path / 'valkey.sock'}"
    layer = {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [{"address": address}]}}
    with Broker(tmp_path / "valkey.sock"):
        settings.CHANNEL_LAYERS = {"default": layer}
        channel_layers.backends.clear()
        with publications(address, "tournament.5") as times:
            hub_announce("tournament.5", "tournament.6")
            hub_announce("tournament.5")
            assert eventually(lambda: len(times) == 2)
    channel_layers.backends.clear()


def test_files_and_pages_are_in_different_groups() -> None:
    names = ["tournaments:detail", "tournaments:export standings.csv (knockout)", "api-bots:list", "home"]
    assert [Address.of(name, "/").group for name in names] == ["tournaments", FILES, "api-bots", "site"]


def load(ms: float) -> Load:
    notes = Notes()
    for _ in range(20):
        notes.note("site", ms / 1000)
        notes.note(OF_TOURNAMENT, ms / 1000)
    return Load(60, notes, ["site"], [OF_TOURNAMENT], {"web": 0.5}, (20.0, 10.0), "all on one core")


@pytest.mark.parametrize(("ms", "met"), [(199.0, 2), (201.0, 0)])
def test_a_value_below_the_bar_meets_it(ms: float, met: int) -> None:
    assert load(ms).table().count(": met") == met
    assert load(ms).table().count("NOT MET") == 2 - met


def test_a_failed_request_is_no_quick_answer() -> None:
    one = load(10)
    one.notes.fail("site", "503")
    assert one.table().count(": met") == 2
    one.notes.fail("site", "503")
    assert one.table().count("NOT MET") == 1  # two of 22: more than one in twenty


def test_a_bar_that_nothing_was_measured_for_is_not_met() -> None:
    assert Load(60, Notes(), ["site"], [OF_TOURNAMENT], {}, (0.0, 0.0), "").table().count("NOT MET") == 2


def test_the_report_has_errors_ratio_and_work_of_each_group() -> None:
    one = load(10)
    one.notes.fail("site", "503")
    text, data = one.table(), one.as_dict()
    assert "1 503 (site)" in text
    assert "(0.50 of that)" in text
    assert "web             0.50" in text
    assert json.loads(json.dumps(data))["errors"] == {"site: 503": 1}
    assert data["groups"]["site"] == {"answers": 20, "p50": 10.0, "p95": 10.0, "p99": 10.0, "most": 10.0}


@pytest.mark.parametrize("since", [0.0, 60.0])
async def test_a_page_that_does_not_come_is_an_error(since: float, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(3600)
        return httpx.Response(200)

    monkeypatch.setattr(visitors, "PATIENCE", 0.2)
    notes = Notes()
    async with httpx.AsyncClient(transport=httpx.MockTransport(never)) as client:
        data = {"method": "GET", "url": "http://site/"}
        assert await visitors.send(client, notes, "site", time.perf_counter() - since, **data) is None
    assert not notes.taken
    assert notes.errors == {("site", "no answer in time"): 1}
