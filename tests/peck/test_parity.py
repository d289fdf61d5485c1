"""A game at home is the game that the site plays: the same records from the cage and from the kit."""

from pathlib import Path

import pytest

from games.catalogue import GAMES, current
from games.protocol import BotFault, Limits, Verdict
from matches.referee import GameResult, MatchSpec, series_games_play
from matches.referee.seat_player import CageProtocol
from peck.bots import HomeBot, peck_bots_at
from peck.cage import FORKS, HomeCage
from pecking.testing.random_games import random_game_options_needed
from sandbox import Cage
from tests.peck.browsers import WITH_NUMPY, at_home, in_the_cage, series

pytestmark = pytest.mark.processes

SOURCES = {
    "random": "import random\ndef act(view): return random.choice(view['actions'])",
    "numpy": "import numpy\ndef act(view): return view['actions'][numpy.random.randint(len(view['actions']))]",
    "hash": "def act(view): return view['actions'][hash(str(view['turn'])) % len(view['actions'])]",
    "memory": """
import random
class Bot:
    def __init__(self, table):
        self.own, self.seen = random.Random(table["seed"] + table["seat"]), 0
    def act(self, view):
        self.seen += len(view["actions"])
        return view["actions"][(self.seen + self.own.randrange(9)) % len(view["actions"])]
""",
    "beside": """
import json
from pathlib import Path
from helper import pick
WEIGHTS = json.loads(Path("weights.json").read_text())
def act(view): return pick(view["actions"], WEIGHTS)
""",
}
BESIDE = {"helper.py": "def pick(actions, weights): return actions[weights[len(actions) % 3] % len(actions)]\n"}
START_METHODS = ["fork", "spawn"] if FORKS else ["spawn"]


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    for name, source in SOURCES.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(source)
        for beside, text in BESIDE.items():
            (tmp_path / name / beside).write_text(text)
        (tmp_path / name / "weights.json").write_text("[3, 1, 4]")
    return [tmp_path / name for name in SOURCES]


def files_of(bot: HomeBot) -> dict[str, bytes]:
    return {str(path.relative_to(bot.folder)): path.read_bytes() for path in bot.folder.iterdir() if path.is_file()}


def played(cage: CageProtocol, game: str, entrants: list[dict[str, bytes]], blocks: int) -> list[GameResult]:
    ruleset = current(game)
    options = random_game_options_needed(ruleset, len(entrants))
    order = MatchSpec(ruleset, options, Limits(), b"parity", blocks, tuple(entrants))
    return list(series_games_play(order, cage, lambda index, table: None))


def test_a_bot_with_a_warning_is_compiled_by_every_game_and_all_see_a_change(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def act(view):\n    return view['actions'][0 if view is 1 else 0]\n")
    with peck_bots_at([tmp_path, tmp_path]) as bots, HomeCage() as home:
        printed = [one.printed for one in played(home, "pickomino", [*bots], 1)]
        assert all('SyntaxWarning: "is" with' in text for game in printed for text in game)
        bot.write_text("def act(view):\n    return 'nothing'\n")
        assert all(len(one.faults) == 2 for one in played(home, "pickomino", [*bots], 1))


@pytest.mark.parametrize(
    ("game", "start_method"),
    [
        ("heckmeck", START_METHODS[0]),
        ("pickomino", START_METHODS[-1]),
        *(pytest.param(game, START_METHODS[0], marks=pytest.mark.slow) for game in ("karteneck", "laghetti")),
    ],
)
def test_the_records_of_home_and_cage_are_the_same(game: str, start_method: str, folders: list[Path]) -> None:
    """In all rotations, bots with chance of their own, numpy, hashes, memory and files beside them."""
    for chosen in (folders[:3], folders[2:]):
        with peck_bots_at(chosen) as bots, HomeCage(start_method) as home, Cage.open() as cage:
            at_home = played(home, game, [*bots], 1)
            on_site = played(cage, game, [files_of(bot) for bot in bots], 1)
        assert [one.record for one in at_home] == [one.record for one in on_site]
        assert not any(one.faults for one in at_home)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_games_with_numpy_too_are_the_same_in_cage_and_kit(tmp_path: Path) -> None:
    """Of all rulesets, superseded ones too, and all usual numbers of players; the browser's, without numpy, are in
    tests/browser/test_playground_python.py.
    """
    rows = [spec for spec, _ in series(200, numpy=True)]
    assert {spec["ruleset"] for spec in rows} == {str(one) for game in GAMES.values() for one in game.versions}
    sources = [bot["files"]["bot.py"] for spec in rows for bot in spec["bots"] if "files" in bot]
    assert {source for one in WITH_NUMPY.values() for source in one.values()} <= {*sources}
    caged = in_the_cage(200, numpy=True)
    assert len({*caged}) == 200
    assert at_home(200, tmp_path, numpy=True) == caged


@pytest.mark.parametrize("start_method", START_METHODS)
def test_a_timeout_at_home_reports_line_and_output(start_method: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import thinking\ndef act(view):\n    print('start')\n    thinking.hard()\n")
    (tmp_path / "thinking.py").write_text("def hard():\n    while True: pass\n")
    with HomeCage(start_method) as cage, peck_bots_at([tmp_path / "bot.py"]) as (bot,):
        box = cage.start(bot, {}, 1, Limits(act_cpu=0.1))
        with pytest.raises(BotFault) as caught:
            box.act({"actions": ["go"]})
    assert (caught.value.verdict, caught.value.line, caught.value.output) == (Verdict.CPU_TIME, 2, "start\n")
    assert 0.1 <= caught.value.cpu < 1.5 * caught.value.wall  # two clocks, read one after the other
    assert 'File "bot.py", line 4, in act\n    thinking.hard()' in caught.value.detail
    assert 'File "thinking.py", line 2, in hard' in caught.value.detail


@pytest.mark.parametrize("start_method", START_METHODS)
def test_the_standard_streams_at_home_are_as_anywhere(start_method: str, tmp_path: Path) -> None:
    (tmp_path / "word.txt").write_text("word")
    (tmp_path / "bot.py").write_text(
        "import faulthandler, pkgutil, sys\n"
        "def act(view):\n"
        "    sys.stdout.reconfigure(encoding='utf-8', line_buffering=True)\n"
        "    sys.stdout.buffer.write('ça va\\n'.encode())\n"
        "    faulthandler.enable()\n"
        "    print(sys.stdin.buffer.read(), pkgutil.get_data('bot', 'word.txt'), sys.stderr.fileno())\n"
        "    return 'go'\n"
    )
    with HomeCage(start_method) as cage, peck_bots_at([tmp_path / "bot.py"]) as (bot,):
        reply = cage.start(bot, {}, 1, Limits()).act({"actions": ["go"]})
    assert reply.output == "ça va\nb'' b'word' 2\n"
