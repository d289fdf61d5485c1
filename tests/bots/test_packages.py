"""Uploads in an object storage: stored, played, served and dropped as those in the database."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client

from arena.settings.environment import environment_object_storage
from bots import packages
from bots.models import BotPackage, BotVersion
from bots.package_objects import PackageAway, object_fetched
from bots.packages import packages_move, stray_packages_drop, version_packages_drop
from bots.services import version_upload
from tests.bots.factories import SOURCE, BotFactory, BotVersionFactory
from tests.bots.storage_server import Bucket, bucket

pytestmark = pytest.mark.django_db


@pytest.fixture
def s3(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """A site with an object storage, which is empty."""
    object_fetched.cache_clear()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "hen")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "egg")
    with bucket() as server:
        monkeypatch.setenv("PACKAGES_URL", f"s3://eggs/site?endpoint={server.url}&region=farm")
        settings.STORAGES = settings.STORAGES | {"packages": environment_object_storage("PACKAGES_URL")}
        yield server
    object_fetched.cache_clear()


def uploaded(data: bytes = SOURCE) -> BotVersion:
    version, _ = version_upload(bot=BotFactory(), filename="bot.py", data=data)
    return BotVersion.objects.get(pk=version.pk)


def test_an_upload_lies_in_the_storage_and_nowhere_else(s3: Bucket, client: Client) -> None:
    version = uploaded()
    [(key, data)] = s3.objects.items()
    assert data == SOURCE
    assert key == f"site/{version.package.stored_as}"
    assert version.package.content is None
    assert version.files() == {"bot.py": SOURCE}
    assert s3.unsigned == []
    client.force_login(version.bot.owner)
    answer = client.get(f"/bots/{version.bot.slug}/versions/{version.number}/source/")
    assert answer.content == SOURCE
    assert "location" not in {name.lower() for name in answer.headers}


def test_it_is_served_by_the_site_to_its_author_alone(s3: Bucket, client: Client) -> None:
    version = uploaded()
    client.force_login(BotFactory().owner)
    answer = client.get(f"/bots/{version.bot.slug}/versions/{version.number}/source/")
    assert answer.status_code in (403, 404)


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_dropped_leaves_the_storage_when_that_is_committed(s3: Bucket) -> None:
    version = uploaded()
    with transaction.atomic():
        assert version_packages_drop(BotVersion.objects.all()) == 1
        assert s3.objects
    assert s3.objects == {}
    assert not BotPackage.objects.filter(version=version).exists()


def test_other_bytes_than_were_put_there_are_no_bot(s3: Bucket) -> None:
    version = uploaded()
    [key] = s3.objects
    s3.objects[key] = b"def act(view): ...  # of somebody else"
    with pytest.raises(PackageAway, match="other bytes"):
        version.files()


def test_a_storage_that_refuses_is_an_outage_and_nothing_is_written(s3: Bucket, client: Client) -> None:
    version = uploaded()
    s3.is_away = True
    client.force_login(version.bot.owner)
    address = f"/bots/{version.bot.slug}/versions/{version.number}/source/"
    client.raise_request_exception = False
    assert client.get(address).status_code == 503
    with pytest.raises(PackageAway), transaction.atomic():
        uploaded(SOURCE + b"# other")
    assert BotPackage.objects.count() == 1
    s3.is_away = False
    assert client.get(address).content == SOURCE


def test_old_files_without_a_row_are_dropped(s3: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    uploaded()
    s3.objects["site/stray"] = b""
    with monkeypatch.context() as younger:
        younger.setattr(packages, "STRAY_AFTER", timedelta(days=100_000 // 2))
        assert stray_packages_drop() == 0
    assert stray_packages_drop() == 1
    assert len(s3.objects) == 1
    assert "site/stray" not in s3.objects


def test_uploads_move_into_the_storage_and_back_and_may_do_so_twice(s3: Bucket) -> None:
    versions = [BotVersionFactory() for _ in range(3)]
    before = [bytes(version.package.content) for version in versions]
    call_command("move_packages", verbosity=0)
    assert packages_move(back=False) == 0
    assert sorted(s3.objects.values()) == sorted(before)
    assert not BotPackage.objects.filter(content__isnull=False).exists()
    fresh = [BotPackage.objects.get(pk=version.pk) for version in versions]
    assert [package.read() for package in fresh] == before
    call_command("move_packages", "--back", verbosity=0)
    assert [bytes(package.content) for package in BotPackage.objects.order_by("pk")] == before
    assert s3.objects == {}


def test_a_package_lies_in_one_place() -> None:
    version = BotVersionFactory()
    for both_or_none in ({"content": None}, {"stored_as": "eggs"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            BotPackage.objects.filter(pk=version.pk).update(**both_or_none)


@pytest.mark.parametrize("address", ["https://eggs.example", "s3:///site", "s3://eggs?acl=public-read"])
def test_an_address_that_names_no_bucket_ends_the_program_in_a_sentence(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PACKAGES_URL", address)
    with pytest.raises(SystemExit) as ended:
        environment_object_storage("PACKAGES_URL")
    assert ended.value.code == 78
    assert "PACKAGES_URL is no address of a bucket" in capsys.readouterr().err
