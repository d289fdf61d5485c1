"""What `backup` and `restore` refuse, and that they change nothing then."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.backup.archive import MANIFEST, backup_archive_opened, backup_file_digest
from arena.embedded.paths import embedded_directory_lock
from tests.bots.storage_server import bucket
from tests.browser.running import ROOT, STRIPPED
from tests.databases import migrated

pytestmark = pytest.mark.processes


def manage(var: Path, *arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    stripped = {name: value for name, value in os.environ.items() if name not in STRIPPED}
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)],
        env=stripped | {"PECKING_ORDER_VAR": str(var)} | environment,
        capture_output=True,
        text=True,
    )


SCRIPT = """
import json
from django.core.management import CommandError, call_command
for arguments in json.loads(COMMANDS):
    try:
        call_command(*arguments)
        print("null")
    except CommandError as error:
        print(json.dumps(str(error)))
"""


def refused(var: Path, *commands: tuple[object, ...], **environment: str) -> list[str]:
    """What each of the commands, given to one process, says when it refuses."""
    done = manage(
        var, "shell", "-v0", "-c", SCRIPT.replace("COMMANDS", repr(json.dumps(commands, default=str))), **environment
    )
    assert done.returncode == 0, done.stderr
    return [str(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site's data directory, with one person in it."""
    var = tmp_path_factory.mktemp("site")
    migrated(var / "db.sqlite3")
    shell = "from arena.accounts.models import User; User.objects.create_user('fox')"
    assert manage(var, "shell", "-v0", "-c", shell).returncode == 0
    (var / "organiser_password").write_text("eggs\n")
    return var


@pytest.fixture(scope="module")
def archive(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "site.backup"
    done = manage(site, "backup", path)
    assert done.returncode == 0, done.stderr
    assert "SHA-256" in done.stdout
    return path


def people(var: Path) -> list[str]:
    with closing(sqlite3.connect(var / "db.sqlite3")) as database:
        return [name for (name,) in database.execute("SELECT username FROM accounts_user")]


def test_a_site_comes_back_with_its_key_and_password_and_for_its_owner_only(
    site: Path, archive: Path, tmp_path: Path
) -> None:
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    done = manage(tmp_path, "restore", archive, "--sha256", backup_file_digest(archive).upper())
    assert done.returncode == 0, done.stderr
    assert people(tmp_path) == ["fox"]
    for name in ("secret_key", "organiser_password"):
        assert (tmp_path / name).read_text() == (site / name).read_text()
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".restore")]
    assert manage(tmp_path, "migrate", "--check").returncode == 0


def test_keys_of_the_environment_are_not_written_to_the_backup(site: Path, tmp_path: Path) -> None:
    keys = {"SECRET_KEY": "of the environment", "VAPID_PRIVATE_KEY": "A" * 42 + "E"}
    done = manage(site, "backup", tmp_path / "site.backup", **keys)
    assert "keep it as well" in done.stdout
    with backup_archive_opened(tmp_path / "site.backup") as archive:
        assert sorted(archive.manifest.members) == ["database", "organiser_password"]


def test_existing_data_is_left_unchanged(site: Path, archive: Path, tmp_path: Path) -> None:
    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in site.iterdir() if path.is_file() and path.name != "up.lock"}

    before = files(), archive.read_bytes()
    nowhere = tmp_path / "none" / "site.backup"
    errors = refused(site, ("restore", archive), ("backup", archive), ("backup", nowhere))
    for one, part in zip(errors, ("not empty", "already exists", "cannot be written"), strict=True):
        assert part in one
    assert (files(), archive.read_bytes()) == before


def changed(archive: Path, to: Path, old: bytes, new: bytes) -> Path:
    """A backup whose manifest says something else, and whose members follow it."""
    with zipfile.ZipFile(archive) as whole, zipfile.ZipFile(to, "w") as other:
        for name in whole.namelist():
            content = whole.read(name)
            assert name != MANIFEST or old in content
            other.writestr(
                name.replace("database", "../eggs") if b"eggs" in new else name,
                content.replace(old, new) if name == MANIFEST else content,
            )
    return to


def test_what_is_damaged_or_does_not_fit_leaves_an_empty_site_which_takes_what_does(
    archive: Path, tmp_path: Path
) -> None:
    half, var = tmp_path / "half", tmp_path / "var"
    half.write_bytes(archive.read_bytes()[:-1000])
    var.mkdir(mode=0o700)
    kind = changed(archive, tmp_path / "kind", b'"database": "sqlite"', b'"database": "postgresql"')
    release = changed(archive, tmp_path / "release", b"bots.0001_first_release", b"bots.0099_of_the_future")
    member = changed(archive, tmp_path / "member", b'"database": {', b'"../eggs": {')
    with embedded_directory_lock(var / "up.lock", "process 1 serves eggs"):
        [runs] = refused(var, ("restore", archive))
    assert "process 1 serves eggs" in runs
    cases = {
        "another digest": (archive, "--sha256", "0" * 64),
        "incomplete or damaged": (half,),
        "set it to its kind": (kind,),
        "another release": (release,),
        "lacks a member, or has an unknown one": (member,),
        "cannot be read": (tmp_path / "none",),
    }
    for error, part in zip(refused(var, *(("restore", *case) for case in cases.values())), cases, strict=True):
        assert part in error
    assert {path.name for path in tmp_path.iterdir()} == {"half", "var", "kind", "release", "member"}
    assert manage(var, "restore", archive).returncode == 0
    assert people(var) == ["fox"]


def test_a_log_that_another_database_left_is_not_read_into_this_one(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3-journal").write_bytes(b"left")
    done = manage(tmp_path, "restore", archive)
    assert done.returncode == 0 or "belongs to another database" in done.stderr
    assert done.returncode or people(tmp_path) == ["fox"]


def test_a_backup_without_the_programs_of_postgresql_says_which(tmp_path: Path) -> None:
    [error] = refused(tmp_path, ("backup", tmp_path / "b"), DATABASE_URL="postgres://x@localhost:1/x", PATH="")
    assert "pg_dump is not installed" in error


def test_objects_of_a_storage_are_in_the_backup_and_come_back_into_another(tmp_path: Path) -> None:
    new = "from tests.bots.factories import BotVersionFactory; BotVersionFactory()"
    with bucket() as old, bucket() as other:
        (tmp_path / "old").mkdir()
        (tmp_path / "other").mkdir()
        migrated(tmp_path / "old" / "db.sqlite3")
        keys = {"AWS_ACCESS_KEY_ID": "hen", "AWS_SECRET_ACCESS_KEY": "egg", "PYTHONPATH": str(ROOT)}
        of_old = keys | {"PACKAGES_URL": f"s3://eggs?endpoint={old.url}&region=farm"}
        of_other = keys | {"PACKAGES_URL": f"s3://eggs?endpoint={other.url}&region=farm"}
        assert manage(tmp_path / "old", "shell", "-v0", "-c", new, **keys).returncode == 0
        assert "Moved 1 " in manage(tmp_path / "old", "move_packages", **of_old).stdout
        assert manage(tmp_path / "old", "backup", tmp_path / "b", **of_old).returncode == 0
        [error] = refused(tmp_path / "other", ("restore", tmp_path / "b"), **keys)
        assert "set PACKAGES_URL" in error
        assert manage(tmp_path / "other", "restore", tmp_path / "b", **of_other).returncode == 0
        assert old.objects == other.objects
        assert len(other.objects) == 1
