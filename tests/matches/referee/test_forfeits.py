"""When faults cost the match, not just the game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.protocol import Verdict
from matches.referee import SeriesResult, SeriesState, match_series_conclude, series_games_play
from matches.referee.bot_fault import FaultCounter
from tests.matches.in_process import InProcessCage
from tests.matches.referee.orders import FIRST, LAST, order, unwatched

# Fails in the games that a test names: the only thing all of a match's bots share is this process.
FAILS = b"""
from tests.matches.referee import orders
orders.started += 1
def act(view):
    if orders.started in orders.fails_in:
        raise ValueError("no idea")
    return view["actions"][0]
"""


def conduct(games: str) -> FaultCounter:
    """Of a seat whose games at fault are marked "x"."""
    seat = FaultCounter()
    for game in games:
        seat.note(at_fault=game == "x")
    return seat


@pytest.mark.parametrize(
    ("games", "of", "forfeits"),
    [
        ("", 2, False),
        ("x", 4, True),  # a quarter
        ("x", 5, False),  # a fifth is not more than a fifth
        ("x...x", 10, False),
        ("x...x.x", 10, True),
        ("x.x.x.x.x.", 50, False),
        ("xx.xx.", 50, False),
        (".xxx", 50, True),
        (".xxx" + "." * 46, 50, True),  # nothing mends it
    ],
)
def test_more_than_a_fifth_of_the_games_or_three_in_a_row_forfeit_the_match(
    games: str, of: int, forfeits: bool
) -> None:
    assert conduct(games).forfeits(of) == forfeits


@settings(deadline=None)
@given(st.text("x.", max_size=30), st.integers(0, 30))
def test_a_forfeited_match_stays_forfeited(games: str, more: int) -> None:
    most = len(games) + more
    for played in range(len(games)):
        if conduct(games[:played]).forfeits(most):
            rest = "x" * (len(games) - played)  # the stand-in's games
            assert conduct(games[:played] + rest).forfeits(most)
            assert conduct(games[:played] + rest).forfeits(len(games))


def match(fails_in: set[int], blocks: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], SeriesResult]:
    """Who played the first seat in each game, as verdicts ("" the bot), and the end."""
    from tests.matches.referee import orders

    monkeypatch.setattr(orders, "fails_in", fails_in, raising=False)
    monkeypatch.setattr(orders, "started", -1, raising=False)
    games = list(series_games_play(order(FAILS, LAST, blocks=blocks), InProcessCage(), unwatched))
    verdicts = [next((fault.verdict.value for fault in game.faults), "") for game in games]
    return verdicts, match_series_conclude(games, SeriesState(2, blocks))


def test_three_in_a_row_leave_the_rest_to_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts, end = match({1, 2, 3}, 10, monkeypatch)
    assert verdicts == ["", "crashed", "crashed", "crashed", *["forfeited"] * 16]
    assert end == SeriesResult(10, (True, False))


def test_a_fifth_of_the_games_cost_those_games_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts, end = match({0, 1, 4, 5}, 10, monkeypatch)
    assert [index for index, verdict in enumerate(verdicts) if verdict == "crashed"] == [0, 1, 4, 5]
    assert "forfeited" not in verdicts
    assert end.forfeited == (False, False)


def test_the_last_game_may_be_the_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts, end = match({0, 9}, 5, monkeypatch)
    assert verdicts.count("crashed") == 2
    assert end.forfeited == (False, False)
    verdicts, end = match({0, 4, 9}, 5, monkeypatch)
    assert verdicts.count("crashed") == 3
    assert "forfeited" not in verdicts
    assert end.forfeited == (True, False)


def test_a_bot_that_is_barred_is_never_started() -> None:
    cage = InProcessCage()
    games = list(series_games_play(order(FIRST, LAST, forfeited_seats=(1,)), cage, unwatched))
    assert [start["seat"] for start in cage.starts] == [0, 1]
    assert [[(fault.seat, fault.verdict) for fault in game.faults] for game in games] == [[(1, "forfeited")]] * 2
    assert match_series_conclude(games, SeriesState(2, 1, forfeited_seats=[1])).forfeited == (False, True)


def test_a_forfeited_seat_is_played_from_the_first_action_on(monkeypatch: pytest.MonkeyPatch) -> None:
    cage = InProcessCage()
    games = list(series_games_play(order(b"def act(view):\n    1 / 0\n", FIRST, blocks=2), cage, unwatched))
    for game in games[1:]:
        (intervention,) = game.record.interventions
        assert intervention.cause == Verdict.FORFEITED
        assert game.record.verify().points == tuple(game.points[(at + game.index) % 2] for at in range(2))
        assert game.cpu[0] == 0
    assert len(cage.starts) == 1 + len(games)
