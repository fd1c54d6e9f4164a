"""Checks lines on standard input: each is an event of the class API Activity (OCSF 1.5.0).

py-ocsf-models has the objects of the schema and the members of every event. The class itself stands here, with the members that
the schema requires of it. A member that no model knows is refused.
"""

import json
import sys
from typing import Literal

from py_ocsf_models import OCSF_VERSION
from py_ocsf_models.events.base_event import BaseEvent
from py_ocsf_models.objects.api import API
from py_ocsf_models.objects.resource_details import ResourceDetails
from py_ocsf_models.objects.user import User
from pydantic import BaseModel, ConfigDict, model_validator


class Actor(BaseModel):
    model_config = ConfigDict(extra="forbid")
    user: User


class NetworkEndpoint(BaseModel):
    model_config = ConfigDict(extra="forbid")
    svc_name: str
    name: str


class ApiActivity(BaseEvent):
    model_config = ConfigDict(extra="forbid")
    category_uid: Literal[6]
    category_name: Literal["Application Activity"]
    class_uid: Literal[6003]
    class_name: Literal["API Activity"]
    activity_id: Literal[0, 1, 2, 3, 4, 99]
    activity_name: str
    type_uid: int
    type_name: str
    time: int
    actor: Actor
    api: API
    src_endpoint: NetworkEndpoint
    resources: list[ResourceDetails]

    @model_validator(mode="after")
    def numbers_fit(self) -> "ApiActivity":
        if self.type_uid != self.class_uid * 100 + self.activity_id:
            raise ValueError("type_uid is not class_uid * 100 + activity_id")
        if self.metadata.version != OCSF_VERSION or not self.metadata.uid:
            raise ValueError("metadata has another version, or no uid")
        return self


def main() -> None:
    checked = 0
    for line in sys.stdin:
        event = ApiActivity.model_validate_json(line)
        # The models of the package pass over members that they do not know. What they kept must be the whole line.
        if json.loads(line) != json.loads(event.model_dump_json(exclude_unset=True)):
            raise ValueError(f"members that no model knows: {line}")
        checked += 1
    print(checked)


main()
