"""The clients, one for threads and one for coroutines."""

from __future__ import annotations

import math
import os
import time
from itertools import count
from typing import TypeVar

import anyio
import httpx

from ._call import Call
from ._transport import MAX_ANSWER_BYTES, RETRY_SECONDS, Connection, Reader, from_environment, key_of
from .async_resources import AsyncResources
from .errors import CountersignError
from .resources import Resources

T = TypeVar("T")


class CountersignClient(Resources):
    """The API for agents: ``client.tool_calls.submit(...)``.

    Every call raises a :class:`ProblemError` if Countersign refuses it, and an
    :class:`UnreachableError` if no answer comes. A call is sent again after a broken connection;
    a POST has one idempotency key for all attempts, so that nothing happens twice.

    Args:
        base_url: Countersign's address, ``https://countersign.example``. ``http://`` is for this
            machine alone.
        token: The credential, sent as a bearer token and shown nowhere.
        timeout: How long one attempt may take, in seconds, beside ``wait_seconds`` of the call.
        retry_seconds: How long after its first failure a call may be sent again; 0 for one attempt.
        max_answer_bytes: The longest answer that is read.
        ca_file: The certificates that vouch for Countersign, if not those of this machine.
        allow_plain_http: Lets the token out unencrypted, to any host.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 30.0,
        retry_seconds: float = RETRY_SECONDS,
        max_answer_bytes: int = MAX_ANSWER_BYTES,
        ca_file: str | os.PathLike[str] | None = None,
        allow_plain_http: bool = False,
    ) -> None:
        super().__init__(self)
        self._connection = Connection(
            base_url,
            timeout=timeout,
            retry_seconds=retry_seconds,
            max_answer_bytes=max_answer_bytes,
            ca_file=ca_file,
            allow_plain_http=allow_plain_http,
        )
        self._http = httpx.Client(**self._connection.client_options(token))

    @classmethod
    def from_environment(cls) -> CountersignClient:
        """A client of ``COUNTERSIGN_URL``, with ``COUNTERSIGN_TOKEN`` or ``COUNTERSIGN_TOKEN_FILE``.

        ``COUNTERSIGN_ALLOW_PLAIN_HTTP=1`` stands for ``allow_plain_http``.
        """
        base_url, token, allow_plain_http = from_environment()
        return cls(base_url, token, allow_plain_http=allow_plain_http)

    def send(self, answer: type[T], call: Call) -> T:
        """Sends a call, again if need be."""
        key, until = key_of(call), math.inf
        for attempt in count(1):
            try:
                return self._once(answer, call, key)
            except CountersignError as error:
                until = min(until, time.monotonic() + self._connection.retry_seconds)
                pause = self._connection.pause_before(error, call, attempt, until)
                if pause is None:
                    raise
            time.sleep(pause)
        raise AssertionError("the attempts never end by themselves")

    def _once(self, answer: type[T], call: Call, key: str) -> T:
        reader = Reader(self._connection, call)
        try:
            with self._http.stream(**self._connection.request_options(call, key)) as response:
                for chunk in response.iter_raw():
                    reader.add(chunk, response.status_code)
        except httpx.HTTPError as error:
            failure = self._connection.unreachable(error)
        else:
            return reader.document(answer, response)
        raise failure

    def close(self) -> None:
        """Ends its connections."""
        self._http.close()

    def __enter__(self) -> CountersignClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"CountersignClient({self._connection.base_url!r})"


class AsyncCountersignClient(AsyncResources):
    """The API for agents, for coroutines; see :class:`CountersignClient`."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 30.0,
        retry_seconds: float = RETRY_SECONDS,
        max_answer_bytes: int = MAX_ANSWER_BYTES,
        ca_file: str | os.PathLike[str] | None = None,
        allow_plain_http: bool = False,
    ) -> None:
        super().__init__(self)
        self._connection = Connection(
            base_url,
            timeout=timeout,
            retry_seconds=retry_seconds,
            max_answer_bytes=max_answer_bytes,
            ca_file=ca_file,
            allow_plain_http=allow_plain_http,
        )
        self._http = httpx.AsyncClient(**self._connection.client_options(token))

    @classmethod
    def from_environment(cls) -> AsyncCountersignClient:
        """A client of ``COUNTERSIGN_URL``, with ``COUNTERSIGN_TOKEN`` or ``COUNTERSIGN_TOKEN_FILE``.

        ``COUNTERSIGN_ALLOW_PLAIN_HTTP=1`` stands for ``allow_plain_http``.
        """
        base_url, token, allow_plain_http = from_environment()
        return cls(base_url, token, allow_plain_http=allow_plain_http)

    async def send(self, answer: type[T], call: Call) -> T:
        """Sends a call, again if need be."""
        key, until = key_of(call), math.inf
        for attempt in count(1):
            try:
                return await self._once(answer, call, key)
            except CountersignError as error:
                until = min(until, time.monotonic() + self._connection.retry_seconds)
                pause = self._connection.pause_before(error, call, attempt, until)
                if pause is None:
                    raise
            await anyio.sleep(pause)
        raise AssertionError("the attempts never end by themselves")

    async def _once(self, answer: type[T], call: Call, key: str) -> T:
        reader = Reader(self._connection, call)
        try:
            async with self._http.stream(**self._connection.request_options(call, key)) as response:
                async for chunk in response.aiter_raw():
                    reader.add(chunk, response.status_code)
        except httpx.HTTPError as error:
            failure = self._connection.unreachable(error)
        else:
            return reader.document(answer, response)
        raise failure

    async def aclose(self) -> None:
        """Ends its connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncCountersignClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncCountersignClient({self._connection.base_url!r})"
