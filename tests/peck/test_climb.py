"""``peck climb``: rungs in order of strength until one is not beaten, and records from which the verdicts follow."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from games.catalogue import GAMES
from games.encoding import LONGEST
from games.protocol import PlatformFault
from peck import climb
from peck.__main__ import main
from peck.series import PlayedBlock
from peck.stored_run import StoredRun

Capture = pytest.CaptureFixture[str]

HOUSE = [bot.slug for bot in GAMES["pickomino"].house_bots]
QUICK = ["--game", "pickomino", "--in-process", "--effect", "0.25", "--error", "0.25"]


@pytest.fixture
def early_bird(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_bytes(GAMES["pickomino"].house_bots[2].source())
    return str(tmp_path / "mine.py")


def climbed(capsys: Capture, *words: str, code: int = 1) -> dict[str, Any]:
    assert main(["climb", *words, *QUICK, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_it_ends_at_the_first_rung_that_is_not_beaten_and_the_records_give_the_same_verdicts(
    early_bird: str, tmp_path: Path, capsys: Capture
) -> None:
    records = tmp_path / "kept"
    found = climbed(capsys, early_bird, "--records", str(records))
    rungs = found["rungs"]
    assert [one["answer"] for one in rungs[:-1]] == ["better"] * found["beaten"]
    assert rungs[-1]["answer"] != "better"
    assert [one["bot"] for one in rungs] == HOUSE[: len(rungs)]
    assert 1 <= found["beaten"] <= 2, "it is no better than the third, which is itself"
    assert [one.name for one in sorted(records.iterdir())] == [
        f"{at:02}-{HOUSE[at - 1]}" for at in range(1, len(rungs) + 1)
    ]

    assert main(["verify", str(records)]) == 0
    output = capsys.readouterr().out.splitlines()
    for one, line in zip(rungs, output, strict=True):
        assert f"{one['games']} games; mine is {one['answer']}" in line
    for change in ('"points":[', '"seed":"', '{"block":0,'):
        changed = tmp_path / "changed"
        shutil.copytree(records / "01-scatterbrain", changed)
        ledger = (changed / "run.jsonl").read_text()
        wrong = {'"points":[': '"points":[9', '"seed":"': '"seed":"00', '{"block":0,': '{"block":1,'}[change]
        (changed / "run.jsonl").write_text(ledger.replace(change, wrong, 1))
        assert main(["verify", str(changed)]) == 1
        assert "does not hold: " in capsys.readouterr().err
        shutil.rmtree(changed)
    chosen = tmp_path / "chosen"
    shutil.copytree(records / "01-scatterbrain", chosen)
    head, *blocks = (chosen / "run.jsonl").read_text().splitlines()
    fewer = [json.dumps(one | {"games": one["games"][:1]}) for one in map(json.loads, blocks)]
    (chosen / "run.jsonl").write_text("\n".join([head, *fewer]))
    assert main(["verify", str(chosen)]) == 1
    assert "block 1 does not have one game for each seat" in capsys.readouterr().err
    first = json.loads(blocks[0])
    first["games"][0] |= {"faults": [{"seat": 0, "verdict": "crashed", "action_index": 0, "view": None}]}
    first["games"][0]["places"] = [2, 1]
    (chosen / "run.jsonl").write_text("\n".join([head, json.dumps(first), *blocks[1:]]))
    assert main(["verify", str(chosen)]) == 1
    assert "game 1.1: a bot is listed with a fault, but it played on" in capsys.readouterr().err
    shutil.copy(records / "01-scatterbrain" / "run.jsonl", chosen)
    (chosen / "game-1.1.peck").write_bytes(b"x" * (LONGEST + 1))
    assert main(["verify", str(chosen)]) == 1
    assert f"larger than {LONGEST} bytes" in capsys.readouterr().err
    whole = (records / "01-scatterbrain" / "run.jsonl").read_text().splitlines(keepends=True)
    (records / "01-scatterbrain" / "run.jsonl").write_text("".join(whole[:-1]))
    assert main(["verify", str(records)]) == 0
    assert "mine is not decided" in capsys.readouterr().out
    assert main(["climb", early_bird, *QUICK, "--records", str(records)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the blocks that are stored. A first item of -n interrupts after n of them."""
    found: list[int] = []
    store = StoredRun.store

    def noted(run: StoredRun, one: PlayedBlock) -> None:
        store(run, one)
        found.append(one.block)
        if -found[0] == len(found) - 1 > 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(StoredRun, "store", noted)
    return found


@pytest.mark.parametrize("command", ["climb", "gate"])
def test_what_was_interrupted_goes_on_to_the_same_verdict(
    command: str, stored: list[int], early_bird: str, tmp_path: Path, capsys: Capture
) -> None:
    """A climb in its second rung, a gate with the luck off; no block is played twice."""
    (tmp_path / "old.py").write_bytes(GAMES["pickomino"].house_bots[1].source())
    pair = ["pickomino", str(tmp_path / "old.py"), early_bird, "--luck", "--blocks", "4", "--in-process"]
    call = [command, *(pair if command == "gate" else [early_bird, *QUICK]), "--records", str(tmp_path / "parts")]
    code = main([*call[:-1], str(tmp_path / "whole"), "--json"])
    expected, blocks = json.loads(capsys.readouterr().out), [*stored]
    enough = 1 + (blocks[1:].index(0) + 1 if command == "climb" else 0)
    stored[:] = [-enough]
    assert main(call) == 130
    assert "interrupted after 0 blocks: continue with --resume" in capsys.readouterr().err
    assert main(call) == 2
    assert "continue it with --resume" in capsys.readouterr().err
    assert main([*call, "--resume", "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert stored[1:] == blocks
    assert untimed(found) == untimed(expected)
    assert main(["verify", str(tmp_path / "parts")]) == 0
    assert main([*call, "--resume", "--seed", "other"]) == 2
    assert "is a run with other seed" in capsys.readouterr().err
    assert main([*call[:-2], "--resume"]) == 2
    assert "name its folder with --records DIR" in capsys.readouterr().err


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    """The result without the processor time that actions took."""
    return found | {"bots": [{k: v for k, v in bot.items() if "ms" not in k} for bot in found.get("bots", ())]}


def test_it_begins_at_a_rung_and_prints_a_table(early_bird: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "peck.json").write_text('{"game": "pickomino"}')
    runs = tmp_path / "kept"
    call = ["climb", early_bird, *QUICK[2:], "--from", "wise-owl", "--luck", "--blocks", "2"]
    assert main([*call, "--records", str(runs)]) == 1
    head, row, verdict = capsys.readouterr().out.splitlines()
    assert head.split() == ["rung", "bot", "verdict", "beaten", "95", "%", "games"]
    assert row.split()[:4] == ["8", "wise-owl", "not", "decided"]
    assert verdict.startswith("mine does not beat rung 8 (wise-owl): 0 rungs beaten in ")
    assert main(["verify", str(runs)]) == 0
    assert f"{row.split()[-1]} games; mine is not decided" in capsys.readouterr().out


def test_the_game_is_read_from_peck_json_by_every_command_that_plays(
    early_bird: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "old").mkdir()
    shutil.copy(early_bird, tmp_path / "old" / "bot.py")
    pair = [str(tmp_path / "old"), early_bird]
    assert main(["play", *pair, "--in-process", "--blocks", "1", "--json"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("which game? Name it (pickomino, ")
    (tmp_path / "peck.json").write_text('{"game": "pickomino"}')
    for command in (["play", *pair], ["play", "pickomino", *pair], ["gate", *pair], ["gate", "pickomino/1", *pair]):
        assert main([*command, "--in-process", "--blocks", "1", "--json"]) in (0, 1)
        assert [one["name"] for one in json.loads(capsys.readouterr().out)["bots"]] == ["old", "mine"]
    assert main(["tune", early_bird, "--steps", "1"]) == 2
    assert "PARAMETERS" in capsys.readouterr().err
    assert main(["play", "pikomino", *pair]) == 2
    assert "known: pickomino, " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--from", "9", "--game", "pickomino"], "there is no rung '9': there are 1 scatterbrain, 2 penny-wren"),
        (["--game", "laghetti"], "players: 2 is not allowed"),
        (["--game", "chess"], "chess"),
        ([], "which game? Name it (pickomino, "),
        (["--game", "karteneck", "--luck"], "luck"),
        (["--game", "pickomino", "--effect", "7"], "effect"),
    ],
)
def test_a_wrong_call_says_what_there_is(words: list[str], error: str, early_bird: str, capsys: Capture) -> None:
    assert main(["climb", early_bird, *words]) == 2
    assert error in capsys.readouterr().err


def test_a_fault_of_the_bot_is_3_and_one_of_the_platform_5(
    early_bird: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.py").write_text("def act(view): return 'fly'\n")
    assert climbed(capsys, str(tmp_path / "bad.py"), code=3)["rungs"][0]["answer"] == "forfeited"

    def broken(*_: Any) -> None:
        raise PlatformFault("the cage broke")

    monkeypatch.setattr(climb, "decided_series", broken)
    assert main(["climb", early_bird, *QUICK]) == 5
    assert "the cage broke" in capsys.readouterr().err


@pytest.mark.processes
def test_two_processes_come_to_the_same_verdict(early_bird: str, tmp_path: Path, capsys: Capture) -> None:
    one, two = (climbed(capsys, early_bird, "--from", "3", "--records", str(tmp_path / n), "-j", n) for n in "12")
    assert one == two
    games = [sorted((tmp_path / n).rglob("*.peck")) for n in "12"]
    assert [path.read_bytes() for path in games[0]] == [path.read_bytes() for path in games[1]]


@pytest.mark.parametrize("fails", ["def act(view): return 1 / 0", "1 / 0", "def act(view): return view['actions'][0]"])
def test_the_records_of_a_bot_that_fails_hold(fails: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "mine.py").write_text(fails)
    main(["climb", str(tmp_path / "mine.py"), *QUICK, "--records", str(tmp_path / "kept")])
    assert main(["verify", str(tmp_path / "kept")]) == 0
    assert "holds: " in capsys.readouterr().out
