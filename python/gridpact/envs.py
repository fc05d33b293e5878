"""Environments for reinforcement learning: a cluster for Gymnasium, a coalition for PettingZoo.

An episode is a run with one replication, in a thread of its own. Its policies hand each question to the
environment's ``step`` and wait for the answer. The module needs numpy, gymnasium and pettingzoo.
"""

from __future__ import annotations

import itertools
import os
import queue
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from ._call import Scenarios, call, value
from ._policy import Learner, Scheduler
from ._results import Results, into_folder, option_words

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise ImportError(
        f"gridpact.envs needs {error.name}: `pip install gymnasium pettingzoo` brings it"
    ) from error

__all__ = ["ClusterEnv", "CoalitionEnv"]

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
_numbers = itertools.count()


class _Closed(BaseException):
    """Raised in a policy to end a run whose environment is closed or reset."""


class _Ended:
    """The last thing that an episode says: its results, or why there are none."""

    def __init__(self, results=None, error=None):
        self.results, self.error = results, error


class _Episode:
    """A run in a thread of its own, and the two queues between its policies and the environment."""

    def __init__(self, *run):
        self._questions, self._answers = queue.SimpleQueue(), queue.SimpleQueue()
        # A daemon: the interpreter waits for other threads before it calls finalizers.
        self._thread = threading.Thread(target=self._run, args=run, name="gridpact-episode", daemon=True)
        # Of a cluster: the first line of its scheduler.
        self.hello: dict[str, Any] = {}
        # Of a coalition: the learners, the moves of the round, and what was seen of the last one.
        self.names: list[str] = []
        self.moves: dict[str, int] = {}
        self.seen: dict[str, dict[str, Any]] = {}

    def start(self):
        self._thread.start()

    def _run(self, scenario, settings, seed, keep):
        try:
            told = Scenarios([scenario])
            settings = [f"{key}={value(one)}" for key, one in settings.items()]
            words = ["run", *told.words, *option_words(set=settings, seed=seed, threads=1)]
            if keep:
                ended = _Ended(into_folder(words, told.texts, None, False))
            else:
                call([*words, "--no-files", "--quiet"], told.texts)
                ended = _Ended()
        except BaseException as error:
            ended = _Ended(error=error)
        self._questions.put(ended)

    def ask(self, question=None):
        """Called by a policy: hands a question to the environment, and waits for the answer."""
        self._questions.put(question)
        answer = self._answers.get()
        if answer is _Closed:
            raise _Closed
        return answer

    def answer(self, answer):
        self._answers.put(answer)

    def question(self):
        """The next question, or `_Ended`."""
        question = self._questions.get()
        if isinstance(question, _Ended) and question.error is not None:
            self._questions.put(question)
            raise question.error
        return question

    def close(self):
        """Ends the run at its next question, and waits for its end."""
        self._answers.put(_Closed)
        self._thread.join()


class _Runs:
    """What both environments share: a scenario, and episodes of it, one at a time."""

    metadata = {"render_modes": ["html"], "render_fps": 1}
    results: Results | None

    def _prepare(self, scenario, settings, render_mode, keep=False):
        if render_mode not in (None, "html"):
            raise ValueError(f"render_mode is None or 'html', not {render_mode!r}")
        self.render_mode = render_mode
        self.results = None
        self._scenario, self._settings = scenario, {**(settings or {}), "run.replications": 1}
        self._keep = keep or render_mode is not None
        self._name = f"{type(self).__name__}-{next(_numbers)}"
        self._finish = None

    def _begin(self, policy, keys, seed=None, options=None):
        """Ends the last episode, and makes one in which the policy stands at these keys."""
        self.close()
        policy.__module__, policy.__qualname__ = __name__, self._name
        settings = {**self._settings, **dict.fromkeys(keys, policy), **(options or {}).get("set", {})}
        self._episode = policy.episode = _Episode(self._scenario, settings, seed, self._keep)
        self._finish = weakref.finalize(self, self._episode.close)
        return self._episode

    def _end(self, ended):
        self.close()
        self.results = ended.results

    def close(self) -> None:
        """End the run of the episode that is under way, if there is one."""
        if self._finish is not None:
            self._finish()
        self._episode = None

    def render(self) -> str | None:
        """Return the page of the last finished episode.

        Returns
        -------
        str or None
            HTML. None without ``render_mode="html"``, or before an episode has ended.
        """
        if self.render_mode is None or self.results is None:
            return None
        return self.results.page.read_text(encoding="utf-8")


class ClusterEnv(_Runs, gymnasium.Env):
    """A cluster whose waiting jobs an agent starts, for Gymnasium.

    An action below ``first`` starts that waiting job, in the order of submission. After it the agent is
    asked again at once if another one fits. Any other action, the last one or a job that does not fit,
    lets time pass to the next submission or end of a job at which one of the first jobs fits. On an idle
    cluster, where nothing would happen any more, it starts the first job that fits. So an agent that
    always plays 0 is first come, first served.

    An observation is a vector of numbers from 0 to 1: free processors; length n of the queue, as
    n / (n + first); then, for each of the first jobs, its processors, its wait, its expected runtime and
    whether it fits. Processors are shares of the cluster, a time t is t / (t + ``scale``). All four are 0
    where there is no job. ``info`` has ``action_mask``, and ``now`` and ``waiting``, the time and the
    number of waiting jobs.

    Parameters
    ----------
    scenario : str, path or dict
        As for `gridpact.run`.
    cluster : str, optional
        Organization that owns the cluster; not needed if there is only one.
    first : int
        Number of waiting jobs that the agent sees.
    reward : ``"wait"`` or callable
        ``"wait"`` is minus the waiting time, of all jobs together, since the last step. Its sum over an
        episode is minus the sum of all waits. A callable gets the `Results` at the end of an episode and
        returns its only reward.
    sees : str
        ``"expected"``, or ``"blind"`` for expected runtimes of 0.
    scale : float
        Time that is observed as one half, in units of the scenario.
    set : dict, optional
        Values of keys, as for `gridpact.run`. ``reset(options={"set": ...})`` adds some for an episode.
    render_mode : str, optional
        ``"html"`` keeps the results of the last episode for `render`, in ``results``.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        cluster: str | None = None,
        first: int = 16,
        reward: str | Callable[[Results], float] = "wait",
        sees: str = "expected",
        scale: float = 3600.0,
        set: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ):
        if reward != "wait" and not callable(reward):
            raise ValueError(f"reward is 'wait' or a function of the results, not {reward!r}")
        self._prepare(scenario, set, render_mode, keep=callable(reward))
        self._key = "scheduler" if cluster is None else f"organization.{cluster}.cluster.space_shared.scheduler"
        self._first, self._reward, self._sees, self._scale = first, reward, sees, scale
        self.action_space = spaces.Discrete(first + 1)
        self.observation_space = spaces.Box(0.0, 1.0, (2 + 4 * first,), np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        seed = int(self.np_random.integers(2**53)) if seed is None else seed

        class Ask(Scheduler):
            sees = self._sees

            def begin(self):
                if self.episode.hello:
                    raise ValueError("more than one scheduler is asked: name one by `cluster`, without `output.alone`")
                self.episode.hello = self.hello

            def decide(self, now, free, events):
                return self.episode.ask((now, free, events))

        episode = self._begin(Ask, [self._key], seed, options)
        self._waiting, self._start, self._running, self._now = [], [], 0, 0
        self._ticks = 1
        episode.start()
        self._advance()
        if self._episode is None:
            raise ValueError("no job waits in this run, so there is nothing to decide")
        self._processors = episode.hello["processors"]
        self._ticks = episode.hello["ticks_per_unit"]
        return self._observation(), self._info()

    def step(self, action):
        if self._episode is None:
            raise RuntimeError("the episode has ended: call reset()")
        fitting, reward = self._fitting(), 0.0
        if action not in fitting and self._running == 0:
            action = fitting[0]
        starts = action in fitting
        if starts:
            job = self._waiting.pop(action)
            self._free -= job["processors"]
            self._running += 1
            self._start.append(job["job"])
        if not (starts and self._fitting()):
            reward = self._advance(self._start)
            self._start = []
        return self._observation(), reward, self._episode is None, False, self._info()

    def _advance(self, start=None):
        """Lets time pass until a job can be started; returns the reward of that."""
        waited = 0
        while True:
            if start is not None:
                self._episode.answer(start)
            question = self._episode.question()
            if isinstance(question, _Ended):
                self._end(question)
                return self._reward(self.results) if callable(self._reward) else -waited / self._ticks
            now, self._free, events = question
            waited += len(self._waiting) * (now - self._now)
            self._now = now
            for event in events:
                ((what, job),) = event.items()
                if what == "submit":
                    self._waiting.append(job)
                elif what == "withdraw":
                    self._waiting = [one for one in self._waiting if one["job"] != job["job"]]
                else:
                    self._running += {"runs": 1, "finish": -1}.get(what, 0)
            if self._fitting():
                return 0.0 if callable(self._reward) else -waited / self._ticks
            start = []

    def _fitting(self):
        """The places of the first jobs that fit."""
        first = self._waiting[: self._first]
        return [place for place, job in enumerate(first) if job["processors"] <= self._free]

    def _observation(self):
        seen = np.zeros(self.observation_space.shape, np.float32)
        waiting = len(self._waiting)
        seen[:2] = self._free / self._processors, waiting / (waiting + self._first)
        scale = self._scale * self._ticks
        rows = []
        for job in self._waiting[: self._first]:
            wait, expected = self._now - job["submit"], job.get("expected", 0)
            rows += (job["processors"] / self._processors, wait / (wait + scale),
                     expected / (expected + scale), job["processors"] <= self._free)
        seen[2 : 2 + len(rows)] = rows
        return seen

    def _info(self):
        return {"action_mask": self.action_masks(), "now": self._now / self._ticks,
                "waiting": len(self._waiting)}

    def action_masks(self):
        """The actions that start a job or, unless the cluster is idle, let time pass."""
        mask = np.zeros(self._first + 1, np.int8)
        mask[self._fitting()] = 1
        mask[-1] = self._running > 0
        return mask


class CoalitionEnv(_Runs, ParallelEnv):
    """A coalition or federation whose organizations are agents, for PettingZoo.

    A step is a round: each agent stays out with 0 or takes part with 1. The reward is its score in the
    round. Agents leave together when the run ends, which truncates the episode. An agent that is not
    present in a round has an observation of zeros and no reward, and its action has no effect.

    An observation shows the last round as the information label ``sees`` allows: 1 for a round in which
    the agent was present, its action, its score, and 1 if it was the only member; then with

    - ``"stayed_out"``: the score of staying out, and 1 if that is known;
    - ``"each"``, ``"everyone"``: the scores of its actions;
    - ``"acts"``, ``"everyone"``: the actions of all organizations, -1 for one that was absent.

    `state` is all observations in a row.

    Parameters
    ----------
    scenario : str, path or dict
        As for `gridpact.run`.
    organizations : list of str, optional
        Organizations, as the scenario names them, whose learners the agents replace. All by default.
    sees : str
        ``"payoff"``, ``"stayed_out"``, ``"acts"``, ``"each"`` or ``"everyone"``.
    set, render_mode
        As for `ClusterEnv`.
    """

    metadata = {**_Runs.metadata, "name": "gridpact-coalition"}

    def __init__(
        self,
        scenario: Scenario,
        organizations: Sequence[str] | None = None,
        *,
        sees: str = "payoff",
        set: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ):
        self._prepare(scenario, set, render_mode)
        self._keys = [f"organization.{name}.learner" for name in organizations or "*"]
        self._sees = sees
        self._random = np.random.default_rng()
        # A first round, in which all stay out, tells who the agents are and what they see.
        episode = self._play(is_probe=True)
        episode.question()
        self.close()
        self.possible_agents = episode.names
        seen = {name: len(self._vector(one)) for name, one in episode.seen.items()}
        self._sizes = [seen[name] for name in self.possible_agents]
        self._observation_spaces = {
            name: spaces.Box(-np.inf, np.inf, (size,), np.float32)
            for name, size in zip(self.possible_agents, self._sizes)
        }
        self._action_spaces = {name: spaces.Discrete(2) for name in self.possible_agents}
        self.agents = []

    def _play(self, seed=None, options=None, is_probe=False):
        class Ask(Learner):
            sees = self._sees

            def begin(self):
                self.name = self.hello["name"].removeprefix("organization/")
                self.episode.names.append(self.name)
                return "out" if is_probe else None

            def act(self):
                if self.name not in self.episode.moves:
                    self.episode.moves = self.episode.ask()
                return ("out", "in")[self.episode.moves.pop(self.name)]

            def learn(self, **seen):
                self.episode.moves = {}
                self.episode.seen[self.name] = seen

        episode = self._begin(Ask, self._keys, seed, options)
        episode.start()
        return episode

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None):
        if seed is not None:
            self._random = np.random.default_rng(seed)
        else:
            seed = int(self._random.integers(2**53))
        self.agents = list(self.possible_agents)
        self._play(seed, options).question()
        self._observed = {name: self._vector(None, name) for name in self.agents}
        return dict(self._observed), {name: {} for name in self.agents}

    def step(self, actions):
        if not self.agents or self._episode is None:
            raise RuntimeError("the episode has ended: call reset()")
        self._episode.answer({name: int(action) for name, action in actions.items()})
        question, agents = self._episode.question(), self.agents
        seen, self._episode.seen = self._episode.seen, {}
        self._observed = {name: self._vector(seen.get(name), name) for name in agents}
        rewards = {name: float(seen[name]["payoff"]) if name in seen else 0.0 for name in agents}
        ended = isinstance(question, _Ended)
        if ended:
            self._end(question)
            self.agents = []
        return (dict(self._observed), rewards, dict.fromkeys(agents, False), dict.fromkeys(agents, ended),
                {name: {} for name in agents})

    def _vector(self, seen, name=None):
        """A round as a vector, of zeros if it was not seen."""
        if seen is None:
            return np.zeros(self._observation_spaces[name].shape, np.float32)
        number = {"out": 0.0, "in": 1.0, None: -1.0}
        row = [1.0, number[seen["act"]], seen["payoff"], seen["alone"]]
        if "stayed_out" in seen:
            row += [seen["stayed_out"] or 0.0, seen["stayed_out"] is not None]
        row += seen.get("instead", [])
        row += [number[act] for act in seen.get("acts", [])]
        return np.clip(row, -1e30, 1e30).astype(np.float32)

    def state(self):
        return np.concatenate([self._observed[name] for name in self.possible_agents])

    def observation_space(self, agent: str) -> spaces.Box:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]


gymnasium.register("gridpact/Cluster-v0", entry_point=ClusterEnv)
