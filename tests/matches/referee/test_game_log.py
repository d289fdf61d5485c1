"""What a game's log keeps of a bot: the end of what it printed, and its times in buckets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.queue.seat_logs import CHUNK_BYTES, ROW_BYTES, SeatLogPacker, seat_logs_games
from matches.referee.bot_fault import OUTPUT_KEPT
from matches.referee.scoring import GameLog, scoring_time_bucket, scoring_time_bucket_end

PRINTS = st.lists(st.tuples(st.integers(0, 99), st.text(max_size=60)), max_size=20)


def log_of(prints: list[tuple[int, str]]) -> GameLog:
    log = GameLog()
    for played, text in prints:
        log.prints(played, text)
    return log


@given(st.floats(0, 1e4))
def test_a_time_lies_in_the_one_bucket_that_ends_at_it_or_next_after_it(seconds: float) -> None:
    bucket = scoring_time_bucket(seconds)
    assert seconds <= scoring_time_bucket_end(bucket) * (1 + 1e-6)
    assert bucket == 0 or seconds > scoring_time_bucket_end(bucket - 1) * (1 - 1e-6)


def test_the_ends_of_buckets_belong_to_them() -> None:
    assert [scoring_time_bucket(scoring_time_bucket_end(bucket)) for bucket in range(200)] == list(range(200))


@given(PRINTS)
def test_what_was_printed_comes_back_with_the_action_it_was_printed_for(prints: list[tuple[int, str]]) -> None:
    log = log_of(prints)
    assert log.cut == 0
    assert [played for played, _text in log.chunks] == [played for played, text in prints if text]
    assert len(log.text) == sum(len(text) for _played, text in prints), (
        "a character that cannot be shown is one of ours"
    )


def test_the_end_of_a_game_is_stored() -> None:
    log = log_of([(0, "a" * 3), (1, "b" * (OUTPUT_KEPT - 5)), (2, "c" * 7), (3, "d")])
    assert (log.cut, len(log.text)) == (6, OUTPUT_KEPT)
    assert log.chunks[0] == (1, "b" * (OUTPUT_KEPT - 8))
    log.prints(4, "e" * 3 * OUTPUT_KEPT)
    assert log.chunks == [(4, "e" * OUTPUT_KEPT)]
    assert log.cut == 6 + 3 * OUTPUT_KEPT


@given(st.lists(PRINTS, min_size=1, max_size=5), st.integers(0, 200), st.integers(0, 600))
def test_a_slice_stores_no_more_than_the_limit(
    games: list[list[tuple[int, str]]], per_game: int, per_match: int
) -> None:
    logs = [log_of(prints) for prints in games]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.OUTPUT_BYTES_PER_GAME", per_game)
        patch.setattr("django.conf.settings.OUTPUT_BYTES_PER_MATCH", per_match)
        packer = SeatLogPacker()
        for index, log in enumerate(logs):
            packer.note(index + 7, log)
    stored = list(seat_logs_games(packer.packed()))
    used = [sum(CHUNK_BYTES + len(text.encode()) for _played, text in game.chunks) for game in stored]
    assert max(used) <= per_game
    assert sum(used) == packer.printed <= per_match
    assert packer.size == packer.printed + ROW_BYTES
    for index, (game, log) in enumerate(zip(stored, logs, strict=True)):
        sentence = "".join(text for _played, text in game.chunks)
        assert game.index == index + 7
        assert log.text.endswith(sentence)
        assert game.cut == len(log.text) - len(sentence)


def test_times_are_counted_and_the_slowest_is_known_by_its_place() -> None:
    log = GameLog()
    for played, seconds in enumerate((0.001, 0.2, 0.05, 0.2)):
        log.took(played, seconds)
    assert (log.slowest, log.slowest_at, log.times.total()) == (0.2, 1, 4)
    packer = SeatLogPacker()
    packer.note(0, log)
    packer.note(1, GameLog())
    assert (packer.games, packer.slowest, packer.times) == (2, 0.2, log.times)
    first, second = seat_logs_games(packer.packed())
    assert (first.actions, first.slowest, first.slowest_at) == (4, 0.2, 1)
    assert (second.actions, second.slowest) == (0, 0.0)


@given(
    st.lists(PRINTS, max_size=4),
    st.text(min_size=1, max_size=4) | st.sampled_from(['"', "\\", "\t", "\n", "ß", "\u017f", "İ"]),
)
def test_a_search_leaves_out_no_row_that_has_the_text(games: list[list[tuple[int, str]]], text: str) -> None:
    packer = SeatLogPacker()
    for index, prints in enumerate(games):
        packer.note(index, log_of([*prints, (0, f"before {text} after")] if index == 1 else prints))
    sought = text.casefold()
    stored = list(seat_logs_games(packer.packed()))
    found = list(seat_logs_games(packer.packed(), sought))
    has = any(sought in printed.casefold() for game in stored for _played, printed in game.chunks)
    assert found == stored if has else found in ([], stored)
