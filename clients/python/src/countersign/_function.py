"""A gated function: whether a call of it does its work, or returns work that is still to be done."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints


class NotAValueError(TypeError):
    """A function returned work that is still to be done, such as a coroutine, in place of its value."""

    def __init__(self, value: object, not_started: bool) -> None:
        super().__init__(
            f"The function returned a {type(value).__name__}, which is work still to be done. "
            "Gate a function that does its work before it returns, or a coroutine function that awaits it."
        )
        self.not_started = not_started


def is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Whether a call of it is awaited: also a call of an object whose ``__call__`` is ``async``."""
    return inspect.iscoroutinefunction(_body(function))


def is_generator_function(function: Callable[..., Any]) -> bool:
    """Whether a call of it returns before its work begins."""
    body = _body(function)
    return inspect.isgeneratorfunction(body) or inspect.isasyncgenfunction(body)


def return_type(function: Callable[..., Any]) -> Any:
    """The type of its value; ``Any`` without one."""
    return get_type_hints(function if hasattr(function, "__wrapped__") else _body(function)).get("return", Any)


def check_value(value: Any) -> None:
    """Refuses work that is still to be done. Work that has not begun is closed, so that it never does.

    Raises:
        NotAValueError
    """
    fresh_coroutine = inspect.iscoroutine(value) and inspect.getcoroutinestate(value) == inspect.CORO_CREATED
    fresh_generator = inspect.isgenerator(value) and inspect.getgeneratorstate(value) == inspect.GEN_CREATED
    if fresh_coroutine or fresh_generator:
        value.close()
        raise NotAValueError(value, not_started=True)
    if inspect.isgenerator(value) or inspect.isawaitable(value) or inspect.isasyncgen(value):
        raise NotAValueError(value, not_started=False)


def _body(function: Callable[..., Any]) -> Callable[..., Any]:
    """The code that a call runs."""
    while isinstance(function, functools.partial):
        function = function.func
    return function if inspect.isroutine(function) else type(function).__call__
