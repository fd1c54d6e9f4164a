"""An agent on LangGraph whose tool is gated: it labels sandboxes, and a person approves each label."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

import countersign

Model = Callable[[list[AnyMessage]], AIMessage]


class State(MessagesState):
    session: str
    """The session of Countersign that this thread lives in."""


def scripted_model(messages: list[AnyMessage]) -> AIMessage:
    """Stands where your model does: it wants two labels, and then says what came of them."""
    results = [message for message in messages if isinstance(message, ToolMessage)]
    if results:
        return AIMessage("; ".join(str(result.content) for result in results))
    wanted = [
        {"name": "label_sandbox", "args": {"targets": [target]}, "id": f"label-{target}"}
        for target in ("sandbox-1", "sandbox-2")
    ]
    return AIMessage("", tool_calls=wanted)


def label_sandbox(targets: list[str]) -> dict[str, int]:
    """Stands where your tool does."""
    print(f"labelling {', '.join(targets)}")
    return {"labelled": len(targets)}


def answered(tool: Callable[..., Any], arguments: dict[str, Any], id: str) -> ToolMessage:
    """The message that tells the model what came of a call."""
    while True:
        try:
            return ToolMessage(json.dumps(tool(**arguments)), tool_call_id=id)
        except countersign.StillPendingError as error:
            # Leaves the graph. Once that is resumed, the node begins anew, and this returns.
            interrupt({"request_id": error.call.request_id})
        except (countersign.DeniedError, countersign.ToolFailedError) as error:
            return ToolMessage(f"{error.detail} ({error.code})", tool_call_id=id, status="error")


def agent(
    client: countersign.CountersignClient,
    model: Model = scripted_model,
    label: Callable[..., dict[str, int]] = label_sandbox,
) -> CompiledStateGraph[State, None, State, State]:
    """The graph. A thread that outlives its process needs a checkpointer that does, too."""

    def open_session(state: State, config: RunnableConfig) -> dict[str, Any]:
        # The same key gets the same session, if this node runs again.
        session = client.sessions.open(environment="staging", idempotency_key=config["configurable"]["thread_id"])
        return {"session": session.id}

    def call_model(state: State) -> dict[str, Any]:
        return {"messages": [model(state["messages"])]}

    def call_tools(state: State) -> dict[str, Any]:
        gate = countersign.gate(tool="label_sandbox", session=state["session"], wait_seconds=1, client=client)
        tools = {"label_sandbox": gate(label)}
        last = state["messages"][-1]
        results: list[AnyMessage] = []
        for call in last.tool_calls if isinstance(last, AIMessage) else []:
            # The id stands in the state. If the node runs again, it is the same call, and its tool does not run again.
            tool = tools[call["name"]].named(str(call["id"]))
            results.append(answered(tool, call["args"], str(call["id"])))
        return {"messages": results}

    def wants_tools(state: State) -> str:
        last = state["messages"][-1]
        return "call_tools" if isinstance(last, AIMessage) and last.tool_calls else END

    graph = StateGraph(State)
    for node in (open_session, call_model, call_tools):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "open_session")
    graph.add_edge("open_session", "call_model")
    graph.add_conditional_edges("call_model", wants_tools)
    graph.add_edge("call_tools", "call_model")
    return graph.compile(checkpointer=InMemorySaver())


def main() -> None:
    config: RunnableConfig = {"configurable": {"thread_id": str(uuid.uuid4())}}
    with countersign.CountersignClient.from_environment() as client:
        graph = agent(client)
        state = graph.invoke({"messages": [HumanMessage("Label our sandboxes.")], "session": ""}, config)
        print(f"People answer at {os.environ['COUNTERSIGN_URL']}/sessions/{state['session']}")
        # A bot would end here, and resume the thread on an event.
        while graph.get_state(config).interrupts:
            time.sleep(2)
            state = graph.invoke(Command(resume=True), config)
        print(state["messages"][-1].content)
        client.sessions.end(state["session"])


if __name__ == "__main__":
    main()
