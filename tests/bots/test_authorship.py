"""How a version was written: declared by its author alone, bounded, shown to all, a filter of ladders."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache, caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from bots.deletion import version_delete
from bots.models import Bot, BotVersion
from leagues.views.pages import league_detail_view, league_live_view, season_detail_view
from peck.__main__ import main
from tests.bots.factories import SOURCE, BotFactory, BotVersionFactory
from tests.leagues.factories import member_of, open_league

pytestmark = pytest.mark.django_db

MODEL = "opus <4>"
WRONG = [
    {"authorship": "robot"},
    {"authorship": "hand", "model": "x"},
    {"authorship": "", "model": "x"},
    {"authorship": "agent", "model": "x" * 61},
    {"authorship": "agent", "model": "a\u202eb"},
]


@pytest.fixture
def bot() -> Bot:
    cache.clear()
    return BotFactory.create()


def a_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("bot.py", SOURCE)


def declared() -> list[tuple[str, str]]:
    return list(BotVersion.objects.order_by("pk").values_list("authorship", "model"))


def test_it_is_declared_with_an_upload_and_shown_to_everybody(bot: Bot, client: Client) -> None:
    client.force_login(bot.owner)
    client.post(reverse("bots:upload", args=[bot.slug]), {"file": a_file(), "authorship": "agent", "model": MODEL})
    headers = {"authorization": f"Token {token_create(owner=bot.owner, name='x')}"}
    again = SimpleUploadedFile("bot.py", SOURCE + b"#2\n")
    client.post(reverse("api:versions", args=[bot.slug]), {"file": again, "authorship": "hand"}, headers=headers)
    new = {"name": "Other", "game": bot.game, "file": a_file(), "authorship": "assisted"}
    client.post(reverse("bots:create"), new)
    client.post(reverse("bots:create"), {**new, "file": a_file(), "name": "Third", "authorship": ""})
    assert declared() == [("agent", MODEL), ("hand", ""), ("assisted", ""), ("", "")]
    for name, args in (("detail", [bot.slug]), ("version", [bot.slug, 1])):
        page = Client().get(reverse(f"bots:{name}", args=args)).content.decode()
        assert "by an agent, opus &lt;4&gt;" in page
    listed = Client().get(reverse("api:versions", args=[bot.slug])).json()["results"]
    assert [(one["authorship"], one["model"]) for one in listed] == [("hand", ""), ("agent", MODEL)]
    silent = BotVersion.objects.get(bot__name="Third")
    page = Client().get(reverse("bots:detail", args=[silent.bot.slug])).content.decode()
    assert "authorship" not in page
    assert "Written" not in page
    version_delete(version=BotVersion.objects.get(bot=bot, number=1))
    assert declared()[0] == ("", "")


@pytest.mark.parametrize("wrong", WRONG)
def test_an_invalid_declaration_is_refused_by_form_api_and_database(
    wrong: dict[str, str], bot: Bot, client: Client
) -> None:
    client.force_login(bot.owner)
    page = client.post(reverse("bots:upload", args=[bot.slug]), {"file": a_file(), **wrong})
    assert page.status_code == 422
    headers = {"authorization": f"Token {token_create(owner=bot.owner, name='x')}"}
    answer = client.post(reverse("api:versions", args=[bot.slug]), {"file": a_file(), **wrong}, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] in wrong
    assert not BotVersion.objects.exists()
    if wrong in WRONG[:3]:
        with pytest.raises(IntegrityError, match="version_authorship_declared"), transaction.atomic():
            BotVersionFactory.create(bot=bot, **wrong)


def test_peck_declares_it(
    live_server: Any, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("peck.site.VERDICT_WITHIN", 0)
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=bot.owner, name="x"))
    (tmp_path / "bot.py").write_bytes(SOURCE)
    assert main(["upload", bot.slug, str(tmp_path), "--model", MODEL]) == 4
    assert "--model: Name a model only" in capsys.readouterr().err
    main(["upload", bot.slug, str(tmp_path), "--authorship", "assisted", "--model", MODEL])
    assert declared() == [("assisted", MODEL)]
    capsys.readouterr()
    assert main(["versions", bot.slug]) == 0
    assert capsys.readouterr().out.endswith(f", written by: assisted ({MODEL})\n")


def test_a_ladder_shows_and_is_filtered_by_it_for_the_page_cache_too(client: Client) -> None:
    caches["optional"].clear()
    league = open_league(bots=1)
    values = [("agent", MODEL), ("hand", ""), ("agent", "")]
    for authorship, model in values:
        version = BotVersionFactory.create(authorship=authorship, model=model, bot__game=league.game)
        member_of(league, version.bot)

    def rows(query: str, name: str = "detail") -> list[str]:
        page = client.get(reverse(f"leagues:{name}", args=[league.slug]) + query).content.decode()
        assert ("Written" in page) == (name == "detail" or "<tr" in page)
        return re.findall(r'<span class="muted small authorship">([^<]*)</span>', page)

    assert rows("") == ["by an agent, opus &lt;4&gt;", "by hand", "by an agent"]
    assert rows("?authorship=agent") == rows("?authorship=agent", "live") == [rows("")[0], "by an agent"]
    assert rows("?authorship=hand") == ["by hand"]
    assert rows("?authorship=assisted") == []
    assert rows("?authorship=<script>") == rows("")
    page = client.get(reverse("leagues:detail", args=[league.slug]) + "?authorship=hand&page=1").content.decode()
    assert '<a href="?page=1#ladder-title">' not in page
    assert "?authorship=agent#ladder-title" in page
    assert all("authorship" in view.public_query for view in (league_detail_view, league_live_view, season_detail_view))  # type: ignore[attr-defined]
    ladder = client.get(reverse("api-leagues:ladder", args=[league.slug, 1])).json()["results"]
    assert sorted((one["authorship"], one["model"]) for one in ladder) == sorted([*values, ("", "")])


def test_a_ladder_without_declared_authorship_has_no_filter(client: Client) -> None:
    caches["optional"].clear()
    league = open_league(bots=2)
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert "Written" not in page
    assert "authorship" not in page
