"""Karteneck's vectors: what is not understood, or not by the rules, fails by name."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from games.rule_vectors import VectorError, rule_vector_run, rule_vectors_of

FILE = Path(__file__).parent / "vectors" / "karteneck.json"
VECTORS = {vector["id"]: vector for vector in rule_vectors_of(json.loads(FILE.read_text(encoding="utf-8")))}


def changed(name: str, *path: Any, value: Any) -> Any:
    vector = copy.deepcopy(VECTORS[name])
    place = vector
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return vector


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        (changed("KE-1", "given", "weather", value="fine"), "given: unknown key 'weather'"),
        (changed("KE-1", "given", "hands", value={"Otto": []}), "'hands' names ['Otto']"),
        (changed("KE-1", "given", "hands", "Eva", value=["6"]), "there is no card '6'"),
        (changed("KE-1", "given", "hands", "Eva", value=["W20"]), "there is only one card 'W20'"),
        (changed("KE-1", "given", "grill", value=[18, 21, 25, 43]), "there are 0 portions 43, not 1"),
        (changed("KE-1", "given", "grill", value=[17, 21, 25, 33]), "there are 1 portions 17, not 2"),
        (changed("KE-1", "given", "grill", value=[]), "action 0: 0 portions on the grill for 4 players without one"),
        (changed("KE-9", "given", "grill", value=[21, 25]), "2 portions on the grill for 3 players without one"),
        (changed("KE-1", "given", "passed", value=dict.fromkeys(("Caterina", "Filippo", "Nicola", "Eva"), "x")), "'x'"),
        (changed("KE-1", "actions", 0, "type", value="fly"), "unknown action 'fly'"),
        (changed("KE-1", "actions", 0, "speed", value=1), "action 0: unknown key 'speed'"),
        (changed("KE-1", "actions", 0, "actor", value="Nobody"), "'Nobody' is not one of the players"),
        (changed("KE-1", "actions", 0, "steal", value=True), "'steal' is not legal here"),
        (changed("KE-2", "actions", 0, "actor", value="Caterina"), "not the turn of 'Caterina'"),
        (changed("KE-2", "actions", 0, "cards", value=["2", "1"]), "not of one type"),
        (changed("KE-2", "actions", 0, "cards", value=["2", "W20"]), "not of one type"),
        (changed("KE-2", "actions", 0, "cards", value=["4"]), "'play 1x4' is not legal here"),
        (changed("KE-2", "actions", 0, "cards", value=[]), "no list of cards"),
        (changed("KE-2", "expect", "announce", value=26), "announce should be 26, is 25"),
        (changed("KE-2", "expect", "mood", value=1), "unknown key 'mood'"),
        (changed("KE-8", "expect", "legal_plays_next", value=["W"]), "legal_plays_next should be"),
        (changed("KE-9", "expect", "next_start", value="Eva"), "next_start should be 'Eva', is 'Nicola'"),
        (changed("KE-several-worms", "actions", 2, "actor", value="A"), "not the turn of 'A'"),
        (changed("KE-reshuffle", "expect", "deck", value=["5", "4"]), "deck should be"),
        (changed("KE-reshuffle", "options", value={"reshuffle": "never"}), "option 'reshuffle'"),
    ],
)
def test_what_does_not_hold_or_is_not_understood_fails_by_name(vector: Any, words: str) -> None:
    with pytest.raises(VectorError) as failed:
        rule_vector_run(vector)
    assert words in str(failed.value)


def test_the_next_plays_are_named_by_type() -> None:
    vector = changed("KE-5", "expect", "legal_plays_next", value=["1", "3"])
    rule_vector_run(vector)


def test_an_unnamed_player_has_nothing() -> None:
    vector = changed("KE-all-invalid", "given", "stacks", value={"A": [20]})
    del vector["given"]["display"]
    rule_vector_run(vector)


def test_an_eager_reshuffle_happens_with_the_last_card() -> None:
    vector = changed("KE-8", "options", value={"reshuffle": "eager"})
    vector["expect"] |= {"deck": ["1", "4", "4"], "discard": []}
    rule_vector_run(vector)
