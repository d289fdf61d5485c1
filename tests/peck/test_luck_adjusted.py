"""``peck play --luck``."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from luck import adjusted_mean, luck_analyse
from luck.adjusted_mean import luck_adjusted_mean
from matches.referee import GameResult
from peck import tally
from peck.__main__ import main
from peck.tally import tally_luck_adjusted
from tests.luck.games import played
from tests.peck.test_commands import BOT, bot

Capture = pytest.CaptureFixture[str]
BLOCKS = 4  # instead of twenty: an analysis takes a twentieth of a second
TAKES = "def act(view):\n    return 'stop' if 'stop' in view['actions'] and view['sum'] > 24 else view['actions'][0]\n"


@pytest.fixture
def few_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjusted_mean, "BLOCKS_LEAST", BLOCKS)
    monkeypatch.setattr(tally, "BLOCKS_LEAST", BLOCKS)


def game(index: int, places: tuple[int, ...], key: int) -> GameResult:
    record = played(("greedy", "cautious"), key)
    return GameResult(index, record, (0, 0), places, "", "", (), (0.0, 0.0), (0.0, 0.0), ("", ""))


@pytest.mark.usefixtures("few_blocks")
def test_the_shares_of_a_series_are_those_of_its_blocks() -> None:
    games = []
    for index in range(2 * BLOCKS):
        places = played(("greedy", "cautious"), index).verify().places
        games.append(game(index, places if index % 2 == 0 else places[::-1], index))
    found = tally_luck_adjusted(games)
    shares, luck = [], []
    for first, second in zip(games[::2], games[1::2], strict=True):
        shares.append(sum(float(one.places[0] < one.places[1]) for one in (first, second)) / 2)
        accounts = [luck_analyse(one.record).to_dict()["luck"] for one in (first, second)]
        luck.append((accounts[0][0] + accounts[1][1]) / 2e9)
    wanted = luck_adjusted_mean(shares, luck)
    assert wanted is not None
    assert asdict(found.shares[0]) == {name: pytest.approx(value) for name, value in asdict(wanted).items()}
    assert found.shares[0].share + found.shares[1].share == pytest.approx(1)
    lines = found.lines(["one", "other"])
    assert lines[0].startswith("luck-adjusted by the value pickomino/1-v1")
    assert lines[1].startswith(f"one: {found.shares[0].points:.1f} +- ")
    assert lines[1].endswith((" games saved", "no game saved"))
    assert found.to_dict()["bots"][0]["worth_games"] == round(len(games) * found.shares[0].saved)


@pytest.mark.processes
@pytest.mark.usefixtures("few_blocks")
def test_it_comes_after_the_table_and_in_the_json(tmp_path: Path, capsys: Capture) -> None:
    bots = [bot(tmp_path, TAKES, "one.py"), bot(tmp_path, TAKES.replace("24", "26"), "two.py")]
    series = ["play", "pickomino", *bots, "--blocks", str(BLOCKS), "--luck", "--quiet"]
    assert main(series) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[3].startswith("less the luck") or output[3].startswith("luck: game ")
    assert main([*series, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["luck"]
    assert data["value"] == "pickomino/1-v1"
    assert bool(data["why"]) != (len(data["bots"]) == 2)


def test_with_few_blocks_or_a_game_without_a_value_it_says_so(tmp_path: Path, capsys: Capture) -> None:
    bots = [bot(tmp_path, BOT, "one.py"), bot(tmp_path, BOT, "two.py")]
    assert main(["play", "pickomino", *bots, "--blocks", "1", "--luck", "--quiet"]) == 0
    assert "luck: adjusted from 20 blocks on, not with 1" in capsys.readouterr().out
    assert main(["play", "karteneck", *bots, "--blocks", "1", "--luck", "--quiet"]) == 0
    assert "luck: The luck of the draw explains next to nothing" in capsys.readouterr().out
