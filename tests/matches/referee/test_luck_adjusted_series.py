"""Rule gsprt/3: a series decided by shares less their luck."""

import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from luck import UNIT, GameAccount, luck_analyse
from matches.referee import (
    SeriesState,
    StoppingError,
    StopReason,
    ThreeAnswers,
    ThreeAnswersLessLuck,
    match_series_conclude,
    match_series_luck_of_first,
    series_games_play,
)
from matches.referee.scoring import scoring_by_seat, scoring_shares_beaten
from matches.referee.stopping import BETA_BLOCKS
from tests.luck.games import played
from tests.matches.in_process import InProcessCage
from tests.matches.referee.orders import FIRST, GREEDY, order, unwatched

VALUE = "pickomino/1-v1"
RULE = ThreeAnswersLessLuck(effect=0.05, error=0.05, value=VALUE)
BLOCKS = st.lists(st.tuples(st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0)), st.floats(-0.5, 0.5)), max_size=40)
MOST = 400
Block = tuple[float, float]  # the first seat's share, and its luck


@given(BLOCKS, st.integers(0, 40), st.tuples(st.floats(0, 1), st.floats(-0.5, 0.5)))
def test_what_a_block_counts_for_follows_from_it_and_those_before(blocks: list[Block], at: int, other: Block) -> None:
    changed = [other if place == at else block for place, block in enumerate(blocks)]
    assert counted(blocks)[:at] == counted(changed)[:at]
    beta = 0.0 if at >= len(blocks) or not blocks[at][1] else (blocks[at][0] - counted(blocks)[at]) / blocks[at][1]
    assert -1e-9 <= beta <= 1 + 1e-6
    assert counted(blocks)[:BETA_BLOCKS] == [share for share, _ in blocks[:BETA_BLOCKS]]


@given(BLOCKS)
def test_for_swapped_seats_it_is_the_opposite(blocks: list[Block]) -> None:
    swapped = [(1 - share, -luck) for share, luck in blocks]
    assert counted(swapped) == pytest.approx([1 - one for one in counted(blocks)])
    opposite = {StopReason.FIRST: StopReason.SECOND, StopReason.SECOND: StopReason.FIRST}
    decision = RULE.decision(counted(blocks))
    assert RULE.decision(counted(swapped)) == (opposite.get(decision, decision) if decision else None)


@settings(deadline=None)
@given(st.lists(st.sampled_from((0.0, 0.5, 1.0)), max_size=200))
def test_where_luck_explains_nothing_it_is_the_rule_without(shares: list[float]) -> None:
    plain = ThreeAnswers(effect=RULE.effect, error=RULE.error)
    assert RULE.ratio(RULE.counted(shares, [0.0] * len(shares))) == pytest.approx(plain.ratio(shares))


@pytest.mark.parametrize("value", ["", None, 7])
def test_without_a_value_there_is_no_such_rule(value: object) -> None:
    with pytest.raises(StoppingError) as refused:
        ThreeAnswersLessLuck(value=value)  # type: ignore[arg-type]
    assert refused.value.field == "value"


def test_games_carry_the_luck_of_the_first_seat_and_the_series_takes_it_off() -> None:
    rule = ThreeAnswersLessLuck(effect=0.25, error=0.25, value=VALUE)
    games = list(series_games_play(order(GREEDY, FIRST, blocks=60, stopping=rule), InProcessCage(), unwatched))
    for game in games:
        account = luck_analyse(game.record)
        expected = scoring_by_seat(account.luck, game.index)[0] / UNIT if isinstance(account, GameAccount) else 0.0
        assert game.luck == expected
    assert any(game.luck for game in games)
    end = match_series_conclude(games, SeriesState(2, 60, rule))
    assert (end.blocks, end.ending) == (len(games) // 2, StopReason.FIRST)
    pairs = zip(games[::2], games[1::2], strict=True)
    blocks = [
        (sum(float(scoring_shares_beaten(one.places)[0]) for one in pair) / 2, sum(g.luck for g in pair) / 2)
        for pair in pairs
    ]
    assert end.ratio == rule.ratio(rule.counted(*zip(*blocks, strict=True)))
    plain = list(series_games_play(order(GREEDY, FIRST, blocks=1), InProcessCage(), unwatched))
    assert [game.luck for game in plain] == [0.0, 0.0], "nobody asked for it"


def test_a_value_that_is_not_the_games_is_refused() -> None:
    [game, _] = series_games_play(order(GREEDY, FIRST, blocks=1), InProcessCage(), unwatched)
    with pytest.raises(StoppingError, match="pickomino/1-v0"):
        match_series_luck_of_first(game.record, 0, ThreeAnswersLessLuck(value="pickomino/1-v0"))


@pytest.mark.parametrize("spread", [0.1, 0.3])
def test_equals_are_called_better_no_more_often_than_announced(spread: float) -> None:
    """Blocks of equals of which luck explains much, or nearly all."""
    rng, wrong, blocks = random.Random(1), 0, 0
    for _ in range(series := 200):
        found = [block_of(rng, spread) for _ in range(MOST)]
        decision, length = ended(found)
        wrong += decision in (StopReason.FIRST, StopReason.SECOND)
        blocks += length
    assert wrong <= 0.05 * series
    plain = sum(
        ended([(share, 0.0) for share, _ in (block_of(rng, spread) for _ in range(MOST))])[1] for _ in range(20)
    )
    assert blocks / series < plain / 20


def block_of(rng: random.Random, spread: float) -> Block:
    """A block of equals: it is won, split or lost by its luck and by noise of ``spread``."""
    luck = rng.uniform(-0.5, 0.5)
    share = 0.5 + 0.5 * round(2 * max(-0.5, min(0.5, luck + rng.gauss(0, spread))))
    return share, luck


def counted(blocks: Sequence[Block]) -> list[float]:
    return list(RULE.counted([share for share, _ in blocks], [luck for _, luck in blocks]))


def ended(blocks: Sequence[Block], rule: ThreeAnswers = RULE) -> tuple[StopReason | None, int]:
    """The answer, and after how many blocks. Checked every fifth block: that is as good for a count of errors."""
    shares = rule.counted([share for share, _ in blocks], [luck for _, luck in blocks])
    for length in range(10, len(shares) + 1, 5):
        if decision := rule.decision(shares[:length]):
            return decision, length
    return None, len(shares)


def block_played(bots: tuple[str, str], key: int) -> Block:
    """A block of house bots, really played: both seatings of one seed."""
    share = luck = 0.0
    for rotation, seated in enumerate((bots, bots[::-1])):
        record = played(seated, 10**7 + key, "pickomino/1")
        account = luck_analyse(record)
        share += float(scoring_by_seat(scoring_shares_beaten(record.verify().places), rotation)[0]) / 2
        luck += scoring_by_seat(account.luck, rotation)[0] / UNIT / 2 if isinstance(account, GameAccount) else 0.0
    return share, luck


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_announced_errors_hold_for_real_games_and_series_are_half_as_long() -> None:
    """Resampled from 600 blocks of greedy against cautious: equals swap seats by a coin, and one who is better by the
    effect sits on greedy's side so much more often."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        blocks = list(processes.map(partial(block_played, ("greedy", "cautious")), range(600), chunksize=20))
    mean_luck = sum(luck for _, luck in blocks) / len(blocks)
    blocks = [(share, luck - mean_luck) for share, luck in blocks]  # of these blocks, as if they were all
    lead = sum(share for share, _ in blocks) / len(blocks) - 0.5
    rng = random.Random(1)

    def drawn(better: float) -> list[Block]:
        side = 0.5 + better / (2 * lead)
        chosen = ((rng.choice(blocks), rng.random() < side) for _ in range(MOST))
        return [(share, luck) if first else (1 - share, -luck) for (share, luck), first in chosen]

    for effect, error in ((0.05, 0.05), (0.05, 0.1), (0.08, 0.05)):
        rule = ThreeAnswersLessLuck(effect=effect, error=error, value=VALUE)
        plain = ThreeAnswers(effect=effect, error=error)
        equals = [ended(drawn(0.0), rule) for _ in range(2000)]
        apart = [ended(drawn(min(effect, lead)), rule) for _ in range(2000)]
        better = sum(answer in (StopReason.FIRST, StopReason.SECOND) for answer, _ in equals) / 2000
        close = sum(answer == StopReason.TOO_CLOSE for answer, _ in apart) / 2000
        length = sum(blocks for _, blocks in equals) / 2000
        before = sum(ended(drawn(0.0), plain)[1] for _ in range(200)) / 200
        print(
            f"{effect} {error}: better {better:.4f}, too close {close:.4f}; {length:.0f} blocks, without {before:.0f}"
        )
        assert better <= error
        assert close <= error or effect > lead
        assert before > 1.8 * length
