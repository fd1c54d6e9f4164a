from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import sandbox

import countersign
from countersign import AsyncCountersignClient, CountersignClient


def test_a_result_that_cannot_be_reported_is_not_lost(client: CountersignClient, free_session: str) -> None:
    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> float:
        return float("nan")

    with pytest.raises(countersign.NotReportedError) as error:
        label_sandbox([sandbox()])
    assert error.value.code == "gate.result_is_no_json"
    assert error.value.result != error.value.result


def test_a_result_is_reported_as_json_alone(client: CountersignClient, free_session: str) -> None:
    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> Any:
        return targets.append

    with pytest.raises(countersign.NotReportedError) as error:
        label_sandbox([sandbox()])
    assert error.value.code == "gate.result_is_no_json"


async def at_work() -> None:
    """Never runs in a plain function."""


def to_come() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize("work", [at_work, to_come])
def test_work_still_to_be_done_is_no_success(
    client: CountersignClient, free_session: str, work: Callable[[], Any]
) -> None:
    kept = work()

    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> Any:
        return kept

    label, target = label_sandbox.named(sandbox()), sandbox()
    with pytest.raises(TypeError, match="still to be done"):
        label([target])
    assert (getattr(kept, "cr_frame", None), getattr(kept, "gi_frame", None)) == (None, None)
    with pytest.raises(countersign.ToolFailedError) as error:
        label([target])
    assert error.value.code == "gate.not_a_value"
    [call] = client.session_calls.list(free_session, limit=1).items
    assert call.state == "failed"


def test_work_that_may_have_begun_has_an_unknown_effect(client: CountersignClient, free_session: str) -> None:
    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> Any:
        begun = to_come()
        next(begun)
        return begun

    label, target = label_sandbox.named(sandbox()), sandbox()
    with pytest.raises(TypeError, match="still to be done"):
        label([target])
    with pytest.raises(countersign.OutcomeUnknownError):
        label([target])


def test_work_without_a_report_is_no_value_either(client: CountersignClient) -> None:
    @countersign.gate(tool="look_up", environment="development", client=client)
    def look_up(name: str) -> Any:
        return at_work()

    with pytest.raises(TypeError, match="still to be done"):
        look_up("web")


def test_an_object_with_an_async_call_is_gated_as_a_coroutine_function(
    url: str, token: str, free_session: str
) -> None:
    class Label:
        async def __call__(self, targets: list[str]) -> int:
            await asyncio.sleep(0)
            return len(targets)

    async def labelled() -> list[int]:
        async with AsyncCountersignClient(url, token) as client:
            label = countersign.gate(tool="label_sandbox", session=free_session, client=client)
            return [await label(Label())([sandbox()]), await label(functools.partial(Label()))([sandbox()])]

    assert asyncio.run(labelled()) == [1, 1]
