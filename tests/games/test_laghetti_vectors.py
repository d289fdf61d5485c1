"""What does not hold in a vector between the lakes, or is not understood, fails by name; fixtures are written out."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from games.rule_vectors import VectorError, rule_vector_run, rule_vectors_of

DOCUMENT = json.loads((Path(__file__).parent / "vectors" / "laghetti.json").read_text(encoding="utf-8"))
BY_ID = {vector["id"]: vector for vector in rule_vectors_of(DOCUMENT)}


def changed(*path: Any, value: Any, vector: str = "LA-1") -> Any:
    """A vector with one value changed, or one key added."""
    changed = copy.deepcopy(BY_ID[vector])
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        (changed("given", "weather", value="fine"), "given: unknown key 'weather'"),
        (changed("given", "players", value=["Aldo", "Bea"]), "players: 2 is not allowed; allowed: 3 to 4"),
        (changed("given", "dealer", value="Nobody"), "'Nobody' is not one of the players"),
        (changed("given", "round", value=2), "'round' 2 has 2 cards each"),
        (changed("given", "round", value=15), "there is no 'round' 15"),
        (changed("given", "hands", "Bea", value=[2, 3]), "'hands' should be 1 different cards"),
        (changed("given", "hands", "Bea", value=[4]), "'hands' should be 1 different cards"),
        (changed("given", "hands", "Bea", value=[24]), "'hands' should be 1 different cards"),
        (changed("given", "hands", value={"Bea": [2]}), "'hands' should name"),
        (changed("given", "scores_before", value={"Bea": 2}), "'scores_before' should name"),
        (changed("given", "deck", value="no such deck"), "option 'deck': not 24 cards"),
        (changed("options", "reveal", value="nothing"), "option 'reveal': 'nothing' is not allowed"),
        (changed("actions", 0, "actor", value="Cris"), "action 0: it is not the turn of 'Cris'"),
        (changed("actions", 0, "value", value=2), "action 0: 'bid 2' is not legal"),
        (changed("actions", 3, "value", value=0), "action 3: 'bid 0' is not legal"),
        (changed("actions", 4, "card", value=3), "action 4: 'play 3 Q' is not legal"),
        (changed("actions", 4, "feature", value="X"), "action 4: 'play 2 X' is not legal"),
        (changed("actions", 4, "value", value=24), "action 4: 'value' should be 23, is 24"),
        (changed("actions", 5, "feature", value="Q"), "action 5: 'play 4 Q' is not legal"),
        (changed("actions", 5, "colour", value="red"), "action 5: unknown key 'colour'"),
        (changed("actions", 0, "type", value="pass"), "action 0: unknown action 'pass'"),
        (changed("expect", "trick_winners", value=["Cris"]), "trick_winners should be ['Cris'], is ['Bea']"),
        (changed("expect", "forbidden_dealer_bid", value=1), "forbidden_dealer_bid should be 1, is 0"),
        (changed("expect", "mood", value="good"), "expect: unknown key 'mood'"),
        (changed("expect", "rounds", value=15, vector="LA-schedule-4"), "rounds should be 15, is 14"),
        (changed("given", "n_players", value=5, vector="LA-schedule-4"), "players: 5 is not allowed"),
        (changed("given", "n_players", value=10**9, vector="LA-schedule-4"), "is not allowed"),
        (changed("given", "deck", 0, "Q", value=7, vector="LA-deck"), "feature Q: no card has the value 6"),
        (changed("given", "weather", value=7, vector="LA-deck"), "option 'weather'"),
        (changed("expect", "rounds", value=14, vector="LA-deck"), "a fixture has neither"),
    ],
)
def test_what_does_not_hold_or_is_not_understood_fails_by_name(vector: Any, words: str) -> None:
    with pytest.raises(VectorError) as failed:
        rule_vector_run(vector)
    assert words in str(failed.value)


def test_facts_are_known_in_the_middle_of_a_round() -> None:
    vector = copy.deepcopy(BY_ID["LA-2"])
    vector["checkpoints"] = [
        {"after_action": 1, "forbidden_dealer_bid": None, "trick_winners": [], "round_points": None},
        {"after_action": 2, "forbidden_dealer_bid": 0},
        {"after_action": 7, "trick_winners": ["Aldo"], "tricks_won": {"Aldo": 1, "Dani": 0}, "next_dealer": None},
    ]
    rule_vector_run(vector)


def test_another_fixture_of_the_file_is_the_deck_that_is_named() -> None:
    fixture, vector = copy.deepcopy(DOCUMENT["vectors"][0]), copy.deepcopy(DOCUMENT["vectors"][1])
    fixture["id"] = vector["given"]["deck"] = "mirrored"
    for card in fixture["given"]["deck"]:
        for feature in card:
            card[feature] = 25 - card[feature]
    written = rule_vectors_of({"vectors": [vector, fixture]})[0]
    assert written["given"]["deck"] == fixture["given"]["deck"]
    with pytest.raises(VectorError, match="'value' should be 2, is 23"):
        rule_vector_run(written)


def test_the_deck_of_the_vectors_is_known_where_a_file_does_not_repeat_it() -> None:
    rule_vector_run(rule_vectors_of({"vectors": [DOCUMENT["vectors"][1]]})[0])
