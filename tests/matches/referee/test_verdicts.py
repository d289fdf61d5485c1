"""Each way to fail, in a real cage: the typed verdict, the opponent unharmed, the game played to its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.protocol import MIB, Limits, Verdict
from matches.referee import series_games_play
from sandbox import Cage
from tests.matches.referee.orders import FIRST, order, unwatched

LIMITS = Limits(start_cpu=0.5, start_wall=1.5, act_cpu=0.1, act_wall=0.5, game_cpu=2.0, memory=128 * MIB)


@pytest.fixture(scope="module")
def cage() -> Iterator[Cage]:
    with Cage.open() as cage:
        yield cage


def act(body: str) -> bytes:
    return f"import os, sys, time\ndef act(view):\n    {body}\n    return view['actions'][0]\n".encode()


FAILURES = {
    Verdict.CRASHED: act("raise ValueError('no idea')"),
    Verdict.KILLED: act("import ctypes; ctypes.string_at(0)"),
    Verdict.CPU_TIME: act("while True: pass"),
    Verdict.SLEPT: act("time.sleep(60)"),
    Verdict.MEMORY: act("bytearray(1 << 30)"),
    Verdict.EXITED: act("os._exit(0)"),
    Verdict.MALFORMED: act("return 7"),
    Verdict.OVERSIZE: act("return 'x' * 10_000"),
    Verdict.ILLEGAL_ACTION: act("return 'win'"),
    Verdict.NO_ENTRY_POINT: b"def play(view):\n    return view['actions'][0]\n",
    Verdict.IMPORT_ERROR: b"def act(view:\n",
}


@pytest.mark.parametrize("verdict", FAILURES)
def test_a_failing_bot_gets_its_verdict_and_its_opponent_plays_on(cage: Cage, verdict: Verdict) -> None:
    games = list(series_games_play(order(FAILURES[verdict], FIRST, limits=LIMITS), cage, unwatched))
    assert len(games) == 2
    for game, found in zip(games, (verdict, Verdict.FORFEITED), strict=True):
        (fault,) = game.faults
        assert (fault.seat, fault.verdict) == (0, found)
        assert game.places == (2, 1)
        assert [intervention.cause for intervention in game.record.interventions] == [found.value]
        game.record.verify()
        assert game.cpu[1] > 0


def test_the_author_sees_what_the_bot_printed_and_where_it_failed(cage: Cage) -> None:
    bot = b"def act(view):\n    print('turn', view['turn'])\n    if view['aside']['W']:\n        view['nothing']\n"
    bot += b"    return view['actions'][-1]\n"
    (fault,) = next(series_games_play(order(FIRST, bot), cage, unwatched)).faults
    assert fault.exception.startswith("KeyError")
    assert fault.line == 4
    assert fault.output.startswith("turn ")
    assert fault.view is not None
    assert fault.view["aside"]["W"]


def test_both_bots_may_fail_and_the_game_still_ends_in_a_tie(cage: Cage) -> None:
    game = next(series_games_play(order(FAILURES[Verdict.CRASHED], FAILURES[Verdict.MALFORMED]), cage, unwatched))
    assert [fault.verdict for fault in game.faults] == [Verdict.CRASHED, Verdict.MALFORMED]
    assert game.places == (1, 1)
    game.record.verify()


def test_caged_bots_that_use_chance_repeat_their_games(cage: Cage) -> None:
    dice = b"import random\ndef act(view):\n    return random.choice(view['actions'])\n"

    def records() -> list[bytes]:
        return [game.record.encode() for game in series_games_play(order(dice, dice), cage, unwatched)]

    assert records() == records()


def test_a_match_leaves_no_box_open(cage: Cage) -> None:
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    list(series_games_play(order(FIRST, FAILURES[Verdict.CRASHED]), cage, unwatched))
    before = descriptors()
    list(series_games_play(order(FIRST, FAILURES[Verdict.CRASHED]), cage, unwatched))
    assert descriptors() == before


def test_no_text_of_a_bot_keeps_characters_that_steer_a_terminal_or_turn_the_reading_direction(cage: Cage) -> None:
    harm = "\x1b[2J\x07\x9b\u202e\u2066\u2028"
    bot = f"def act(view):\n    print({harm!a})\n    return {'win' + harm!a}\n".encode()
    (fault,) = next(series_games_play(order(bot, FIRST), cage, unwatched)).faults
    assert fault.verdict is Verdict.ILLEGAL_ACTION
    assert fault.answer == "win" + "\ufffd[2J" + "\ufffd" * 5
    assert not set("".join((fault.answer, fault.detail, fault.output))) & set(harm) - set("[2J")
