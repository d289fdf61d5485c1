"""The check of boards in a browser finds what is wrong with one."""

import json
from pathlib import Path

import pytest

from games.catalogue import GAMES
from matches.replay.one_file import replay_empty_file
from pecking.testing import boards
from tests.games.sample import pig

RECORD = bytes.fromhex(json.loads(pig.GAME.file("golden.json").read_text())[0]["record"])
SENTENCE = "const sentence = (frame, before, seats) => ("
TABLE = 'el("p", { class: "plain-table" })'


@pytest.mark.browser
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (SENTENCE, f"{SENTENCE}frame.n > 6 ? '' : ", "nothing says in words what happened"),
        (SENTENCE, f"{SENTENCE}frame.n > 6 ? nothing.here : ", "nothing is not defined"),
        (SENTENCE, f"{SENTENCE}console.error('gone wrong') ?? ", "gone wrong"),
        (TABLE, 'el("p", { class: "plain-table", style: "color: red" })', "refused: style-src"),
        (TABLE, f'Object.assign({TABLE}, {{ innerHTML: "<img src=https://example.org/a.png>" }})', "refused: img-src"),
        (
            'element: el("div", { class: "plain-board" }, table, list)',
            'element: (() => { const it = el("div", {}, table, list); it.style.minWidth = "600px"; return it; })()',
            "390 px|wide, and the window 390",
        ),
    ],
    ids=["no words", "an exception", "an error", "a style", "a picture", "too wide"],
)
def test_what_is_wrong_with_a_board_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old: str, new: str, message: str
) -> None:
    monkeypatch.setitem(GAMES, "pig", pig.GAME)  # type: ignore[arg-type]
    page = replay_empty_file("pig/1")
    written = json.dumps(old)[1:-1].replace("<", "\\u003C").replace(">", "\\u003E")
    assert written in page
    page = page.replace(written, json.dumps(new)[1:-1].replace("<", "\\u003C").replace(">", "\\u003E"))
    monkeypatch.setattr("peck.watch.watch_player_of_kit", lambda _game: page)
    assert not boards.boards_lacking("pig")
    with pytest.raises(AssertionError, match=message):
        boards.check_boards([RECORD], tmp_path)


def test_without_a_browser_or_a_player_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no player for no-game here" in boards.boards_lacking("no-game") or boards._chromium() is None
    monkeypatch.setattr(boards, "_chromium", lambda: None)
    assert "apt-get install chromium" in boards.boards_lacking("pig")
    monkeypatch.setattr(boards, "find_spec", lambda _name: None)
    assert "pip install playwright" in boards.boards_lacking("pig")
