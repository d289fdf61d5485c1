"""Beats: every frame is in one, whatever the batches they arrive in, and a tempo keeps its length."""

from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.beats import (
    END,
    LONGEST,
    SHORTEST,
    START,
    Beat,
    BeatSplitter,
    Frame,
    Marker,
    Tempo,
    Weight,
    beat_durations,
    beats_of,
    mark_action,
)
from games.catalogue import GAMES, catalogue_stand_in
from games.frames import frames
from games.record import Record
from games.state import CHANCE
from games.table import Table
from pecking.testing.random_games import Case, random_game_seed, random_game_table
from tests.games.versions import VERSIONS, cases

GAMES_OF_ALL: Final = st.tuples(st.sampled_from([case.values[0] for case in cases()]), st.integers(0, 10_000))
FEW: Final = settings(max_examples=10)  # a game takes some 30 ms


def _random(game: tuple[Case, int]) -> tuple[Marker, list[Frame]]:
    """A random game of any version, with any options that are tried."""
    (ruleset, players, options), key = game
    return GAMES[ruleset.name].mark, list(frames(random_game_table(ruleset, players, options, key).record()))


@FEW
@given(GAMES_OF_ALL, st.lists(st.floats(0, 1), max_size=8))
def test_beats_partition_the_frames_for_any_batches(game: tuple[Case, int], at: list[float]) -> None:
    mark, shown = _random(game)
    cuts = sorted(int(len(shown) * cut) for cut in at)
    beats = beats_of(mark, shown)
    assert (beats[0].first, beats[0].last, beats[0].kind) == (0, 0, START)
    assert all(before.last + 1 == after.first for before, after in pairwise(beats))
    assert (beats[-1].last, beats[-1].kind, beats[-1].weight) == (shown[-1].n, END, Weight.TURNING)
    bit_by_bit = BeatSplitter(mark)
    parts = [bit_by_bit.extend(shown[low:high]) for low, high in pairwise([0, *cuts, len(shown)])]
    assert [beat for part in parts for beat in part] == list(beats)
    players = shown[0].view["players"]
    for beat in beats:
        assert beat.first <= beat.last
        assert SHORTEST <= beat.ms <= LONGEST
        assert beat.seat in range(CHANCE, players)
        assert isinstance(beat.kind, str)
        assert beat.kind.isalpha()


@FEW
@given(GAMES_OF_ALL)
def test_no_beat_hides_two_events_and_each_event_is_the_word_for_its_beat(game: tuple[Case, int]) -> None:
    mark, shown = _random(game)
    for beat in beats_of(mark, shown):
        keys = [frame.key for frame in shown[beat.first : beat.last + 1] if frame.key]
        assert keys in ([], [beat.kind])
        assert (beat.weight >= Weight.KEY) == bool(keys)


@FEW
@given(GAMES_OF_ALL)
def test_what_a_tempo_leaves_out_is_little_and_never_the_end(game: tuple[Case, int]) -> None:
    mark, shown = _random(game)
    beats = beats_of(mark, shown)
    every, story, highlights = (beat_durations(beats, tempo) for tempo in (Tempo.EVERY, Tempo.STORY, Tempo.HIGHLIGHTS))
    assert every == tuple(beat.ms for beat in beats)
    for part in (story, highlights):
        assert len(part) == len(beats)
        assert part[-1]
        assert all(ms == 0 or SHORTEST <= ms <= LONGEST for ms in part)
    assert sum(story) <= max(170_000, sum(every))
    assert all(ms <= full for ms, full in zip(story, every, strict=True))
    assert sum(map(bool, highlights)) <= sum(map(bool, every))


def _ordinary(ruleset: str, players: int) -> Record:
    """A game of the bots that play on for others."""
    game = GAMES[ruleset.partition("/")[0]]
    table, act = Table(game.current, players, {}, random_game_seed("beats", players)), catalogue_stand_in(game.name)
    while not table.over:
        table.play(act(table.view(table.actor)))
    return table.record()


@pytest.mark.parametrize("name", GAMES)
def test_an_ordinary_game_is_a_minute_of_highlights_and_two_to_three_of_story(name: str) -> None:
    players = max(3, GAMES[name].current.seats.start)
    beats = beats_of(GAMES[name].mark, frames(_ordinary(name, players)))
    assert 45_000 <= sum(beat_durations(beats, Tempo.HIGHLIGHTS)) <= 75_000
    assert 100_000 <= sum(beat_durations(beats, Tempo.STORY)) <= 180_000


def test_a_game_of_pickomino_has_fewer_than_half_as_many_stops_as_frames() -> None:
    shown = list(frames(_ordinary("pickomino", 4)))
    assert len(beats_of(GAMES["pickomino"].mark, shown)) < len(shown) * 0.45


def test_a_hand_is_dealt_in_one_beat_and_a_card_is_one() -> None:
    shown = list(frames(_ordinary("laghetti", 3)))
    beats = beats_of(GAMES["laghetti"].mark, shown)
    rounds = len(shown[0].view["schedule"])
    assert [beat.kind for beat in beats].count("deal") == rounds
    cards = sum(frame.action.startswith("play ") for frame in shown)
    assert sum(beat.kind in ("card", "trick", "round", END) for beat in beats) == cards


def test_a_game_that_says_nothing_has_a_beat_for_each_action_and_what_chance_makes_of_it() -> None:
    shown = list(frames(random_game_table(VERSIONS[0], 2, {}, 3).record()))
    beats = beats_of(mark_action, shown)
    whole = [frame.n for frame in shown[1:] if frame.view["actor"] != CHANCE or frame.key]
    assert [beat.last for beat in beats[1:]] == whole
    assert {beat.kind for beat in beats} <= {START, "roll", "take", "stop", "bust", "steal", END}


def test_an_unfinished_beat_is_not_returned() -> None:
    shown = list(frames(_ordinary("pickomino", 2)))
    splitter = BeatSplitter(GAMES["pickomino"].mark)
    assert splitter.extend(shown[:2]) == [Beat(0, 0, START, CHANCE, 1500, Weight.MOVE)]
    assert splitter.extend(shown[2:3]) == [Beat(1, 2, "keep", 0, 1300, Weight.MOVE)]
