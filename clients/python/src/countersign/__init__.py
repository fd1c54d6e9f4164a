"""The Python client of Countersign: the API for agents, and a gate for functions.

An agent asks before it acts. Policies decide at once, or people do::

    import countersign

    @countersign.gate(tool="label_sandbox", environment="staging")
    def label_sandbox(targets: list[str]) -> dict[str, int]:
        return {"labelled": len(targets)}

The function runs if Countersign allows exactly these arguments, and under no other condition.
"""

from .client import AsyncCountersignClient, CountersignClient
from .errors import (
    AlreadyStartedError,
    ApprovalTimeoutError,
    CountersignError,
    DeniedError,
    ExecutorAnswersError,
    NameNeedsExecutorError,
    NotReportedError,
    OutcomeUnknownError,
    PlainHttpError,
    ProblemError,
    StillPendingError,
    ToolFailedError,
    UnexpectedAnswerError,
    UnreachableError,
)
from .gate import AsyncGatedFunction, GatedFunction, gate

__all__ = [
    "AlreadyStartedError",
    "ApprovalTimeoutError",
    "AsyncCountersignClient",
    "AsyncGatedFunction",
    "CountersignClient",
    "CountersignError",
    "DeniedError",
    "ExecutorAnswersError",
    "GatedFunction",
    "NameNeedsExecutorError",
    "NotReportedError",
    "OutcomeUnknownError",
    "PlainHttpError",
    "ProblemError",
    "StillPendingError",
    "ToolFailedError",
    "UnexpectedAnswerError",
    "UnreachableError",
    "gate",
]
