"""One request to the API, before it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Final, Literal, Protocol, TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

T = TypeVar("T")


class Unset(Enum):
    """Tells a member that is left out from one that is ``None``."""

    UNSET = "unset"


UNSET: Final[Literal[Unset.UNSET]] = Unset.UNSET


@dataclass(frozen=True)
class Call:
    """One request: its path, and everything in it."""

    method: str
    template: str
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    hold_seconds: float = 0
    """How long the answer may be held, in seconds."""
    idempotency_key: str | None = None

    @property
    def address(self) -> str:
        """The path with its parameters in place, and its filters."""
        path = self.template
        for name, value in self.path.items():
            if value in ("", ".", ".."):
                raise ValueError(f"{self.template} needs its parameter {name}")
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        filters = {name: _filter(value) for name, value in self.query.items() if value is not None}
        return f"{path}?{urlencode(filters)}" if filters else path

    @property
    def content(self) -> tuple[bytes, str] | None:
        """The body, and its media type."""
        if self.body is None:
            return None
        if isinstance(self.body, str):
            return self.body.encode(), "application/yaml"
        document = json.dumps(jsonable(self.body), ensure_ascii=False, allow_nan=False)
        return document.encode(), "application/json"


class Sender(Protocol):
    """Sends calls."""

    def send(self, answer: type[T], call: Call) -> T: ...


class AsyncSender(Protocol):
    """Sends calls."""

    async def send(self, answer: type[T], call: Call) -> T: ...


def members(given: Mapping[str, object], nullable: frozenset[str] = frozenset()) -> dict[str, object]:
    """The members of a body that were given. ``None`` is a value of a nullable member alone."""
    return {
        name: value
        for name, value in given.items()
        if value is not UNSET and (value is not None or name in nullable)
    }


def jsonable(value: object) -> Any:
    """A value as JSON. Documents have the members that were given to them."""
    return to_jsonable_python(_dumped(value))


def _dumped(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {name: _dumped(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_dumped(item) for item in value]
    return value


def _filter(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)
