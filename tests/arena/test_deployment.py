"""What the files in `deploy` name is there: commands, queues, settings, probes; and no program has idle rights."""

import json
import re
import shlex
from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.db import connection
from django.utils import timezone

from arena.operations.health import ALIVE, READY
from arena.operations.metrics import metrics_queues
from bots.models import BotVersion, VersionState
from matches.models import Contest, Match, MatchState
from sandbox.inside import linux
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import MatchFactory

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
STORES = {"postgres", "valkey"}
CAGED = {"matches", "checks"}
IMAGE_UID = int(re.findall(r"--uid (\d+)", (DEPLOY / "containers/Containerfile").read_text())[0])


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "containers/compose.yaml").read_text())
    return loaded


def manifests() -> list[dict[str, Any]]:
    files = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    return [one for file in files for one in yaml.safe_load_all(file.read_text())]


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    """The programs in Kubernetes by name."""
    for one in manifests():
        if one["kind"] in ("Deployment", "Job"):
            pod = one["spec"]["template"]["spec"]
            yield pod["containers"][0]["name"], pod


def commands() -> dict[str, dict[str, list[str]]]:
    """By the way of deployment and the program."""
    composed = {name: one["command"] for name, one in compose()["services"].items() if name not in STORES}
    return {
        "compose": composed,
        "kubernetes": {name: pod["containers"][0]["command"] for name, pod in pods()},
        "the image": {"web": json.loads(re.findall(r"^CMD (.*)$", containerfile(), re.MULTILINE)[0])},
    }


def containerfile() -> str:
    return (DEPLOY / "containers/Containerfile").read_text()


def queues_of(command: list[str]) -> str:
    return next((part.partition("=")[2] for part in command if part.startswith("--queues=")), "")


@pytest.mark.parametrize("way", ["compose", "kubernetes", "the image"])
def test_every_command_names_a_program_that_is_there(way: str) -> None:
    for name, command in commands()[way].items():
        match command:
            case ["python", "-m", module, "--host", "0.0.0.0", "--port", "8000"]:
                assert find_spec(module), name
            case ["python", "manage.py", task, *_]:
                assert task in get_commands(), name
            case ["celery", "-A", module, "worker", queues, *_]:
                assert find_spec(module), name
                assert queues.startswith("--queues="), name
            case ["celery", "-A", module, "beat"]:
                assert find_spec(module), name
            case _:
                pytest.fail(f"{name} runs {shlex.join(command)}")


@pytest.mark.parametrize("way", ["compose", "kubernetes"])
def test_every_queue_is_served_once_and_there_is_one_clock(way: str) -> None:
    served = [queues_of(command) for command in commands()[way].values() if "worker" in command]
    assert sorted(served) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
    assert [name for name, command in commands()[way].items() if "beat" in command] == ["clock"]
    assert {name for name, command in commands()[way].items() if queues_of(command) in CAGED} == CAGED


def test_only_settings_that_there_are_are_set() -> None:
    known = set(re.findall(r"`([A-Z_]{4,})`", (ROOT / "docs/reference/settings.md").read_text()))
    named = {name for one in manifests() if one["kind"] == "ConfigMap" for name in one["data"]}
    for name, one in compose()["services"].items():
        named |= set() if name in STORES else set(one["environment"])
    named |= set(re.findall(r"([A-Z_]+)=\S+ ?\\?$", containerfile(), re.MULTILINE)) - {"PYTHONDONTWRITEBYTECODE"}
    assert {"DATABASE_URL", "SITE_URL", "DJANGO_SETTINGS_MODULE"} <= named
    assert named <= known | {"PATH", "BASE"}


def test_probes_use_existing_addresses_and_nothing_is_killed_while_draining() -> None:
    web = dict(pods())["web"]["containers"][0]
    assert web["readinessProbe"]["httpGet"] == {"path": READY, "port": web["ports"][0]["name"]}
    assert web["livenessProbe"]["httpGet"]["path"] == ALIVE
    assert str(web["ports"][0]["containerPort"]) == web["command"][-1]
    assert f"127.0.0.1:8000{READY}" in compose()["services"]["web"]["healthcheck"]["test"][-1]
    for name, pod in pods():
        assert name == "migrate" or pod["terminationGracePeriodSeconds"] > settings.DRAIN_SECONDS
    for name, one in compose()["services"].items():
        assert name in STORES or int(one["stop_grace_period"].removesuffix("s")) > settings.DRAIN_SECONDS


def test_in_kubernetes_only_the_cage_has_rights_beyond_the_default() -> None:
    for name, pod in pods():
        rights = pod["securityContext"]
        assert (rights["runAsNonRoot"], rights["runAsUser"]) == (True, IMAGE_UID), name
        assert (rights["seccompProfile"]["type"] == "RuntimeDefault") == (name not in CAGED), name
        assert ("appArmorProfile" in rights) == (name in CAGED), name
        assert pod["automountServiceAccountToken"] is False, name
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, name
    assert "unconfined" not in (DEPLOY / "kubernetes/workers.yaml").read_text()


def test_what_is_filled_in_is_understood_by_the_podman_compose_of_debian_12() -> None:
    """It supports no empty default and no empty message, and leaves unknown syntax unchanged."""
    text = (DEPLOY / "containers/compose.yaml").read_text()
    filled_in = re.findall(r"\$\{([^}]*)\}", text)
    assert {"SECRET_KEY:?set it in .env", "PLAYERS:-2"} <= set(filled_in)
    for one in filled_in:
        assert re.fullmatch(r"[A-Z_]+(:-.+|:\?.+)?", one), one
    page = (ROOT / "docs/how-to/deploy.md").read_text()
    for bare in [one for one in filled_in if ":" not in one]:
        assert f"{bare}=" in page, "docker compose warns of what is not set"


def test_in_compose_every_program_is_given_every_setting_of_the_env_file() -> None:
    fixed = {"SECRET_KEY", "SITE_URL", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"}
    for name, one in compose()["services"].items():
        if name not in STORES:
            assert one["env_file"] == [".env"], name
            assert set(one["environment"]) == fixed, f"{name}: what stands here cannot be set in .env"


def test_the_env_file_of_the_docs_sets_up_mail_by_settings_that_there_are() -> None:
    page = (ROOT / "docs/how-to/deploy.md").read_text()
    [block] = re.findall(r"cat > \.env <<END\n(.*?)\nEND\n", page, re.DOTALL)
    names = [line.partition("=")[0] for line in block.splitlines()]
    known = set(re.findall(r"`([A-Z_]{4,})`", (ROOT / "docs/reference/settings.md").read_text()))
    assert set(names) - known == {"POSTGRES_PASSWORD"}
    assert {"EMAIL_HOST", "EMAIL_HOST_PASSWORD", "DEFAULT_FROM_EMAIL"} <= set(names)


def test_in_compose_a_backup_has_a_place_to_write_to_and_reaches_the_database() -> None:
    backup = compose()["services"]["backup"]
    [(volume, place)] = [one.split(":") for one in backup["volumes"]]
    assert volume in compose()["volumes"]
    assert place in backup["command"]
    assert f"--owner={IMAGE_UID} --mode=700 {place}" in containerfile()
    assert backup["networks"] == ["inside"]
    assert (backup["profiles"], backup["restart"]) == (["backup"], "no")


def test_in_compose_only_the_cage_has_rights_beyond_the_default() -> None:
    for name, one in compose()["services"].items():
        if name in STORES:
            continue
        more = [option for option in one["security_opt"] if option != "no-new-privileges:true"]
        assert bool(more) == (name in CAGED), name
        assert one["cap_drop"] == ["ALL"], name
        assert one["read_only"] is True, name
        assert "privileged" not in one, name
        assert ("outside" in one["networks"]) <= (name not in CAGED), name
    assert compose()["networks"]["inside"] == {"internal": True}


def test_the_filter_of_the_cage_s_container_lets_the_cage_be_made() -> None:
    profile = json.loads((DEPLOY / "containers/seccomp-worker.json").read_text())
    [refused] = profile["syscalls"]
    needed = {*linux._NUMBERS, "unshare", "setns", "mount", "umount2", "clone", "seccomp", "prctl"}
    assert refused["action"] == "SCMP_ACT_ERRNO"
    assert not needed & set(refused["names"])
    assert {"bpf", "init_module", "ptrace", "userfaultfd"} <= set(refused["names"])


def test_the_image_is_built_of_existing_files() -> None:
    for path in (".ci/install", ".ci/npm", "requirements/server.lock", ".containerignore"):
        assert (ROOT / path).exists()
    assert "sh .ci/install server" in containerfile()
    locked = (ROOT / "requirements/server.lock").read_text()
    assert "psycopg" in locked
    for line in (ROOT / "requirements/run.lock").read_text().splitlines():
        assert line in locked, "requirements/server.lock is older than run.lock: make lock"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the scaler asks PostgreSQL")
@pytest.mark.django_db
def test_the_scaler_reads_the_same_ages_as_the_metrics() -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    Match.objects.filter(pk=MatchFactory().pk).update(state=MatchState.QUEUED, released_at=now - hour)
    Match.objects.filter(pk=MatchFactory().pk).update(state=MatchState.QUEUED, released_at=now + hour)
    BotVersion.objects.filter(pk=BotVersionFactory().pk).update(state=VersionState.QUEUED, created_at=now - 2 * hour)
    Contest.objects.update(news_at=now - 3 * hour)
    data = {queue.name: queue.seconds for queue in metrics_queues()}
    for one in manifests():
        if one["kind"] == "ScaledObject":
            [trigger] = one["spec"]["triggers"]
            with connection.cursor() as cursor:
                cursor.execute(trigger["metadata"]["query"])
                [(seconds,)] = cursor.fetchall()
            assert float(seconds) == pytest.approx(data[one["metadata"]["name"]], abs=5)
            assert seconds > 1800 or one["metadata"]["name"] == "books"
