"""The parts of `up`: the lock, the path of the socket, the organiser, the playground, the embedded Valkey."""

import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from arena.accounts.models import User
from arena.embedded.launch import LaunchPlan
from arena.embedded.paths import (
    LONGEST_SOCKET_PATH,
    AlreadyRunning,
    embedded_directory_lock,
    embedded_permissions_tighten,
    embedded_private_directory,
    embedded_socket_path,
)
from arena.embedded.preparation import preparation_organiser_ensure, preparation_playground_collect
from arena.embedded.services import embedded_valkey_answers, valkey_service
from arena.embedded.supervisor import Supervisor
from tests.arena.test_up_supervisor import eventually
from web import pyodide


def test_a_second_site_on_the_same_data_is_refused_with_what_the_first_one_wrote(tmp_path: Path) -> None:
    lock = tmp_path / "up.lock"
    with (
        embedded_directory_lock(lock, "first"),
        pytest.raises(AlreadyRunning) as caught,
        embedded_directory_lock(lock, "second"),
    ):
        pass
    assert caught.value.note == "first"
    with embedded_directory_lock(lock, "third"):
        assert lock.read_text() == "third"


def test_the_socket_lies_with_the_data() -> None:
    assert embedded_socket_path(Path("/srv/site/var")) == Path("/srv/site/var/valkey.sock")


def test_a_socket_whose_name_would_be_too_long_lies_elsewhere_and_always_at_the_same_place() -> None:
    deep = Path("/") / "deep" / ("x" * LONGEST_SOCKET_PATH)
    path = embedded_socket_path(deep)
    assert path.is_relative_to(tempfile.gettempdir())
    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
    assert path == embedded_socket_path(deep)
    assert path != embedded_socket_path(deep / "other")


def test_a_private_directory_is_made_for_its_owner_only(tmp_path: Path) -> None:
    embedded_private_directory(tmp_path / "ours")
    assert stat.S_IMODE((tmp_path / "ours").stat().st_mode) == 0o700
    embedded_private_directory(tmp_path / "ours")


def test_a_directory_that_others_may_enter_is_not_taken_for_a_private_one(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    with pytest.raises(PermissionError, match="chmod 700"):
        embedded_private_directory(tmp_path / "open")


def test_a_link_planted_by_someone_else_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    with pytest.raises(PermissionError):
        embedded_private_directory(tmp_path / "link")


def test_readable_data_is_closed_to_other_users(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir(mode=0o755)
    email, elsewhere = tmp_path / "mail" / "1.log", tmp_path.parent / f"{tmp_path.name}-elsewhere"
    for path in (email, elsewhere):
        path.write_text("a key")
        path.chmod(0o644)
    (tmp_path / "link").symlink_to(elsewhere)
    embedded_permissions_tighten(tmp_path)
    assert stat.S_IMODE(email.stat().st_mode) == 0o600
    assert stat.S_IMODE(email.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


@pytest.mark.django_db
def test_the_organiser_gets_a_password_that_only_its_owner_can_read_and_keeps_it(tmp_path: Path) -> None:
    file = tmp_path / "organiser_password"
    first = preparation_organiser_ensure(kept_in=file)
    user = User.objects.get(username=first.name)
    assert user.is_organiser
    assert user.check_password(first.password or "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert first.is_new
    assert preparation_organiser_ensure(kept_in=file) == replace(first, is_new=False)


@pytest.mark.django_db
def test_a_password_changed_on_the_site_is_neither_shown_nor_changed_back(tmp_path: Path) -> None:
    file = tmp_path / "organiser_password"
    name = preparation_organiser_ensure(kept_in=file).name
    user = User.objects.get(username=name)
    user.set_password("of my own choosing")
    user.save()
    assert preparation_organiser_ensure(kept_in=file).password is None
    user.refresh_from_db()
    assert user.check_password("of my own choosing")


def test_what_npm_brings_later_is_served_from_the_next_start_of_the_web_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    monkeypatch.setattr(pyodide, "FOLDER", tmp_path / "npm")
    for known in (pyodide.pyodide_version, pyodide.pyodide_snapshot, pyodide.pyodide_editor):
        known.cache_clear()
    try:
        assert not preparation_playground_collect()
        (tmp_path / "npm").mkdir()
        for name in pyodide.FILES:
            (tmp_path / "npm" / name).write_text(name)
        (tmp_path / "npm" / "package.json").write_text('{"version": "9.9"}')
        assert preparation_playground_collect()
        assert {path.name for path in (tmp_path / "static/pyodide/9.9").iterdir()} == set(pyodide.FILES)
        assert pyodide.pyodide_address().endswith("static/pyodide/9.9/")
        assert not preparation_playground_collect()
    finally:
        for known in (pyodide.pyodide_version, pyodide.pyodide_snapshot, pyodide.pyodide_editor):
            known.cache_clear()


@pytest.fixture
def var() -> Iterator[Path]:
    """A short path, because a socket's name has to be."""
    with tempfile.TemporaryDirectory(prefix="po-") as name:
        yield Path(name)


def test_the_embedded_valkey_opens_no_port_and_keeps_its_data_when_killed(var: Path) -> None:
    socket = var / "valkey.sock"
    url = f"unix://{socket}"
    assert not embedded_valkey_answers(url)
    supervisor = Supervisor(print)
    supervisor.start(valkey_service(socket=socket, data=var / "valkey", log=var / "valkey.log"))
    try:
        assert eventually(lambda: embedded_valkey_answers(url))
        with redis.Redis.from_url(url) as client:
            assert client.config_get("port") == {"port": "0"}
            client.set("egg", "laid")
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        first = supervisor.runs[0].process
        first.kill()

        def is_back() -> bool:
            supervisor.tend()
            return supervisor.runs[0].process is not first and embedded_valkey_answers(url)

        assert eventually(is_back)
        with redis.Redis.from_url(url) as client:
            assert client.get("egg") == b"laid"
    finally:
        supervisor.stop(patience=5)
    assert not embedded_valkey_answers(url)


@pytest.mark.parametrize(("host", "address"), [("0.0.0.0", "http://127.0.0.1:8000"), ("::", "http://[::1]:8000")])
def test_the_site_s_address_for_links_in_e_mails_ends_without_a_slash(host: str, address: str) -> None:
    assert LaunchPlan(host, 8000, workers=1, demo=False).address == address  # paths begin with one
