"""Names: what can be read, and what would be taken for somebody who has a say here."""

# ruff: noqa: RUF001  letters that look alike are what this is about

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.demo import demo_account_ensure, demo_house_bots_ensure
from arena.embedded.preparation import preparation_organiser_ensure
from bots.bot_names import BadName, bot_name_check, lookalike_skeletons, validate_bot_name
from bots.lookalikes import TABLE, lookalike_prototypes
from bots.models import Bot
from bots.services import bot_create, bot_update
from tests.arena.factories import PASSWORD, UserFactory
from tests.bots.factories import AuthorFactory, BotFactory
from tests.bots.test_permissions import token_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        "Fat\u200bCrow",
        "Crow\u00ad",
        "\u3164",
        "\uffa0Crow",
        "Crow\ufe0f",
        "Cr\U000e0041ow",
        "\u2800",
        "Crow\u202e",
        "Cr\now",
        "\u115fCrow",
        "Crow\u034f",
        "Z\u0300\u0301\u0302algo",
        "a\u0301\u0301\u0301",
    ],
)
def test_invisible_and_overly_tall_characters_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        bot_name_check(name)
    with pytest.raises(ValidationError):
        validate_bot_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Rooster",
        "Hühnerstall 3",
        "Ёлка",
        "Việt Ế",
        "ქათამი",
        "雞",
        "דוכיפת",
        "دجاجة",
        "नमस्ते",
        "กุ๊กไก่",
        "🐔",
        "Best arbiter bot",
    ],
)
def test_names_of_all_the_world_are_welcome(name: str) -> None:
    bot_name_check(name)


@pytest.mark.parametrize(
    "name",
    [
        "organiser",
        "ORGANISER",
        "organlser",  # a small l
        "оrganiser",  # a Cyrillic o
        "0rganiser",
        "Adrninistrator",
        "ADMlN",
        "adm1n",
        "ѕuррort",
        "a r b i t e r",
        "mod_erator",
        "Fat Crow",
        "FAT CR0W",
        "Fаt-Crоw",
        "𝐅𝐚𝐭 𝐂𝐫𝐨𝐰",
    ],
)
def test_names_like_roles_or_house_bots_are_refused(name: str) -> None:
    with pytest.raises(BadName, match="is too similar to"):
        bot_name_check(name)


@pytest.mark.parametrize("standing", ["is_organiser", "is_staff"])
def test_organisers_and_staff_are_marked_and_may_use_their_own_names(standing: str) -> None:
    person = UserFactory(username="henrietta", **{standing: True})
    UserFactory(username="ordinary")
    with pytest.raises(BadName):
        bot_name_check("Неnriеttа")  # Cyrillic where it looks the same
    bot_name_check("Henrietta", owner_id=person.pk)
    bot_name_check("ordinary")


def test_characters_that_look_alike_have_one_skeleton() -> None:
    alike = ["scope", "ѕсоре", "ꜱᴄᴏᴩᴇ".lower(), "𝓼𝓬𝓸𝓹𝓮"]
    first = set(lookalike_skeletons(alike[0]))
    assert [not first.isdisjoint(lookalike_skeletons(other)) for other in alike] == [
        True,
        True,
        False,
        True,
    ]  # small capitals


@pytest.mark.parametrize("name", ["Fаt Crow", "organiser", "Crow\u200b"])
def test_bots_are_not_called_so_by_any_way(client: Client, name: str) -> None:
    author = AuthorFactory.create()
    with pytest.raises(BadName):
        bot_create(owner=author, name=name, game="pickomino")
    bot = BotFactory.create(owner=author)
    with pytest.raises(BadName):
        bot_update(bot=bot, name=name, blurb="")
    client.force_login(author)
    page = client.post(reverse("bots:edit", args=[bot.slug]), {"name": name, "blurb": ""})
    assert page.status_code == 422
    assert 'id="id_name_error"' in page.content.decode()
    assert not Bot.objects.filter(name=name).exists()


def test_the_api_has_the_mark_beside_the_name(client: Client) -> None:
    headers = {"authorization": f"Token {token_of(AuthorFactory.create())}"}
    answer = client.post(reverse("api:bots"), {"name": "Fаt Crow", "game": "pickomino"}, headers=headers)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad_name", "name")


@pytest.mark.parametrize("name", ["organiser", "0rganiser", "Arbiter", "fat.crow", "hen\u3164"])
def test_nobody_signs_up_so(client: Client, name: str) -> None:
    form = {"username": name, "email": "a@example.org", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post(reverse("account_signup"), form)
    assert 'id="id_username_error"' in page.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("room", ["tournaments", "leagues"])
def test_contests_are_not_called_so_either(client: Client, room: str) -> None:
    client.force_login(UserFactory(is_organiser=True))
    page = client.post(reverse(f"{room}:create"), {"name": "Fаt Crow", "game": "pickomino"})
    assert "is too similar to" in page.content.decode()


def test_house_names_stay_reserved_and_the_first_organiser_gets_its_own(tmp_path: Any) -> None:
    versions = demo_house_bots_ensure(house=demo_account_ensure())
    assert "Fat Crow" in {version.bot.name for version in versions}
    assert preparation_organiser_ensure(kept_in=tmp_path / "password").name == "organiser"
    assert User.objects.get(username="organiser").is_superuser


def test_a_reserved_name_in_use_gives_the_organiser_another(tmp_path: Any) -> None:
    squatter = UserFactory(username="Organiser")
    first = preparation_organiser_ensure(kept_in=tmp_path / "password")
    assert first.name == "organiser-2"
    assert preparation_organiser_ensure(kept_in=tmp_path / "password") == replace(first, is_new=False)
    squatter.refresh_from_db()
    assert not squatter.is_organiser
    assert not squatter.is_staff
    assert User.objects.get(username="organiser-2").check_password(first.password or "")


def test_the_table_of_lookalikes_is_unicodes_own(tmp_path: Path, settings: Any) -> None:
    table = json.loads((settings.BASE_DIR / "bots" / TABLE).read_text())
    assert re.fullmatch(r"confusables\.txt, Unicode \d+\.\d+\.\d+, .*", table["source"])
    assert {"m": "rn", "1": "l", "\u0430": "a"}.items() <= lookalike_prototypes().items()  # a Cyrillic a
    settings.BASE_DIR = tmp_path
    (tmp_path / "bots").mkdir()
    rows = "".join(
        f"{ord(letter):04X} ;\t{' '.join(f'{ord(one):04X}' for one in to)} ;\tMA\t# of it\n\n"
        for letter, to in lookalike_prototypes().items()
    )
    listed = tmp_path / "confusables.txt"
    listed.write_text(f"\ufeff# confusables.txt\n# Version: 99.0.0\n#\n{rows}", encoding="utf-8")
    call_command("write_lookalikes", str(listed), stdout=StringIO())
    written = json.loads((tmp_path / "bots" / TABLE).read_text())
    assert written["prototypes"] == lookalike_prototypes()
    assert "Unicode 99.0.0" in written["source"]


def test_what_is_no_list_of_unicodes_is_not_taken_for_one(tmp_path: Path, settings: Any) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "page.html").write_text("<p>Not found</p>")
    with pytest.raises(CommandError, match="is not confusables"):
        call_command("write_lookalikes", str(tmp_path / "page.html"))
