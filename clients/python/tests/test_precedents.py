from __future__ import annotations

import os

import pytest
from conftest import People, sandbox

from countersign import CountersignClient, ProblemError, models


@pytest.fixture
def denied(client: CountersignClient, people: People, asking_session: str) -> tuple[models.ToolCall, str]:
    target = sandbox()
    call = client.session_tool_calls.submit(asking_session, tool="label_sandbox", arguments={"targets": [target]})
    people.answer(call, "reject")
    return call, target


def test_an_agent_reads_ids_of_its_own_precedents_alone(
    client: CountersignClient, url: str, denied: tuple[models.ToolCall, str]
) -> None:
    call, target = denied
    assert call.request_id is not None
    [own] = client.precedents.search(targets=target).items
    assert (own.id, own.ending, own.targets) == (call.request_id, "refused", [target])
    with CountersignClient(url, os.environ["COUNTERSIGN_TEST_OTHER_TOKEN"]) as other:
        [seen] = other.precedents.search(targets=target).items
        assert (seen.id, seen.subject.id, seen.goal, seen.ending) == (None, None, None, "refused")
        found = other.precedents.search(tools="label_sandbox", environment="staging", limit=20)
        assert found.items
        for hidden in (call.id, call.request_id, target):
            assert hidden not in found.model_dump_json()
        with pytest.raises(ProblemError) as refused:
            other.precedents.of_request(call.request_id)
        assert refused.value.code == "resource.not_found"
