"""A setting that makes no sense: one sentence with its name, exit code 78. A server that is not there (yet): 75."""

import os
import runpy
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.settings.environment import environment_database
from tests.browser.running import ROOT, STRIPPED

MANAGE = ("manage.py", "migrate")
UP = ("manage.py", "up", "--port", "0")
WORKER = ("-m", "celery", "-A", "arena.celery_app", "worker", "--queues=default")
BEAT = ("-m", "celery", "-A", "arena.celery_app", "beat")
WEB = ("-m", "arena.serving", "--port", "0")
PROD = {
    "DJANGO_SETTINGS_MODULE": "arena.settings.prod",
    "SECRET_KEY": "x" * 50,
    "ALLOWED_HOSTS": "pecking.example.org",
    "SITE_URL": "https://pecking.example.org",
}
NOBODY = "postgres://nobody:its-password@127.0.0.1:1/none"


def run(var: Path, command: tuple[str, ...], **environment: str) -> subprocess.CompletedProcess[str]:
    stripped = {name: value for name, value in os.environ.items() if name not in STRIPPED}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**stripped, "PECKING_ORDER_VAR": str(var), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("settings", "environment", "variable"),
    [
        ("stores", {"DATABASE_URL": "mongodb://host/db"}, "DATABASE_URL"),
        ("stores", {"DATABASE_URL": "postgres://user@host:port/db"}, "DATABASE_URL"),
        ("stores", {"REDIS_URL": "http://host"}, "REDIS_URL"),
        ("stores", {"CHANNEL_URL": "redis://host:port"}, "CHANNEL_URL"),
        ("prod", {"SECRET_KEY": ""}, "SECRET_KEY"),
        ("prod", {"SITE_URL": ""}, "SITE_URL"),
        ("prod", {"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        ("prod", {"ALLOWED_HOSTS": "example.org,.example.org"}, "ALLOWED_HOSTS"),
        ("prod", {"ALLOWED_HOSTS": " ,"}, "ALLOWED_HOSTS"),
        ("people", {"EMAIL_USE_TLS": "true"}, "EMAIL_USE_TLS"),  # a password would be sent without it
        ("people", {"EMAIL_USE_SSL": "on"}, "EMAIL_USE_SSL"),
        ("limits", {"HOOKS_ANYWHERE": "2"}, "HOOKS_ANYWHERE"),
        ("limits", {"REQUESTS_AT_ONCE": "0"}, "REQUESTS_AT_ONCE"),  # every page would be a 503
        ("limits", {"FILES_AT_ONCE": "0"}, "FILES_AT_ONCE"),
        ("limits", {"SESSION_DAYS": "0"}, "SESSION_DAYS"),
        ("people", {"EMAIL_PORT": "smtp"}, "EMAIL_PORT"),
        ("people", {"EMAIL_USE_TLS": "1", "EMAIL_USE_SSL": "1"}, "EMAIL_USE_TLS"),
        ("people", {"BREACHED_PASSWORDS_URL": "api.pwnedpasswords.com"}, "BREACHED_PASSWORDS_URL"),
        ("base", {"SENTRY_DSN": "sentry.example.org"}, "SENTRY_DSN"),
        ("base", {"LOG_FORMAT": "xml"}, "LOG_FORMAT"),
        ("base", {"CONTACT_URL": "javascript:alert(1)"}, "CONTACT_URL"),
        ("prod", {"MFA_REQUIRED_OF": "authors"}, "MFA_REQUIRED_OF"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_one_sentence(
    settings: str,
    environment: dict[str, str],
    variable: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The module is run again in this process; what each program makes of its exit is the next test's."""
    for name in STRIPPED:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"PECKING_ORDER_VAR": str(tmp_path / "var"), **PROD, **environment}.items():
        monkeypatch.setenv(name, value)
    mask = os.umask(0)
    try:
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(ROOT / f"platform/arena/settings/{settings}.py"))
    finally:
        os.umask(mask)
    assert ended.value.code == 78
    assert_one_sentence("".join(capfd.readouterr()), variable)


def test_spaces_between_the_hosts_of_a_site_are_no_part_of_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hosts = {"ALLOWED_HOSTS": "pecking.example.org, hens.example.org,"}
    for name, value in {"PECKING_ORDER_VAR": str(tmp_path / "var"), **PROD, **hosts}.items():
        monkeypatch.setenv(name, value)
    mask = os.umask(0)
    try:
        made = runpy.run_path(str(ROOT / "platform/arena/settings/prod.py"))
    finally:
        os.umask(mask)
    assert made["ALLOWED_HOSTS"] == ["pecking.example.org", "hens.example.org"]
    assert made["CSRF_TRUSTED_ORIGINS"] == ["https://pecking.example.org", "https://hens.example.org"]


NOTHING = {"USER": "", "PASSWORD": "", "HOST": "", "PORT": ""}
POSTGRES = NOTHING | {"ENGINE": "django.db.backends.postgresql", "NAME": "n", "HOST": "h"}
SQLITE = NOTHING | {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("sqlite://", SQLITE),
        ("sqlite:///:memory:", SQLITE),
        ("sqlite:////var/a%20b/db.sqlite3", SQLITE | {"NAME": "/var/a b/db.sqlite3"}),
        ("sqlite:///db.sqlite3?timeout=5", SQLITE | {"NAME": "db.sqlite3", "OPTIONS": {"timeout": 5}}),
        ("postgres://h/n", POSTGRES),
        ("pgsql://H:5433/n", POSTGRES | {"PORT": 5433}),
        ("postgresql://u:p%40%2F@[::1]/n", POSTGRES | {"USER": "u", "PASSWORD": "p@/", "HOST": "::1"}),
        ("postgres://u@%2Fvar%2FRun:5433/n", POSTGRES | {"USER": "u", "HOST": "/var/Run", "PORT": 5433}),
        ("postgres://h/n?sslmode=require&x=True", POSTGRES | {"OPTIONS": {"sslmode": "require", "x": True}}),
        ("postgres://h/n?currentSchema=hens", POSTGRES | {"OPTIONS": {"options": "-c search_path=hens"}}),
    ],
)
def test_an_address_of_a_database_is_an_entry_of_the_setting(
    address: str, expected: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    assert environment_database("DATABASE_URL", "") == expected | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}


@pytest.mark.parametrize("address", ["postgres://u:its-password#x@h/n", "postgres://[x/its-password"])
def test_an_address_that_cannot_be_parsed_is_refused_without_its_password(
    address: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    with pytest.raises(SystemExit):
        environment_database("DATABASE_URL", "")
    assert_one_sentence(capfd.readouterr().err, "DATABASE_URL")


@pytest.mark.processes
@pytest.mark.parametrize(
    ("command", "environment", "variable", "status"),
    [
        (MANAGE, PROD | {"SITE_URL": ""}, "SITE_URL", 78),
        (MANAGE, {"DATABASE_URL": NOBODY}, "DATABASE_URL", 75),
        (MANAGE, {"DATABASE_URL": "sqlite:////nonexistent/db.sqlite3"}, "DATABASE_URL", 75),
        (UP, {"REDIS_URL": "redis://127.0.0.1:1/0"}, "REDIS_URL", 75),
        (UP, {"DATABASE_URL": NOBODY}, "DATABASE_URL", 75),
        (WORKER, {"DATABASE_URL": "mongodb://host/db"}, "DATABASE_URL", 78),
        (WORKER, {"DATABASE_URL": NOBODY}, "DATABASE_URL", 75),
        (WORKER, {"BROKER_URL": "redis://127.0.0.1:1/0"}, "BROKER_URL", 75),
        (BEAT, {"REDIS_URL": "redis://127.0.0.1:1/0"}, "REDIS_URL", 75),
        (WEB, {"DATABASE_URL": "mongodb://host/db"}, "DATABASE_URL", 78),
    ],
)
def test_each_program_reports_it_in_one_sentence(
    command: tuple[str, ...], environment: dict[str, str], variable: str, status: int, tmp_path: Path
) -> None:
    ended = run(tmp_path / "var", command, **environment)
    assert ended.returncode == status, ended.stderr
    assert_one_sentence(ended.stdout + ended.stderr, variable)


def assert_one_sentence(output: str, variable: str) -> None:
    assert "Traceback" not in output
    assert "its-password" not in output
    (rows,) = [line for line in output.splitlines() if variable in line]
    assert rows.endswith(".")


@pytest.mark.processes
def test_what_is_set_for_production_is_what_django_wants_there(tmp_path: Path) -> None:
    ended = run(tmp_path / "var", ("manage.py", "check", "--deploy", "--fail-level", "WARNING"), **PROD | MAIL)
    assert ended.returncode == 0, ended.stderr
    assert "no issues" in ended.stdout


MAIL = {
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "DEFAULT_FROM_EMAIL": "hens@pecking.example.org",
}


@pytest.mark.processes
def test_a_data_directory_that_others_can_enter_is_closed_and_what_is_written_is_private(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o755)
    var.chmod(0o755)
    assert run(var, (*MANAGE, "sessions")).returncode == 0
    assert stat.S_IMODE(var.stat().st_mode) == 0o700
    loose = [path for path in var.rglob("*") if stat.S_IMODE(path.lstat().st_mode) & 0o077]
    assert (var / "db.sqlite3").exists()
    assert loose == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory away")
def test_a_data_directory_of_somebody_else_is_refused(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    os.chown(var, 65534, 65534)
    ended = run(var, MANAGE)
    assert ended.returncode == 78
    assert "PECKING_ORDER_VAR" in ended.stderr
    assert "belongs to another user" in ended.stderr
