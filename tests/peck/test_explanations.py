"""Bots that explain themselves: alike in every way to play, within bounds, and without a trace in the record."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.explanation import explanation_parted
from matches.referee import GameResult
from matches.referee.match_series import series_game_play
from matches.referee.scoring import EXPLAINED_MOST, GameLog
from matches.referee.seat_player import CageProtocol
from peck.cage import HomeCage
from peck.in_process import InProcessCage
from peck.inline import InlineCage
from pecking.simulate import simulate
from sandbox import Cage
from sandbox.inside.entry import entry_answer_read
from tests.matches.referee.orders import order
from tests.peck.browsers import Home

SILENT = b"""
import random
class Bot:
    def __init__(self, table): self.turns = 0
    def act(self, view):
        self.turns += 1
        return random.choice(view["actions"])
"""
EXPLAINS = b"""
import random
class Bot:
    def __init__(self, table): self.turns = 0
    def act(self, view):
        self.turns += 1
        action = random.choice(view["actions"])
        if self.turns % 3 == 0:
            return action
        if self.turns % 5 == 0:
            return {"action": action, "note": 5, "marks": "x", "value": float("nan")}
        note = f"turn\\n{self.turns}\\u202e"
        return {"action": action, "note": note, "marks": [action, action], "value": 1 / self.turns}
"""
LOUD = b"""
def act(view):
    return {"action": view["actions"][0], "note": "x" * 999, "marks": [str(n) * 99 for n in range(20)], "value": 1}
"""
WAYS = ("cage", "home", "in process", "browser")


@contextmanager
def opened(way: str, folder: Path) -> Iterator[CageProtocol]:
    folder.mkdir()
    if way == "cage":
        with Cage.open() as cage:
            yield cage
    elif way == "home":
        with HomeCage() as home:
            yield Home(home, folder)
    elif way == "in process":
        yield Home(InProcessCage(), folder)  # type: ignore[arg-type]
    else:
        yield InlineCage(folder)


def played(way: str, folder: Path, source: bytes, index: int = 0) -> GameResult:
    with opened(way, folder) as cage:
        return series_game_play(order(source, SILENT), cage, index)


@pytest.mark.processes
@pytest.mark.parametrize("index", [0, 1])
def test_every_way_to_play_hears_the_same_and_the_record_is_that_of_a_silent_bot(tmp_path: Path, index: int) -> None:
    silent = game_played_bytes(played("browser", tmp_path / "silent", SILENT, index))
    data = {way: played(way, tmp_path / way.replace(" ", ""), EXPLAINS, index) for way in WAYS}
    assert {game_played_bytes(game) for game in data.values()} == {silent}
    notes = {way: game.logs[0].notes for way, game in data.items()}
    assert notes["cage"]
    assert all(explanation == notes["cage"] for explanation in notes.values())
    assert not any(game.logs[1].notes or game.faults for game in data.values())
    assert [explanation.note for _, explanation in notes["cage"]][:2] == ["turn 1\ufffd", "turn 2\ufffd"]
    assert all("act: note is left out: it is not text" in game.printed[0] for game in data.values())


def game_played_bytes(game: GameResult) -> bytes:
    return game.record.encode()


def test_explanations_of_a_game_are_limited_to_its_share(tmp_path: Path) -> None:
    log = played("browser", tmp_path / "b", LOUD).logs[0]
    assert len(log.notes) > 10
    assert sum(explanation.size for _, explanation in log.notes) <= EXPLAINED_MOST


def test_ten_thousand_decisions_with_notes_store_no_more() -> None:
    log = GameLog()
    answer = {"action": "go", "note": "x" * 10**4, "marks": ["m" * 99] * 99, "value": 0.5}
    for played_before in range(10_000):
        _, explanation = explanation_parted(entry_answer_read(answer, 256))
        assert explanation is not None
        log.explains(played_before, explanation)
    assert sum(explanation.size for _, explanation in log.notes) <= EXPLAINED_MOST


def test_the_explanation_of_an_illegal_action_is_dropped(tmp_path: Path) -> None:
    game = played("browser", tmp_path / "b", b"def act(view): return {'action': 'fly', 'note': 'up'}")
    assert [fault.verdict.value for fault in game.faults] == ["illegal_action"]
    assert game.faults[0].answer == "fly"
    assert not game.logs[0].notes


def test_an_object_without_an_action_is_malformed(tmp_path: Path) -> None:
    game = played("browser", tmp_path / "b", b"def act(view): return {'note': 'hm'}")
    assert [fault.verdict.value for fault in game.faults] == ["malformed"]


def test_simulate_plays_the_action_in_an_object() -> None:
    def plain(view: Any) -> str:
        return str(view["actions"][-1])

    def explains(view: Any) -> dict[str, Any]:
        return {"action": plain(view), "note": "last", "value": 0.5}

    [one], [other] = (list(simulate("pickomino", [act, plain], ["a"])) for act in (plain, explains))
    assert one.record.encode() == other.record.encode()
