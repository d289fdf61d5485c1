"""Random bots of Pickomino of seven kinds, as functions of the view, for ``benchmarks.drill_selected``.

Of each kind, 30 % of the bots take random actions at some decisions, and 15 % decide some positions as another bot of
the kind does. Randomness is derived from the view, so a bot always decides the same way at a position.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from random import Random
from typing import Any, Final, TypeAlias

from benchmarks.drill import HOUSE, Act, house
from games.catalogue.grill.tiles import tile_worms
from games.catalogue.pickomino.bots import sage

POINTS: Final = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES: Final = "12345W"
SHOWN: Final = ("phase", "turn", "grill", "stacks", "aside", "rolled", "sum", "dice_left")
View: TypeAlias = Mapping[str, Any]
Salt: TypeAlias = float | tuple[float, int]
Rank: TypeAlias = Callable[[View, str, int], Any]  # arguments: a face, and the number of dice that show it
Stops: TypeAlias = Callable[[View, int], bool]  # arguments: the view, and the worms that stopping wins


def drawn(kind: str, number: int) -> Act:
    """Return bot ``number`` of ``kind``."""
    chance = Random(f"{kind}{number}")
    act, how = KINDS[kind](chance), chance.random()
    if how < 0.3:
        return _slips(act, chance.choice((0.02, 0.05, 0.1, 0.2)), chance.random())
    if how < 0.45:
        return _mixes(act, KINDS[kind](chance), chance.uniform(0.2, 0.8), chance.random())
    return act


def _slips(act: Act, share: float, salt: float) -> Act:
    return lambda view: _any(view, (salt, 1)) if _from_view(view, salt) < share else act(view)


def _mixes(act: Act, other: Act, share: float, salt: float) -> Act:
    return lambda view: (act if _from_view(view, salt) < share else other)(view)


def _from_view(view: View, salt: Salt) -> float:
    """Return a number from 0 to 1 that is derived from the view."""
    shown = (*(view[name] for name in SHOWN), salt)
    return int.from_bytes(blake2b(repr(shown).encode(), digest_size=6).digest()) / 2**48


def _any(view: View, salt: Salt) -> str:
    return str(view["actions"][int(_from_view(view, salt) * len(view["actions"]))])


def _policy(rank: Rank, stops: Stops, *, declines: bool = False) -> Act:
    """Return a bot that takes the face with the highest rank, and stops as ``stops`` says once stopping wins worms."""

    def act(view: View) -> str:
        phase, actions = view["phase"], view["actions"]
        if phase == "choose":
            return str(max(actions, key=lambda action: rank(view, action[-1], view["rolled"].count(action[-1]))))
        if phase == "decide":
            worms = _wins(view)
            return "stop" if worms and "stop" in actions and stops(view, worms) else "roll"
        if phase == "steal":
            return "decline" if declines and "decline" in actions else "steal"
        return str(actions[-1])

    return act


def _tops(view: View) -> list[int]:
    return [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != view["you"]]


def _own(view: View) -> int:
    stack = view["stacks"][view["you"]]
    return stack[-1] if stack else 0


def _wins(view: View) -> int:
    """Return the worms that stopping wins; a stolen tile counts twice."""
    if not view["aside"]["W"]:
        return 0
    total: int = view["sum"]
    lower = max((tile for tile in view["grill"] if tile <= total), default=0)
    return max(tile_worms(lower) if lower else 0, 2 * tile_worms(total) if total in _tops(view) else 0)


def _used(view: View) -> int:
    return sum(count > 0 for count in view["aside"].values())


def _risk(view: View) -> float:
    """Return the probability that the next roll shows no new face."""
    return float((_used(view) / 6) ** view["dice_left"])


def _threshold(chance: Random) -> Act:
    """Return a bot like most house bots: it takes points first and a worm in time, and stops by risk, total or dice."""
    die, worm = chance.choice((0, 0, chance.uniform(0, 2.5))), chance.choice((0, chance.uniform(0, 10)))
    late, mode = chance.choice((0, 0, 2, 3, 4, 5, 6)), chance.choice(("worms", "risk", "total", "state"))
    easy, wary, desperate = chance.uniform(0.01, 0.35), chance.uniform(0, 0.2), chance.uniform(0.1, 0.5)
    high, dares, least = chance.randint(23, 35), chance.randint(1, 6), chance.choice((1, 1, 2, 2, 3))
    power = chance.choice((1, 1, chance.uniform(0.5, 1.5)))

    def rank(view: View, face: str, count: int) -> tuple[bool, float, int]:
        bonus = worm if face == "W" and not view["aside"]["W"] else 0
        merit = POINTS[face] ** power * count - die * count + bonus
        return (face == "W" and view["dice_left"] - count < late, merit, -count)

    def stops(view: View, worms: int) -> bool:
        if mode in ("worms", "total"):
            return (worms >= least if mode == "worms" else view["sum"] >= high) or view["dice_left"] < dares
        behind = max(view["worms"]) - view["worms"][view["you"]] >= 4 and len(view["grill"]) < 6
        return _risk(view) > (easy if mode == "risk" else desperate if behind else wary if _own(view) >= 29 else easy)

    return _policy(rank, stops)


def _thief(chance: Random) -> Act:
    """Return a bot that prefers the tiles of other players."""
    nerve, late, over = chance.uniform(0.05, 0.7), chance.randint(1, 6), chance.uniform(0, 8)
    near, declines = chance.randint(1, 3), chance.random() < 0.4

    def rank(view: View, face: str, count: int) -> tuple[bool, bool, float]:
        total, prey = view["sum"] + POINTS[face] * count, _tops(view)
        steals = total in prey and (face == "W" or view["aside"]["W"] > 0)
        points = POINTS[face] * count - (over if total > max(prey, default=99) else 0)
        return (steals, face == "W" and view["dice_left"] - count < late, points)

    def stops(view: View, _worms: int) -> bool:
        short = [tile - view["sum"] for tile in _tops(view)]
        if near > 1:
            reach = any(0 < one <= 5 * near for one in short)
        else:
            reach = any(POINTS[face] in short for face in FACES if not view["aside"][face])
        return not reach or view["dice_left"] < 2 or _risk(view) > nerve or 0 in short

    return _policy(rank, stops, declines=declines)


def _lookahead(chance: Random) -> Act:
    """Return a bot that compares an estimate of the final total with the risk."""
    mean, scare, worm = chance.uniform(2, 4.5), chance.uniform(0.2, 3), chance.uniform(0, 12)
    target, own = chance.choice((0, 25, 28, 30)), chance.uniform(0, 1.5)

    def rank(view: View, face: str, count: int) -> float:
        left, used = view["dice_left"] - count, (_used(view) + 1) / 6
        reach = view["sum"] + POINTS[face] * count + mean * left * (1 - used)
        bonus = (worm if left > 1 else 2 * worm) if face == "W" and not view["aside"]["W"] else 0
        missing = max(0, target - reach) if target else 0
        return float(reach * (1 - scare * (used**left if left else 0)) - missing * 0.5 + bonus)

    def stops(view: View, worms: int) -> bool:
        risk, tile = _risk(view), _own(view)
        return (1 - risk) * mean / 4 <= scare * risk * (worms + own * (tile_worms(tile) if tile else 0))

    return _policy(rank, stops)


def _linear(chance: Random) -> Act:
    """Return a bot that adds up features of a face, or of stopping, with random weights."""
    dice, points, worm, late, dear, last, lone = (chance.gauss(0, 1) for _ in range(7))
    points = abs(points) * chance.choice((1, 2))
    risk, gain, tile, dice_left, start = (chance.gauss(0, 1) for _ in range(5))
    faces = [chance.gauss(0, 0.8) for _ in FACES]

    def rank(view: View, face: str, count: int) -> float:
        left, is_worm = view["dice_left"] - count, face == "W"
        score = dice * count + points * count * POINTS[face] / 2 + worm * is_worm * 3
        score += late * (is_worm and left < 4) * 4
        score += dear * POINTS[face]
        score += last * (left == 0) * 3
        return float(score + lone * (count == 1) + faces[FACES.index(face)])

    def stops(view: View, worms: int) -> bool:
        score = 1 + abs(risk) * (_risk(view) - 0.15) * 8 + gain * (worms - 1.5) / 1.5
        score += tile * (_own(view) > 0) * 0.5 + dice_left * (view["dice_left"] - 3) * 0.3 + start * 0.5
        return bool(score > 0)

    return _policy(rank, stops, declines=dice > 1)


def _simple(chance: Random) -> Act:
    """Return a simple bot: it takes the first, the last, the most frequent or a random face, and has one rule to
    stop."""
    how = chance.choice(("first", "last", "count", "face", "any", "points", "last"))
    rule = chance.choice(("at once", "at once", "total", "dice", "faces"))
    limit, salt = chance.randint(21, 30), chance.random()
    ranks: Mapping[str, Rank] = {
        "first": lambda _view, _face, _count: 0,
        "last": lambda _view, face, _count: FACES.index(face),
        "count": lambda _view, face, count: (count, POINTS[face]),
        "face": lambda _view, face, _count: POINTS[face],
        "any": lambda view, face, _count: _any(view, salt)[-1] == face,
        "points": lambda _view, face, count: POINTS[face] * count,
    }

    def stops(view: View, _worms: int) -> bool:
        if rule == "total":
            return bool(view["sum"] >= limit)
        return rule == "at once" or (view["dice_left"] <= limit - 20 if rule == "dice" else _used(view) >= 4)

    return _policy(ranks[how], stops, declines=limit % 2 == 0)


def _planner(chance: Random) -> Act:
    """Return a bot that solves the turn as the Wise Owl does, with another estimate of the payoff."""
    fail, steal, power = chance.uniform(0, 2.5), chance.uniform(0, 3), chance.uniform(0.3, 1.6)
    more, choosy = chance.choice((0, chance.uniform(-2, 2))), chance.random() < 0.5

    def worth(tile: int) -> float:
        return float(tile_worms(tile) ** power + more) if tile else 0.0

    def pay(total: int, grill: tuple[int, ...], tops: tuple[int, ...], own: int) -> float:
        tile = max((tile for tile in grill if tile <= total), default=0)
        lower = worth(tile) if tile else -fail * worth(own)
        if total not in tops:
            return lower
        return max(worth(total) * (1 + steal), lower) if choosy else worth(total) * (1 + steal)

    def act(view: View) -> str:
        phase, actions = view["phase"], view["actions"]
        if phase not in ("choose", "decide"):
            return "steal" if phase == "steal" else str(actions[-1])
        grill, tops, own, _rivals, _optional = sage.stakes(dict(view))
        pays = (*(pay(total, grill, tops, own) for total in range(sage.MOST + 1)), -fail * worth(own))
        values, rolling = sage.solve(pays)
        used = sum(1 << at for at, face in enumerate(FACES) if view["aside"][face])
        left, total = view["dice_left"], view["sum"]
        if phase == "decide":
            goes_on = "stop" not in actions or rolling[sage.NUMBER[used, left, total]] > pays[sage.paid(used, total)]
            return "roll" if goes_on else "stop"

        def value(action: str) -> float:
            count = view["rolled"].count(action[-1])
            return float(values[sage.NUMBER[sage.taken(used, left, total, FACES.index(action[-1]), count)]])

        return str(max(actions, key=value))

    return act


def _lookup(chance: Random) -> Act:
    """Return a bot that plays as one house bot at some positions, and as another at the others."""
    one, two = (house(chance.choice(HOUSE)) for _ in range(2))
    how = chance.choice(("phase", "early", "ahead", "dice"))

    def act(view: View) -> str:
        own = view["worms"][view["you"]]
        first = {
            "phase": view["phase"] == "choose",
            "early": len(view["grill"]) > 8,
            "ahead": own >= max(view["worms"]),
            "dice": view["dice_left"] > 4,
        }
        return str((one if first[how] else two)(view))

    return act


KINDS: Final[Mapping[str, Callable[[Random], Act]]] = {
    "threshold": _threshold,
    "planner": _planner,
    "thief": _thief,
    "lookahead": _lookahead,
    "linear": _linear,
    "simple": _simple,
    "lookup": _lookup,
}
