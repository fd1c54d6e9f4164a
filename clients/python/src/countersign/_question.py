"""The decisions of a gate, without input and output."""

from __future__ import annotations

import base64
import copy
import inspect
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from . import models
from ._arguments import judged
from ._function import NotAValueError, is_generator_function, return_type
from .errors import (
    AlreadyStartedError,
    ApprovalTimeoutError,
    CountersignError,
    DeniedError,
    ExecutorAnswersError,
    GateError,
    NameNeedsExecutorError,
    OutcomeUnknownError,
    StillPendingError,
    ToolFailedError,
    UnexpectedAnswerError,
)

HOLD_SECONDS = 20
"""How long one answer is held."""
MAX_MESSAGE = 2_000


@dataclass(frozen=True)
class Asked:
    """The arguments of one call: as Countersign is asked about them, and as the function gets them."""

    arguments: Mapping[str, Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


class Question:
    """One gated function as the API sees it."""

    def __init__(
        self,
        function: Callable[..., Any],
        tool: str,
        session: str | Callable[[], str] | None,
        environment: str | None,
        reason: str | None,
        wait_seconds: float | None,
    ) -> None:
        if (session is None) == (environment is None):
            raise ValueError("a gate needs a session or an environment, and not both")
        if is_generator_function(function):
            raise TypeError("a generator has no one moment at which it may begin; gate a function")
        self.tool = tool
        self.environment = environment
        self.reason = reason
        self.wait_seconds = wait_seconds
        self._session = session
        self._signature = inspect.signature(function)
        answer = return_type(function)
        self._result: TypeAdapter[Any] = TypeAdapter(Any if answer is type(None) else answer)

    @property
    def session(self) -> str | None:
        """The id of the session; None outside of one."""
        return self._session() if callable(self._session) else self._session

    def ask(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Asked:
        """The arguments by name, with defaults. The function gets a copy, which nobody changes while people decide.

        Raises:
            TypeError: people would not see all that the function gets.
        """
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        copied = copy.deepcopy(bound)
        return Asked(judged(copied), copied.args, copied.kwargs)

    def deadline(self) -> float | None:
        """When to wait no longer, by the monotonic clock."""
        return None if self.wait_seconds is None else time.monotonic() + self.wait_seconds

    def jsonable_result(self, value: Any) -> Any:
        """The value of the function, for the report."""
        return to_jsonable_python(value)

    def recorded_result(self, call: models.ToolCall) -> Any:
        """The value that an earlier attempt reported.

        Raises:
            UnexpectedAnswerError: it is no value of the function.
        """
        result = None if call.execution is None else call.execution.result
        try:
            return self._result.validate_python(result)
        except ValidationError:
            pass
        raise UnexpectedAnswerError("The recorded result is none that the function returns.", 200)


def hold(deadline: float | None) -> int:
    """For how many seconds the next answer is held."""
    left = HOLD_SECONDS if deadline is None else int(deadline - time.monotonic())
    return max(0, min(HOLD_SECONDS, left))


def is_over(deadline: float | None) -> bool:
    """Whether the gate waits no longer."""
    return deadline is not None and time.monotonic() >= deadline


def still_pending(call: models.ToolCall) -> StillPendingError:
    """The error of a call that the gate gives up."""
    return StillPendingError("gate.still_pending", "The call still waits for a person.", call)


def misplaced(call: models.ToolCall, name: str | None) -> GateError | None:
    """Why a call never runs the function here, so that it is taken back; None if it may."""
    if call.answered_by == "executor":
        return ExecutorAnswersError(
            "gate.executor_answers",
            "An executor carries this tool out. Ask with tool_calls.submit, or give the tool an executor of kind agent.",
            call,
        )
    if name is not None and call.answered_by is None and call.outcome in ("pending", "allowed"):
        # A grant is used up once. Without one, nothing keeps the function from a second run.
        return NameNeedsExecutorError(
            "gate.name_needs_executor",
            "Without an executor, a repetition under this name would run the function again. "
            "Give the tool an executor of kind agent, or call the function without a name.",
            call,
        )
    return None


def is_recorded(call: models.ToolCall) -> bool:
    """Whether the function has run already: its result is there, or its error is raised.

    Raises:
        GateError: the function is not run.
        ToolFailedError: an earlier attempt failed so.
    """
    if call.outcome == "succeeded":
        return True
    if call.outcome == "allowed" and call.answered_by is None:
        return False
    if call.outcome == "executing" and call.grant is not None:
        return False
    _refuse(call)


def _refuse(call: models.ToolCall) -> NoReturn:
    error = None if call.execution is None else call.execution.error
    if call.outcome == "failed" and error is not None:
        raise ToolFailedError(error.code, error.message)
    if call.outcome == "unknown":
        raise OutcomeUnknownError(
            "gate.outcome_unknown", "The effect of an earlier attempt is unknown; a person resolves it.", call
        )
    code, detail = _why(call)
    if code == "tool_call.approval_timeout":
        raise ApprovalTimeoutError(code, detail, call)
    raise DeniedError(code, detail, call)


def _why(call: models.ToolCall) -> tuple[str, str]:
    """The code of a deny, and its reason."""
    if call.outcome != "denied":
        return f"gate.{call.outcome}", "The allow of this call is over; ask again under another name."
    for each in (call.denial, *call.reasons, *call.errors):
        if each is not None:
            return each.code, each.message
    return "gate.denied", "The call is denied."


def audience_of(grant: str) -> tuple[str, str]:
    """The executor and the environment that a grant names. Countersign checks it when it is redeemed."""
    try:
        payload = grant.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        return str(claims["aud"]), str(claims["environment"])
    except (ValueError, KeyError, IndexError, TypeError):
        pass
    raise UnexpectedAnswerError("The grant is none.", 200)


def check_claims(claims: models.GrantClaims, call: models.ToolCall, tool: str) -> None:
    """Refuses a grant of another call.

    Raises:
        DeniedError
    """
    named = (claims.jti, claims.tool, claims.arguments_digest)
    if named != (call.id, tool, call.arguments_digest):
        raise DeniedError("gate.other_grant", "The grant is for another call.", call)


def redeem_refused(error: CountersignError, call: models.ToolCall) -> CountersignError:
    """The error of a grant that could not be used."""
    if error.code == "grant.already_redeemed":
        return AlreadyStartedError(
            error.code, "An earlier attempt has begun to carry out this call, and has not reported.", call
        )
    return error


def succeeded(call: models.ToolCall, result: Any) -> Mapping[str, Any]:
    """The report of a function that returned."""
    return {**_report(call), "outcome": "succeeded", "result": result}


def raised(call: models.ToolCall, error: Exception) -> Mapping[str, Any]:
    """The report of a function that raised. Its effect is known if it says so."""
    if isinstance(error, ToolFailedError):
        effect = "not_started" if error.not_started else "done"
        told = {"code": error.code, "message": error.detail[:MAX_MESSAGE]}
        return {**_report(call), "outcome": "failed", "effect": effect, "error": told}
    if isinstance(error, NotAValueError) and error.not_started:
        told = {"code": "gate.not_a_value", "message": str(error)[:MAX_MESSAGE]}
        return {**_report(call), "outcome": "failed", "effect": "not_started", "error": told}
    told = {"code": "agent.tool_raised", "message": f"{type(error).__name__}: {error}"[:MAX_MESSAGE]}
    return {**_report(call), "outcome": "unknown", "error": told}


def not_started(call: models.ToolCall, error: DeniedError) -> Mapping[str, Any]:
    """The report of a call whose function the gate did not run."""
    told = {"code": error.code, "message": error.detail}
    return {**_report(call), "outcome": "failed", "effect": "not_started", "error": told}


def _report(call: models.ToolCall) -> Mapping[str, Any]:
    return {"jti": call.id, "arguments_digest": call.arguments_digest}
