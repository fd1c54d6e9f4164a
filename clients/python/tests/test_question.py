from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import pytest

from countersign import CountersignClient, DeniedError, ToolFailedError, UnexpectedAnswerError, models
from countersign import _question as q


@pytest.fixture(scope="module")
def call(url: str, token: str, free_session: str) -> models.ToolCall:
    """A call that is allowed, with its grant."""
    with CountersignClient(url, token) as client:
        arguments = {"targets": [f"sandbox-{uuid.uuid4().hex[:12]}"]}
        return client.session_tool_calls.submit(free_session, tool="label_sandbox", arguments=arguments)


def claims_of(call: models.ToolCall) -> models.GrantClaims:
    payload = str(call.grant).split(".")[1]
    return models.GrantClaims.model_validate(json.loads(base64.urlsafe_b64decode(payload + "==")))


def test_the_grant_of_this_call_fits(call: models.ToolCall) -> None:
    q.check_claims(claims_of(call), call, "label_sandbox")
    assert q.audience_of(str(call.grant)) == ("hands.development", "development")
    assert str(call.grant) not in repr(call)


@pytest.mark.parametrize(
    "changed",
    [{"jti": "another"}, {"tool": "another"}, {"arguments_digest": "sha256:another"}],
)
def test_the_grant_of_another_call_does_not(call: models.ToolCall, changed: dict[str, Any]) -> None:
    with pytest.raises(DeniedError) as denied:
        q.check_claims(claims_of(call).model_copy(update=changed), call, "label_sandbox")
    assert denied.value.code == "gate.other_grant"
    assert q.not_started(call, denied.value) == {
        "jti": call.id,
        "arguments_digest": call.arguments_digest,
        "outcome": "failed",
        "effect": "not_started",
        "error": {"code": "gate.other_grant", "message": "The grant is for another call."},
    }


@pytest.mark.parametrize("grant", ["", "a.b.c", "e30.e30.e30", "a.W10.c"])
def test_a_text_that_is_no_grant_is_refused(grant: str) -> None:
    with pytest.raises(UnexpectedAnswerError):
        q.audience_of(grant)


@pytest.mark.parametrize(
    ("update", "code"),
    [
        ({"outcome": "expired"}, "gate.expired"),
        ({"outcome": "of_a_newer_server"}, "gate.of_a_newer_server"),
        ({"outcome": "executing", "grant": None}, "gate.executing"),
        ({"outcome": "pending"}, "gate.pending"),
        ({"outcome": "a state of later"}, "gate.a state of later"),
        ({"outcome": "allowed", "answered_by": "agent"}, "gate.allowed"),
        ({"outcome": "denied"}, "gate.denied"),
    ],
)
def test_any_other_state_denies(call: models.ToolCall, update: dict[str, Any], code: str) -> None:
    with pytest.raises(DeniedError) as denied:
        q.is_recorded(call.model_copy(update={"reasons": [], **update}))
    assert denied.value.code == code


@pytest.mark.parametrize(("not_started", "effect"), [(True, "not_started"), (False, "done")])
def test_a_known_failure_says_whether_it_began(call: models.ToolCall, not_started: bool, effect: str) -> None:
    report = q.raised(call, ToolFailedError("sandbox.locked", "Locked.", not_started=not_started))
    assert (report["outcome"], report["effect"]) == ("failed", effect)
    assert report["error"] == {"code": "sandbox.locked", "message": "Locked."}
