from __future__ import annotations

import importlib.util
import runpy
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import People, pending
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from countersign import CountersignClient

EXAMPLE = Path(__file__).parents[3] / "examples" / "langgraph-python" / "agent.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("langgraph_agent", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_node_that_runs_again_runs_its_tools_once(
    example: ModuleType, client: CountersignClient, people: People
) -> None:
    runs: list[str] = []

    def label(targets: list[str]) -> dict[str, int]:
        runs.extend(targets)
        return {"labelled": len(targets)}

    graph: Any = example.agent(client, label=label)
    config: RunnableConfig = {"configurable": {"thread_id": str(uuid.uuid4())}}
    state = graph.invoke({"messages": [HumanMessage("Label our sandboxes.")]}, config)
    history = []
    for verdict in ("approve", "reject"):
        [waits] = graph.get_state(config).interrupts
        people.decide(waits.value["request_id"], verdict)
        state = graph.invoke(Command(resume=True), config)
        history.append(list(runs))
    assert history == [["sandbox-1"], ["sandbox-1"]]
    assert not graph.get_state(config).interrupts
    assert '{"labelled": 1}; ' in state["messages"][-1].content
    assert "(tool_call.rejected)" in state["messages"][-1].content
    client.sessions.end(state["session"])


def test_the_example_runs_as_the_guide_says(
    client: CountersignClient, people: People, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A process of its own would import LangGraph once more, which takes most of the time.
    pause = time.sleep
    monkeypatch.setattr(time, "sleep", lambda _: pause(0.05))
    said = ""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(runpy.run_path, str(EXAMPLE), run_name="__main__")
        while not said.endswith("\n") and not running.done():
            pause(0.05)
            said += capsys.readouterr().out
        session = said.strip().rpartition("/")[2]
        for verdict in ("approve", "reject"):
            people.answer(pending(client, session), verdict)
        running.result(timeout=60)
    labels, end = capsys.readouterr().out.splitlines()
    assert labels == "labelling sandbox-1"
    assert end.startswith('{"labelled": 1}; ') and end.endswith("(tool_call.rejected)")
