"""Records: what is refused, and by what name."""

import json
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import GAMES, current
from games.record import Intervention, Record, RecordError
from games.table import Table
from pecking.testing.random_games import random_game_seed, random_game_table
from tests.examples import examples

PICKOMINO = current("pickomino")
FINISHED = random_game_table(PICKOMINO, 2, {"flip_without_return": True}, 3).record()
DATA = FINISHED.encode()


def test_a_game_of_random_play_takes_less_than_150_bytes() -> None:
    for game in range(20):
        data = random_game_table(PICKOMINO, 2, {"flip_without_return": True}, game).record().encode()
        assert len(data) < 150


def test_a_choice_takes_less_than_two_bits() -> None:
    record = random_game_table(PICKOMINO, 2, {}, 1).record()
    assert len(record.actions) > 500
    assert len(record.encode()) < 60 + len(record.actions) / 4


def test_an_unfinished_game_can_be_stored_but_is_not_a_result() -> None:
    table = Table(PICKOMINO, 3, {}, random_game_seed("unfinished"))
    table.play(table.state.actions()[0])
    record = table.record()
    assert Record.decode(record.encode()) == record
    with pytest.raises(RecordError, match="the game goes on after its 1 actions"):
        record.verify()


@pytest.mark.parametrize("actions", [0, 1, 30])
@pytest.mark.parametrize("name", GAMES)
def test_a_digest_is_taken_over_one_list_of_json_without_spaces(name: str, actions: int) -> None:
    rules = current(name)
    table = Table(rules, rules.seats.start, {}, random_game_seed("digest", actions))
    for _ in range(actions):
        table.play(table.state.actions()[-1], intervention="cpu_time" if table.actor == 0 else None)
    record = table.record()
    fields = [record.ruleset, record.players, record.options, record.seed.hex(), record.actions, record.interventions]
    text = json.dumps([*fields, table.state.facts()], separators=(",", ":"))
    assert record.digest == blake2b(text.encode(), digest_size=16).digest()


def test_actions_of_a_stand_in_are_stored_with_their_cause() -> None:
    table = Table(PICKOMINO, 2, {}, random_game_seed("stand-in"))
    table.play(table.state.actions()[0])
    while not table.over:
        table.play(table.state.actions()[-1], intervention="cpu_time" if table.actor == 0 else None)
    record = table.record()
    assert record.interventions == (Intervention(1, 0, "cpu_time"),)
    assert Record.decode(record.encode()) == record
    causes = {(step.before.actor, step.cause) for step in list(record.replay())[2:]}
    assert causes == {(-1, ""), (0, "cpu_time"), (1, "")}


@pytest.mark.parametrize(
    ("changes", "part", "words"),
    [
        ({"ruleset": "pickomino/2"}, "ruleset", "this platform plays pickomino/1"),
        ({"ruleset": "chess/1"}, "ruleset", "known: pickomino"),
        ({"players": 8}, "players", "allowed: 2 to 7"),
        ({"options": {"colour": "red"}}, "options", "'colour'"),
        ({"options": {"steal": "never"}}, "options", "'steal'"),
        ({"seed": b"short"}, "seed", "16 bytes"),
        ({"actions": ("fly",)}, "illegal", "'fly'"),
        ({"actions": (*FINISHED.actions, "roll")}, "illegal", "the game is over"),
        ({"actions": FINISHED.actions[:-1]}, "unfinished", "goes on"),
        ({"digest": bytes(16)}, "digest", "does not end where"),
        ({"interventions": (Intervention(0, 1, "crashed"),)}, "intervention", "seat 1"),
        ({"interventions": (Intervention(0, 0, "boredom"),)}, "intervention", "'boredom'"),
        ({"interventions": (Intervention(10**6, 0, "crashed"),)}, "intervention", "no action 1000000"),
    ],
)
def test_a_false_record_is_refused_naming_what_is_wrong(changes: dict[str, Any], part: str, words: str) -> None:
    with pytest.raises(RecordError, match=words) as refused:
        replace(FINISHED, **changes).verify()
    assert refused.value.part == part


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"\x02" + DATA[1:], "bytes"),
        (DATA.replace(b"pickomino/1", b"pickomino/2"), "ruleset"),
        (DATA.replace(b"\x0bpickomino/1", b"\x09pickomino"), "ruleset"),
        (DATA.replace(b"flip_without_return", b"flip_without_yeturn"), "options"),
        (DATA.replace(b'{"flip_without_return":true}', b"[" * 28), "options"),
        (DATA[:50], "bytes"),
        (bytes(100_000), "bytes"),
        (b"", "bytes"),
    ],
)
def test_bytes_that_are_no_record_of_ours_are_refused(data: bytes, part: str) -> None:
    with pytest.raises(RecordError) as refused:
        Record.decode(data)
    assert refused.value.part == part


@examples(300)
@given(data=st.binary(max_size=200) | st.binary(max_size=60).map(lambda tail: DATA[:-60] + tail))
def test_any_bytes_are_a_record_in_its_one_form_or_refused(data: bytes) -> None:
    try:
        record = Record.decode(data)
    except RecordError:
        return
    assert record.encode() == data
