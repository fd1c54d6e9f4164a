"""What both clients do alike: where they connect to, and how they read an answer."""

from __future__ import annotations

import ipaddress
import os
import random
import re
import ssl
import time
import uuid
from collections.abc import Generator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import TypeAdapter, ValidationError

from . import models
from ._call import Call
from .errors import CountersignError, PlainHttpError, ProblemError, UnexpectedAnswerError, UnreachableError

T = TypeVar("T")

CONNECT_SECONDS = 5.0
RETRY_SECONDS = 10.0
FIRST_PAUSE_SECONDS = 0.2
MAX_PAUSE_SECONDS = 10.0
PASSING_STATUSES = (429, 502, 503, 504)
PASSING_CODES = ("connection.failed", "idempotency.in_progress")
# A statement that took too long takes as long again, and an answer is as long again.
FINAL_CODES = ("database.too_slow", "connection.answer_too_long")
MAX_ANSWER_BYTES = 64 * 1024 * 1024
# RFC 6750, section 2.1.
BEARER_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")


class Bearer(httpx.Auth):
    """Sends the token, and shows it nowhere."""

    def __init__(self, token: str) -> None:
        if BEARER_TOKEN.fullmatch(token) is None:
            # The text is not shown: it may be a token with a blank in it.
            raise ValueError("the token holds something that no bearer token does")
        self.__token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self.__token}"
        yield request

    def __repr__(self) -> str:
        return "Bearer(***)"

    def __getstate__(self) -> object:
        raise TypeError("a token is not copied into a pickle")


class Connection:
    """Where Countersign is, and the bounds of each request."""

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float,
        retry_seconds: float,
        max_answer_bytes: int,
        ca_file: str | os.PathLike[str] | None,
        allow_plain_http: bool,
    ) -> None:
        self.base_url = _checked_address(base_url, allow_plain_http)
        self.timeout = timeout
        self.retry_seconds = retry_seconds
        self.max_answer_bytes = max_answer_bytes
        self._ca_file = ca_file

    def client_options(self, token: str) -> dict[str, Any]:
        """The options of httpx."""
        # Without TLS httpx would read the certificates of all authorities all the same, for 20 ms. This context trusts none.
        secure = self.base_url.startswith("https:")
        return {
            "auth": Bearer(token),
            "verify": self._trusted() if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            "follow_redirects": False,
            # A proxy of the environment would read a request that is not encrypted.
            "trust_env": secure,
        }

    def _trusted(self) -> ssl.SSLContext | bool:
        return ssl.create_default_context(cafile=self._ca_file) if self._ca_file else True

    def request_options(self, call: Call, key: str) -> dict[str, Any]:
        """The options of one request."""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if call.method == "POST":
            headers["Idempotency-Key"] = key
        content = call.content
        if content is not None:
            headers["Content-Type"] = content[1]
        seconds = self.timeout + call.hold_seconds
        return {
            "method": call.method,
            "url": f"{self.base_url}{call.address}",
            "headers": headers,
            "content": None if content is None else content[0],
            "timeout": httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
        }

    def pause_before(self, error: CountersignError, call: Call, attempt: int, until: float) -> float | None:
        """How long to wait before the call is sent again; None if it is not.

        A POST carries an idempotency key. A PUT, PATCH or DELETE could have taken effect, and then come after the
        change of somebody else. A 429 comes before any effect.
        """
        told = error.retry_after_seconds if isinstance(error, ProblemError) else None
        status = getattr(error, "status", 0)
        passing = (status in PASSING_STATUSES or error.code in PASSING_CODES) and error.code not in FINAL_CODES
        if not passing or (call.method not in ("GET", "POST") and status != 429):
            return None
        half = min(FIRST_PAUSE_SECONDS * 2**attempt, MAX_PAUSE_SECONDS) / 2
        # Clients that failed together do not come back together.
        pause = (half if told is None else told) + random.random() * half
        return None if time.monotonic() + pause > until else pause

    def unreachable(self, error: Exception) -> UnreachableError:
        """The error of a request without an answer. The error of httpx is not kept: it holds the request."""
        return UnreachableError(
            "connection.failed",
            f"{self.base_url} cannot be reached: {type(error).__name__}."
            " See that Countersign runs there, and that the address is right.",
        )


class Reader:
    """Collects an answer as far as its bounds allow."""

    def __init__(self, connection: Connection, call: Call) -> None:
        self._connection = connection
        self._ends = time.monotonic() + connection.timeout + call.hold_seconds
        self._bytes = bytearray()

    def add(self, chunk: bytes, status: int) -> None:
        """Keeps a chunk.

        Raises:
            UnexpectedAnswerError: the answer is too long.
            UnreachableError: the answer takes too long.
        """
        self._bytes += chunk
        limit = self._connection.max_answer_bytes
        if len(self._bytes) > limit:
            raise UnexpectedAnswerError(
                f"The answer is longer than {limit} bytes.", status, "connection.answer_too_long"
            )
        if time.monotonic() > self._ends:
            raise self._connection.unreachable(TimeoutError())

    def document(self, answer: type[T], response: httpx.Response) -> T:
        """The document of a complete answer.

        Raises:
            ProblemError: Countersign refused the request.
            UnexpectedAnswerError: the answer is no document of this kind.
        """
        status, content = response.status_code, bytes(self._bytes)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise UnexpectedAnswerError("The answer is compressed, which was not asked for.", status)
        if not 200 <= status < 300:
            raise _refusal(response, content)
        if answer is type(None):
            return None
        try:
            if answer is str:
                return content.decode()  # type: ignore[return-value]
            document: T = _parsed(answer, content)
            return document
        except ValidationError as error:
            places = ", ".join(".".join(map(str, each["loc"])) or "all of it" for each in error.errors()[:3])
        except UnicodeDecodeError:
            places = "its encoding"
        raise UnexpectedAnswerError(f"The answer does not fit its description: {places}.", status)


def key_of(call: Call) -> str:
    """The idempotency key, one for all attempts."""
    return call.idempotency_key or str(uuid.uuid4())


def from_environment() -> tuple[str, str, bool]:
    """The address, the token, and whether it may travel unencrypted.

    From ``COUNTERSIGN_URL``, ``COUNTERSIGN_TOKEN`` or ``COUNTERSIGN_TOKEN_FILE``, and ``COUNTERSIGN_ALLOW_PLAIN_HTTP``.
    An empty one counts as not set.
    """
    base_url = os.environ.get("COUNTERSIGN_URL") or "http://127.0.0.1:8420"
    token = os.environ.get("COUNTERSIGN_TOKEN")
    file = os.environ.get("COUNTERSIGN_TOKEN_FILE")
    if not token and file:
        token = Path(file).read_text(encoding="utf-8")
    if not token:
        raise ValueError("set COUNTERSIGN_TOKEN, or name the file of the token in COUNTERSIGN_TOKEN_FILE")
    return base_url, token.strip(), os.environ.get("COUNTERSIGN_ALLOW_PLAIN_HTTP") == "1"


def _checked_address(base_url: str, allow_plain_http: bool) -> str:
    parts = urlsplit(base_url)
    # The address is not shown before it is known to hold no credential.
    if parts.username is not None or parts.password is not None:
        raise ValueError("the address holds a credential; give the token as an argument of its own")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("the address is no http(s) address, as https://countersign.example")
    if parts.scheme == "http" and not allow_plain_http and not _is_loopback(parts.hostname):
        raise PlainHttpError(parts.hostname)
    return base_url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=None)
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)


def _parsed(answer: Any, content: bytes) -> Any:
    # An answer of a newer Countersign may have further members and values.
    return _adapter(answer).validate_json(content, extra="allow", context=models.ANSWER)


def _refusal(response: httpx.Response, content: bytes) -> CountersignError:
    status = response.status_code
    try:
        problem: models.Problem | None = _parsed(models.Problem, content)
    except ValidationError:
        problem = None
    if problem is not None:
        told = response.headers.get("retry-after", "")
        return ProblemError(problem, float(told) if told.isdigit() else None)
    redirected = " A redirect is not followed." if 300 <= status < 400 else ""
    return UnexpectedAnswerError(f"Answered with status {status} and no problem document.{redirected}", status)
