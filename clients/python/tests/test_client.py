from __future__ import annotations

import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from odd_server import answering, no_server, odd_server
from pydantic import ValidationError

from countersign import (
    AsyncCountersignClient,
    CountersignClient,
    ProblemError,
    UnexpectedAnswerError,
    UnreachableError,
    models,
)
from countersign._call import Call
from countersign._transport import Connection

TASK: dict[str, Any] = {"goal": "Label a sandbox", "task_type": "labels", "environment": "development"}
STEP = {"id": "label", "tool": "label_sandbox", "arguments": {"targets": ["sandbox-1"]}}


def test_answers_are_documents_with_types(client: CountersignClient) -> None:
    me = client.sign_in.me()
    assert me.kind == "agent"
    tool = client.tools.get("label_sandbox").versions[0]
    assert (type(tool), tool.definition.effect) == (models.Tool, "modify")
    assert [environment.name for environment in client.environments.list(limit=2).items]


def test_a_body_takes_documents_and_mappings(client: CountersignClient) -> None:
    task = client.tasks.create(**TASK, constraints=models.TaskConstraints(max_batch_percent=50))
    assert (task.spec.goal, task.spec.scope) == ("Label a sandbox", None)
    assert task.spec.constraints is not None and task.spec.constraints.max_batch_percent == 50
    phase: dict[str, Any] = {"name": "all", "targets": ["sandbox-1"], "steps": [STEP]}
    by_mapping = client.plans.submit(task.id, phases=[phase], summary="Labels")
    by_model = client.plans.submit(task.id, phases=[models.PlanPhase.model_validate(phase)], summary="Labels")
    assert (by_mapping.status, by_model.revision) == ("validated", by_mapping.revision + 1)
    assert [plan.revision for plan in client.plans.list_of_task(task.id, limit=1).items] == [by_model.revision]


def test_a_document_has_no_member_that_the_api_does_not_know() -> None:
    with pytest.raises(ValidationError, match="on_falure"):
        models.PlanStep.model_validate({**STEP, "on_falure": "rollback"})


ID = "0199c0de-0000-7000-8000-000000000001"


def answered(document: object, kind: Any) -> Any:
    """The answer as the client reads it."""
    body = json.dumps({"items": [document], "next_cursor": None}).encode()
    with odd_server(answering(200, body)) as address, CountersignClient(address, "t") as client:
        [item] = client.send(kind, Call("GET", "/v1/x")).items
    return item


def test_an_answer_of_a_newer_countersign_may_have_further_values_and_members() -> None:
    actor = {"kind": "tool", "id": ID, "display_name": "T", "credential_id": None, "on_behalf_of": None, "model": "m"}
    event = {"seq": 1, "type": "run.dreamt", "actor": actor, "data": {}, "at": "2026-11-27T20:00:00Z", "mood": "good"}
    read = answered(event, models.RunEventPage)
    assert (read.actor.kind, read.actor.model_extra, read.at.year) == ("tool", {"model": "m"}, 2026)


def test_an_answer_of_a_newer_countersign_may_have_further_forms() -> None:
    request = {"id": ID, "subject": {"type": "dream"}, "state": "asleep"}
    read = answered(request, models.ApprovalRequestList)
    assert isinstance(read, models.OpenDocument)
    assert read.model_extra == request


def test_an_answer_in_a_known_form_is_read_by_that_form_alone() -> None:
    plan = {"type": "plan", "id": ID, "digest": "d", "revision": 1}
    with pytest.raises(UnexpectedAnswerError):
        answered({"id": ID, "subject": plan, "state": "open"}, models.ApprovalRequestList)


def test_a_document_has_no_value_that_the_api_does_not_know() -> None:
    with pytest.raises(ValidationError, match="on_failure"):
        models.PlanStep.model_validate({**STEP, "on_failure": "hope"})


def test_none_is_a_value_of_a_nullable_member_alone(client: CountersignClient) -> None:
    session = client.sessions.open(environment="development", preset=None, model=None)
    assert (session.preset, session.model) == (None, None)
    assert client.sessions.end(session.id).state == "ended"


def test_coroutines_get_the_same(url: str, token: str) -> None:
    async def both() -> list[str]:
        async with AsyncCountersignClient(url, token) as client:
            tools = await asyncio.gather(client.tools.get("label_sandbox"), client.tools.get("look_up"))
            with pytest.raises(ProblemError) as refused:
                await client.tools.get("nothing")
            return [*(tool.name for tool in tools), refused.value.code]

    assert asyncio.run(both()) == ["label_sandbox", "look_up", "resource.not_found"]


def test_a_refusal_is_a_problem_with_its_code_details_and_request(client: CountersignClient) -> None:
    with pytest.raises(ProblemError) as refused:
        client.tasks.create(**{**TASK, "goal": ""})
    error = refused.value
    assert (error.code, error.status) == ("request.invalid", 422)
    assert error.detail and error.detail in str(error)
    assert [wrong.pointer for wrong in error.errors] == ["/goal"]
    assert len(error.request_id) > 8 and ":" not in error.request_id


def test_one_key_is_one_request(client: CountersignClient) -> None:
    first, again = (client.tasks.create(**TASK, idempotency_key="labels-of-today") for _ in range(2))
    assert first == again


def test_a_path_cannot_leave_its_place(client: CountersignClient) -> None:
    with pytest.raises(ValueError, match="needs its parameter id"):
        client.tasks.get("..")
    with pytest.raises(ProblemError) as refused:
        client.tasks.get("../tools")
    assert refused.value.status in (404, 422)


def test_out_of_reach_is_an_error_of_its_own(token: str) -> None:
    with no_server() as address, CountersignClient(address, token, retry_seconds=0.5) as client:
        started = time.monotonic()
        with pytest.raises(UnreachableError) as error:
            client.tools.list()
    assert error.value.code == "connection.failed"
    assert 0.1 < time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (answering(200, b"<html>"), "does not fit"),
        (answering(200, b'{"tools": 3}'), "does not fit its description: tools"),
        (answering(302, b"", location="https://elsewhere.example/"), "A redirect is not followed"),
        (answering(404, b"not here"), "status 404 and no problem document"),
        (answering(200, b"x" * 4_000), "longer than 2000 bytes"),
        (answering(200, b"x", content_encoding="gzip"), "compressed"),
    ],
)
def test_an_answer_of_something_else_is_refused(token: str, answer: Any, detail: str) -> None:
    with odd_server(answer) as address, CountersignClient(address, token, max_answer_bytes=2_000) as client:
        with pytest.raises(UnexpectedAnswerError, match=detail):
            client.tools.list()


def test_an_answer_that_drips_is_given_up(token: str) -> None:
    stopped = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            while not stopped.wait(0.1):
                request.wfile.write(b" ")
        except OSError:
            pass

    with odd_server(drip) as address, CountersignClient(address, token, timeout=0.5, retry_seconds=0) as client:
        started = time.monotonic()
        with pytest.raises(UnreachableError):
            client.tools.list()
        stopped.set()
    assert time.monotonic() - started < 10


def test_a_post_is_sent_again_under_one_key(token: str) -> None:
    keys: list[str | None] = []

    def unavailable_once(request: BaseHTTPRequestHandler) -> None:
        keys.append(request.headers["idempotency-key"])
        status = 503 if len(keys) == 1 else 409
        body = b'{"type": "t", "title": "t", "status": 503, "detail": "d.", "code": "c", "instance": "i"}'
        answering(status, body.replace(b"503", str(status).encode()))(request)

    with odd_server(unavailable_once) as address, CountersignClient(address, token) as client:
        with pytest.raises(ProblemError) as refused:
            client.tasks.create(**TASK)
    assert refused.value.status == 409
    assert len(keys) == 2 and keys[0] == keys[1] and keys[0] is not None


def test_a_statement_that_took_too_long_is_not_asked_for_again(token: str) -> None:
    paths: list[str] = []

    def too_slow(request: BaseHTTPRequestHandler) -> None:
        paths.append(request.path)
        body = b'{"type": "t", "title": "t", "status": 503, "detail": "d.", "code": "database.too_slow", "instance": "i"}'
        answering(503, body)(request)

    with odd_server(too_slow) as address, CountersignClient(address, token) as client:
        with pytest.raises(ProblemError) as refused:
            client.sign_in.me()
    assert (refused.value.code, len(paths)) == ("database.too_slow", 1)


@pytest.mark.parametrize(
    ("method", "status", "code", "told", "expected"),
    [
        ("GET", 503, "database.unavailable", None, True),
        ("GET", 503, "database.unavailable", 9, True),
        ("GET", 503, "database.unavailable", 11, False),
        ("GET", 503, "database.too_slow", None, False),
        ("GET", 500, "internal.unexpected", None, False),
        ("POST", 409, "idempotency.in_progress", 1, True),
        ("PUT", 503, "database.unavailable", None, False),
        ("DELETE", 503, "database.unavailable", None, False),
        ("DELETE", 429, "rate.limited", 1, True),
    ],
)
def test_a_call_is_sent_again_if_that_is_safe_and_may_help(
    method: str, status: int, code: str, told: float | None, expected: bool
) -> None:
    connection = Connection(
        "http://127.0.0.1:9",
        timeout=1,
        retry_seconds=10,
        max_answer_bytes=1,
        ca_file=None,
        allow_plain_http=False,
    )
    problem = models.Problem(type="t", title="t", status=status, detail="d.", code=code, instance="i")
    pause = connection.pause_before(ProblemError(problem, told), Call(method, "/v1/x"), 1, time.monotonic() + 10)
    assert (pause is not None) == expected
    if pause is not None:
        least = 0.2 if told is None else told
        assert least <= pause <= least + 0.2
