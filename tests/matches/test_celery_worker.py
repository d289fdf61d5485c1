"""A worker where bots cannot be caged, and one that is there to play."""

import logging
import subprocess
import sys
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from matches.models import WorkerPresence
from matches.tasks import matches_sweep_task
from matches.worker.celery_worker import EXIT_CANNOT_CAGE, celery_worker_refuse_without_cage
from sandbox import Backend, Layer, LayerReport
from tests.matches.factories import MatchFactory, leased
from tests.matches.test_leases import lapse

DENIED = LayerReport(
    (Layer("seccomp", True, "x86_64"), Layer("landlock", False, "not in this kernel", "Use Linux 5.13."))
)

WORKER_WITHOUT_A_CAGE = """
from unittest.mock import patch
from celery.__main__ import main
from sandbox import Layer, LayerReport
report = LayerReport((Layer("landlock", False, "not in this kernel", "Use Linux 5.13."),))
with patch("sandbox.cage.layers_probe", return_value=report):
    main()
"""


WORKER_ON_A_LESSER_MACHINE = """
import sys
from celery.__main__ import main
from tests.sandbox.missing_layer import take_away
take_away(sys.argv.pop(1), "bwrap")
main()
"""


def instance(*queues: str) -> Any:
    """As much of a Celery worker as the handlers look at."""
    return SimpleNamespace(app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues))))


@pytest.mark.django_db
def test_a_worker_of_bots_that_cannot_cage_them_says_what_is_missing_and_ends(
    caplog: pytest.LogCaptureFixture,
) -> None:
    denied = patch("sandbox.cage.layers_probe", return_value=DENIED)
    with denied, caplog.at_level(logging.CRITICAL), pytest.raises(SystemExit) as ended:
        celery_worker_refuse_without_cage("w@host", instance("books", "matches"))
    assert ended.value.code == EXIT_CANNOT_CAGE
    assert "landlock: not in this kernel. Use Linux 5.13." in caplog.text
    assert "seccomp" not in caplog.text
    assert WorkerPresence.objects.get(name="w@host").denied.startswith("landlock")


def test_a_worker_that_cages_bots_in_the_slower_way_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with patch("matches.worker.celery_worker.Cage.open") as opened, caplog.at_level(logging.WARNING):
        opened.return_value.__enter__.return_value.backend = Backend.BWRAP
        celery_worker_refuse_without_cage("w@host", instance("matches"))
    assert "by way of bwrap" in caplog.text


def test_a_results_worker_needs_no_cage() -> None:
    with patch("sandbox.cage.layers_probe", return_value=DENIED):
        celery_worker_refuse_without_cage("w@host", instance("books"))


# How each layer is found missing is seen in tests/sandbox/test_layers.py.
@pytest.mark.processes
@pytest.mark.parametrize(
    "layer", ["landlock", *(pytest.param(one, marks=pytest.mark.slow) for one in ("user namespace", "seccomp"))]
)
def test_a_worker_on_a_machine_that_lacks_a_layer_names_it_and_ends(layer: str) -> None:
    arguments = [layer, "-A", "arena.celery_app", "worker", "--pool=solo", "--queues=matches"]
    command = [sys.executable, "-c", WORKER_ON_A_LESSER_MACHINE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == EXIT_CANNOT_CAGE, done.stderr[-2000:]
    assert f"this machine lacks {layer}: " in done.stdout + done.stderr


@pytest.mark.processes
def test_a_worker_without_a_cage_ends_before_it_takes_a_task() -> None:
    arguments = ["-A", "arena.celery_app", "worker", "--pool=solo", "--queues=matches"]
    command = [sys.executable, "-c", WORKER_WITHOUT_A_CAGE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == EXIT_CANNOT_CAGE
    assert "landlock: not in this kernel. Use Linux 5.13." in done.stdout + done.stderr


@pytest.mark.django_db
def test_a_sweep_returns_what_a_dead_worker_held() -> None:
    match = MatchFactory()
    leased(match)
    lapse(match)
    matches_sweep_task()
    match.refresh_from_db()
    assert match.state == "queued"
