"""The course of a gated call, as steps that a client carries out: the same for threads and coroutines."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Generator
from typing import Any

from . import _question as q
from . import models
from ._function import check_value
from .client import AsyncCountersignClient, CountersignClient
from .errors import CountersignError, DeniedError, NotReportedError

Client = CountersignClient | AsyncCountersignClient
Step = Callable[[Any], Any]
"""Asks a client, or runs the function; a coroutine if the client is one for coroutines."""
Steps = Generator[Step, Any, Any]

_log = logging.getLogger("countersign")


def flow(question: q.Question, asked: q.Asked, function: Callable[..., Any], name: str | None) -> Steps:
    """Asks, waits, runs the function if it is allowed, and reports.

    Returns:
        The value of the function, or the one that an earlier attempt of this name reported.
    """
    call: models.ToolCall = yield from _settled(question, asked, name)
    if q.is_recorded(call):
        return question.recorded_result(call)
    if call.grant is not None:
        yield from _redeemed(question, call, call.grant)
    try:
        value = yield lambda _client: function(*asked.args, **asked.kwargs)
        check_value(value)
    except Exception as error:
        if call.grant is not None:
            report = q.raised(call, error)
            yield from _attempted(lambda client: client.tool_calls.report(call.id, report))
        raise
    if call.grant is not None:
        yield from _reported(question, call, value)
    return value


def _settled(question: q.Question, asked: q.Asked, name: str | None) -> Steps:
    """The call once its answer is there.

    Raises:
        ExecutorAnswersError, NameNeedsExecutorError: the call is not for this function.
        StillPendingError: the gate waits no longer.
    """
    deadline = question.deadline()
    session = question.session
    own_name = str(uuid.uuid4()) if name is None else name

    def submit(client: Client) -> Any:
        wait = q.hold(deadline)
        if session is None:
            return client.tool_calls.submit(
                tool=question.tool,
                environment=str(question.environment),
                arguments=asked.arguments,
                client_call_id=own_name,
                reason=question.reason,
                wait_seconds=wait,
            )
        return client.session_tool_calls.submit(
            session,
            tool=question.tool,
            arguments=asked.arguments,
            client_call_id=own_name,
            reason=question.reason,
            wait_seconds=wait,
        )

    call: models.ToolCall = yield submit
    while call.outcome == "pending" and q.misplaced(call, name) is None and not q.is_over(deadline):
        waiting = call.id
        call = yield lambda client: client.tool_calls.get(waiting, wait_seconds=q.hold(deadline))
    misplaced = q.misplaced(call, name)
    if misplaced is not None or (call.outcome == "pending" and name is None):
        # The function is not run, and nobody is asked for nothing.
        yield from _attempted(lambda client: client.tool_calls.cancel(call.id))
    if misplaced is not None:
        raise misplaced
    if call.outcome == "pending":
        raise q.still_pending(call)
    return call


def _redeemed(question: q.Question, call: models.ToolCall, grant: str) -> Steps:
    """Uses the grant up, which Countersign checks: of two attempts, one runs the function."""
    audience, environment = q.audience_of(grant)
    try:
        redeemed: models.RedeemedGrant = yield lambda client: client.grant.redeem(
            grant=grant, audience=audience, environment=environment
        )
    except CountersignError as error:
        raise q.redeem_refused(error, call) from None
    try:
        q.check_claims(redeemed.claims, call, question.tool)
    except DeniedError as error:
        report = q.not_started(call, error)
        yield from _attempted(lambda client: client.tool_calls.report(call.id, report))
        raise


def _reported(question: q.Question, call: models.ToolCall, value: Any) -> Steps:
    try:
        report = q.succeeded(call, question.jsonable_result(value))
        yield lambda client: client.tool_calls.report(call.id, report)
    except (CountersignError, ValueError) as error:
        code = error.code if isinstance(error, CountersignError) else "gate.result_is_no_json"
        detail = "The function has run, and its result could not be reported. Do not run it again by another way."
        raise NotReportedError(code, detail, call, value) from error


def _attempted(step: Step) -> Steps:
    """A step whose failure changes nothing: another error is on its way."""
    try:
        yield step
    except CountersignError as error:
        _log.warning("countersign: a last word was not delivered (%s)", error.code)
