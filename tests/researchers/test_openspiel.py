"""OpenSpiel's own simulation, its algorithms on our games, and what a state knows."""

import json
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from games.catalogue import GAMES
from research import openspiel
from research.openspiel_bots import SpielHouseBot
from tests.researchers.tables import SECRETIVE, every_table


def played(game: pyspiel.Game, seed: int, most: int) -> pyspiel.State:
    """A state after so many random steps, or the last one."""
    rng, state = random.Random(seed), game.new_initial_state()
    while most and not state.is_terminal():
        if state.is_chance_node():
            codes, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(codes, probabilities)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            most -= 1
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


@every_table
def test_openspiel_s_own_simulation_passes(game: str, players: int) -> None:
    loaded = pyspiel.load_game(f"peck_{game}(players={players})")
    pyspiel.random_sim_test(loaded, 2, serialize=True, verbose=False)


@every_table
def test_what_a_game_says_of_itself_holds(game: str, players: int) -> None:
    loaded = openspiel.load(game, players)
    assert loaded.num_players() == players
    state = loaded.new_initial_state()
    rng, chance, most = random.Random(1), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            codes, probabilities = zip(*state.chance_outcomes(), strict=True)
            assert abs(sum(probabilities) - 1) < 1e-12
            most = max(most, len(codes))
            chance += 1
            state.apply_action(rng.choices(codes, probabilities)[0])
        else:
            assert state.returns() == [0.0] * players
            state.apply_action(rng.choice(state.legal_actions()))
    assert most <= loaded.max_chance_outcomes()
    assert len(state.history()) - chance <= loaded.max_game_length()
    assert abs(sum(state.returns())) < 1e-9
    assert loaded.min_utility() <= min(state.returns()) <= max(state.returns()) <= loaded.max_utility()


@every_table
def test_a_state_s_copies_go_on_by_themselves(game: str, players: int) -> None:
    loaded = openspiel.load(game, players)
    state = played(loaded, 2, 25)
    copy, text = state.clone(), str(state)
    while not copy.is_terminal():
        actions = [code for code, _ in copy.chance_outcomes()] if copy.is_chance_node() else copy.legal_actions()
        copy.apply_action(actions[-1])
    assert str(state) == text
    again = loaded.deserialize_state(state.serialize())
    assert str(again) == text
    assert again.history() == state.history()
    assert [again.information_state_string(seat) for seat in range(players)] == [
        state.information_state_string(seat) for seat in range(players)
    ]


@pytest.mark.parametrize(("game", "least"), [*((game, 60) for game in SECRETIVE), ("highcard", 30)])
def test_a_redealt_state_is_the_same_to_its_seat_and_not_to_the_others(game: str, least: int) -> None:
    """At ``least`` so many times of 90: High Card is over after 15 actions, with nothing left to hide."""
    loaded = openspiel.load(game, 3)
    rng, differ = random.Random(4), 0
    for number in range(30):
        state = played(loaded, number, number)
        for seat in range(3):
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.current_player() == state.current_player()
            if state.current_player() == seat:
                assert other.legal_actions() == state.legal_actions()
            rival = (seat + 1) % 3
            differ += other.observation_string(rival) != state.observation_string(rival)
            # What it says of the others is true of itself, not of the state that it was dealt from.
            assert json.loads(other.information_state_string(rival))[1] == [json.loads(other.observation_string(rival))]
            again = loaded.deserialize_state(other.serialize())
            assert again.observation_tensor(rival) == other.observation_tensor(rival)
    assert differ > least


@pytest.mark.parametrize("game", SECRETIVE)
def test_search_over_information_sets_plays(game: str) -> None:
    loaded = openspiel.load(game, 3)
    luck = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=loaded,
        evaluator=mcts.RandomRolloutEvaluator(1, luck),
        uct_c=2.0,
        max_simulations=20,
        random_state=luck,
        allow_inconsistent_action_sets=True,
    )
    state = played(loaded, 6, 8)
    assert bot.step(state) in state.legal_actions()


def test_tree_search_plays_where_nothing_is_hidden() -> None:
    loaded = openspiel.load("pickomino", 2)
    luck = np.random.RandomState(1)
    bot = mcts.MCTSBot(loaded, 2.0, 20, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    state = played(loaded, 6, 8)
    assert bot.step(state) in state.legal_actions()


def test_options_are_given_as_json_and_six_sit_down_without_any() -> None:
    state = openspiel.load("pickomino", 2, {"steal": "mandatory"}).new_initial_state()
    assert json.loads(str(state))["options"]["steal"] == "mandatory"
    assert openspiel.load("karteneck", 6).num_players() == 6


@pytest.mark.parametrize("name", GAMES)
def test_house_bots_play_as_bots_of_openspiel(name: str) -> None:
    game = openspiel.load(name, GAMES[name].current.seats.start)
    strongest = GAMES[name].house_bots[-1].slug
    ends = []
    for _ in range(2):
        bots = [SpielHouseBot(game, player, strongest, seed=5) for player in range(game.num_players())]
        state, rng = game.new_initial_state(), random.Random(2)
        while not state.is_terminal():
            if state.is_chance_node():
                codes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(codes, odds)[0])
            else:
                state.apply_action(bots[state.current_player()].step(state))
        ends.append((state.returns(), state.history()))
    assert ends[0] == ends[1]
    with pytest.raises(LookupError, match="no house bot 'sage'; it has"):
        SpielHouseBot(game, 0, "sage")
