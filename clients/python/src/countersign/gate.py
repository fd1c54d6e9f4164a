"""The gate: a function that runs if Countersign allows the call, and under no other condition."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar, cast, overload

from typing_extensions import ParamSpec

from ._flow import Client, flow
from ._function import is_coroutine_function
from ._question import Question
from .client import AsyncCountersignClient, CountersignClient

P = ParamSpec("P")
R = TypeVar("R")


class GatedFunction(Generic[P, R]):
    """A function behind the gate; call it as before."""

    def __init__(self, function: Callable[P, R], question: Question, client: CountersignClient | None) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._question = question
        self._client = client

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._gated(None, args, kwargs)

    def named(self, client_call_id: str) -> Callable[P, R]:
        """The function under a name of the call that outlives this process, for a replay.

        The same name with the same arguments is one call. People are asked once, the function runs
        once, and a repetition returns the recorded result. The tool needs an executor of kind ``agent``,
        whose grant is used up before the function runs; without one the call is taken back
        (``gate.name_needs_executor``).
        """

        def under_this_name(*args: P.args, **kwargs: P.kwargs) -> R:
            return self._gated(client_call_id, args, kwargs)

        return under_this_name

    def _gated(self, name: str | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        asked = self._question.ask(args, kwargs)
        if self._client is not None:
            return self._carried_out(self._client, name, asked)
        with CountersignClient.from_environment() as client:
            return self._carried_out(client, name, asked)

    def _carried_out(self, client: CountersignClient, name: str | None, asked: Any) -> R:
        steps = flow(self._question, asked, self._function, name)
        step = next(steps)
        while True:
            try:
                try:
                    result = step(client)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
            except StopIteration as end:
                return cast(R, end.value)


class AsyncGatedFunction(Generic[P, R]):
    """A coroutine function behind the gate; call it as before."""

    def __init__(
        self, function: Callable[P, Coroutine[Any, Any, R]], question: Question, client: AsyncCountersignClient | None
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._question = question
        self._client = client

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._gated(None, args, kwargs)

    def named(self, client_call_id: str) -> Callable[P, Coroutine[Any, Any, R]]:
        """The function under a name of the call that outlives this process; see :meth:`GatedFunction.named`."""

        async def under_this_name(*args: P.args, **kwargs: P.kwargs) -> R:
            return await self._gated(client_call_id, args, kwargs)

        return under_this_name

    async def _gated(self, name: str | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        asked = self._question.ask(args, kwargs)
        if self._client is not None:
            return await self._carried_out(self._client, name, asked)
        async with AsyncCountersignClient.from_environment() as client:
            return await self._carried_out(client, name, asked)

    async def _carried_out(self, client: AsyncCountersignClient, name: str | None, asked: Any) -> R:
        steps = flow(self._question, asked, self._function, name)
        step = next(steps)
        while True:
            try:
                try:
                    result = await step(client)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
            except StopIteration as end:
                return cast(R, end.value)


class Gate(Protocol):
    """Puts a function behind the gate."""

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a coroutine is a value, too
        self, function: Callable[P, Coroutine[Any, Any, R]], /
    ) -> AsyncGatedFunction[P, R]: ...

    @overload
    def __call__(self, function: Callable[P, R], /) -> GatedFunction[P, R]: ...


def gate(
    *,
    tool: str,
    session: str | Callable[[], str] | None = None,
    environment: str | None = None,
    reason: str | None = None,
    wait_seconds: float | None = None,
    client: Client | None = None,
) -> Gate:
    """Gates a function: each call asks Countersign first.

    The function runs only if the call is allowed, with the arguments as they were then. Its outcome
    is reported if the tool has an executor of kind ``agent``. A call that is denied, or that no
    answer comes to, raises an error, and the function is not run.

    The names of the arguments are those of the tool's parameters, and their values JSON. A value that
    people would not see whole is refused with a TypeError, such as a model with excluded fields.

    Args:
        tool: The name of the tool in the registry.
        session: The session of the calls, or a function that names it. Give this or ``environment``.
        environment: The environment of calls outside a session.
        reason: Why the call is made; people who decide read it, marked as the agent's words.
        wait_seconds: How long to wait for people; by default as long as the call is pending.
        client: Asks in place of a client from the environment (``COUNTERSIGN_URL``,
            ``COUNTERSIGN_TOKEN`` or ``COUNTERSIGN_TOKEN_FILE``).
    """

    def gated(function: Callable[..., Any], /) -> Any:
        question = Question(function, tool, session, environment, reason, wait_seconds)
        if is_coroutine_function(function):
            if isinstance(client, CountersignClient):
                raise TypeError("a coroutine function is gated by an AsyncCountersignClient")
            return AsyncGatedFunction(function, question, client)
        if isinstance(client, AsyncCountersignClient):
            raise TypeError("a plain function is gated by a CountersignClient")
        return GatedFunction(function, question, client)

    return cast(Gate, gated)
