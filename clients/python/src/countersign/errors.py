"""The errors of the client. Each has a stable code, to decide by."""

from __future__ import annotations

from typing import Any

from . import models


class CountersignError(Exception):
    """Something was refused, or did not come about. No error holds the token."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{detail} ({code})")
        self.code = code
        self.detail = detail


class ProblemError(CountersignError):
    """Countersign refused a request, with a problem document (RFC 9457)."""

    def __init__(self, problem: models.Problem, retry_after_seconds: float | None = None) -> None:
        action = "" if problem.action is None else f" {problem.action}"
        super().__init__(problem.code, f"{problem.detail}{action}")
        self.problem = problem
        self.status = problem.status
        self.details = problem.details
        """The facts of the code, for programs."""
        self.errors = problem.errors or []
        """Each mistake with its place."""
        self.reasons = problem.reasons or []
        """The reasons of policies."""
        self.request_id = problem.instance.removeprefix("urn:countersign:request:")
        """The request as the log of Countersign names it."""
        self.retry_after_seconds = retry_after_seconds


class UnreachableError(CountersignError):
    """No answer came: Countersign is out of reach, or took too long."""


class PlainHttpError(CountersignError, ValueError):
    """The token would leave this machine unencrypted."""

    def __init__(self, host: str) -> None:
        super().__init__(
            "connection.plain_http",
            f"http:// would send the token to {host} in the clear; use https://,"
            " or say allow_plain_http=True (COUNTERSIGN_ALLOW_PLAIN_HTTP=1) if the way there is private",
        )


class UnexpectedAnswerError(CountersignError):
    """An answer is no document of Countersign; something else may listen there."""

    def __init__(self, detail: str, status: int, code: str = "connection.unexpected_answer") -> None:
        super().__init__(code, detail)
        self.status = status


class ToolFailedError(CountersignError):
    """The tool failed. Raise it in a gated function whose effect is known.

    Args:
        code: A stable code of the tool's own.
        detail: What went wrong, for people.
        not_started: Promises that nothing was changed.
    """

    def __init__(self, code: str, detail: str, *, not_started: bool = False) -> None:
        super().__init__(code, detail)
        self.not_started = not_started


class GateError(CountersignError):
    """A gated function did not return: its call, with the reason."""

    def __init__(self, code: str, detail: str, call: models.ToolCall) -> None:
        super().__init__(code, detail)
        self.call = call
        """The call as Countersign last answered."""


class DeniedError(GateError):
    """The call is denied, or its allow is over. The function was not run."""


class ApprovalTimeoutError(DeniedError):
    """Nobody answered in time. The function was not run."""


class StillPendingError(ApprovalTimeoutError):
    """The call still waits for a person, and the gate waits no longer. The function was not run.

    A call with a name of its own stays pending: make it again under that name to go on waiting.
    """


class ExecutorAnswersError(GateError):
    """Countersign sends this call to an executor itself, so the function was not run."""


class NameNeedsExecutorError(GateError):
    """A named call of a tool without an executor of kind ``agent``. The name could not keep it from running twice.
    The function was not run.
    """


class AlreadyStartedError(GateError):
    """An earlier attempt under this name has begun, and not reported. The function was not run."""


class OutcomeUnknownError(GateError):
    """An earlier attempt under this name has an unknown effect. The function was not run again."""


class NotReportedError(GateError):
    """The function has run, and its outcome could not be reported."""

    def __init__(self, code: str, detail: str, call: models.ToolCall, result: Any) -> None:
        super().__init__(code, detail, call)
        self.result = result
        """The value that the function returned."""
