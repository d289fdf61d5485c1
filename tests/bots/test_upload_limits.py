"""How much an upload may hold: what a site sets, and more for who is in a group that staff trust."""

import json
import random
import time
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from arena.settings.environment import environment_upload_limits as limits_set
from bots import uploads
from bots.models import BotVersion
from bots.selectors import bot_upload_limits_of
from bots.upload_errors import Problem, UploadError
from bots.uploads import KIB, MIB, USUAL, UploadLimits, upload_unpack
from groups.services import group_member_leave, group_uploads_set
from peck.__main__ import main
from peck.account import peck_account_store, peck_account_upload_limits
from peck.site import Site
from tests.arena.factories import UserFactory
from tests.bots.archives import packed
from tests.bots.factories import SOURCE, BotFactory
from tests.bots.test_archive import _declaring, zlib_of_zeros
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.teams.factories import team_of

SMALL: Final = UploadLimits(source=10 * KIB, zip=20 * KIB, unpacked=30 * KIB, files=3)
LARGE: Final = UploadLimits(source=40 * KIB, zip=50 * KIB, unpacked=60 * KIB, files=6)
ROLES: Final = {
    "stranger": False,
    "member of another group": False,
    "member": True,
    "group staff": True,
    "owner": True,
    "site staff": False,
    "organiser": False,
    "who has left": False,
}


@pytest.fixture(autouse=True)
def _small(settings: Any) -> None:
    cache.clear()
    settings.UPLOAD_LIMITS, settings.LARGE_UPLOAD_LIMITS = SMALL, LARGE


def person_as(role: str) -> Any:
    group = GroupFactory()
    group_uploads_set(group=group, are_large=True)
    if role == "owner":
        return group.created_by
    person = UserFactory(is_staff=role == "site staff", is_organiser=role == "organiser")
    if role == "member of another group":
        member_in(GroupFactory(), person)
    if role in ("member", "group staff", "who has left"):
        member_in(group, person, "staff" if role == "group staff" else "member")
    if role == "who has left":
        group_member_leave(group=group, person=person)
    return person


def noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)


def bomb(unpacked: int) -> bytes:
    """A zip of so many bytes that is no more than thirty times smaller."""
    chance = random.Random(1)
    return packed(
        ("table", b"".join(chance.randbytes(KIB) + b"\0" * 29 * KIB for _ in range(unpacked // (30 * KIB) + 1)))
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "is_large"), ROLES.items())
def test_page_and_api_enforce_the_limits_that_they_show(role: str, is_large: bool, client: Client) -> None:
    person = person_as(role)
    client.force_login(person)
    bot, limits = BotFactory(owner=person), LARGE if is_large else SMALL
    headers = {"authorization": f"Token {token_of(person)}"}
    content = client.get("/api/me/", headers=headers).json()["upload_limits"]
    assert content == {"source": limits.source, "zip": limits.zip, "unpacked": limits.unpacked, "files": limits.files}
    address = reverse("bots:upload", args=[bot.slug])
    for form in (address, reverse("bots:create")):
        assert f'data-largest="{limits.upload}"' in client.get(form).content.decode()
    data = packed(("table", noise(30 * KIB)))
    page = client.post(address, {"file": SimpleUploadedFile("bot.zip", data)})
    assert page.status_code == (302 if is_large else 422)
    assert is_large or "31 KiB; 20 KiB are allowed" in page.content.decode()
    answer = client.post(
        reverse("api:versions", args=[bot.slug]),
        {"file": SimpleUploadedFile("bot.zip", packed(("table", noise(60 * KIB))))},
        headers=headers,
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert f"; {limits.zip // KIB} KiB are allowed" in answer.json()["detail"]
    assert BotVersion.objects.count() == is_large


@pytest.mark.django_db
def test_the_api_does_not_read_a_large_body_and_names_the_limit(client: Client) -> None:
    for role, limits in (("stranger", SMALL), ("member", LARGE)):
        person = person_as(role)
        answer = client.post(
            reverse("api:versions", args=[BotFactory(owner=person).slug]),
            {"file": SimpleUploadedFile("bot.zip", noise(200 * KIB))},
            headers={"authorization": f"Token {token_of(person)}"},
        )
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert f"larger than {limits.upload // KIB + 64} KiB" in answer.json()["detail"]


@pytest.mark.django_db
def test_the_limit_is_that_of_the_uploader_not_of_the_team(client: Client) -> None:
    trusted, other = person_as("member"), UserFactory()
    bot = BotFactory(owner=team_of(other, trusted).account)
    for person, status in ((other, 422), (trusted, 302)):
        client.force_login(person)
        form = {"file": SimpleUploadedFile("bot.zip", packed(("table", noise(30 * KIB))))}
        assert client.post(reverse("bots:upload", args=[bot.slug]), form).status_code == status


@pytest.mark.django_db
def test_what_was_taken_stays_readable_when_the_limits_shrink(client: Client, settings: Any) -> None:
    person = person_as("member")
    client.force_login(person)
    data = packed(("table", noise(30 * KIB)), *((f"{n}.txt", b"") for n in range(4)))
    form = {"file": SimpleUploadedFile("bot.zip", data)}
    client.post(reverse("bots:upload", args=[BotFactory(owner=person).slug]), form)
    settings.LARGE_UPLOAD_LIMITS = settings.UPLOAD_LIMITS = UploadLimits(KIB, KIB, KIB, 1)
    assert len(BotVersion.objects.get().files()) == 6
    assert bot_upload_limits_of(person).zip == KIB


@pytest.mark.django_db
def test_the_playground_offers_as_many_files_as_an_upload_may_hold(client: Client) -> None:
    address = reverse("playground")
    if "playground-data" not in client.get(address).content.decode():
        pytest.skip("there is no Python for browsers here")
    for role, limits in (("stranger", SMALL), ("member", LARGE)):
        client.force_login(person_as(role))
        assert f'"files": {limits.files}' in client.get(address).content.decode()


@pytest.mark.django_db
def test_the_page_and_its_markdown_name_the_limits(client: Client) -> None:
    sentence = "10 KiB, a zip 20 KiB, its files together 30 KiB, and there may be 3 of them"
    for address in (reverse("docs-bots"), reverse("docs-bots-text")):
        text = client.get(address).content.decode().replace("\xa0", " ")
        assert sentence in " ".join(text.split())


@pytest.mark.django_db
def test_nobody_gives_a_group_larger_uploads_but_staff_of_the_site(client: Client) -> None:
    group = GroupFactory()
    headers = {"authorization": f"Token {token_of(group.created_by)}"}
    data = json.dumps({"has_large_uploads": True, "name": "Class of 1"})
    address = reverse("api-groups:group", args=[group.slug])
    client.patch(address, data, content_type="application/json", headers=headers)
    client.force_login(group.created_by)
    form = {"name": "Class", "kind": "class", "has_large_uploads": "on"}
    client.post(reverse("groups:edit", args=[group.slug]), form)
    values = {"action": "large_uploads_allow", "_selected_action": [group.pk], "confirmed": "1"}
    assert client.post("/admin/groups/group/", values).status_code in (302, 403)
    group.refresh_from_db()
    assert not group.has_large_uploads


@pytest.mark.parametrize("limits", [USUAL, UploadLimits(2 * MIB, 6 * MIB, 16 * MIB, 400)])
def test_a_bomb_is_refused_at_any_limit_and_the_error_names_it(limits: UploadLimits) -> None:
    data = bomb(limits.unpacked - MIB)
    assert sum(map(len, upload_unpack("bot.zip", data, limits=limits).values())) <= limits.unpacked
    started = time.process_time()
    for hostile, code in (
        (bomb(limits.unpacked), Problem.BOMB),
        (_declaring(limits.unpacked + 1, zlib_of_zeros(limits.unpacked)), Problem.BOMB),
        (_declaring(300 * MIB, zlib_of_zeros(300 * MIB)), Problem.BOMB),
        (_declaring(10, zlib_of_zeros(300 * MIB)), Problem.DAMAGED),
        (packed(*((f"{n}", b"") for n in range(limits.files))), Problem.TOO_MANY_FILES),
        (packed(*((f"{n}", b"") for n in range(20_000)), how=zipfile.ZIP_STORED)[: limits.zip], None),
        (noise(limits.zip + 1), Problem.TOO_LARGE),
    ):
        with pytest.raises(UploadError) as refused:
            upload_unpack("bot.zip", hostile, limits=limits)
        assert code in (None, refused.value.code)
        if code is Problem.BOMB:
            assert f" {limits.unpacked // KIB} KiB" in refused.value.message
    assert time.process_time() - started < 10


def test_settings_that_make_no_sense_end_the_process_with_their_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    least = UploadLimits(KIB, KIB, KIB, 1)
    monkeypatch.setenv("UPLOAD_ZIP_KIB", "5000")
    usual = limits_set("UPLOAD", USUAL, least)
    assert usual.zip == 5000 * KIB
    assert limits_set("LARGE_UPLOAD", USUAL, usual) == usual, "never less than the usual"
    for name, value in (("UPLOAD_FILES", "0"), ("UPLOAD_UNPACKED_KIB", "40000"), ("UPLOAD_SOURCE_KIB", "lots")):
        monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            limits_set("UPLOAD", USUAL, least)
        monkeypatch.delenv(name)
        assert name in capsys.readouterr().err
    monkeypatch.setenv("LARGE_UPLOAD_ZIP_KIB", "4999")
    with pytest.raises(SystemExit):
        limits_set("LARGE_UPLOAD", USUAL, usual)


def test_boxes_take_what_the_widest_limits_allow() -> None:
    from peck.bots import UNPACKED_MOST, UPLOAD_MOST
    from sandbox import files

    assert uploads.WIDEST.files <= files._MOST_FILES
    assert uploads.WIDEST.unpacked <= min(files._MOST_BYTES, UNPACKED_MOST)
    assert uploads.WIDEST.upload <= UPLOAD_MOST


def test_peck_check_goes_by_the_limits_of_the_site_of_the_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = Site("https://peck.example.org", "peck_1")
    fields = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert peck_account_upload_limits(fields) == USUAL
    limits: Any
    for limits in (None, "much", {"zip": 1}, {"source": "x", "zip": 1, "unpacked": 1, "files": 1}):
        peck_account_store(site, fields, limits)
        assert peck_account_upload_limits(fields) == USUAL, "what makes no sense says nothing"
    peck_account_store(site, fields, {"source": 10**12, "zip": 20 * KIB, "unpacked": 1, "files": 3, "more": 1})
    assert peck_account_upload_limits(fields) == UploadLimits(uploads.WIDEST.source, 20 * KIB, 1, 3)
    assert peck_account_upload_limits({**fields, "PECK_SITE": "https://other.example.org"}) == USUAL
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("PECK_SITE", raising=False)
    (tmp_path / "bot.zip").write_bytes(packed(("table", noise(30 * KIB))))
    assert main(["check", "pickomino", str(tmp_path / "bot.zip")]) != 0
    assert "20 KiB are allowed" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_source_of_the_usual_size_is_taken_as_ever(client: Client) -> None:
    client.force_login(person := UserFactory())
    form = {"file": SimpleUploadedFile("bot.py", SOURCE)}
    assert client.post(reverse("bots:upload", args=[BotFactory(owner=person).slug]), form).status_code == 302
