# ruff: noqa: F821  the functions of a game take the places of the names that are declared only
"""The loops over all games of a batch. ``research.batch`` binds them to the functions of a game's ``ArrayRules``."""

from collections.abc import Callable
from typing import Any

from games.in_numbers import ACTOR, WANTED
from research import batch_hash

begin: Callable[[Any], None]
play: Callable[[Any, int], None]
deal: Callable[[Any, Any], None]
observe: Callable[[Any, int, Any], None]
allow: Callable[[Any, Any], None]
rank: Callable[[Any, Any, Any], None]
compress: Callable[[Any, Any, Any, int, Any], None]  # see research.batch_hash


def batch_loops_begin(rows: Any, which: Any, waiting: Any) -> int:
    """Begin the games ``which``. Return the number of games that wait for a block. Write these games and the codes of
    their blocks into ``waiting``.
    """
    number = 0
    for game in which:
        row = rows[game]
        begin(row)
        if row[WANTED]:
            waiting[0, number] = game
            waiting[1, number] = row[WANTED]
            number += 1
    return number


def batch_loops_play(rows: Any, which: Any, actions: Any, waiting: Any) -> int:
    """Play an action in each of the games ``which``; returns like ``batch_loops_begin``."""
    number = 0
    for place in range(len(which)):
        row = rows[which[place]]
        play(row, actions[place])
        if row[WANTED]:
            waiting[0, number] = which[place]
            waiting[1, number] = row[WANTED]
            number += 1
    return number


def batch_loops_deal(rows: Any, waiting: Any, number: int, keyed: Any, texts: Any, blocks: Any) -> int:
    """Deal blocks to the first ``number`` games of ``waiting``, until in every game a seat must act or the game is
    over.

    Return the number of games that wait for a block that ``texts`` lacks. Once no game waits, it is 0.
    """
    drawn = blocks.view(batch_hash.BYTE)
    while number:
        for place in range(number):
            code = waiting[1, place]
            if code >= len(texts) or not texts[code, batch_hash.LENGTH]:
                return number
        compress(keyed, texts, waiting, number, blocks)
        left = 0
        for place in range(number):
            game = waiting[0, place]
            row = rows[game]
            deal(row, drawn[place])
            if row[WANTED]:
                waiting[0, left] = game
                waiting[1, left] = row[WANTED]
                left += 1
        number = left
    return 0


def batch_loops_look(rows: Any, which: Any, observations: Any, masks: Any, actors: Any, over: Any) -> None:
    """Write the observations and masks of the acting seats in the games ``which``, and which games are over."""
    for game in which:
        row = rows[game]
        actors[game] = row[ACTOR]
        over[game] = row[ACTOR] < 0
        if row[ACTOR] >= 0:
            masks[game] = 0
            observe(row, row[ACTOR], observations[game])
            allow(row, masks[game])


def batch_loops_rank(rows: Any, which: Any, points: Any, places: Any, seen: Any) -> None:
    """Write the points, places and last observations of the games ``which``, which are over."""
    for game in which:
        rank(rows[game], points[game], places[game])
        for seat in range(points.shape[1]):
            observe(rows[game], seat, seen[game, seat])
