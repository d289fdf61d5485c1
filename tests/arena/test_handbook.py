"""The pages for authors say what is true."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from html import unescape
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import jsonschema
import pytest
from django.test import Client

from arena.accounts.tokens import token_create
from arena.site.docs_context import docs_context_sample, docs_house_bot_files, docs_limit_rows, docs_view_key_rows
from arena.site.samples import CLASS_BOT, FIRST_BOT
from arena.site.selectors import home_game_tiles
from bots.checks import version_check_accept, version_check_begin
from bots.models import BotVersion, VersionState
from games.catalogue import GAMES, current
from games.protocol import Limits
from games.schema import schema_keys
from games.table import Table
from tests.arena.factories import UserFactory

PICKOMINO = current("pickomino")


def played_by(act: Callable[[Any], str], seed: int) -> Table:
    """A game that ``act`` plays against itself to the end; every action must be legal."""
    table = Table(PICKOMINO, 2, {}, seed.to_bytes(16, "big"))
    while not table.over:
        table.play(act(table.view(table.actor)))
    return table


def test_the_first_bot_plays_whole_games_and_takes_tiles() -> None:
    bot: dict[str, Any] = {}
    exec(FIRST_BOT, bot)
    for seed in range(5):
        outcome = played_by(bot["act"], seed).outcome
        assert outcome
        assert outcome.reason == "grill_empty"
        assert max(outcome.points) > 0


def test_the_class_bot_does_all_that_the_page_promises(capsys: pytest.CaptureFixture[str]) -> None:
    module: dict[str, Any] = {}
    exec(CLASS_BOT, module)
    bot = module["Bot"]({"ruleset": PICKOMINO.id, "options": {}, "players": 2, "seat": 1, "seed": 7})
    played_by(bot.act, 3)
    bot.game_over({})
    assert f"seat 1 was asked {bot.asked} times" in capsys.readouterr().out


@pytest.mark.parametrize("ruleset", [game.current for game in GAMES.values()], ids=str)
def test_the_view_in_the_handbook_is_one_that_the_engine_gives(ruleset: Any) -> None:
    view = json.loads(docs_context_sample(ruleset))
    jsonschema.validate(view, dict(ruleset.view_schema))
    assert view["actions"]
    assert view["you"] == view["actor"]
    assert view["turn"] > 2


RULESETS = [ruleset for game in GAMES.values() for ruleset in game.versions]


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_every_key_of_a_view_has_a_meaning(ruleset: Any) -> None:
    assert [key for key, meaning in schema_keys(ruleset.view_schema) if not meaning] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_meaning_belongs_to_an_existing_key(game: str) -> None:
    meanings = import_module(f"games.catalogue.{game}.view").MEANINGS
    used = {meaning for _key, meaning in schema_keys(current(game).view_schema)}
    assert [path for path, meaning in meanings.items() if meaning not in used] == []


@pytest.mark.django_db
@pytest.mark.parametrize("ruleset", [game.current for game in GAMES.values()], ids=str)
def test_the_rules_page_explains_every_key_with_an_example_from_a_real_game(client: Client, ruleset: Any) -> None:
    rows = {row.path: row for row in docs_view_key_rows(ruleset)}
    html = client.get(f"/docs/rules/{ruleset.name}/").content.decode()
    for row in rows.values():
        assert f'<th scope="row" class="mono">{row.path}</th>' in html
    long = {
        "options",
        "specialists",
        "aside",
        "last",
        "trick",
        "tricks",
        "last_trick",
        "sheet",
    }  # what is in them follows
    assert {path for path, row in rows.items() if not row.example} <= long | {"last.aside", "last.moved", "last.menu"}
    assert json.loads(rows["game"].example) == ruleset.id
    schema = dict(ruleset.view_schema)["properties"]
    for path in set(schema) - long:
        jsonschema.validate(json.loads(rows[path].example), schema[path])


@pytest.mark.django_db(transaction=True)
def test_the_script_of_the_page_runs_unchanged(
    live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against a site; here the test is the checker."""
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    page = Client(headers={"host": live_server.url.removeprefix("http://")}).get("/docs/http/").content.decode()
    (script,) = re.findall(r"<code>(#!/bin/sh.*?)</code>", page, re.DOTALL)
    (tmp_path / "bot.py").write_text(FIRST_BOT)
    environment = {"PATH": os.environ["PATH"], "PECK_TOKEN": token_create(owner=UserFactory(), name="curl")}
    run = subprocess.Popen(
        ["sh", "-c", unescape(script)], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        deadline = monotonic() + 60
        while run.poll() is None and monotonic() < deadline:
            waiting = BotVersion.objects.filter(state=VersionState.QUEUED).first()
            if waiting and (attempt := version_check_begin(version_id=waiting.pk)):
                version_check_accept(version_id=waiting.pk, attempt=attempt, report={})
            sleep(0.05)
        output = run.communicate(timeout=5)[0].decode()
    finally:
        run.kill()
    assert run.returncode == 0, output
    assert '"state":"accepted"' in output
    version = BotVersion.objects.select_related("bot", "package").get()
    assert (version.bot.name, bytes(version.package.content).decode()) == ("My bot", FIRST_BOT)


def test_every_limit_is_explained() -> None:
    assert [row.name for row in docs_limit_rows()] == list(Limits().to_dict())


@pytest.mark.django_db
@pytest.mark.parametrize("ruleset", [game.current for game in GAMES.values()], ids=str)
def test_the_rules_page_lists_every_option_and_value(client: Client, ruleset: Any) -> None:
    html = client.get(f"/docs/rules/{ruleset.name}/").content.decode()
    for name, option in ruleset.options.items():
        assert name in html
        for value in option.allowed if option.form is None else ():
            assert option.say(value) in html
            assert json.dumps(value).replace('"', "&quot;") in html
        assert option.form is None or option.form.allowed in html


@pytest.mark.django_db
def test_the_handbook_names_the_address_to_post_to(client: Client) -> None:
    html = client.get("/docs/bots/", headers={"host": "coop.example"}).content.decode()
    assert "http://coop.example/api/bots/your-bot/versions/" in html
    assert "def act(view)" in html


@pytest.mark.django_db
def test_rules_lead_to_every_game_with_its_title_and_players_in_the_readers_language(client: Client) -> None:
    for language in ("en", "it"):
        html = client.get("/docs/rules/", headers={"accept-language": language}).content.decode()
        for name in GAMES:
            assert f'<a href="/docs/rules/{name}/">' in html
        assert "In cammino tra i laghetti" in html
    tiles = {one.name: (one.fewest, one.most) for one in home_game_tiles()}
    assert tiles["karteneck"] == (2, 5)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/docs/bots/"])
def test_every_page_has_a_way_to_all_rules(client: Client, path: str) -> None:
    html = client.get(path).content.decode()
    assert html.count('href="/docs/rules/"') >= 2  # above and below


@pytest.mark.django_db
def test_the_handbook_shows_the_house_bots_of_every_game(client: Client) -> None:
    html = client.get("/docs/bots/").content.decode()
    assert [game.name for game, _ in docs_house_bot_files()] == list(GAMES)
    for bot in (bot for game in GAMES.values() for bot in game.house_bots):
        assert f"<summary>{bot.title} " in html
