"""The tests talk to a running Countersign; test/packaging/python-client.spec.ts starts it."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator

import httpx
import pytest

from countersign import CountersignClient, models


class People:
    """The person who answers for the agent, in a browser elsewhere."""

    def __init__(self, address: str) -> None:
        self._http = httpx.Client(base_url=address, timeout=30)

    def answer(self, call: models.ToolCall, verdict: str) -> None:
        """``approve``, ``reject``, or ``nothing``: then the time to answer is over."""
        assert call.request_id is not None
        self.decide(call.request_id, verdict)

    def decide(self, request_id: str, verdict: str) -> None:
        """The same, of a request by its id."""
        self._http.post("/", json={"request_id": request_id, "verdict": verdict}).raise_for_status()

    def close(self) -> None:
        self._http.close()


def sandbox() -> str:
    """A target of its own: nobody is asked about one call twice."""
    return f"sandbox-{uuid.uuid4().hex[:12]}"


def pending(client: CountersignClient, session: str) -> models.ToolCall:
    """The call of the session that waits for a person."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for call in client.session_calls.list(session).items:
            if call.state == "pending":
                return client.tool_calls.get(call.id)
        time.sleep(0.05)
    raise AssertionError("no call waits")


@pytest.fixture(scope="session")
def url() -> str:
    return os.environ["COUNTERSIGN_URL"]


@pytest.fixture(scope="session")
def token() -> str:
    return os.environ["COUNTERSIGN_TOKEN"]


@pytest.fixture(scope="session")
def free_session() -> str:
    """A session in which changes ask nobody; a person opened it."""
    return os.environ["COUNTERSIGN_TEST_SESSION"]


@pytest.fixture
def client(url: str, token: str) -> Iterator[CountersignClient]:
    with CountersignClient(url, token) as client:
        yield client


@pytest.fixture
def asking_session(client: CountersignClient) -> Iterator[str]:
    """A session of the agent's own, in which a person answers for changes."""
    session = client.sessions.open(environment="staging")
    yield session.id
    client.sessions.end(session.id)


@pytest.fixture(scope="session")
def people() -> Iterator[People]:
    people = People(os.environ["COUNTERSIGN_TEST_PEOPLE"])
    yield people
    people.close()
