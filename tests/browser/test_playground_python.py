"""Python in a browser: the games of the site, and bots that misbehave."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from arena.playground.context import playground_settings
from arena.site.author_kit import kit_browser_file
from games.catalogue import GAMES
from peck.browser import Desk
from tests.browser.test_playground import FIRST
from tests.games.installed import Install, install
from tests.peck.browsers import at_home, in_the_cage, series

__all__ = ["install"]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not playground_settings(), reason="no Python for browsers: npm brings it"),
]
OPEN = """async ([address, config]) => {
  const { Python, NoAnswer } = await import(address);
  globalThis.python = new Python(config);
  await python.ready;
}"""
SEND = """async (messages) => {
  const answers = [];
  for (const message of messages) {
    const began = performance.now();
    const answer = await python.request(message).catch((error) => ({ ...error, text: error.message }));
    answers.push({ ...answer, ms: performance.now() - began });
  }
  return answers;
}"""


@pytest.fixture
def send(somebody: Callable[[], Page], static: Callable[[str], str]) -> Callable[..., list[dict[str, Any]]]:
    page = somebody()
    page.goto("/docs/glossary/")  # any page: the worker has a policy of its own
    page.evaluate(OPEN, [static("playground/python.js"), playground_settings()])
    return lambda *messages: list(page.evaluate(SEND, messages))


@pytest.fixture
def static() -> Callable[[str], str]:
    return lambda path: f"/static/{path}"


def game(*sources: str) -> dict[str, Any]:
    bots = [{"files": {"bot.py": source}} for source in sources]
    return {
        "do": "play",
        "spec": {"ruleset": "pickomino/1", "seed": "x", "bots": [*bots, {"house": "greedy"}]},
        "index": 0,
    }


@pytest.mark.parametrize("games", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_a_browser_plays_the_games_of_cage_and_kit(
    send: Callable[..., list[dict[str, Any]]], games: int, tmp_path: Path
) -> None:
    played = send(*[{"do": "play", "spec": spec, "index": index} for spec, index in series(games)])
    caged = in_the_cage(games)
    assert [one.get("hash") for one in played] == caged
    assert at_home(games, tmp_path) == caged


def test_the_strongest_house_bot_of_each_game_plays_in_a_browser(send: Callable[..., list[dict[str, Any]]]) -> None:
    tasks = [
        {
            "do": "play",
            "index": 0,
            "spec": {
                "ruleset": game.current.id,
                "seed": "house",
                "bots": [{"files": {"bot.py": FIRST}}] * (game.current.usual_seats[0] - 1)
                + [{"house": game.house_bots[-1].name}],
            },
        }
        for game in GAMES.values()
    ]
    played = send(*tasks)
    assert [one["faults"] for one in played] == [[]] * len(GAMES)
    print({task["spec"]["ruleset"]: f"{one['ms']:.0f} ms" for task, one in zip(tasks, played, strict=True)})


def test_a_browser_plays_the_game_of_a_package(
    somebody: Callable[[], Page], static: Callable[[str], str], install: Install, tmp_path: Path
) -> None:
    install()
    page, config, spec = somebody(), playground_settings(), {"ruleset": "pig/1", "seed": "x", "blocks": 1}
    page.route(
        f"**{config['kit']}", lambda route: route.fulfill(body=kit_browser_file(), content_type="application/zip")
    )
    page.goto("/docs/glossary/")
    page.evaluate(OPEN, [static("playground/python.js"), config])
    sources = (FIRST, "def act(view): 1 / 0", "import pecking_order_pig")
    tasks = [
        {"do": "play", "spec": spec | {"bots": [{"files": {"bot.py": source}}, {"house": "steady"}]}, "index": 0}
        for source in sources
    ]
    played = page.evaluate(SEND, tasks)
    assert [[one["verdict"] for one in game["faults"]] for game in played] == [[], ["crashed"], ["import_error"]]
    desk = Desk(str(tmp_path / "bots"), lambda _: None)
    assert [one["hash"] for one in played] == [json.loads(desk.answer(json.dumps(task)))["hash"] for task in tasks]


def test_a_bot_that_hangs_floods_or_takes_all_memory_is_ended_and_python_goes_on(
    send: Callable[..., list[dict[str, Any]]],
) -> None:
    [sound] = send(game(FIRST))
    loops = [game("def act(view):\n    while True: pass"), game("def act(view):\n    while True: print('x' * 1000)")]
    for looping in loops:
        hung, again = send(looping, game(FIRST))
        assert (hung["kind"], hung["position"], hung["late"]["line"]) == ("hang", 0, 2)
        assert "in act" in hung["late"]["detail"]
        assert again["hash"] == sound["hash"]
        print(f"ended after {hung['ms']:.0f} ms; the next game {again['ms']:.0f} ms later")
    bombs = [
        "def act(view):\n    kept = []\n    while True: kept.append(bytearray(10**7))",
        "def act(view):\n    return [0] * 10**9",
    ]
    for bomb in bombs:
        burst, again = send(game(bomb), game(FIRST))
        assert [(one["verdict"], one["exception"]) for one in burst["faults"]] == [("memory", "MemoryError")]
        assert again["hash"] == sound["hash"]
    broken, again = send(game("import os\ndef act(view): os._exit(0)"), game(FIRST))
    assert broken["kind"] == "broken"
    assert again["hash"] == sound["hash"]


def test_a_bot_has_no_network_however_it_gets_out_of_python(send: Callable[..., list[dict[str, Any]]]) -> None:
    way = """
import gc
def act(view):
    proxies = [one for one in gc.get_objects() if type(one).__name__ == "JsProxy"]
    for proxy in proxies:
        found = getattr(proxy, "constructor", None)
        if found is not None:
            make = found.constructor  # Function
            try:
                print(make("return [typeof fetch, typeof XMLHttpRequest, typeof importScripts].join()")())
            except BaseException as error:
                print(type(error).__name__)
    try:
        import js
    except ImportError:
        print("no js")
    return view["actions"][0]
"""
    [played] = send(game(way))
    assert not played["faults"]
    printed = played["printed"][0].split()
    assert set(printed) <= {
        "undefined,undefined,undefined",
        "JsException",
        "EvalError",
        "AttributeError",
        "TypeError",
        "no",
        "js",
    }


def test_the_kit_is_not_among_what_a_bot_can_import(send: Callable[..., list[dict[str, Any]]]) -> None:
    for name in ("pecking", "games", "js", "pyodide"):
        [played] = send(game(f"import {name}\n{FIRST}"))
        assert [one["verdict"] for one in played["faults"]] == ["import_error"], name


STORED = """async () => {
  const store = await caches.open("playground");
  const [key, ...others] = await store.keys();
  const kept = key && (await (await store.match(key)).arrayBuffer());
  return kept?.byteLength > 2 ** 20 && !others.length;
}"""
SPOIL = """async () => {
  const store = await caches.open("playground");
  for (const key of await store.keys()) await store.put(key, new Response(new Uint8Array(4096)));
}"""


def test_python_starts_with_and_without_the_snapshot_cached_by_the_browser(
    somebody: Callable[[], Page], static: Callable[[str], str]
) -> None:
    page = somebody()
    plain = playground_settings() | {"snapshot": ""}
    lost = playground_settings() | {"snapshot": "snapshot-of-another-server.bin"}
    hashes = set()
    for config, before in ((plain, None), (playground_settings(), None), (playground_settings(), SPOIL), (lost, SPOIL)):
        page.goto("/docs/glossary/")
        if before:
            page.evaluate(before)
        page.evaluate(OPEN, [static("playground/python.js"), config])
        hashes.add(page.evaluate(SEND, [game(FIRST)])[0]["hash"])
        page.wait_for_function(STORED)
    assert len(hashes) == 1
