"""The games of a match, with bots in this process: seeds, rotation, forfeits, and what the watcher receives."""

import time
from itertools import islice, pairwise

import pytest

from games.catalogue import catalogue_stand_in
from games.protocol import PlatformFault, Verdict
from games.record import Record
from games.table import Table
from matches.referee import (
    SeriesResult,
    SeriesState,
    StopReason,
    ThreeAnswers,
    match_series_conclude,
    scoring_seat_totals,
    series_games_play,
)
from matches.referee.stopping import LEAST_BLOCKS
from tests.matches.in_process import InProcessCage
from tests.matches.referee.orders import FIRST, GREEDY, LAST, order, unwatched

CRASHES_AT_TURN = b"""
calls = 0
def act(view):
    global calls
    calls += 1
    if calls == 4:
        raise ValueError("no idea")
    return view["actions"][0]
"""
BROKEN = b"import nothing_of_that_name\n"
CHEATS = b"def act(view):\n    return 'take 36, all of them'\n"
LONG = b"def act(view):\n    return 'roll ' * 1000\n"
BREAKS_THE_PLATFORM = b"def act(view):\n    raise PlatformFault('the zygote died')\n"
PLAYS_AS_THE_HOUSE = b"from games.catalogue.pickomino.bots.cautious import act\n"


def test_a_match_plays_each_seed_in_every_rotation() -> None:
    games = list(series_games_play(order(FIRST, LAST, GREEDY, blocks=2), InProcessCage(), unwatched))
    assert [game.index for game in games] == list(range(6))
    seeds = [game.record.seed for game in games]
    assert len(set(seeds[:3])) == len(set(seeds[3:])) == 1
    assert seeds[0] != seeds[3]


def test_equal_secrets_give_equal_records_and_others_do_not() -> None:
    def records(secret: bytes) -> list[bytes]:
        games = series_games_play(order(GREEDY, LAST, secret=secret), InProcessCage(), unwatched)
        return [game.record.encode() for game in games]

    assert records(b"a" * 16) == records(b"a" * 16)
    assert records(b"a" * 16) != records(b"b" * 16)


def test_every_game_has_fresh_bots_whose_luck_is_their_own() -> None:
    cage = InProcessCage()
    list(series_games_play(order(FIRST, LAST, blocks=2), cage, unwatched))
    assert len(cage.starts) == 8
    assert [start["seat"] for start in cage.starts] == [0, 1] * 4
    # Seat and seed: no bot gets the same luck twice, and none gets another's.
    assert len({start["seed"] for start in cage.starts[:2]}) == 2
    assert {start["seed"] for start in cage.starts[:4]}.isdisjoint(start["seed"] for start in cage.starts[4:])
    assert all(box.closed for box in cage.boxes)


def test_a_crash_is_recorded_with_the_exact_view_and_the_house_plays_on() -> None:
    crash, _ = series_games_play(order(CRASHES_AT_TURN, FIRST), InProcessCage(), unwatched)
    (fault,) = crash.faults
    assert (fault.seat, fault.verdict, fault.exception, fault.detail) == (0, Verdict.CRASHED, "ValueError", "no idea")
    assert fault.output == "last words"
    assert fault.view is not None
    assert fault.view["actions"]
    (intervention,) = crash.record.interventions
    assert (intervention.at, intervention.seat, intervention.cause) == (fault.action_index, 0, "crashed")
    assert crash.record.actions[fault.action_index] == catalogue_stand_in("pickomino")(fault.view)
    crash.record.verify()
    assert Record.decode(crash.record.encode()) == crash.record
    assert crash.places == (2, 1)


def test_a_record_with_a_stand_in_is_the_game_the_stand_in_would_have_played_itself() -> None:
    crashed = next(series_games_play(order(b"def act(view):\n    1 / 0\n", FIRST), InProcessCage(), unwatched))
    house = next(series_games_play(order(PLAYS_AS_THE_HOUSE, FIRST), InProcessCage(), unwatched))
    assert crashed.record.actions == house.record.actions
    assert crashed.points == house.points


@pytest.mark.parametrize(("bot", "verdict"), [(CHEATS, Verdict.ILLEGAL_ACTION), (LONG, Verdict.OVERSIZE)])
def test_an_answer_that_is_no_action_is_the_bots_fault(bot: bytes, verdict: Verdict) -> None:
    game = next(series_games_play(order(FIRST, bot), InProcessCage(), unwatched))
    (fault,) = game.faults
    assert (fault.seat, fault.verdict) == (1, verdict)
    assert fault.answer.startswith(("take 36, all", "roll roll"))
    assert len(fault.answer) <= 300
    assert game.places == (1, 2)


def test_a_bot_that_does_not_start_loses_every_game_but_is_not_started_for_ever() -> None:
    cage = InProcessCage()
    games = list(series_games_play(order(BROKEN, FIRST, blocks=3), cage, unwatched))
    # Of six games two are more than a fifth.
    expected = [[Verdict.IMPORT_ERROR]] * 2 + [[Verdict.FORFEITED]] * 4
    assert [[fault.verdict for fault in game.faults] for game in games] == expected
    assert all(game.faults[0].view is None for game in games)
    assert len(cage.starts) == 2 + 6
    broken, sound = scoring_seat_totals(games)
    assert (broken.score, broken.wins, broken.points, broken.faulty_games) == (0.0, 0, 0, 6)
    assert (sound.score, sound.wins, sound.faulty_games) == (6.0, 6, 0)


def test_a_sequential_series_stops_with_the_block_that_decides_it() -> None:
    rule = ThreeAnswers(effect=0.2, error=0.05)
    games = list(series_games_play(order(GREEDY, FIRST, blocks=60, stopping=rule), InProcessCage(), unwatched))
    end = match_series_conclude(games, SeriesState(2, 60, rule))
    assert (len(games), end.ending) == (2 * end.blocks, StopReason.FIRST)
    assert LEAST_BLOCKS <= end.blocks < 60
    assert end.ratio is not None
    assert end.ratio >= rule.bound
    fixed = list(islice(series_games_play(order(GREEDY, FIRST, blocks=60), InProcessCage(), unwatched), len(games)))
    assert [game.record for game in games] == [game.record for game in fixed], "the rule changes only how long it goes"


def test_the_same_seeds_come_to_the_same_stop_and_swapped_bots_to_the_opposite_one() -> None:
    def end(*bots: bytes) -> SeriesResult:
        rule = ThreeAnswers(effect=0.2, error=0.1)
        played = series_games_play(order(*bots, blocks=60, stopping=rule), InProcessCage(), unwatched)
        return match_series_conclude(played, SeriesState(2, 60, rule))

    once = end(GREEDY, FIRST)
    assert end(GREEDY, FIRST) == once
    assert (once.ending, end(FIRST, GREEDY).ending) == (StopReason.FIRST, StopReason.SECOND)


def test_a_series_of_equals_ends_when_it_is_too_close_to_call() -> None:
    rule = ThreeAnswers(effect=0.25, error=0.1)
    games = list(series_games_play(order(GREEDY, GREEDY, blocks=50, stopping=rule), InProcessCage(), unwatched))
    end = match_series_conclude(games, SeriesState(2, 50, rule))
    assert (len(games), end.ending) == (2 * end.blocks, StopReason.TOO_CLOSE)
    assert end == SeriesResult(8, (False, False), StopReason.TOO_CLOSE, rule.ratio([0.5] * 8))


def test_a_series_that_shows_nothing_by_its_last_block_says_so() -> None:
    rule = ThreeAnswers(effect=0.01)
    games = list(series_games_play(order(GREEDY, GREEDY, blocks=9, stopping=rule), InProcessCage(), unwatched))
    ratio = rule.ratio([0.5] * 9)
    assert match_series_conclude(games, SeriesState(2, 9, rule)) == SeriesResult(
        9, (False, False), StopReason.UNDECIDED, ratio
    )


def test_a_sequential_series_in_which_a_bot_forfeits_has_nothing_more_to_decide() -> None:
    rule = ThreeAnswers()
    games = list(series_games_play(order(BROKEN, FIRST, blocks=50, stopping=rule), InProcessCage(), unwatched))
    end = match_series_conclude(games, SeriesState(2, 50, rule))
    assert (len(games), end.blocks, end.ending, end.forfeited) == (4, 2, StopReason.FORFEITED, (True, False))


def test_a_fault_of_the_platform_voids_the_attempt_and_leaves_no_bot_behind() -> None:
    cage = InProcessCage()
    with pytest.raises(PlatformFault):
        list(series_games_play(order(FIRST, BREAKS_THE_PLATFORM), cage, unwatched))
    assert all(box.closed for box in cage.boxes)


def test_the_watcher_sees_the_start_and_every_action_and_may_end_the_match() -> None:
    seen: list[tuple[int, int, bool]] = []

    def watch(index: int, table: Table) -> None:
        seen.append((index, len(table.record().actions), table.over))
        if index == 1:
            raise KeyError("enough")

    cage = InProcessCage()
    with pytest.raises(KeyError):
        list(series_games_play(order(FIRST, LAST), cage, watch))
    first = [(actions, over) for index, actions, over in seen if index == 0]
    assert [actions for actions, _ in first] == list(range(len(first)))
    assert [over for _, over in first] == [False] * (len(first) - 1) + [True]
    assert all(box.closed for box in cage.boxes)


def test_a_paced_match_leaves_time_between_two_actions() -> None:
    times: list[float] = []

    def watch(index: int, table: Table) -> None:
        times.append(time.monotonic())
        if len(times) == 6:
            raise KeyError("enough")

    with pytest.raises(KeyError):
        list(series_games_play(order(FIRST, LAST, pace=0.03), InProcessCage(), watch))
    assert all(later - earlier >= 0.029 for earlier, later in pairwise(times))
