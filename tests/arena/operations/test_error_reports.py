"""Reports to Sentry have the place and kind of a failure, and no personal data."""

import json
import os
import socket
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.operations.error_reports import IDS, _event_sent
from tests.browser.running import ROOT

SECRET = "hen-s-own-secret"


@pytest.fixture(scope="module")
def sent() -> str:
    """All that a failing view, a failing task and two lines of a log make Sentry's client send."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.arena.operations.reporting"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings.test"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return ran.stdout


@pytest.mark.processes
def test_reports_have_no_personal_data(sent: str) -> None:
    for word in (SECRET, 'example.org"', "192.0.2.77", "peck_", "sessionid", "Authorization", "password", "def act"):
        assert word not in sent, word
    assert socket.gethostname() not in sent
    assert str(ROOT) not in sent


@pytest.mark.processes
def test_a_report_has_the_place_of_the_failure_and_the_ids_of_the_log(sent: str) -> None:
    events = [json.loads(line) for line in sent.splitlines() if '"event_id"' in line and '"level"' in line]
    view, task, ours, strange = events
    assert view["exception"]["values"][-1]["type"] == "ValueError"
    assert view["exception"]["values"][-1]["stacktrace"]["frames"][-1]["function"] == "fail"
    assert view["transaction"].endswith("fail")
    assert len(view["tags"]["request_id"]) == 32
    assert task["exception"]["values"][-1]["type"] == "KeyError"
    assert task["transaction"] == "tests.fail"
    assert ours["logentry"]["message"] == "match %d of %s is void"
    assert (strange["logger"], strange.get("logentry")) == ("strange", None)


anything: Any = st.recursive(
    st.just(SECRET), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner)
)
NAMES = ["request", "user", "extra", "contexts", "breadcrumbs", "server_name", "modules", "message", "threads", "sdk"]


@given(st.dictionaries(st.sampled_from([*NAMES, "logentry", "tags", "transaction"]), anything), anything, anything)
def test_only_listed_data_is_reported(event: dict[str, Any], value: Any, variables: Any) -> None:
    raised = {"type": "ValueError", "value": value, "stacktrace": {"frames": [{"lineno": 1, "vars": variables}]}}
    report = _event_sent({**event, "exception": {"values": [raised]}}, {})
    assert SECRET not in json.dumps(report)
    assert report["tags"].keys() <= set(IDS)


@pytest.mark.parametrize("event", [{}, {"exception": None}, {"exception": {"values": None}}])
def test_an_incomplete_event_is_reported(event: dict[str, Any]) -> None:
    assert "tags" in _event_sent(event, {})
