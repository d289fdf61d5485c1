"""``--in-process`` plays the games of the cage in one process, and ``pecking.simulate`` plays functions."""

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from games.catalogue import GAMES
from games.protocol import Limits
from games.record import Record
from games.state import IllegalAction
from peck.__main__ import main
from peck.bots import HomeBot
from peck.in_process import InProcessCage
from pecking.simulate import decisions, simulate
from tests.peck.browsers import Home, hashes, in_the_cage

ACT = "def act(view): return view['actions'][0]"
FIRST_AND_RANDOM = """
import random
class Bot:
    def __init__(self, table): self.table = table
    def act(self, view): return random.choice(view["actions"])
"""


def first(view: Any) -> str:
    action: str = view["actions"][0]
    return action


class Own:
    """A bot with memory and randomness of its own."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.random = random.Random(table["seed"])

    def act(self, view: Any) -> str:
        action: str = self.random.choice(view["actions"])
        return action


@pytest.mark.processes
@pytest.mark.parametrize("games", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_the_records_are_those_of_the_cage(games: int, tmp_path: Path) -> None:
    cage: Any = Home(InProcessCage(), tmp_path)  # type: ignore[arg-type]
    assert hashes(cage, games, numpy=True) == in_the_cage(games, numpy=True)


def test_the_interpreter_stays_as_it_was(tmp_path: Path) -> None:
    before, path, output = set(sys.modules), sys.path[:], sys.stdout
    cage: Any = Home(InProcessCage(), tmp_path)  # type: ignore[arg-type]
    hashes(cage, 5)
    assert (sys.path, sys.stdout) == (path, output)
    assert not {"bot", "helper"} & (set(sys.modules) - before)


@pytest.mark.parametrize(
    ("source", "verdict", "line"),
    [
        ("def act(view):\n    return 1 / 0", "crashed", 2),
        ("def act(view)\n    pass", "import_error", 1),
        ("import sys\ndef act(view): sys.exit(3)", "exited", 2),
        ("def act(view): return 'dance'", "illegal_action", None),
        ("def act(view): return 5", "malformed", None),
        ("x = 1", "no_entry_point", None),
    ],
)
def test_a_fault_has_the_words_of_the_site(
    source: str, verdict: str, line: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("mine.py", source), ("other.py", ACT)):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("mine.py", "other.py")]
    assert main(["play", "pickomino", *files, "--in-process", "--blocks", "1", "--json"]) == 3
    printed = capsys.readouterr()
    assert json.loads(printed.out)["bots"][0]["faults"] == 2
    assert verdict in printed.err
    assert line is None or f":{line}" in printed.err or f"line {line}" in printed.err


def test_ctrl_c_ends_the_run_and_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    source = "def act(view): raise KeyboardInterrupt"
    (tmp_path / "bot.py").write_text(source)
    box = InProcessCage().start(HomeBot("b", tmp_path), {}, 1, Limits())
    with pytest.raises(KeyboardInterrupt):
        box.act({"actions": []})


def test_what_a_bot_prints_is_returned_and_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot.py").write_text("def act(view):\n    print('thinking')\n    return 'roll'")
    reply = InProcessCage().start(HomeBot("b", tmp_path), {}, 1, Limits()).act({"actions": []})
    assert (reply.action, reply.output) == ("roll", "thinking\n")
    assert capsys.readouterr().out == ""


def test_a_gate_decides_as_it_does_with_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("old.py", ACT), ("new.py", FIRST_AND_RANDOM)):
        (tmp_path / name).write_text(text)
    call = ["gate", "pickomino", str(tmp_path / "old.py"), str(tmp_path / "new.py"), "--blocks", "6", "--json"]
    answers = []
    for more in ([], ["--in-process"]):
        main(call + more)
        found = json.loads(capsys.readouterr().out)
        answers.append((found["answer"], found["blocks"], [one["points"] for one in found["bots"]]))
    assert answers[0] == answers[1]


def test_caged_and_in_process_exclude_each_other() -> None:
    with pytest.raises(SystemExit):
        main(["play", "pickomino", "a.py", "b.py", "--caged", "--in-process"])


@pytest.mark.parametrize("game", GAMES)
def test_simulated_games_verify_and_are_the_same_for_the_same_seeds(game: str) -> None:
    ruleset = GAMES[game].current
    players = [first, *[Own] * (ruleset.usual_seats[0] - 1)]
    games = list(simulate(ruleset.id, players, [1, "two", bytes(16)]))
    assert games == list(simulate(ruleset.id, players, [1, "two", bytes(16)]))
    assert games[2].seed == bytes(16)
    assert len({one.seed for one in games}) == 3
    for one in games:
        assert Record.decode(one.record.encode()).verify() == one.outcome


def test_more_jobs_give_the_same_games_in_the_same_order() -> None:
    closure = {"played": first}
    players = [lambda view: closure["played"](view), Own]
    alone = list(simulate("pickomino", players, range(40)))
    assert list(simulate("pickomino", players, range(40), jobs=2)) == alone


def test_an_illegal_action_of_a_function_is_raised() -> None:
    with pytest.raises(IllegalAction):
        list(simulate("pickomino", [lambda view: "dance"] * 2, [1]))


def test_decisions_of_a_record_are_what_the_players_saw() -> None:
    seen: list[tuple[int, Any, str]] = []

    def noting(seat: int) -> Any:
        def act(view: Any) -> str:
            seen.append((seat, json.loads(json.dumps(view)), first(view)))
            return first(view)

        return act

    [game] = simulate("laghetti", [noting(seat) for seat in range(3)], [7])
    assert [(seat, json.loads(json.dumps(view)), action) for seat, view, action in decisions(game.record)] == seen
