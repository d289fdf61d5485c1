"""PettingZoo's own tests, and that an environment's game is a game of ours."""

import random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import wrappers

from games.catalogue import GAMES, PACKAGES, current
from games.dealer import block_seed
from games.record import Record
from games.state import IllegalAction
from games.table import Table
from research.house import HousePlayer
from research.pettingzoo import PeckingEnv
from tests.researchers.tables import TABLES, every_table


def play(env: PeckingEnv, seed: int) -> None:
    """Play on at random to the end."""
    rng = random.Random(seed)
    while not env.table.over:
        legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
        env.step(rng.choice(list(legal)))


@pytest.mark.parametrize("game", GAMES)
def test_house_bots_play_for_agents(game: str) -> None:
    records = []
    for _ in range(2):
        env = PeckingEnv(game)
        env.reset(seed=3)
        bots = {agent: HousePlayer(game, GAMES[game].house_bots[-1].slug) for agent in env.agents}
        while not env.table.over:
            env.step(env.asked(bots[env.agent_selection]))
        records.append(env.table.record().encode())
    assert records[0] == records[1]
    with pytest.raises(LookupError, match="no house bot 'sage'; it has"):
        HousePlayer(game, "sage")


def test_there_are_nineteen_tables_of_ours_and_those_of_packages_as_they_were_installed() -> None:
    assert len([game for game, _ in TABLES if game not in PACKAGES]) == 19
    assert {"pecking-order-pig", "pecking-order-highcard"} < {distribution for distribution, _ in PACKAGES.values()}
    assert len(PACKAGES) == 22


@every_table
def test_pettingzoo_s_own_tests_pass(game: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(PeckingEnv(game, players), num_cycles=300)
    seed_test(lambda: PeckingEnv(game, players), num_cycles=100)
    wrapped = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(PeckingEnv(game, players)))
    api_test(wrapped, num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


@every_table
def test_what_was_played_is_a_game_whose_record_holds(game: str, players: int) -> None:
    env = PeckingEnv(game, players)
    env.reset(seed=3)
    play(env, 3)
    record = Record.decode(env.table.record().encode())
    outcome = record.verify()
    assert record.seed == block_seed(b"pecking research", 3, 0)
    assert [env.infos[agent]["points"] for agent in env.agents] == list(outcome.points)
    assert [env.infos[agent]["place"] for agent in env.agents] == list(outcome.places)
    assert abs(sum(env.rewards.values())) < 1e-12
    assert env.rewards == env._cumulative_rewards
    best = max(env.rewards, key=env.rewards.__getitem__)
    assert env.infos[best]["place"] == 1


def test_a_seed_gives_one_game_after_the_other_and_a_game_s_own_seed_that_game() -> None:
    env = PeckingEnv("laghetti", 4)
    env.reset(seed=5)
    seeds = [env.table.seed]
    for _ in range(3):
        env.reset()
        seeds.append(env.table.seed)
    assert seeds == [block_seed(b"pecking research", 5, number) for number in range(4)]
    seed = block_seed(b"a site's", 1)
    for given in (seed, seed.hex()):
        env.reset(options={"seed": given})
        assert env.table.state == Table(current("laghetti"), 4, {}, seed).state


def test_without_a_seed_every_environment_plays_other_games() -> None:
    seeds = set()
    for _ in range(3):
        env = PeckingEnv()
        env.reset()
        seeds.add(env.table.seed)
    assert len(seeds) == 3


def test_an_illegal_action_is_refused_and_nothing_has_changed() -> None:
    env = PeckingEnv("pickomino")
    env.reset(seed=1)
    before = env.table.state
    mask = env.observe(env.agent_selection)["action_mask"]
    for wrong in (int(np.flatnonzero(mask == 0)[0]), -1, len(mask), None, "roll"):
        with pytest.raises(IllegalAction):
            env.step(wrong)
    assert env.table.state is before


def test_only_the_agent_to_act_has_actions_and_arrays_are_its_own() -> None:
    env = PeckingEnv("karteneck", 3)
    env.reset(seed=1)
    seen = {agent: env.observe(agent) for agent in env.agents}
    assert [agent for agent in env.agents if seen[agent]["action_mask"].any()] == [env.agent_selection]
    seen["seat_0"]["observation"][:] = 9
    assert env.observe("seat_0")["observation"].max() <= 1


def test_options_and_older_rules_are_played() -> None:
    env = PeckingEnv("heckmeck/1", 2, {"steal": "mandatory"})
    env.reset(seed=1)
    assert env.table.view(0)["game"] == "heckmeck/1"
    assert env.table.options["steal"] == "mandatory"
