"""Weighs what a move says of itself: checkers borne off, two that land together, those from far away, hits."""

from itertools import pairwise


def steps(name):
    """Return the moves of single checkers in a name such as ``24/18*/13 6/5(2)``, as (from, to) texts."""
    for part in name.split():
        times = int(part[part.index("(") + 1]) if "(" in part else 1
        stops = part.partition("(")[0].replace("*", "").split("/")
        for _ in range(times):
            yield from pairwise(stops)


def worth(name):
    ends = [end for _, end in steps(name)]
    starts = [start for start, _ in steps(name)]
    far = sum(int(start) > 12 for start in starts if start.isdigit())
    made = len(ends) - len(set(ends) - {"Off"}) - ends.count("Off")
    return name.count("*") + 6 * ends.count("Off") + 3 * max(made, 0) + far


def act(view):
    best = max(range(len(view["actions"])), key=lambda at: worth(view["names"][at]))
    return view["actions"][best]
