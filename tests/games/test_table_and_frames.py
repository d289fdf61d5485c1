"""A table in play, and the frames a spectator is shown of it."""

from dataclasses import replace
from itertools import pairwise

import pytest

from games.catalogue import GAMES, UnknownRuleset, current, find, ruleset_find_or_current
from games.frames import GameFrames, frames
from games.protocol import BYTES, SECONDS, LimitError, Limits
from games.state import CHANCE, IllegalAction
from games.table import Table
from pecking.testing.random_games import random_game_seed, random_game_table

PICKOMINO = current("pickomino")


def test_an_illegal_action_changes_nothing_and_says_what_was_legal() -> None:
    table = Table(PICKOMINO, 2, {}, random_game_seed("illegal"))
    state, legal = table.state, table.state.actions()
    for text in ("roll", "take 7", "", legal[0] + " ", "take\x00"):
        with pytest.raises(IllegalAction) as refused:
            table.play(text, intervention="illegal_action")
        assert refused.value.legal == legal
    assert (table.state, table.record().actions, table.record().interventions) == (state, (), ())


def test_an_illegal_text_is_cut_in_its_error() -> None:
    assert len(IllegalAction("x" * 10_000, ()).text) == 80


def test_chance_is_dealt_at_once() -> None:
    table = Table(PICKOMINO, 2, {"start": "random"}, random_game_seed("at once"))
    while not table.over:
        assert table.actor in (0, 1)
        table.play(table.state.actions()[-1])


def test_frames_show_every_action_and_end_where_the_game_did() -> None:
    table = random_game_table(PICKOMINO, 3, {}, 4)
    shown = list(frames(table.record()))
    assert [frame.n for frame in shown] == list(range(len(shown)))
    assert (shown[0].actor, shown[0].action, shown[0].view["phase"]) == (CHANCE, "", "roll")
    assert tuple(frame.action for frame in shown if frame.actor != CHANCE) == table.record().actions
    assert shown[-1].view == table.view(None)
    assert [frame.key for frame in shown if frame.key == "end"] == ["end"] == [shown[-1].key]
    assert [frame.turn for frame in shown] == sorted(frame.turn for frame in shown)


def test_key_frames_are_where_turns_end() -> None:
    shown = list(frames(random_game_table(PICKOMINO, 2, {}, 5).record()))
    ends = [frame for frame, after in pairwise(shown) if frame.turn < after.turn]
    assert all(frame.key == frame.view["last"]["event"] for frame in ends)
    assert sum(bool(frame.key) for frame in shown) == len(ends) + 1


def test_frames_that_are_added_in_steps_are_the_same() -> None:
    record = random_game_table(PICKOMINO, 2, {"start": "random"}, 6).record()
    game_frames = GameFrames(record.ruleset, record.players, record.options, record.seed)
    shown = game_frames.extend([])
    assert [frame.action.split()[0] for frame in shown[1:]] == ["start", "roll"]
    for at in range(0, len(record.actions), 7):
        shown += game_frames.extend(record.actions[at : at + 7])
    assert shown == list(frames(record))


def test_frames_name_the_cause_where_a_stand_in_played() -> None:
    table = Table(PICKOMINO, 2, {}, random_game_seed("cause"))
    while len(table.record().actions) < 30:
        table.play(table.state.actions()[0], intervention="crashed" if table.actor == 1 else None)
    record = table.record()
    game_frames = GameFrames(record.ruleset, record.players, record.options, record.seed)
    begun = game_frames.extend(record.actions[:20], record.interventions)
    grown = begun + game_frames.extend(record.actions[20:], record.interventions)
    assert grown == list(frames(record))
    assert {(frame.actor, frame.cause) for frame in grown} == {(-1, ""), (0, ""), (1, "crashed")}


def test_every_version_is_found_by_its_id_and_the_newest_by_the_name_of_the_game() -> None:
    for name, game in GAMES.items():
        assert current(name) is ruleset_find_or_current(name) is game.versions[-1]
        for ruleset in game.versions:
            assert find(ruleset.id) is ruleset_find_or_current(ruleset.id) is ruleset
            assert ruleset.name == name
    for wrong in ("pickomino", "pickomino/99", "pickomino/", "Pickomino/1", "", "chess"):
        with pytest.raises(UnknownRuleset):
            find(wrong)
    for wrong in ("pickomino/1", "Pickomino", "", "chess"):
        with pytest.raises(UnknownRuleset):
            current(wrong)


def test_a_game_has_its_versions_in_ascending_order() -> None:
    second = replace(PICKOMINO, version=2)
    game = GAMES["pickomino"]
    assert replace(game, versions=(PICKOMINO, second)).current is second
    for wrong in ((second, PICKOMINO), (PICKOMINO, PICKOMINO), (PICKOMINO, current("heckmeck")), ()):
        with pytest.raises(ValueError, match="versions of one game"):
            replace(game, versions=wrong)


def test_limits_are_bounded_and_read_back() -> None:
    assert Limits.from_dict(Limits(act_cpu=0.5).to_dict()) == Limits(act_cpu=0.5)
    for name, (low, high) in {**SECONDS, **BYTES}.items():
        for wrong in (low / 2 - 1, high * 2 + 1, "1", None, True, float("nan"), float("inf")):
            with pytest.raises(LimitError, match=name) as refused:
                Limits.from_dict({name: wrong})
            assert refused.value.field == name
    with pytest.raises(LimitError, match="patience"):
        Limits.from_dict({"patience": 1})
