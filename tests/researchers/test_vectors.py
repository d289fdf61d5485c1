"""Many tables at once are many single environments."""

import gymnasium
import numpy as np
import pytest

from research.gymnasium import PeckingSolo
from research.pettingzoo import PeckingEnv
from research.vectors import PeckingEnvs, PeckingVector

EAGER = np.ones(10)
EAGER[5] = 8  # for worms: games of random players hardly end


def choose(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    return (rng.random(masks.shape) * masks * EAGER).argmax(1)


def test_a_vector_environment_is_many_single_ones() -> None:
    tables, ended, rng = 30, 0, np.random.default_rng(1)
    envs = PeckingVector("pickomino", 3, num_envs=tables, opponents=lambda _, masks: masks.argmax(1), seat=1)
    singles = [PeckingSolo("pickomino", 3, opponents=[lambda view: view["actions"][0]], seat=1) for _ in range(tables)]
    observations, info = envs.reset(seed=4)
    for one, seed in zip(singles, envs.batch.seeds, strict=True):
        one.reset(options={"seed": seed})
    for _ in range(1000):
        assert envs.observation_space.contains(observations)
        actions = choose(rng, info["action_mask"])
        observations, rewards, over, cut, info = envs.step(actions)
        assert not cut.any()
        for place, one in enumerate(singles):
            seen, reward, ends, _, one_info = one.step(actions[place])
            assert (reward, ends) == (pytest.approx(rewards[place]), over[place])
            if ends:
                ended += 1
                assert info["_final_obs"][place]
                assert seen.tobytes() == info["final_obs"][place].tobytes()
                assert {key: one_info[key] for key in ("points", "place")} == {
                    key: value[place] for key, value in info["final_info"].items()
                }
                seen, one_info = one.reset(options={"seed": envs.batch.seeds[place]})
            assert seen.tobytes() == observations[place].tobytes()
            assert one_info["action_mask"].tobytes() == info["action_mask"][place].tobytes()
    assert ended > tables


def test_opponents_at_random_follow_from_the_seed() -> None:
    envs = PeckingVector("pickomino", num_envs=5)
    seen = []
    for _ in range(2):
        _, info = envs.reset(seed=3)
        for _ in range(40):
            observations, _, _, _, info = envs.step(info["action_mask"].argmax(1))
        seen.append(observations.tobytes())
    assert seen[0] == seen[1]
    with pytest.raises(ValueError, match="seat"):
        PeckingVector("pickomino", seat=2)
    made = gymnasium.make_vec("Pecking-v1", 5, "vector_entry_point", game="pickomino")
    assert made.reset(seed=3)[0].tobytes() == envs.reset(seed=3)[0].tobytes()


def test_all_seats_together_are_many_tables_of_pettingzoo() -> None:
    tables, ended, rng = 20, 0, np.random.default_rng(2)
    envs, singles = PeckingEnvs("pickomino", 2, num_envs=tables), [PeckingEnv("pickomino", 2) for _ in range(tables)]
    envs.reset(seed=9)
    for one, seed in zip(singles, envs.batch.seeds, strict=True):
        one.reset(options={"seed": seed})
    for _ in range(1500):
        seen, *_ = envs.last()
        for place, one in enumerate(singles):
            alone, *_ = one.last()
            assert one.agent_selection == envs.possible_agents[envs.agent_selection[place]]
            assert {key: value.tobytes() for key, value in alone.items()} == {
                key: value[place].tobytes() for key, value in seen.items()
            }
        actions = choose(rng, seen["action_mask"])
        envs.step(actions)
        for place, one in enumerate(singles):
            one.step(int(actions[place]))
            for agent in envs.possible_agents:
                assert one.rewards[agent] == envs.rewards[agent][place]
                assert one.terminations[agent] == envs.terminations[agent][place]
            if all(one.terminations.values()):
                ended += 1
                for agent, batched in envs.infos.items():
                    assert one.infos[agent] == {key: batched[key][place] for key in ("points", "place")}
                    final = one.observe(agent)["observation"]
                    assert final.tobytes() == batched["final_observation"][place].tobytes()
                one.reset(options={"seed": envs.batch.seeds[place]})
    assert ended > tables
