"""Series for cage, kit and browser alike: bots with chance, memory and files of their own; with numpy, where it is."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.catalogue import GAMES
from matches.referee.match_series import series_game_play
from matches.referee.seat_player import CageProtocol
from peck.bots import HomeBot
from peck.browser import browser_match_spec
from peck.cage import HomeCage
from sandbox import Cage

SOURCES: dict[str, dict[str, str]] = {
    "random": {"bot.py": "import random\ndef act(view): return random.choice(view['actions'])"},
    "memory": {
        "bot.py": """
import random
class Bot:
    def __init__(self, table):
        self.own, self.seen = random.Random(table["seed"] + table["seat"]), 0
    def act(self, view):
        self.seen += len(view["actions"])
        view["actions"].append("not the judge's")
        return view["actions"][(self.seen + self.own.randrange(9)) % (len(view["actions"]) - 1)]
""",
    },
    "beside": {
        "bot.py": """
import json
from pathlib import Path
from helper import pick
WEIGHTS = json.loads(Path("weights.json").read_text())
def act(view): return pick(view["actions"], WEIGHTS)
""",
        "helper.py": "def pick(actions, weights): return actions[weights[len(actions) % 3] % len(actions)]\n",
        "weights.json": "[3, 1, 4]",
    },
    "beside too": {
        "bot.py": """
import random
def act(view):
    from helper import pick
    return pick(view["actions"])
""",
        "helper.py": "import random\ndef pick(actions): return actions[int(random.random() * len(actions))]\n",
    },
    "faulty": {
        "bot.py": """
import random
asked = 0
def act(view):
    global asked
    asked += 1
    return random.choice(view["actions"]) if asked < 9 else "nonsense"
""",
    },
}


# What a browser does not have.
WITH_NUMPY: dict[str, dict[str, str]] = {
    "numpy": {"bot.py": "import numpy\ndef act(view): return str(numpy.random.choice(view['actions']))"},
    "numpy's own": {
        "bot.py": """
import random
import numpy as np
class Bot:
    def __init__(self, table):
        self.luck = np.random.default_rng(table["seed"])
        self.liked = np.zeros(64)
    def act(self, view):
        self.liked += self.luck.standard_normal(64) + random.random()
        numbers = np.arange(len(view["actions"])) * 7 % 64
        return view["actions"][int(np.argmax(self.liked[numbers]))]
""",
    },
}


def series(games: int, *, numpy: bool = False) -> Iterator[tuple[dict[str, Any], int]]:
    """What is to be played, so many games over all rulesets and numbers of players, and the game of each; with bots
    that use numpy, or without.
    """
    sources = SOURCES | WITH_NUMPY if numpy else SOURCES
    rulesets = [
        (ruleset, players)
        for game in GAMES.values()
        for ruleset in game.versions
        for players in game.current.usual_seats
    ]
    names = list(sources)
    for number in range(games):
        ruleset, players = rulesets[number * 5 % len(rulesets)]
        house = [bot.name for bot in GAMES[ruleset.name].house_bots if numpy or b"numpy" not in bot.source()]
        bots: list[dict[str, Any]] = [
            {"files": sources[names[(number + seat) % len(names)]]} for seat in range(players)
        ]
        bots[-1] = {"house": house[number % len(house)]}
        yield {"ruleset": ruleset.id, "seed": f"series {number}", "bots": bots}, number % players


def hashes(cage: CageProtocol, games: int, *, numpy: bool = False) -> list[str]:
    """The hashes of the records that a cage gives."""
    return [
        sha256(series_game_play(browser_match_spec(spec), cage, index).record.encode()).hexdigest()
        for spec, index in series(games, numpy=numpy)
    ]


def in_the_cage(games: int, *, numpy: bool = False) -> list[str]:
    with Cage.open() as cage:
        return hashes(cage, games, numpy=numpy)


class Home:
    """The kit's cage, given files instead of a folder."""

    def __init__(self, cage: HomeCage, folder: Path) -> None:
        self._cage = cage
        self._folder = folder

    def start(self, files: Mapping[str, bytes], *rest: Any) -> Any:
        folder = self._folder / sha256(repr(sorted(files.items())).encode()).hexdigest()
        folder.mkdir(exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return self._cage.start(HomeBot(folder.name, folder), *rest)


def at_home(games: int, folder: Path, *, numpy: bool = False) -> list[str]:
    with HomeCage() as cage:
        return hashes(Home(cage, folder), games, numpy=numpy)
