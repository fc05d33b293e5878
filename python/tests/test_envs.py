"""Tests of the environments, with the checks of Gymnasium and PettingZoo themselves."""

import gc
import threading
import unittest
import warnings
from pathlib import Path

import gridpact

try:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    from gridpact.envs import ClusterEnv, CoalitionEnv
except ImportError as error:
    raise unittest.SkipTest(str(error)) from None

SCENARIOS = Path(__file__).parents[2] / "scenarios"
QUEUE = {
    "name": "queue",
    "run": {"until": {"jobs": 100}},
    "organization": [{
        "name": "a",
        "cluster": {"space_shared": {"processors": 8, "scheduler": {"fcfs": {}}}},
        "workload": {"synthetic": {
            "arrivals": {"poisson": {"rate": 1.5}},
            "size": {"exponential": {"mean": 1.0}},
            "processors": {"uniform": {"min": 1, "max": 6}},
        }},
    }],
}


def played(env, act, **options):
    """Plays an episode; returns the steps as observations, actions, masks and rewards."""
    seen, info = env.reset(**options)
    steps, ended = [], False
    while not ended:
        action, mask = act(seen, info["action_mask"]), info["action_mask"]
        after, reward, ended, _, info = env.step(action)
        steps.append((seen, action, mask, reward))
        seen = after
    return steps


def total(steps):
    return sum(reward for *_, reward in steps)


class Softmax:
    """A linear softmax policy over the jobs, which REINFORCE trains."""

    def __init__(self, rate, seed):
        self.weights, self.rate, self.random = np.zeros(5), rate, np.random.default_rng(seed)

    def features(self, seen):
        jobs = np.zeros((len(seen[2:]) // 4 + 1, 5))
        jobs[:-1, :4] = seen[2:].reshape(-1, 4)
        jobs[-1, 4] = 1.0
        return jobs

    def chances(self, seen, mask):
        odds = np.where(mask, np.exp(self.features(seen) @ self.weights), 0.0)
        return odds / odds.sum()

    def draw(self, seen, mask):
        return int(self.random.choice(len(mask), p=self.chances(seen, mask)))

    def best(self, seen, mask):
        return int(np.argmax(self.chances(seen, mask)))

    def learn(self, episodes):
        """One step up the gradient, with rewards to go less their mean by the place in the episode."""
        longest = max(map(len, episodes))
        to_go = np.zeros((len(episodes), longest))
        for row, steps in zip(to_go, episodes):
            row[: len(steps)] = np.cumsum([reward for *_, reward in steps][::-1])[::-1]
        gains = to_go - to_go.mean(axis=0)
        gradient = np.zeros(5)
        for row, steps in zip(gains, episodes):
            for gain, (seen, action, mask, _) in zip(row, steps):
                jobs = self.features(seen)
                gradient += gain * (jobs[action] - self.chances(seen, mask) @ jobs)
        self.weights += self.rate * gradient / np.linalg.norm(gradient)


class Clusters(unittest.TestCase):
    def test_gymnasium_finds_nothing_wrong(self):
        env = gymnasium.make("gridpact/Cluster-v0", scenario=QUEUE, first=5, render_mode="html")
        check_env(env.unwrapped)

    def test_action_0_is_first_come_first_served_and_rewards_are_waits(self):
        env = ClusterEnv(QUEUE, first=3, render_mode="html")
        self.assertIsNone(env.render())
        for seed in (1, 2):
            steps = played(env, lambda *_: 0, seed=seed)
            fcfs = gridpact.run(QUEUE, seed=seed, replications=1).jobs
            self.assertEqual(env.results.jobs.to_dict(), fcfs.to_dict())
            self.assertAlmostEqual(total(steps), -sum(fcfs["waiting_time"]), 6)
        self.assertIn("<html", env.render())
        self.assertTrue(env.results.audit())

    def test_one_cluster_of_several_and_a_reward_at_the_end(self):
        site = QUEUE["organization"][0]
        two = {**QUEUE, "organization": [site, {**site, "name": "b"}]}
        env = ClusterEnv(two, cluster="b", reward=lambda one: -max(one.organizations["wait_mean"]))
        steps = played(env, lambda *_: 0, options={"set": {"run.until.jobs": 50}})
        self.assertEqual({reward for *_, reward in steps[:-1]}, {0.0})
        self.assertEqual(steps[-1][-1], -max(env.results.organizations["wait_mean"]))
        with self.assertRaisesRegex(gridpact.Error, "name one by `cluster`"):
            played(ClusterEnv(two), lambda *_: 0)

    def test_reinforce_learns_to_beat_first_come_first_served(self):
        env, policy = ClusterEnv(QUEUE, first=8, scale=1.0), Softmax(rate=1.0, seed=1)
        for batch in range(8):
            policy.learn([played(env, policy.draw, seed=batch) for _ in range(4)])
        gains = [total(played(env, policy.best, seed=seed)) - total(played(env, lambda *_: 0, seed=seed))
                 for seed in range(1000, 1020)]
        self.assertGreater(np.mean(gains), 3.0 * np.std(gains, ddof=1) / len(gains) ** 0.5)

    def test_an_episode_that_is_left_leaves_no_thread(self):
        before = threading.active_count()
        env = ClusterEnv(QUEUE)
        for _ in range(3):
            env.reset()
            env.step(0)
        self.assertEqual(threading.active_count(), before + 1)
        env.close()
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step(0)
        env.reset()
        del env
        gc.collect()
        self.assertEqual(threading.active_count(), before)

    def test_a_wrong_scenario_is_an_error_in_reset(self):
        env = ClusterEnv(QUEUE, set={"run.until.jobs": -1})
        for _ in range(2):
            with self.assertRaisesRegex(gridpact.Error, "run.until.jobs|at least"):
                env.reset()
        with self.assertRaisesRegex(ValueError, "html"):
            ClusterEnv(QUEUE, render_mode="human")


class Coalitions(unittest.TestCase):
    def env(self, **more):
        settings = {"run.until.rounds": 12}
        return CoalitionEnv(SCENARIOS / "selfish-lb-figure-3b.toml", set=settings, **more)

    def test_pettingzoo_finds_nothing_wrong(self):
        for sees in ("payoff", "everyone"):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                parallel_api_test(self.env(sees=sees), num_cycles=20)
            parallel_seed_test(lambda: self.env(sees=sees), num_cycles=20)

    def test_scores_are_those_of_the_run(self):
        env = self.env(sees="stayed_out", render_mode="html")
        env.reset(seed=3)
        agents, scores, random = list(env.agents), [], np.random.default_rng(1)
        while env.agents:
            seen, rewards, _, ended, _ = env.step({name: random.integers(2) for name in agents})
            scores += [rewards[name] for name in agents]
        self.assertTrue(all(ended.values()))
        np.testing.assert_allclose(env.results.rounds["score"], scores, atol=1e-6)
        self.assertEqual(env.state().shape, (len(agents) * len(seen["overloaded"]),))

    def test_some_organizations_of_a_federation(self):
        env = CoalitionEnv(SCENARIOS / "federation.toml", ["small"], set={"run.until.rounds": 2})
        env.reset(seed=1)
        self.assertEqual(env.agents, ["small-1", "small-2"])
        seen, rewards, *_ = env.step({"small-1": 1, "small-2": 0})
        self.assertEqual([seen[name][1] for name in env.agents], [1.0, 0.0])
        self.assertEqual(rewards["small-2"], 0.0)
        env.close()


if __name__ == "__main__":
    unittest.main()
