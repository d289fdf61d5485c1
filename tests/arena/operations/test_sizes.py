"""Operators see what the site takes, how it grows, and how old the last backup is."""

import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.operations.metrics import metrics_backup_note, metrics_sizes, metrics_sizes_measure
from arena.operations.models import Backup, TableSize
from arena.operations.tasks import operations_measure_task
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page

pytestmark = pytest.mark.django_db
PEOPLE = "accounts_user"


def page(client: Client) -> str:
    client.force_login(UserFactory(is_staff=True))
    answer = client.get(reverse("operations:page"))
    assert_clean_page(answer)
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_tables_are_measured_once_a_day_and_old_measures_go() -> None:
    TableSize.objects.create(table=PEOPLE, day=timezone.now().date() - timedelta(days=91), size=1)
    operations_measure_task()
    metrics_sizes_measure()
    [measured] = TableSize.objects.filter(table=PEOPLE)
    assert measured.size >= 4096


def test_growth_is_that_of_a_week_or_of_the_days_there_are(client: Client) -> None:
    assert metrics_sizes().tables == ()
    today = timezone.now().date()
    for days, size in ((9, 1), (6, 1000), (0, 5000)):
        TableSize.objects.create(table=PEOPLE, day=today - timedelta(days=days), size=size)
    TableSize.objects.create(table="new", day=today, size=7)
    read = metrics_sizes()
    assert [(one.table, one.size, one.grown, one.since) for one in read.tables] == [
        (PEOPLE, 5000, 4000, today - timedelta(days=6)),
        ("new", 7, 0, None),
    ]
    assert read.whole is not None
    assert (read.whole.size, read.whole.grown) == (5007, 4007)
    assert f"{PEOPLE} 4.9\xa0KiB 3.9\xa0KiB".replace("\xa0", " ") in page(client).replace("\xa0", " ")


def test_the_page_shows_the_age_of_the_last_backup_and_that_it_is_late(client: Client) -> None:
    assert "No backup yet" in page(client)
    metrics_backup_note(size=2048, sha256="0" * 64)
    text = page(client)
    assert "Last backup now" in text
    assert " late " not in text
    Backup.objects.update(made_at=timezone.now() - timedelta(days=3))
    assert "late Last backup 3" in page(client).replace("\xa0", " ")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup that takes no time: what is in it is tested in ``tests/arena/backup``."""

    def site_backup(path: Path) -> Any:
        path.write_bytes(b"site")
        return type("Manifest", (), {"members": {"secret_key": None}})

    monkeypatch.setattr("arena.site.management.commands.backup.site_backup", site_backup)


@pytest.mark.usefixtures("made")
def test_a_directory_gets_a_file_of_its_time_and_keeps_the_newest(tmp_path: Path) -> None:
    others = [tmp_path / name for name in ("site-2026-01-01T000000Z.backup", "site-2026-01-02T000000Z.backup", "mine")]
    for file in others:
        file.touch()
    output = StringIO()
    call_command("backup", tmp_path, keep=2, stdout=output)
    left = sorted(file.name for file in tmp_path.iterdir())
    assert left[:2] == ["mine", "site-2026-01-02T000000Z.backup"]
    assert left[2] in output.getvalue()
    assert Backup.objects.get().size == 4


@pytest.mark.usefixtures("made")
def test_nothing_is_dropped_where_a_file_was_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="directory"):
        call_command("backup", tmp_path / "new.backup", keep=1)
    assert not list(tmp_path.iterdir())
