"""Schedulers, grid schedulers and learners in Python, by the protocol of programs that decide."""

from __future__ import annotations

import json
from typing import Any

from . import _gridpact

# Classes of the command that is being put together, and what classes raised in those that run.
_named: dict[str, type[Policy]] = {}
raised: list[Exception] = []


class Policy:
    """A policy that gridpact asks in this process, in place of a program.

    The class stands in a scenario or in ``set`` where a built-in policy would. Each replication makes an
    object for each cluster or learner. Answers may depend on nothing but what the object was told.

    Attributes
    ----------
    hello : dict
        The first line: ``role``, ``name``, ``seed``, ``replication``, ``ticks_per_unit`` and others.
    """

    sees: str = ""
    _keys: tuple[str, ...] = ("sees",)
    hello: dict[str, Any]

    def begin(self) -> Any:
        """Called once, before anything else, with `hello` set."""

    def _answer(self, said: Any) -> dict[str, Any]:
        return dict(said or {})


class Scheduler(Policy):
    """A scheduler of a cluster; `decide` starts its jobs.

    Attributes
    ----------
    sees : str
        ``"blind"``, or ``"expected"`` to be shown expected runtimes.

    Examples
    --------
    >>> class Fcfs(gridpact.Scheduler):
    ...     def begin(self):
    ...         self.waiting = []
    ...     def decide(self, now, free, events):
    ...         self.waiting += [one["submit"] for one in events if "submit" in one]
    ...         start = []
    ...         while self.waiting and self.waiting[0]["processors"] <= free:
    ...             free -= self.waiting[0]["processors"]
    ...             start.append(self.waiting.pop(0)["job"])
    ...         return start
    >>> gridpact.run("scenario.toml", set={"scheduler": Fcfs})  # doctest: +SKIP
    """

    sees = "blind"

    def decide(self, now: int, free: int, events: list[dict[str, Any]]) -> Any:
        """Decide which waiting jobs start now.

        Parameters
        ----------
        now : int
            Time in ticks.
        free : int
            Free processors.
        events : list of dict
            Events since the last question, such as ``{"submit": {"job": 0, "processors": 4, ...}}``.

        Returns
        -------
        list of int or dict
            Numbers of jobs in the order of their starts, or a dict with ``start`` and ``wake``.
        """
        raise NotImplementedError

    def _answer(self, said: Any) -> dict[str, Any]:
        return said if isinstance(said, dict) else {"start": list(said or [])}


class GridScheduler(Policy):
    """A grid scheduler; `place` sends jobs to clusters or, with ``starts = True``, starts them there.

    Attributes
    ----------
    sees : str
        ``"blind"``, or ``"expected"`` to be shown expected runtimes.
    starts : bool
        True if it starts jobs itself.
    """

    sees = "blind"
    starts = False
    _keys = ("sees", "starts")

    def place(self, **question: Any) -> Any:
        """Decide where waiting jobs go.

        Parameters
        ----------
        **question
            ``now``, ``events`` and others, as in ``place`` of the protocol.

        Returns
        -------
        dict of int or dict
            The cluster of each job that goes, by number, or a dict with ``place``.
        """
        raise NotImplementedError

    def _answer(self, said: Any) -> dict[str, Any]:
        said = said or {}
        if "place" in said:
            return said
        return {"place": [{"job": job, "cluster": cluster} for job, cluster in said.items()]}


class Learner(Policy):
    """A learner; `begin` returns its first move, `learn` the next one after each round.

    A move is ``"in"``, ``"out"``, a probability to take part, or a dict, as in the protocol. After None,
    `act` returns the move when the next round begins, and all learners have seen the last one.

    Attributes
    ----------
    sees : str
        ``"payoff"``, ``"stayed_out"``, ``"acts"``, ``"each"`` or ``"everyone"``.
    """

    sees = "payoff"

    def learn(self, **seen: Any) -> Any:
        """Learn of a round, and return the next move.

        Parameters
        ----------
        **seen
            ``payoff`` and what else `sees` shows.

        Returns
        -------
        str, float or dict
        """
        raise NotImplementedError

    def act(self) -> Any:
        """Return a move that `begin` or `learn` left open.

        Returns
        -------
        str, float or dict
        """
        raise NotImplementedError

    def _answer(self, said: Any) -> dict[str, Any]:
        if isinstance(said, str):
            return {"act": said}
        return dict(said or {}) if said is None or isinstance(said, dict) else {"probability": float(said)}


def table(policy: type[Policy]) -> dict[str, Any]:
    """The table of a scenario that names a class, which is known by this name from then on."""
    name = policy.__qualname__ if policy.__module__ == "__main__" else f"{policy.__module__}.{policy.__qualname__}"
    if _named.setdefault(name, policy) is not policy:
        _named.clear()
        raise ValueError(f"two classes are called {name}, which names must tell apart")
    _gridpact.provide(name, lambda: _Conversation(policy))
    return {"process": {"command": ["@" + name], **{key: getattr(policy, key) for key in policy._keys}}}


def forget_names() -> None:
    """Lets the next command name classes anew, as a notebook does whose cell is run again."""
    _named.clear()
    raised.clear()


class _Conversation:
    """The policies of a replication."""

    def __init__(self, policy: type[Policy]):
        self.policy = policy
        self.members: dict[int, Policy] = {}

    def __call__(self, line: str) -> str:
        message = json.loads(line)
        to = message.pop("to")
        try:
            if "hello" in message:
                member = self.members[to] = self.policy()
                member.hello = message
                first = member.begin()
                return json.dumps({**(member._answer(first) if first is not None else {}), "hello": 1})
            ((verb, question),) = message.items()
            member = self.members[to]
            return json.dumps(member._answer(getattr(member, verb)(**question)))
        except Exception as error:
            raised.append(error)
            raise
