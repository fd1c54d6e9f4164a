from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field, RootModel, SecretStr, field_serializer

from countersign._question import Question


def asked(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The arguments as Countersign is asked about them."""
    return Question(function, "a_tool", None, "staging", None, None).ask(args, kwargs).arguments


def take(value: Any) -> None:
    """A function of one argument."""


class Limits(BaseModel):
    count: int = 10


class Forced(Limits):
    force: bool = True


class Change(BaseModel):
    limits: Limits = Limits()
    kind: str = Field(default="all", alias="Kind")


class Shown(BaseModel):
    force: bool = True

    @field_serializer("force")
    def as_false(self, force: bool) -> bool:
        return not force


class Names(RootModel[list[str]]):
    pass


class Open(BaseModel, extra="allow"):
    pass


class Size(Enum):
    LARGE = "large"
    RAW = b"raw"


@dataclasses.dataclass
class Place:
    rack: int = 1


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (Change(), {"limits": {"count": 10}, "Kind": "all"}),
        (Change(limits=Forced()), {"limits": {"count": 10, "force": True}, "Kind": "all"}),
        ([{"shown": Shown()}], [{"shown": {"force": True}}]),
        (Names(["a"]), ["a"]),
        (Open.model_validate({"force": True}), {"force": True}),
        ((Place(), Size.LARGE, True, 1, 1.5, None), [{"rack": 1}, "large", True, 1, 1.5, None]),
        ([date(2030, 1, 2), Path("/srv/a"), uuid.UUID(int=0)], ["2030-01-02", "/srv/a", str(uuid.UUID(int=0))]),
    ],
)
def test_people_see_all_that_the_function_gets(value: Any, json: Any) -> None:
    assert asked(take, value) == {"value": json}


def test_each_argument_has_its_name() -> None:
    def named(a: int, /, b: int = 2, *rest: int, **more: int) -> None:
        """Has a parameter of each kind."""

    assert asked(named, 1) == {"a": 1, "b": 2, "rest": []}
    assert asked(named, 1, 3, 4, c=5) == {"a": 1, "b": 3, "rest": [4], "c": 5}
    for hidden in ("a", "rest"):
        with pytest.raises(TypeError, match=f"the call has two values of the name {hidden}"):
            asked(named, 1, **{hidden: 2})


class Excluded(BaseModel):
    force: bool = Field(default=True, exclude=True)


class SometimesExcluded(BaseModel):
    force: bool = Field(default=True, exclude_if=bool)


class Private(BaseModel):
    _force: bool = True


class Twice(BaseModel):
    one: int = Field(default=1, serialization_alias="name")
    two: int = Field(default=2, serialization_alias="name")


@dataclasses.dataclass
class Beside:
    rack: int = 1

    def __post_init__(self) -> None:
        self.force = True


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({1: 2, "1": 3}, r"value\.it\[0\] has the key 1, which is no text"),
        (Excluded(), "excludes its field force"),
        (SometimesExcluded(), "excludes its field force"),
        (Private(), "private attributes"),
        (Twice(), "two values of the name name"),
        (Beside(), "the attribute force beside its fields"),
        (SecretStr("hunter2"), "is a SecretStr, which is no JSON"),
        ({"a"}, "is a set, which is no JSON"),
        (Size.RAW, "is a bytes, which is no JSON"),
        (b"a", "is a bytes, which is no JSON"),
        (Place, "is a type, which is no JSON"),
    ],
)
def test_t56_a_value_that_people_would_not_see_whole_is_refused(value: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why) as refused:
        asked(take, {"it": [value]})
    assert "hunter2" not in str(refused.value)
