"""The file of a backup: whole, or refused."""

import io
import zipfile
from contextlib import nullcontext, suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.backup.archive import (
    FORMAT,
    MANIFEST,
    BackupError,
    Manifest,
    backup_archive_made,
    backup_archive_opened,
    backup_file_digest,
)

CONTENT = b"eggs" * 100_000


def made(path: Path, content: bytes = CONTENT, **changed: object) -> Path:
    with backup_archive_made(path) as archive:
        archive.add("database", io.BytesIO(content))
        manifest = Manifest(FORMAT, "2026-11-23T05:00:00+00:00", "sqlite", ["bots.0001_first"], archive.members)
        archive.close(msgspec.structs.replace(manifest, **changed))
    return path


def read(path: Path) -> bytes:
    to = io.BytesIO()
    with backup_archive_opened(path) as archive:
        archive.copy("database", to)
    return to.getvalue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made(tmp_path_factory.mktemp("whole") / "site.backup").read_bytes()


def test_stored_content_is_restored(tmp_path: Path) -> None:
    path = made(tmp_path / "site.backup")
    assert read(path) == CONTENT
    with backup_archive_opened(path) as archive:
        assert archive.manifest.members["database"].size == len(CONTENT)


@given(share=st.floats(0, 1, exclude_max=True))
def test_half_a_file_is_refused(whole: bytes, share: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("half") / "site.backup"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(BackupError):
        read(path)


@given(place=st.integers(0), bits=st.integers(1, 255))
def test_a_changed_byte_is_refused_or_changes_nothing(
    whole: bytes, place: int, bits: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    changed = bytearray(whole)
    changed[place % len(whole)] ^= bits
    path = tmp_path_factory.mktemp("changed") / "site.backup"
    path.write_bytes(changed)
    with suppress(BackupError):
        assert read(path) == CONTENT


@pytest.mark.parametrize("content", [CONTENT + b"!", CONTENT[:-1], CONTENT[:-1] + b"!"])
def test_a_member_that_was_exchanged_is_refused(tmp_path: Path, content: bytes) -> None:
    path = made(tmp_path / "site.backup")
    with zipfile.ZipFile(path) as archive:
        manifest = archive.read(MANIFEST)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("database", content)
        archive.writestr(MANIFEST, manifest)
    with pytest.raises(BackupError, match="damaged or was changed"):
        read(path)


@pytest.mark.parametrize("name", ["more", "../../secret_key", "database"])
def test_a_member_that_the_manifest_does_not_name_is_refused(tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "site.backup")
    with zipfile.ZipFile(path, "a") as archive, pytest.warns() if name == "database" else nullcontext():
        archive.writestr(name, b"eggs")
    with pytest.raises(BackupError, match="exactly the members"):
        read(path)


def test_any_other_file_and_none_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear hen,")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("database", b"eggs")
    for name, error in (("letter", "incomplete or damaged"), ("zip", "no manifest"), ("none", "cannot be read")):
        with pytest.raises(BackupError, match=error):
            read(tmp_path / name)


def test_a_format_of_another_time_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="format 2"):
        read(made(tmp_path / "site.backup", format=2))


def test_a_backup_that_fails_leaves_nothing_and_a_file_that_is_there_stays(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), backup_archive_made(tmp_path / "site.backup") as archive:
        archive.add("database", tmp_path.open("rb"))
    assert list(tmp_path.iterdir()) == []
    before = made(tmp_path / "site.backup").read_bytes()
    with pytest.raises(BackupError, match="already exists"):
        made(tmp_path / "site.backup", b"other eggs")
    assert (tmp_path / "site.backup").read_bytes() == before


def test_a_missing_file_is_reported_in_one_sentence(tmp_path: Path) -> None:
    for read_it in (read, backup_file_digest):
        with pytest.raises(BackupError, match=r"none\.backup cannot be read: No such file or directory"):
            read_it(tmp_path / "none.backup")
