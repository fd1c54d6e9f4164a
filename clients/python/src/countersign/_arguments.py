"""The arguments of a gated function as Countersign judges them: everything that the function gets."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from pydantic import AnyUrl, BaseModel, RootModel
from pydantic_core import to_jsonable_python

_TEXTS = (datetime, date, time, timedelta, Decimal, PurePath, UUID, AnyUrl)
"""Types whose JSON is a text that says all there is."""
_CALL = "the call"


def judged(bound: inspect.BoundArguments) -> Mapping[str, Any]:
    """The arguments by name, as JSON.

    Raises:
        TypeError: a value, or a part of one, would be hidden from the people who decide.
    """
    pairs: list[tuple[object, object]] = []
    for name, value in bound.arguments.items():
        if bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            pairs.extend(value.items())
        else:
            pairs.append((name, value))
    return _object(pairs, _CALL)


def _json(value: object, where: str) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return _json(value.value, where)
    if isinstance(value, (int, float, str)):
        return value
    if isinstance(value, Mapping):
        return _object(value.items(), where)
    if isinstance(value, (list, tuple)):
        return [_json(item, f"{where}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, BaseModel):
        return _model(value, where)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _dataclass(value, where)
    if isinstance(value, _TEXTS):
        return to_jsonable_python(value)
    raise TypeError(f"{where} is a {type(value).__name__}, which is no JSON; give a text, a number, a list or a mapping")


def _object(pairs: Iterable[tuple[object, object]], where: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if not isinstance(name, str):
            raise TypeError(f"{where} has the key {name!r}, which is no text; JSON has texts alone as keys")
        if name in members:
            raise TypeError(f"{where} has two values of the name {name}, and people would see one; rename one")
        members[name] = _json(value, name if where == _CALL else f"{where}.{name}")
    return members


def _model(value: BaseModel, where: str) -> Any:
    """The fields as they are. A serializer could leave something out, and so could the type of a field."""
    fields = type(value).model_fields
    for name, field in fields.items():
        if field.exclude or field.exclude_if is not None:
            raise TypeError(f"{where} excludes its field {name} from JSON, so people would not see it; include it")
    if value.__pydantic_private__:
        raise TypeError(f"{where} has private attributes, which people would not see; make them fields")
    if isinstance(value, RootModel):
        return _json(value.root, where)
    pairs = [(field.serialization_alias or name, getattr(value, name)) for name, field in fields.items()]
    return _object([*pairs, *(value.model_extra or {}).items()], where)


def _dataclass(value: Any, where: str) -> Any:
    names = [field.name for field in dataclasses.fields(value)]
    for name in getattr(value, "__dict__", {}):
        if name not in names:
            raise TypeError(f"{where} has the attribute {name} beside its fields, which people would not see")
    return _object([(name, getattr(value, name)) for name in names], where)
