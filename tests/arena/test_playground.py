"""The pages and files of the playground: security policy, caching, and the message without Python."""

import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from arena.playground import context
from arena.playground.context import (
    playground_content_digest,
    playground_house_bots_left_out,
    playground_settings,
    playground_worker_file,
)
from arena.site.author_kit import kit_browser_file
from games.catalogue import GAMES
from tests.arena.test_pages import POLICY, policy_of
from tests.bots.factories import BotVersionFactory
from tests.teams.factories import team_of
from web import pyodide
from web.pyodide import PyodideFinder, SiteStaticFiles, SiteStaticStorage

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Pyodide as npm would bring it."""
    for name in pyodide.FILES:
        (tmp_path / name).write_text(name)
    for name in ("pyodide.asm.wasm.gz", "snapshot-12ab.bin", "snapshot-12ab.bin.br", "editor-34cd.mjs"):
        (tmp_path / name).write_text("packed")
    (tmp_path / "package.json").write_text('{"version": "1.2.3"}')
    monkeypatch.setattr(pyodide, "FOLDER", tmp_path)
    monkeypatch.setattr(pyodide, "pyodide_version", pyodide.pyodide_version.__wrapped__)
    monkeypatch.setattr(pyodide, "pyodide_snapshot", pyodide.pyodide_snapshot.__wrapped__)
    monkeypatch.setattr(pyodide, "pyodide_editor", pyodide.pyodide_editor.__wrapped__)
    monkeypatch.setattr(pyodide, "pyodide_sizes", pyodide.pyodide_sizes.__wrapped__)
    return tmp_path


@pytest.fixture
def missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyodide, "FOLDER", tmp_path)
    monkeypatch.setattr(pyodide, "pyodide_version", pyodide.pyodide_version.__wrapped__)


def test_only_the_worker_may_compile_and_it_may_little_else(client: Client, brought: Path) -> None:
    config = playground_settings()
    worker = client.get(config["worker"])
    assert worker["Content-Type"].startswith("text/javascript")
    assert policy_of(worker)["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy_of(worker)["default-src"] == "'none'"
    page = client.get(reverse("playground"))
    assert policy_of(page).items() >= POLICY.items()
    assert "eval" not in page["Content-Security-Policy"]


def test_a_current_address_is_cached_for_good_and_an_old_one_is_not(client: Client, brought: Path) -> None:
    config = playground_settings()
    for address in (config["worker"], config["kit"]):
        assert "immutable" in client.get(address)["Cache-Control"]
    old = client.get(reverse("playground-kit", args=["0"]))
    assert (old.status_code, old["Cache-Control"]) == (200, "no-store")


def test_the_kit_for_browsers_is_always_the_same_and_holds_what_plays(client: Client) -> None:
    first = kit_browser_file()
    kit_browser_file.cache_clear()
    assert playground_content_digest(kit_browser_file()) == playground_content_digest(first)
    names = ZipFile(BytesIO(first)).namelist()
    assert {"pecking/peck/browser.py", "pecking/peck/inline.py", "pecking/sandbox/inside/entry.py"} <= {*names}
    assert not [name for name in names if name.endswith(".html") or name.startswith("pecking/tournaments")]


def test_the_worker_finds_what_it_imports_by_a_name_that_the_release_before_knows_too(tmp_path: Path) -> None:
    (tmp_path / "kit.zip").write_bytes(kit_browser_file())
    (name,) = re.findall(r'^const DESK = "([\w.]+)"', playground_worker_file().decode(), re.MULTILINE)
    assert name == "pecking.matches.home.browser"
    script = f"import sys; sys.path.insert(0, 'kit.zip'); import {name} as desk; print(desk.opened.__module__)"
    done = subprocess.run(
        [sys.executable, "-IB", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("pecking.peck.browser", "")


def test_without_python_the_page_says_so_in_a_sentence(client: Client, missing: None) -> None:
    page = client.get(reverse("playground")).content.decode()
    assert "Games in the browser aren't available on this site yet" in page
    assert "playground-data" not in page
    assert 'playground/write.js"' not in page


def test_the_files_lie_below_their_version_and_nothing_else_does(brought: Path) -> None:
    finder = PyodideFinder()
    assert finder.find("pyodide/1.2.3/pyodide.mjs") == str(brought / "pyodide.mjs")
    assert finder.find("pyodide/1.2.3/pyodide.asm.wasm.gz") == str(brought / "pyodide.asm.wasm.gz")
    for path in (
        "pyodide/1.2.2/pyodide.mjs",
        "pyodide/1.2.3/package.json",
        "pyodide.mjs",
        "pyodide/1.2.3/../package.json",
    ):
        assert finder.find(path) == []
    packed = {"pyodide.asm.wasm.gz", "snapshot-12ab.bin", "snapshot-12ab.bin.br", "editor-34cd.mjs"}
    assert {name for name, _ in finder.list(None)} == {*pyodide.FILES, *packed}


def test_the_home_page_offers_a_game_only_where_there_is_one(client: Client, brought: Path) -> None:
    assert ">Play now</a>" in client.get("/").content.decode()
    (brought / "python_stdlib.zip").unlink()
    page = client.get("/").content.decode()
    assert ">Watch now</a>" in page
    assert ">Play now</a>" not in page


def test_the_settings_name_the_snapshot_if_it_exists(client: Client, brought: Path) -> None:
    config = playground_settings()
    assert config["snapshot"] == "snapshot-12ab.bin"
    memory = brought / "snapshot-12ab.bin"
    whole = memory.stat().st_size
    assert config["sizes"][f"{config['pyodide']}{memory.name}"] == (whole, whole)
    assert config["kit"] in config["sizes"]
    (brought / f"{memory.name}.br").write_bytes(b"")
    assert playground_settings()["sizes"][f"{config['pyodide']}{memory.name}"] == (0, whole)
    memory.unlink()
    assert playground_settings()["snapshot"] == ""


def test_the_settings_name_the_editor_if_it_exists(client: Client, brought: Path) -> None:
    assert playground_settings()["editor"] == "editor-34cd.mjs"
    (brought / "editor-34cd.mjs").unlink()
    assert playground_settings()["editor"] == ""


@pytest.mark.parametrize("name", ["home", "docs-bots", "docs-rules-index", "docs-rules"])
@pytest.mark.parametrize("is_there", [True, False])
def test_pages_offer_the_playground_only_where_there_is_one(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str, is_there: bool
) -> None:
    monkeypatch.setattr(pyodide, "pyodide_address", lambda: "/static/pyodide/9.9/" if is_there else "")
    page = client.get(reverse(name, args=["pickomino"] if name == "docs-rules" else [])).content.decode()
    assert (reverse("playground") in page) == is_there
    assert (f'href="{reverse("puzzles:list")}"' in page.split("<main", 1)[0]) != is_there


def test_half_an_installation_is_none(brought: Path) -> None:
    (brought / "python_stdlib.zip").unlink()
    assert pyodide.pyodide_address() == ""
    assert list(PyodideFinder().list(None)) == []


def test_files_of_pyodide_keep_their_names_and_are_immutable(tmp_path: Path, settings: object) -> None:
    storage = SiteStaticStorage(location=str(tmp_path), base_url="/static/")
    (tmp_path / "pyodide/1").mkdir(parents=True)
    (tmp_path / "pyodide/1/a.mjs").write_text("x" * 999)
    (tmp_path / "b.js").write_text("y" * 999)
    done = list(storage.post_process({"pyodide/1/a.mjs": (storage, "pyodide/1/a.mjs"), "b.js": (storage, "b.js")}))
    assert {name.partition(".")[0] for name, _, _ in done} == {"b"}
    files = SiteStaticFiles()
    assert files.immutable_file_test("", "/static/pyodide/1/a.mjs")
    assert not files.immutable_file_test("", "/static/site/js/site.js")


def test_the_lock_pins_by_hash_and_names_no_host() -> None:
    lock = (ROOT / "requirements/npm/package-lock.json").read_text()
    assert lock.count('"integrity": "sha512-') == lock.count('"node_modules/')
    assert not re.search(r"https?://", lock)


def test_no_house_bot_is_left_out() -> None:
    assert playground_house_bots_left_out() == []


@pytest.mark.parametrize("name", ["playground", "play-yourself"])
def test_the_page_gets_the_translations_of_every_bundle_that_it_names(client: Client, brought: Path, name: str) -> None:
    page = client.get(reverse(name), headers={"accept-language": "de"}).content.decode()
    (address,) = re.findall(r'src="(/jsi18n/[^"]+of=playground/[^"]+)"', page)
    address = address.replace("&amp;", "&")
    bundles = re.findall("of=([^&]+)", address)
    assert len(bundles) > 2 * len(GAMES)

    def texts(query: str) -> set[str]:
        script = client.get(f"/jsi18n/?{query}", headers={"accept-language": "de"}).content.decode()
        (catalogue,) = re.findall(r"said\?\?\{\},(\{.*?\})\),form=", script)
        return {*json.loads(catalogue)}

    assert texts(address.partition("?")[2]) == set.union(*(texts(f"of={one}") for one in bundles))


def test_an_anonymous_author_signs_in_and_returns_to_the_form(client: Client) -> None:
    assert client.get(reverse("playground-save"))["Location"] == "/accounts/login/?next=/playground/save/"


def test_opponents_are_the_accepted_versions_that_one_may_read(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    address = reverse("playground-versions", args=["pickomino"])
    mine = BotVersionFactory.create(bot__name="Mine", bot__slug="mine").bot
    BotVersionFactory.create(bot=mine)
    for out in ({"refused": True}, {"open": True}, {"kept": 0}):
        BotVersionFactory.create(bot=mine, **out)
    BotVersionFactory.create(bot__owner=mine.owner, bot__game="heckmeck")
    others = BotVersionFactory.create().bot
    shared = BotVersionFactory.create(bot__owner=team_of(mine.owner).account, bot__name="Ours").bot

    client.force_login(mine.owner)
    with django_assert_max_num_queries(6):
        answer = client.get(address)
    assert answer["Cache-Control"] == "private, no-store"
    data = answer.json()["bots"]
    assert [(bot["name"], bot["team"], bot["versions"]) for bot in data] == [
        ("Ours", shared.author_name, [1]),
        ("Mine", "", [2, 1]),
    ]
    assert not answer.json()["more"]
    for bot in data:
        assert client.get(bot["source"].replace("{number}", "1")).status_code == 200
    monkeypatch.setattr(context, "VERSIONS_MOST", 2)
    assert client.get(address).json()["more"]
    assert client.get(reverse("playground-versions", args=["nothing"])).status_code == 404

    client.force_login(others.owner)
    assert [bot["name"] for bot in client.get(address).json()["bots"]] == [others.name]
    assert client.get(data[0]["source"].replace("{number}", "1")).status_code == 404


def test_versions_are_not_offered_without_an_account(client: Client, brought: Path) -> None:
    page = reverse("playground")
    assert '"versions": ""' in client.get(page).content.decode()
    client.force_login(BotVersionFactory.create().bot.owner)
    assert '"versions": "/playground/versions-{game}.json"' in client.get(page).content.decode()


def test_the_editor_gets_the_meaning_of_keys_and_actions(client: Client) -> None:
    for name, game in GAMES.items():
        content = client.get(reverse("playground-terms", args=[name])).json()
        assert all(meaning for path, meaning in content["keys"] if "." not in path), name
        assert all(meaning for _action, meaning in content["actions"]), name
        for ruleset in game.versions:
            for players in ruleset.usual_seats:
                actions = ruleset.vocabulary(ruleset.validate(players, {}))
                assert all(map(game.meaning_of, actions)), ruleset
    assert dict(client.get(reverse("playground-terms", args=["laghetti"])).json()["actions"])["play 5 Q"].startswith(
        "lead"
    )
    assert client.get("/playground/terms-nothing.json").status_code == 404
