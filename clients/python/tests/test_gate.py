from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import People, pending, sandbox
from odd_server import no_server

import countersign
from countersign import AsyncCountersignClient, CountersignClient


class Labels:
    """A tool of the agent's own that counts its runs."""

    def __init__(self) -> None:
        self.runs: list[list[str]] = []

    def gated(self, client: CountersignClient, **more: Any) -> countersign.GatedFunction[..., dict[str, int]]:
        @countersign.gate(tool="label_sandbox", client=client, **more)
        def label_sandbox(targets: list[str]) -> dict[str, int]:
            self.runs.append(targets)
            return {"labelled": len(targets)}

        return label_sandbox


def started(work: Callable[[], Any]) -> Callable[[], Any]:
    """Runs something beside the test. The result is called for its value, or its error."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(work())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def joined() -> Any:
        thread.join(30)
        assert not thread.is_alive()
        if isinstance(outcome[0], Exception):
            raise outcome[0]
        return outcome[0]

    return joined


def test_an_allowed_function_runs_and_its_outcome_is_reported(client: CountersignClient, free_session: str) -> None:
    labels, target = Labels(), sandbox()
    label = labels.gated(client, session=lambda: free_session)
    assert label([target]) == {"labelled": 1}
    assert getattr(label, "__name__") == "label_sandbox"
    assert labels.runs == [[target]]
    [call] = client.session_calls.list(free_session, limit=1).items
    done = client.tool_calls.get(call.id)
    assert done.outcome == "succeeded" and done.execution is not None
    assert (done.execution.unverified, done.execution.result) == (True, {"labelled": 1})


def test_a_call_without_an_executor_runs_on_the_answer_alone(client: CountersignClient) -> None:
    @countersign.gate(tool="look_up", environment="development", client=client)
    def look_up(name: str, limit: int = 5) -> str:
        return f"{name}:{limit}"

    assert look_up("web") == "web:5"


def test_a_denied_function_does_not_run(client: CountersignClient) -> None:
    ran = []

    @countersign.gate(tool="planned_change", environment="development", client=client)
    def planned_change(targets: list[str]) -> None:
        ran.append(targets)

    with pytest.raises(countersign.DeniedError) as denied:
        planned_change([sandbox()])
    assert denied.value.code == "plan.required"
    assert denied.value.call.outcome == "denied"
    assert ran == []


def test_a_person_approves_and_the_arguments_are_those_of_then(
    client: CountersignClient, asking_session: str, people: People
) -> None:
    labels, targets = Labels(), [sandbox()]
    asked = list(targets)
    finished = started(lambda: labels.gated(client, session=asking_session, reason="To find it.")(targets))
    call = pending(client, asking_session)
    targets.append("production")
    people.answer(call, "approve")
    assert finished() == {"labelled": 1}
    assert labels.runs == [asked]


@pytest.mark.parametrize(
    ("verdict", "error", "code"),
    [
        ("reject", countersign.DeniedError, "tool_call.rejected"),
        ("nothing", countersign.ApprovalTimeoutError, "tool_call.approval_timeout"),
    ],
)
def test_without_an_approval_it_does_not_run(
    client: CountersignClient,
    asking_session: str,
    people: People,
    verdict: str,
    error: type[countersign.DeniedError],
    code: str,
) -> None:
    labels = Labels()
    finished = started(lambda: labels.gated(client, session=asking_session)([sandbox()]))
    people.answer(pending(client, asking_session), verdict)
    with pytest.raises(error) as denied:
        finished()
    assert (type(denied.value), denied.value.code, labels.runs) == (error, code, [])


def test_a_gate_that_waits_no_longer_takes_its_call_back(client: CountersignClient, asking_session: str) -> None:
    labels = Labels()
    with pytest.raises(countersign.StillPendingError) as error:
        labels.gated(client, session=asking_session, wait_seconds=0)([sandbox()])
    assert client.tool_calls.get(error.value.call.id).decided_as == "cancelled"
    assert labels.runs == []


def test_a_named_call_is_waited_for_again(client: CountersignClient, asking_session: str, people: People) -> None:
    labels, target = Labels(), sandbox()
    label = labels.gated(client, session=asking_session, wait_seconds=0).named("turn-1")
    with pytest.raises(countersign.StillPendingError) as error:
        label([target])
    people.answer(error.value.call, "approve")
    assert label([target]) == {"labelled": 1}
    assert label([target]) == {"labelled": 1}
    assert labels.runs == [[target]]
    with pytest.raises(countersign.ProblemError) as reused:
        label([sandbox()])
    assert reused.value.code == "tool_call.client_call_id_reused"


@pytest.mark.parametrize("environment", ["development", "staging"])
def test_t56_a_name_without_an_executor_is_refused(client: CountersignClient, environment: str) -> None:
    ran = []

    @countersign.gate(tool="look_up", environment=environment, client=client, wait_seconds=5)
    def look_up(name: str) -> None:
        ran.append(name)

    with pytest.raises(countersign.NameNeedsExecutorError) as refused:
        look_up.named(sandbox())("web")
    assert refused.value.code == "gate.name_needs_executor"
    assert client.tool_calls.get(refused.value.call.id).decided_as == "cancelled"
    assert ran == []


def test_of_two_attempts_under_one_name_one_runs(client: CountersignClient, free_session: str) -> None:
    labels, target, name = Labels(), sandbox(), sandbox()
    label = labels.gated(client, session=free_session).named(name)
    both = [started(lambda: label([target])) for _ in range(2)]
    for finished in both:
        try:
            assert finished() == {"labelled": 1}
        except countersign.AlreadyStartedError:
            pass
    assert labels.runs == [[target]]


def test_a_process_that_died_in_the_function_does_not_run_it_again(
    client: CountersignClient, free_session: str
) -> None:
    runs = []

    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> None:
        runs.append(targets)
        raise SystemExit

    label, target = label_sandbox.named(sandbox()), sandbox()
    with pytest.raises(SystemExit):
        label([target])
    with pytest.raises(countersign.AlreadyStartedError):
        label([target])
    assert len(runs) == 1


def test_an_error_of_unknown_effect_is_reported_so(client: CountersignClient, free_session: str) -> None:
    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> None:
        raise KeyError("label")

    label, target = label_sandbox.named(sandbox()), sandbox()
    with pytest.raises(KeyError):
        label([target])
    with pytest.raises(countersign.OutcomeUnknownError) as error:
        label([target])
    call = client.tool_calls.get(error.value.call.id)
    assert call.execution is not None and call.execution.error is not None
    assert call.execution.error.message == "KeyError: 'label'"


def test_a_known_failure_is_the_same_error_again(client: CountersignClient, free_session: str) -> None:
    @countersign.gate(tool="label_sandbox", session=free_session, client=client)
    def label_sandbox(targets: list[str]) -> None:
        raise countersign.ToolFailedError("sandbox.locked", "Somebody else labels it.", not_started=True)

    label, target = label_sandbox.named(sandbox()), sandbox()
    for _ in range(2):
        with pytest.raises(countersign.ToolFailedError) as error:
            label([target])
        assert (error.value.code, error.value.detail) == ("sandbox.locked", "Somebody else labels it.")


def test_a_tool_that_an_executor_carries_out_does_not_run_here(
    client: CountersignClient, asking_session: str
) -> None:
    ran = []

    # The answer to its first question shows whose call it is. That answer would be held for 20 seconds.
    @countersign.gate(tool="label_by_fleet", session=asking_session, client=client, wait_seconds=1)
    def label_by_fleet(targets: list[str]) -> None:
        ran.append(targets)

    with pytest.raises(countersign.ExecutorAnswersError) as error:
        label_by_fleet([sandbox()])
    assert client.tool_calls.get(error.value.call.id).decided_as == "cancelled"
    assert ran == []


def test_t56_out_of_reach_denies_within_its_time(token: str) -> None:
    labels = Labels()
    with no_server() as address, CountersignClient(address, token, retry_seconds=0.5) as client:
        begun = time.monotonic()
        with pytest.raises(countersign.UnreachableError):
            labels.gated(client, environment="development")([sandbox()])
    assert time.monotonic() - begun < 10
    assert labels.runs == []


def test_a_coroutine_function_is_gated_alike(url: str, token: str, free_session: str) -> None:
    target = sandbox()

    async def labelled() -> list[dict[str, int]]:
        async with AsyncCountersignClient(url, token) as client:

            @countersign.gate(tool="label_sandbox", session=free_session, client=client)
            async def label_sandbox(targets: list[str]) -> dict[str, int]:
                return {"labelled": len(targets)}

            label = label_sandbox.named(target)
            return [await label([target]), await label([target]), await label_sandbox([sandbox(), sandbox()])]

    assert asyncio.run(labelled()) == [{"labelled": 1}, {"labelled": 1}, {"labelled": 2}]


def test_without_a_client_the_environment_names_one(free_session: str) -> None:
    @countersign.gate(tool="label_sandbox", session=free_session)
    def label_sandbox(targets: list[str]) -> int:
        return len(targets)

    @countersign.gate(tool="label_sandbox", session=free_session)
    async def label_later(targets: list[str]) -> int:
        return len(targets)

    assert label_sandbox([sandbox()]) == 1
    assert asyncio.run(label_later([sandbox(), sandbox()])) == 2


def test_a_gate_that_could_not_hold_is_refused(client: CountersignClient) -> None:
    with pytest.raises(ValueError, match="a session or an environment"):
        countersign.gate(tool="label_sandbox", client=client)(lambda: None)
    with pytest.raises(TypeError, match="generator"):

        @countersign.gate(tool="label_sandbox", environment="development", client=client)
        def generated() -> Any:
            yield 1

    class Generated:
        def __call__(self) -> Any:
            yield 1

    with pytest.raises(TypeError, match="generator"):
        countersign.gate(tool="label_sandbox", environment="development", client=client)(Generated())

    with pytest.raises(TypeError, match="AsyncCountersignClient"):

        @countersign.gate(tool="label_sandbox", environment="development", client=client)
        async def later() -> None:
            pass
