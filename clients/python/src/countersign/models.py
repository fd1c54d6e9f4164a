"""The documents of the API. `npm run references` generates them from its OpenAPI document."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

T = TypeVar("T")

ANSWER = "answer"
"""The context in which answers are validated."""


class Document(BaseModel):
    """A document of the API. One that you write has no other members than these."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, defer_build=True, protected_namespaces=()
    )


class OpenDocument(Document):
    """A document that may have further members."""

    model_config = ConfigDict(extra="allow")


def _or_newer(value: Any, known: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    try:
        return known(value)
    except ValidationError as error:
        if info.context != ANSWER or not _is_newer(error):
            raise
        if isinstance(value, dict):
            return OpenDocument.model_validate(value)
        if isinstance(value, (str, int)):
            return value
        raise


def _is_newer(error: ValidationError) -> bool:
    """Whether each known form lacks the value that tells it from the others, or a member if no value does."""
    errors = [(each["loc"][:1], each["type"]) for each in error.errors()]
    telling = "literal_error" if any(kind == "literal_error" for _, kind in errors) else "missing"
    return {form for form, _ in errors} == {form for form, kind in errors if kind == telling}


Known = Annotated[T, WrapValidator(_or_newer)]
"""The values or forms that this client knows. An answer of a newer Countersign may have another. A value stays as it is, and
a document is an ``OpenDocument``.
"""

ChangeKind: TypeAlias = Known[Literal["autonomy", "tool_catalog", "role_assignment", "executor", "environment", "factor_reset", "sign_in", "enrolment", "person_enabled", "agent_owner", "incident_settings", "slack_app", "slack_workspace", "slack_routes", "audit_retention", "audit_epoch", "audit_key", "secret_binding", "runner", "automation_safe_tool", "webhook", "lifecycle_hook", "siem_collector", "embedder"]]
ChangeState: TypeAlias = Known[Literal["open", "applied", "rejected", "withdrawn", "expired", "voided"]]
Outcome: TypeAlias = Known[Literal["allow", "require_approval", "deny"]]
Scope: TypeAlias = Known[Literal["read", "submit", "run", "review", "halt", "audit", "admin"]]


class Actor(Document):
    kind: Known[Literal["person", "agent", "system"]]

    id: str

    display_name: str

    credential_id: str | None

    on_behalf_of: str | None


class AdvertisedTool(Document):
    name: str

    parameters: dict[str, Any]


class Agent(Document):
    id: str
    """A UUID in lower case."""

    name: str

    name_note: str | None
    """A note if another person or agent has this name or one like it. Also if it was given within a
    week.
    """

    description: str

    owner_id: str
    """A UUID in lower case."""

    created_at: datetime
    """ISO 8601, UTC."""

    disabled_at: datetime | None

    guarded: Literal[False] | None = None
    """Present if the change loosens and no other person could confirm it."""

    guardrail_warning: str | None = None

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class AgentPage(Document):
    items: list[Agent]

    next_cursor: str | None


class AgentReviewers(Document):
    """The people who could approve changes of the agent, by production environment that takes
    approvals.
    """

    items: list[AgentReviewersItem]


class AgentReviewersItem(Document):
    enough: bool
    """Whether the people there are could give every approval that it takes."""

    needed: list[AgentReviewersItemNeededItem]

    missing: list[AgentReviewersItemMissingItem]
    """The slots that no reviewer can fill."""

    second_factor: bool
    """Whether an approval takes a second factor."""

    people: list[AgentReviewersItemPeopleItem]
    """The people who could approve and have not yet; a hundred at most."""

    warning: str | None
    """The reason why too few exist, and the way to get more; null if there are enough."""

    environment: str

    tool: str | None
    """The tool that asks for them by an override; null: any other."""


class AgentReviewersItemMissingItem(Document):
    count: int

    roles: list[str]


class AgentReviewersItemNeededItem(Document):
    count: int

    roles: list[str]


class AgentReviewersItemPeopleItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class AppendCallOutputChunksItem(Document):
    stream: Known[Literal["stdout", "stderr"]]

    text: str


class ApprovalBinding(Document):
    subject: Known[ApprovalBindingSubjectVariant1 | ApprovalBindingSubjectVariant2]

    environment: str

    tools: dict[str, str]

    executors: dict[str, str]


class ApprovalBindingSubjectVariant1(Document):
    plan: str

    task: str

    simulation: str | None


class ApprovalBindingSubjectVariant2(Document):
    tool_call: str


class ApprovalRequest(Document):
    id: str
    """A UUID in lower case."""

    subject: AskedSubject

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]

    closed_reason: ApprovalRequestClosedReason | None

    headline: str
    """The effect of the plan or call in one line."""

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """The level of the riskiest tool that would run."""

    claim: Claim | None
    """The person who looks at it now."""

    binding: ApprovalBinding

    binding_digest: str

    decision: Decision
    """The reason why people are asked."""

    autonomy_line: AutonomyLine | None
    """The path of the mode of the decision, in the revision then in force."""

    decision_id: str
    """A UUID in lower case."""

    bundle_revision: str

    autonomy_revision_id: str | None

    requester: ApprovalRequestRequester

    excluded: list[ApprovalRequestExcludedItem]
    """The people who can never review it."""

    quorum: Quorum
    """Each slot takes a number of distinct people; nobody fills two."""

    start: Known[Literal["on_approval", "manual", "at"]]

    start_at: datetime | None

    start_after: datetime | None
    """Until when a freeze holds back the start that comes by itself."""

    opened_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""

    approved_at: datetime | None

    approval_expires_at: datetime | None

    closed_at: datetime | None

    seconds_left: int | None
    """To decide while open, to start while approved."""


class ApprovalRequestClosedReason(Document):
    code: str

    message: str

    details: dict[str, list[str] | str] | None = None


class ApprovalRequestExcludedItem(Document):
    person_id: str
    """A UUID in lower case."""

    why: Known[Literal["submitter", "on_behalf_of", "owner", "changed", "same_hand"]]

    shares_with: str | None = None
    """For same_hand: the other person of the shared vote."""


class ApprovalRequestList(Document):
    items: list[ListedRequest]

    next_cursor: str | None


class ApprovalRequestRequester(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    on_behalf_of: str | None


class ApprovalSlot(Document):
    count: int

    roles: list[str]


class ApprovalStatistics(Document):
    by: Known[Literal["tool", "agent", "person"]]

    from_: datetime = Field(validation_alias="from", serialization_alias="from")
    """ISO 8601, UTC."""

    until: datetime
    """ISO 8601, UTC."""

    items: list[ApprovalStatisticsItem]


class ApprovalStatisticsItem(Document):
    key: str
    """The tool's name, or the id of the agent or the person."""

    name: str

    requests: int

    decided: int
    """Approved, rejected or sent back by people; by person, those that this person reviewed."""

    median_seconds_to_decision: float | None

    p90_seconds_to_decision: float | None

    approvals: int

    approvals_after_first_look: int
    """Approvals by people who had seen the request on a screen; the speed of the others is not
    known.
    """

    approved_under_five_seconds: int

    share_under_five_seconds: float | None
    """Of approvals_after_first_look."""

    approvals_in_slack: int
    """Given by a button in Slack, for which the time of the first look is not known."""

    approved_in_slack_within_five_seconds_of_message: int
    """Of approvals_in_slack, counted from the post of the message: at least so many were as fast.
    """

    overridden: int
    """Rejected or sent back."""

    override_rate: float | None
    """overridden of decided: how often people do not follow the agent."""

    rejected: int

    reject_rate: float | None
    """rejected of decided."""


class AskedCall(Document):
    """A single call that waits. People approve or reject it."""

    type: Literal["tool_call"]

    id: str
    """A UUID in lower case."""

    digest: str
    """The digest of the request as it is shown. Send it with a review, as subject_digest."""

    session_id: str | None
    """The session of the call; null for a call by itself."""


class AskedPlan(Document):
    type: Literal["plan"]

    id: str
    """A UUID in lower case."""

    digest: str
    """The digest of the request as it is shown. Send it with a review, as subject_digest."""

    task_id: str
    """A UUID in lower case."""

    simulation_id: str | None

    phases: Known[Literal["all", "canary", "promotion"]]
    """The phases that would run; promotion is the rest after a canary."""


class AuditActionList(Document):
    items: list[str]
    """By name."""


class AuditEntry(Document):
    header: AuditEntryHeader
    """The members that the log commits to."""

    payload: Any = None
    """Absent once it was erased under the retention rule."""


class AuditEntryHeader(Document):
    """The members that the log commits to."""

    format: str

    tenant_id: str

    id: str

    occurred_at: datetime
    """ISO 8601, UTC."""

    level: str

    action: str

    actor: Actor

    subject: SubjectRef

    within: list[SubjectRef]
    """The things it happened in, outermost first."""

    decision_id: str | None

    evidence: list[AuditEntryHeaderEvidenceItem]

    payload_digest: str


class AuditEntryHeaderEvidenceItem(Document):
    kind: str

    id: str

    digest: str


class AuditEntryPage(Document):
    items: list[AuditEntry]

    next_cursor: str | None


class AuditKey(Document):
    name: str

    key: str
    """The key for `countersign verify --key` (C2SP signed-note)."""

    valid_from: datetime
    """ISO 8601, UTC."""

    valid_to: datetime | None


class AuditKeyList(Document):
    items: list[AuditKey]


class AuditRetention(Document):
    """Each level is kept at least as long as the one before it."""

    keep_days: AuditRetentionKeepDays


class AuditRetentionKeepDays(Document):
    basic: int | None
    """30 to 36,500; null keeps payloads for ever."""

    detailed: int | None
    """30 to 36,500; null keeps payloads for ever."""

    full: int | None
    """90 to 36,500; null keeps payloads for ever."""

    full_with_evidence: int | None
    """365 to 36,500; null keeps payloads for ever."""

    critical: int | None
    """730 to 36,500; null keeps payloads for ever."""


class Automation(Document):
    id: str
    """A UUID in lower case."""

    name: str

    environment: AutomationEnvironment

    state: Known[Literal["proposed", "enabled", "paused", "disabled"]]

    revision: int

    source: str

    source_sha256: str

    author: Actor
    """The author of this revision."""

    owner_id: str | None
    """The person accountable for it; null before it was enabled."""

    agent_id: str | None
    """The agent that it acts as."""

    failures: int
    """Failed runs in a row."""

    next_at: datetime | None
    """The next time of its schedules; null unless enabled."""

    proposed_at: datetime
    """ISO 8601, UTC."""


class AutomationEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class AutomationList(Document):
    items: list[ListedAutomation]

    next_cursor: str | None


class AutomationPreview(Document):
    """What would have started runs in the last thirty days, newest first."""

    items: list[AutomationPreviewItem]

    next_cursor: str | None


class AutomationPreviewItem(Document):
    trigger: Known[Literal["cron", "event"]]

    at: datetime
    """ISO 8601, UTC."""

    event: str | None
    """Null for a time of a schedule."""

    audit_entry_id: str | None

    inputs: dict[str, float | bool | str] | None
    """Null if the values of the event do not fit."""

    errors: list[AutomationPreviewItemErrorsItem]

    blocked: list[AutomationPreviewItemBlockedItem] | None
    """The steps that policies would block now. Null if the values do not fit, or if this page
    judged enough.
    """


class AutomationPreviewItemBlockedItem(Document):
    step: str

    tool: str

    code: str

    message: str


class AutomationPreviewItemErrorsItem(Document):
    input: str

    message: str


class AutomationReading(Document):
    """The source as Countersign reads it, with defaults."""

    description: str | None

    overlap: str

    on_blocked: str

    pause_after: int

    most_per_hour: int

    inputs: dict[str, dict[str, Any]]
    """Each with its `type` and bounds."""

    triggers: list[dict[str, Any]]
    """Each with its `type`."""

    steps: list[dict[str, Any]]
    """Each with its `id` and `type`."""


class AutomationRun(Document):
    id: str
    """A UUID in lower case."""

    revision: int

    occurrence: str
    """The trigger, and its time or its id: cron:…, event:…, endpoint:…."""

    inputs: dict[str, float | bool | str]
    """The values that fill arguments of its steps."""

    due_at: datetime
    """ISO 8601, UTC."""

    state: Known[Literal["queued", "executing", "completed", "failed", "skipped"]]

    error: AutomationRunError | None
    """The reason why it failed or was left out."""

    created_at: datetime
    """ISO 8601, UTC."""

    finished_at: datetime | None


class AutomationRunError(Document):
    code: str

    message: str


class AutomationRunList(Document):
    items: list[AutomationRun]

    next_cursor: str | None


class AutonomyCell(Document):
    tool: str

    tool_version: int

    risk: str

    level: str

    environment: str

    production: bool

    decision: Decision

    source: AutonomyCellSource | None
    """The path in the document of the mode in force; null without a document."""


class AutonomyCellSource(Document):
    line: int
    """1-based."""

    column: int
    """1-based."""


class AutonomyLine(Document):
    revision: int

    line: int

    column: int


class AutonomyMatrix(Document):
    freezes: list[FreezeView]
    """When nothing that changes state starts, even if a cell allows it."""

    revision: int | None
    """Null if the tenant has no document."""

    bundle_revision: str

    cells: list[AutonomyCell]


class AutonomyRevision(Document):
    id: str

    number: int

    digest: str

    created_at: str

    created_by: AutonomyRevisionCreatedBy

    in_force: bool

    source: str

    diff: str
    """Unified, against the revision before it."""

    etag: str
    """The ETag of the source, for the If-Match of the document that replaces it."""


class AutonomyRevisionCreatedBy(Document):
    id: str

    display_name: str


class AutonomyRevisionPage(Document):
    items: list[AutonomyRevisionSummary]

    next_cursor: str | None


class AutonomyRevisionSummary(Document):
    id: str

    number: int

    digest: str

    created_at: str

    created_by: AutonomyRevisionSummaryCreatedBy

    in_force: bool


class AutonomyRevisionSummaryCreatedBy(Document):
    id: str

    display_name: str


class BlockedSteps(Document):
    blocked: list[BlockedStepsBlockedItem]
    """The steps that would be blocked now."""


class BlockedStepsBlockedItem(Document):
    step: str

    tool: str

    code: str

    message: str


class CallDecision(Document):
    """A decision on a single tool call, as the audit log holds it."""

    id: str
    """The audit entry; `GET /v1/audit/entries/{id}` proves it."""

    occurred_at: datetime
    """ISO 8601, UTC."""

    tool_call_id: str

    session_id: str | None

    agent_id: str | None
    """The agent that asked; null for a person."""

    actor: Actor

    tool: str | None

    environment: str | None

    risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """Of a command line by its class, else the level of the tool; null if there is no such tool."""

    tier: Known[Literal[1, 2, 3]] | None

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] | None = Field(validation_alias="class", serialization_alias="class")

    decision: Known[Literal["auto_approved", "approved", "rejected", "trusted", "timeout", "denied", "cancelled"]] | None

    command: str | None
    """The command line; null for a call without one."""

    summary: str
    """One line for people."""


class CallDecisionPage(Document):
    items: list[CallDecision]

    next_cursor: str | None


class CallOutput(Document):
    chunks: list[CallOutputChunksItem]

    cut: bool
    """Whether output was left out."""

    open: bool
    """Whether more may come."""


class CallOutputChunksItem(Document):
    seq: int

    stream: Known[Literal["stdout", "stderr"]]

    text: str


class CallRequestDetail(Document):
    id: str
    """A UUID in lower case."""

    subject: AskedCall
    """A single call that waits. People approve or reject it."""

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]

    closed_reason: CallRequestDetailClosedReason | None

    headline: str
    """The effect of the plan or call in one line."""

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """The level of the riskiest tool that would run."""

    claim: Claim | None
    """The person who looks at it now."""

    binding: ApprovalBinding

    binding_digest: str

    decision: Decision
    """The reason why people are asked."""

    autonomy_line: AutonomyLine | None
    """The path of the mode of the decision, in the revision then in force."""

    decision_id: str
    """A UUID in lower case."""

    bundle_revision: str

    autonomy_revision_id: str | None

    requester: CallRequestDetailRequester

    excluded: list[CallRequestDetailExcludedItem]
    """The people who can never review it."""

    quorum: Quorum
    """Each slot takes a number of distinct people; nobody fills two."""

    start: Known[Literal["on_approval", "manual", "at"]]

    start_at: datetime | None

    start_after: datetime | None
    """Until when a freeze holds back the start that comes by itself."""

    opened_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""

    approved_at: datetime | None

    approval_expires_at: datetime | None

    closed_at: datetime | None

    seconds_left: int | None
    """To decide while open, to start while approved."""

    environment: CallRequestDetailEnvironment

    reviews: list[Review]

    may_review: CallRequestDetailMayReview
    """The decision of policy if the reader approved now."""

    ways_to_a_vote: str | None
    """How people get a vote of their own; null if no shared vote keeps anybody from this request.
    """

    could_approve: ReviewerCount | None
    """The people who could approve now; null once it is closed."""

    changed_since_opened: list[CallRequestDetailChangedSinceOpenedItem]
    """Bound things that have changed: a review would void the request."""

    call: CallRequestDetailCall


class CallRequestDetailCall(Document):
    tool: str

    category: str
    """The kind of work, such as workspace-write."""

    impact: str
    """The effect in one line, from the call alone."""

    said_by_the_requester: CallRequestDetailCallSaidByTheRequester | None
    """The requester's own words. They decide nothing, and nothing here is checked against them."""

    version: int

    executor: str | None
    """Null if the agent makes the call itself."""

    arguments: dict[str, Any]

    shell: ShownLine | None
    """The command line among the arguments; null if the tool takes none."""

    targets: list[str]

    always_covers: dict[str, Any] | None
    """The shape of the later calls in the session that an approval may hold for, too; null if it
    holds for this call alone.
    """


class CallRequestDetailCallSaidByTheRequester(Document):
    reason: str


class CallRequestDetailChangedSinceOpenedItem(Document):
    member: str

    names: list[str]


class CallRequestDetailClosedReason(Document):
    code: str

    message: str

    details: dict[str, list[str] | str] | None = None


class CallRequestDetailEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str

    production: bool


class CallRequestDetailExcludedItem(Document):
    person_id: str
    """A UUID in lower case."""

    why: Known[Literal["submitter", "on_behalf_of", "owner", "changed", "same_hand"]]

    shares_with: str | None = None
    """For same_hand: the other person of the shared vote."""


class CallRequestDetailMayReview(Document):
    """The decision of policy if the reader approved now."""

    outcome: Known[Literal["allow", "deny"]]

    reasons: list[Reason]

    action: str | None
    """The next action of the reader if their approval is refused or would not count."""

    shares_vote_with: list[CallRequestDetailMayReviewSharesVoteWithItem]
    """The approvers who have one vote together with the reader: a second one would not count."""


class CallRequestDetailMayReviewSharesVoteWithItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class CallRequestDetailRequester(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    on_behalf_of: str | None


class ChangeDetail(OpenDocument):
    diff: str | None = None
    """Unified, of the documents before and after."""

    cells: list[ChangeDetailCellsItem] | None = None
    """Of an autonomy document: the cells of the matrix that change, the first 500."""

    cells_changed: int | None = None
    """How many cells change."""


class ChangeDetailCellsItem(Document):
    tool: str

    environment: str

    change: Known[Literal["loosens", "tightens", "mixed"]]

    what: list[str]
    """In words."""

    before: str
    """The outcome of the decision before."""

    after: str


class ChangeInWords(Document):
    where: str

    what: str

    before: str | None

    after: str | None


class ChangeRequest(Document):
    id: str
    """A UUID in lower case."""

    kind: ChangeKind

    state: ChangeState

    what: str
    """The change in one line, worded by the server."""

    subject: ChangeRequestSubject

    loosens: list[str]
    """In words, worked out by the server from the difference."""

    detail: ChangeDetail
    """The facts to compare before confirming."""

    change: dict[str, Any]
    """The change, exactly as it is carried out once it is confirmed."""

    change_digest: str
    """The digest that a confirmation names."""

    reason: str
    """The reason, in the words of its author."""

    requested_by: ChangeRequestRequestedBy

    required_role: str

    opened_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""

    closed_at: datetime | None

    closed_by: ChangeRequestClosedBy | None

    closed_reason: str | None

    mfa_method: Known[Literal["passkey", "totp", "recovery_code"]] | None

    confirmers: list[ChangeRequestConfirmersItem]
    """The people who could confirm it now, once they prove a second factor; empty once it is
    closed.
    """

    you: ChangeRequestYou

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class ChangeRequestClosedBy(Document):
    id: str
    """A UUID in lower case."""

    display_name: str

    known_by: list[str] | None = None
    """How they are known, in words. Only for the author and possible confirmers, if one change is
    read.
    """


class ChangeRequestConfirmersItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str

    known_by: list[str] | None = None
    """How they are known, in words. Only for the author and possible confirmers, if one change is
    read.
    """


class ChangeRequestRequestedBy(Document):
    id: str
    """A UUID in lower case."""

    display_name: str

    known_by: list[str] | None = None
    """How they are known, in words. Only for the author and possible confirmers, if one change is
    read.
    """


class ChangeRequestSubject(Document):
    type: str

    id: str


class ChangeRequestYou(Document):
    may_confirm: bool

    why_not: ChangeRequestYouWhyNot | None


class ChangeRequestYouWhyNot(Document):
    code: str

    message: str

    action: str | None = None


class ChangesAsked(Document):
    request_id: str
    """A UUID in lower case."""

    plan_id: str
    """A UUID in lower case."""

    revision: int

    person: ChangesAskedPerson

    comment: str

    created_at: datetime
    """ISO 8601, UTC."""


class ChangesAskedList(Document):
    items: list[ChangesAsked]


class ChangesAskedPerson(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class Checkpoint(Document):
    epoch: int

    tree_size: int

    root_hash: str
    """SHA-256, hexadecimal."""

    note: str
    """The signed note (C2SP tlog-checkpoint)."""

    key_name: str

    signed_at: datetime
    """ISO 8601, UTC."""

    published_at: datetime | None

    published_outside: bool
    """Whether the operator named the destination that it was published to; false if it is only kept
    beside the data.
    """


class Claim(Document):
    """A hint to others: everybody who may review still may."""

    person: ClaimPerson

    claimed_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""


class ClaimPerson(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class Comment(Document):
    id: str
    """A UUID in lower case."""

    about: CommentAbout

    author: CommentAuthor

    on_behalf_of: str | None
    """The person that delegated to the agent."""

    body: str
    """With secrets masked. An agent's words are not verified."""

    via: Known[Literal["api", "slack"]]
    """The way in which it was written; the browser counts as the API."""

    created_at: datetime
    """ISO 8601, UTC."""


class CommentAbout(Document):
    type: Known[Literal["approval_request", "change_request"]]

    id: str
    """A UUID in lower case."""


class CommentAuthor(Document):
    kind: Known[Literal["person", "agent"]]

    id: str
    """A UUID in lower case."""

    display_name: str


class CommentPage(Document):
    items: list[Comment]

    next_cursor: str | None


class Compensation(Document):
    """The call that undoes a step when the run rolls back."""

    tool: str
    """The tool that undoes the step; it changes state itself."""

    arguments: ToolArguments
    """Its arguments, written as those of a step."""


class ConfigurationChange(Document):
    change: Known[Literal["create", "update", "unchanged"]]

    name: str
    """The environment; or environment/executor."""

    what: str
    """In words, as it is after the change."""

    waits: ChangeRequest | None = None
    """The change, if it waits for a second person."""

    guarded: Literal[False] | None = None
    """Present if the change loosens and no other person could confirm it."""

    guardrail_warning: str | None = None

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class ConsistencyProof(Document):
    """RFC 6962 section 2.1.2."""

    epoch: int

    first: int

    second: int

    proof: list[str]


class CreateHaltAgent(Document):
    kind: Literal["agent"]

    agent_id: str
    """A UUID in lower case."""

    reason: str


class CreateHaltEnvironment(Document):
    kind: Literal["environment"]

    environment: str

    reason: str


class CreateHaltTenant(Document):
    kind: Literal["tenant"]

    reason: str


class CreateHaltTool(Document):
    kind: Literal["tool"]

    tool: str

    reason: str


class Decision(Document):
    outcome: Outcome

    reasons: list[Reason]

    obligations: Obligations

    effective: EffectiveAutonomy


class EffectiveAutonomy(Document):
    mode: Known[Literal["plan_only", "canary_only", "full_auto"]]

    source: str


class Environment(Document):
    id: str
    """A UUID in lower case."""

    name: str

    production: bool

    version: int

    created_at: datetime
    """ISO 8601, UTC."""

    updated_at: datetime
    """ISO 8601, UTC."""

    guarded: Literal[False] | None = None
    """Present if the change loosens and no other person could confirm it."""

    guardrail_warning: str | None = None

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class EnvironmentPage(Document):
    items: list[Environment]

    next_cursor: str | None


class Executor(Document):
    id: str

    environment: str

    name: str

    kind: str

    destination: str
    """The destination of its calls, in words."""

    url: str | None

    audience: str

    shared_audience: bool

    secret: str | None

    settings: dict[str, float | bool | str]
    """The other settings of its kind."""

    version: int

    digest: str

    updated_at: str

    guarded: Literal[False] | None = None
    """Present if the change loosens and no other person could confirm it."""

    guardrail_warning: str | None = None

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class ExecutorKind(Document):
    kind: str

    title: str
    """One line for people who choose a kind."""

    answered_by: Known[Literal["executor", "agent"]]
    """agent: the agent that submitted the plan carries the calls out, and reports."""

    settings: ExecutorKindSettings
    """JSON Schema of the members that a document of this kind has beside kind and audience."""


class ExecutorKindList(Document):
    items: list[ExecutorKind]


class ExecutorKindSettings(OpenDocument):
    """JSON Schema of the members that a document of this kind has beside kind and audience."""

    properties: dict[str, ExecutorKindSettingsPropertiesValue]

    required: list[str] = []


class ExecutorKindSettingsPropertiesValue(OpenDocument):
    type: str | None = None

    title: str | None = None

    description: str | None = None


class ExecutorList(Document):
    executors: list[Executor]


class ExpandedPlan(Document):
    format: Literal["countersign.plan/v1"]

    task_id: str

    revision: int

    environment: ExpandedPlanEnvironment

    distinct_targets: list[str]

    phases: list[ExpandedPlanPhasesItem]


class ExpandedPlanEnvironment(Document):
    id: str

    name: str

    digest: str


class ExpandedPlanPhasesItem(Document):
    index: int

    name: str

    canary: bool

    wait_seconds: int

    rollback_if: str | None

    batches: list[ExpandedPlanPhasesItemBatchesItem]


class ExpandedPlanPhasesItemBatchesItem(Document):
    index: int

    targets: list[str]

    calls: list[ExpandedPlanPhasesItemBatchesItemCallsItem]

    health_checks: list[ExpandedPlanPhasesItemBatchesItemHealthChecksItem]


class ExpandedPlanPhasesItemBatchesItemCallsItem(Document):
    seq: int

    step_id: str

    invocation: ExpandedPlanPhasesItemBatchesItemCallsItemInvocation

    on_failure: Known[Literal["pause", "rollback", "retry"]]

    compensate_with: ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWith | None


class ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWith(Document):
    tool: ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithTool

    executor: ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithExecutor

    arguments: dict[str, Any]

    arguments_digest: str

    targets: list[str]

    shell: ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithShell | None = None

    paths: ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithPaths | None = None


class ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithExecutor(Document):
    name: str

    digest: str


class ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithPaths(Document):
    reads: list[str]

    writes: list[str]

    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "WRITE", "UNKNOWN"]] = Field(validation_alias="class", serialization_alias="class")

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]


class ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithShell(Document):
    argument: str

    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]

    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]

    tree: str


class ExpandedPlanPhasesItemBatchesItemCallsItemCompensateWithTool(Document):
    name: str

    version: int

    digest: str


class ExpandedPlanPhasesItemBatchesItemCallsItemInvocation(Document):
    tool: ExpandedPlanPhasesItemBatchesItemCallsItemInvocationTool

    executor: ExpandedPlanPhasesItemBatchesItemCallsItemInvocationExecutor

    arguments: dict[str, Any]

    arguments_digest: str

    targets: list[str]

    shell: ExpandedPlanPhasesItemBatchesItemCallsItemInvocationShell | None = None

    paths: ExpandedPlanPhasesItemBatchesItemCallsItemInvocationPaths | None = None


class ExpandedPlanPhasesItemBatchesItemCallsItemInvocationExecutor(Document):
    name: str

    digest: str


class ExpandedPlanPhasesItemBatchesItemCallsItemInvocationPaths(Document):
    reads: list[str]

    writes: list[str]

    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "WRITE", "UNKNOWN"]] = Field(validation_alias="class", serialization_alias="class")

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]


class ExpandedPlanPhasesItemBatchesItemCallsItemInvocationShell(Document):
    argument: str

    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]

    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]

    tree: str


class ExpandedPlanPhasesItemBatchesItemCallsItemInvocationTool(Document):
    name: str

    version: int

    digest: str


class ExpandedPlanPhasesItemBatchesItemHealthChecksItem(Document):
    name: str

    invocation: ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocation


class ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocation(Document):
    tool: ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationTool

    executor: ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationExecutor

    arguments: dict[str, Any]

    arguments_digest: str

    targets: list[str]

    shell: ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationShell | None = None

    paths: ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationPaths | None = None


class ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationExecutor(Document):
    name: str

    digest: str


class ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationPaths(Document):
    reads: list[str]

    writes: list[str]

    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "WRITE", "UNKNOWN"]] = Field(validation_alias="class", serialization_alias="class")

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]


class ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationShell(Document):
    argument: str

    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]

    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]

    tree: str


class ExpandedPlanPhasesItemBatchesItemHealthChecksItemInvocationTool(Document):
    name: str

    version: int

    digest: str


class ExplainedSimulation(Document):
    id: str
    """A UUID in lower case."""

    plan_id: str
    """A UUID in lower case."""

    plan_digest: str
    """Of exactly the expanded plan that is simulated."""

    state: Known[Literal["pending", "running", "succeeded", "failed", "stale"]]

    result: PlanSimulationResult | None

    digest: str | None
    """Of the result; bound by an approval."""

    failure: ExplainedSimulationFailure | None

    stale_reason: ExplainedSimulationStaleReason | None

    requested_by: Submitter

    created_at: datetime
    """ISO 8601, UTC."""

    started_at: datetime | None

    finished_at: datetime | None

    expires_at: datetime | None
    """Until when a result counts, as the rules stood when it came."""

    explanation: Explanation | None


class ExplainedSimulationFailure(Document):
    code: str

    message: str


class ExplainedSimulationStaleReason(Document):
    code: str

    message: str

    details: ExplainedSimulationStaleReasonDetails | None = None
    """The run that touched the targets."""


class ExplainedSimulationStaleReasonDetails(Document):
    """The run that touched the targets."""

    run_id: str
    """A UUID in lower case."""


class ExplainedTask(Document):
    id: str
    """A UUID in lower case."""

    state: Known[Literal["created", "planned", "executing", "completed", "failed", "cancelled"]]

    spec: TaskSpec
    """The goal of an agent, and its limits. `timeout_minutes` bounds how long an approval request
    of this task stays open.
    """

    digest: str
    """Of the spec; bound by every approval."""

    headline: str | None
    """Its latest plan in one line; null before there is a valid one."""

    plan_risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """The level of the plan's riskiest tool."""

    submitted_by: Submitter

    created_at: datetime
    """ISO 8601, UTC."""

    updated_at: datetime
    """ISO 8601, UTC."""

    explanation: Explanation | None
    """The latest decision about the task; null before there is one."""


class Explanation(Document):
    decision_id: str
    """A UUID in lower case."""

    decision: Decision

    bundle_revision: str

    decided_at: datetime
    """ISO 8601, UTC."""

    autonomy_line: AutonomyLine | None
    """The path of the mode of the decision, in the revision then in force; null for the default."""


class FreezeView(Document):
    name: str

    time_zone: str

    environments: list[str] | None
    """Null: all."""

    tools: list[str] | None
    """Null: every tool that changes state."""

    may_pass: list[str]

    active: bool

    from_: datetime | None = Field(validation_alias="from", serialization_alias="from")
    """Of the stretch in force, else of the next; null: none to come."""

    until: datetime | None

    source: FreezeViewSource | None


class FreezeViewSource(Document):
    line: int
    """1-based."""

    column: int
    """1-based."""


class GrantClaims(Document):
    iss: str

    aud: str

    iat: int

    exp: int

    jti: str

    tenant: str

    environment: str

    basis: Known[Literal["approval", "policy", "break_glass", "simulation", "rollback", "health_check"]]

    source: GrantClaimsSource

    step: str

    attempt: int

    tool: str

    tool_version: int

    arguments_digest: str

    plan_digest: str | None

    shell: GrantClaimsShell | None

    mcp: GrantClaimsMcp | None = None

    session: str | None = None


class GrantClaimsMcp(Document):
    server: str

    tool: str

    digest: str


class GrantClaimsShell(Document):
    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]

    tier: Known[Literal[1, 2]]

    tree: str


class GrantClaimsSource(Document):
    type: Known[Literal["run", "simulation", "tool_call", "lifecycle_hook"]]

    id: str


class Halt(Document):
    id: str
    """A UUID in lower case."""

    kind: Known[Literal["tenant", "environment", "agent", "tool"]]

    environment: HaltEnvironment | None

    agent_id: str | None

    tool: str | None

    reason: str

    active: bool

    created_at: datetime
    """ISO 8601, UTC."""

    created_by: Actor

    lifted_at: datetime | None

    lifted_by: Actor | None

    lift_note: str | None

    effect: HaltEffect
    """The calls and grants that the halt found when it was set."""


class HaltEffect(Document):
    """The calls and grants that the halt found when it was set."""

    paused_runs: list[str]
    """Runs that were asked to pause."""

    revoked_grants: int
    """Grants that were not redeemed yet."""

    denied_calls: list[str]
    """Single calls that were allowed and had not left."""

    in_flight: list[InFlightCall]
    """Calls that had already left."""


class HaltEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class HaltList(Document):
    items: list[Halt]

    next_cursor: str | None


class Health(Document):
    status: Literal["ok"]


class HealthCheck(Document):
    """A read_only call made after each batch. The numbers in its result's `metrics` are named
    `<check>.<metric>`.
    """

    name: str
    """Its name in rollback_if: `web` in `web.error_rate`."""

    tool: str
    """A read_only tool."""

    arguments: ToolArguments
    """Its arguments, written as those of a step."""


class InFlightCallVariant1(Document):
    run_id: str
    """A UUID in lower case."""

    step_id: str

    attempt: int

    tool: str

    targets: list[str]

    dispatched_at: datetime
    """ISO 8601, UTC."""

    state: str
    """The attempt's state when the halt was set."""


class InFlightCallVariant2(Document):
    tool_call_id: str
    """A UUID in lower case."""

    attempt: int

    tool: str

    targets: list[str]

    dispatched_at: datetime
    """ISO 8601, UTC."""

    state: str
    """The attempt's state when the halt was set."""


class IncidentDestination(Document):
    name: str

    reach: Known[Literal["answers", "silent", "untested", "unmapped"]]
    """answers: an address took the last test message; silent: none did; untested: none was sent;
    unmapped: it has no address.
    """

    addresses: list[IncidentDestinationAddressesItem]


class IncidentDestinationAddressesItem(Document):
    address: str

    channel: str | None
    """The channel that has the address, such as slack or email."""

    tested_at: datetime | None

    answered_at: datetime | None

    error: str | None
    """The reason why the last test message failed."""


class IncidentDestinationList(Document):
    items: list[IncidentDestination]


class IncidentSettings(Document):
    destinations: dict[str, list[str]]
    """The addresses of each destination that `notifies` names: addresses of channels (GET
    /v1/notification-channels).
    """

    review_days: int = 5
    """How many days after the invocation the post-mortem is to be reviewed."""

    pagerduty: IncidentSettingsPagerduty | None = None
    """An Events API v2 integration that incidents are sent on to."""


class IncidentSettingsPagerduty(Document):
    routing_key: IncidentSettingsPagerdutyRoutingKey

    url: str | None = None
    """The address that takes events; left out, the address of PagerDuty itself."""


class IncidentSettingsPagerdutyRoutingKey(Document):
    secret_: str = Field(validation_alias="$secret", serialization_alias="$secret")


class JsonSchema(OpenDocument):
    schema_: str = Field(validation_alias="$schema", serialization_alias="$schema")


class JsonWebKeySet(Document):
    keys: list[JsonWebKeySetKeysItem]


class JsonWebKeySetKeysItem(Document):
    kty: str

    crv: str

    x: str

    kid: str

    alg: Literal["EdDSA"]

    use: Literal["sig"]


class JudgedAutomation(Document):
    id: str
    """A UUID in lower case."""

    name: str

    environment: JudgedAutomationEnvironment

    state: Known[Literal["proposed", "enabled", "paused", "disabled"]]

    revision: int

    source: str

    source_sha256: str

    author: Actor
    """The author of this revision."""

    owner_id: str | None
    """The person accountable for it; null before it was enabled."""

    agent_id: str | None
    """The agent that it acts as."""

    failures: int
    """Failed runs in a row."""

    next_at: datetime | None
    """The next time of its schedules; null unless enabled."""

    proposed_at: datetime
    """ISO 8601, UTC."""

    blocked: list[JudgedAutomationBlockedItem]
    """The steps that would be blocked now."""


class JudgedAutomationBlockedItem(Document):
    step: str

    tool: str

    code: str

    message: str


class JudgedAutomationEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class KeptOutput(Document):
    seq: int
    """The number of the last chunk that is kept."""

    cut: bool
    """Whether output is left out from now on: a mebibyte of a call is kept."""


class KnownRoles(Document):
    items: list[KnownRolesItem]

    warnings: list[str]
    """Of the name that was asked about, if nothing names it."""


class KnownRolesItem(Document):
    role: str

    by: list[Known[Literal["standard", "autonomy", "issuer", "held"]]]
    """The product’s own; named by the autonomy document, by an issuer’s mapping; held by somebody.
    """


class ListedAutomation(Document):
    id: str
    """A UUID in lower case."""

    name: str

    environment: ListedAutomationEnvironment

    state: Known[Literal["proposed", "enabled", "paused", "disabled"]]

    revision: int

    source: str

    source_sha256: str

    author: Actor
    """The author of this revision."""

    owner_id: str | None
    """The person accountable for it; null before it was enabled."""

    agent_id: str | None
    """The agent that it acts as."""

    failures: int
    """Failed runs in a row."""

    next_at: datetime | None
    """The next time of its schedules; null unless enabled."""

    proposed_at: datetime
    """ISO 8601, UTC."""

    last_run: AutomationRun | None
    """Null before its first run."""


class ListedAutomationEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class ListedCallRequest(Document):
    id: str
    """A UUID in lower case."""

    subject: AskedCall
    """A single call that waits. People approve or reject it."""

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]

    closed_reason: ListedCallRequestClosedReason | None

    headline: str
    """The effect of the plan or call in one line."""

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """The level of the riskiest tool that would run."""

    claim: Claim | None
    """The person who looks at it now."""

    binding: ApprovalBinding

    binding_digest: str

    decision: Decision
    """The reason why people are asked."""

    autonomy_line: AutonomyLine | None
    """The path of the mode of the decision, in the revision then in force."""

    decision_id: str
    """A UUID in lower case."""

    bundle_revision: str

    autonomy_revision_id: str | None

    requester: ListedCallRequestRequester

    excluded: list[ListedCallRequestExcludedItem]
    """The people who can never review it."""

    quorum: Quorum
    """Each slot takes a number of distinct people; nobody fills two."""

    start: Known[Literal["on_approval", "manual", "at"]]

    start_at: datetime | None

    start_after: datetime | None
    """Until when a freeze holds back the start that comes by itself."""

    opened_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""

    approved_at: datetime | None

    approval_expires_at: datetime | None

    closed_at: datetime | None

    seconds_left: int | None
    """To decide while open, to start while approved."""

    environment: ListedCallRequestEnvironment

    call: ListedCallRequestCall

    reviews: list[ListedCallRequestReviewsItem]
    """Those that count, in the order they were given."""


class ListedCallRequestCall(Document):
    tool: str

    category: str
    """The kind of work, such as workspace-write."""

    impact: str
    """The effect in one line, from the call alone."""

    said_by_the_requester: ListedCallRequestCallSaidByTheRequester | None
    """The requester's own words. They decide nothing, and nothing here is checked against them."""


class ListedCallRequestCallSaidByTheRequester(Document):
    reason: str


class ListedCallRequestClosedReason(Document):
    code: str

    message: str

    details: dict[str, list[str] | str] | None = None


class ListedCallRequestEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str

    production: bool


class ListedCallRequestExcludedItem(Document):
    person_id: str
    """A UUID in lower case."""

    why: Known[Literal["submitter", "on_behalf_of", "owner", "changed", "same_hand"]]

    shares_with: str | None = None
    """For same_hand: the other person of the shared vote."""


class ListedCallRequestRequester(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    on_behalf_of: str | None


class ListedCallRequestReviewsItem(Document):
    person: ListedCallRequestReviewsItemPerson

    verdict: Known[Literal["approve", "reject", "request_changes"]]

    created_at: datetime
    """ISO 8601, UTC."""


class ListedCallRequestReviewsItemPerson(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class ListedPlanRequest(Document):
    id: str
    """A UUID in lower case."""

    subject: AskedPlan

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]

    closed_reason: ListedPlanRequestClosedReason | None

    headline: str
    """The effect of the plan or call in one line."""

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """The level of the riskiest tool that would run."""

    claim: Claim | None
    """The person who looks at it now."""

    binding: ApprovalBinding

    binding_digest: str

    decision: Decision
    """The reason why people are asked."""

    autonomy_line: AutonomyLine | None
    """The path of the mode of the decision, in the revision then in force."""

    decision_id: str
    """A UUID in lower case."""

    bundle_revision: str

    autonomy_revision_id: str | None

    requester: ListedPlanRequestRequester

    excluded: list[ListedPlanRequestExcludedItem]
    """The people who can never review it."""

    quorum: Quorum
    """Each slot takes a number of distinct people; nobody fills two."""

    start: Known[Literal["on_approval", "manual", "at"]]

    start_at: datetime | None

    start_after: datetime | None
    """Until when a freeze holds back the start that comes by itself."""

    opened_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""

    approved_at: datetime | None

    approval_expires_at: datetime | None

    closed_at: datetime | None

    seconds_left: int | None
    """To decide while open, to start while approved."""

    environment: ListedPlanRequestEnvironment

    said_by_the_requester: ListedPlanRequestSaidByTheRequester
    """The requester's own words."""

    reviews: list[ListedPlanRequestReviewsItem]
    """Those that count, in the order they were given."""


class ListedPlanRequestClosedReason(Document):
    code: str

    message: str

    details: dict[str, list[str] | str] | None = None


class ListedPlanRequestEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str

    production: bool


class ListedPlanRequestExcludedItem(Document):
    person_id: str
    """A UUID in lower case."""

    why: Known[Literal["submitter", "on_behalf_of", "owner", "changed", "same_hand"]]

    shares_with: str | None = None
    """For same_hand: the other person of the shared vote."""


class ListedPlanRequestRequester(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    on_behalf_of: str | None


class ListedPlanRequestReviewsItem(Document):
    person: ListedPlanRequestReviewsItemPerson

    verdict: Known[Literal["approve", "reject", "request_changes"]]

    created_at: datetime
    """ISO 8601, UTC."""


class ListedPlanRequestReviewsItemPerson(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class ListedPlanRequestSaidByTheRequester(Document):
    """The requester's own words."""

    goal: str


class LoggedDecision(Document):
    id: str
    """A UUID in lower case."""

    entrypoint: str

    bundle_revision: str

    input: Any

    input_digest: str

    decision: Decision

    decided_at: datetime
    """ISO 8601, UTC."""

    subject: SubjectRef

    within: list[SubjectRef]
    """The things it was taken in, outermost first."""


class LoggedDecisionPage(Document):
    items: list[LoggedDecision]

    next_cursor: str | None


class Me(Document):
    tenant_id: str
    """A UUID in lower case."""

    tenant_slug: str

    kind: Known[Literal["person", "agent"]]

    id: str
    """A UUID in lower case."""

    display_name: str

    credential_id: str
    """A UUID in lower case."""

    scopes: list[Scope]

    roles: list[MeRolesItem]

    owner_id: str | None

    on_behalf_of: str | None


class MeRolesItem(Document):
    role: str

    counts_from: datetime
    """ISO 8601, UTC."""


class NotificationChannelList(Document):
    items: list[NotificationChannelListItem]


class NotificationChannelListItem(Document):
    name: str
    """As notification preferences and incidents name it."""

    title: str
    """Its name for people, as it stands in a list."""

    addresses: str | None
    """An address that settings may name, in words with an example; null if they name none."""

    missing: str | None
    """A part that this installation lacks, without which it sends nothing; null if it can send."""


class Obligations(Document):
    approvals: list[ApprovalSlot]

    mfa: bool

    phases: Known[Literal["all", "canary"]]

    audit_level: Known[Literal["basic", "detailed", "full", "full_with_evidence", "critical"]]

    valid_minutes: int

    confirm_word: Literal["CONFIRM"] | None = None


class OpaDecision(Document):
    labels: dict[str, str]
    """The tenant, and the subject of the decision."""

    decision_id: str
    """A UUID in lower case."""

    bundles: dict[str, OpaDecisionBundlesValue]

    path: str

    input: Any

    result: Decision

    timestamp: datetime
    """ISO 8601, UTC."""


class OpaDecisionBundlesValue(Document):
    revision: str


class OpaDecisionPage(Document):
    items: list[OpaDecision]

    next_cursor: str | None


class Overview(Document):
    waiting: OverviewWaiting

    running: OverviewRunning

    active_halts: int

    incidents: OverviewIncidents

    approval_times: list[OverviewApprovalTimesItem]

    decisions: list[OverviewDecisionsItem]

    months_away: list[str]
    """The months of these days whose decisions are not in the database, as 2026-01. They are not
    counted.
    """


class OverviewApprovalTimesItem(Document):
    day: str

    approved: int

    p50_seconds: float | None
    """Time to approval; null without one."""

    p90_seconds: float | None


class OverviewDecisionsItem(Document):
    day: str

    allow: int

    require_approval: int

    deny: int


class OverviewIncidents(Document):
    open: int
    """Not resolved yet."""

    overdue: int
    """Those with a review that is due and was not given."""


class OverviewRunning(Document):
    total: int

    runs: list[OverviewRunningRunsItem]
    """The newest ten."""


class OverviewRunningRunsItem(Document):
    id: str
    """A UUID in lower case."""

    state: Known[Literal["queued", "executing", "paused", "rolling_back", "completed", "failed", "cancelled", "rolled_back", "rollback_failed"]]

    environment: str

    production: bool

    created_at: datetime
    """ISO 8601, UTC."""

    headline: str | None
    """The plan in one line; null if there is no valid plan."""

    goal: str
    """In the requester’s own words."""


class OverviewWaiting(Document):
    approvals: int
    """Requests that wait for reviews."""

    next_expiry: datetime | None

    starts: int
    """Approved, and not started yet."""

    unknown_effects: int
    """Calls with an effect that a person has to find out."""

    paused_runs: int


class PathVerdict(Document):
    tier: Known[Literal[1, 2]]

    class_: Known[Literal["READ_ONLY", "WRITE", "UNKNOWN"]] = Field(validation_alias="class", serialization_alias="class")

    reasons: list[PathVerdictReasonsItem]
    """The reasons why the paths are graver than the tool says; empty if they are ordinary."""


class PathVerdictReasonsItem(Document):
    code: str

    message: str


class Person(Document):
    id: str
    """A UUID in lower case."""

    email: str | None
    """null: an agent asks, and agents are shown no addresses."""

    display_name: str

    name_note: str | None
    """A note if another person or agent has this name or one like it. Also if it was given within a
    week.
    """

    created_at: datetime
    """ISO 8601, UTC."""

    enrolled_at: datetime | None

    disabled_at: datetime | None

    came_in_at: datetime | None
    """When they last signed in: at an issuer, by a passkey of ours, or by a link of the operator.
    """

    roles: list[RoleAssignment]

    standing: Standing | None = None
    """Only in answers that list or read people, and never for an agent."""

    guarded: Literal[False] | None = None
    """Present if the change loosens and no other person could confirm it."""

    guardrail_warning: str | None = None

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class PersonPage(Document):
    items: list[Person]

    next_cursor: str | None


class Plan(Document):
    id: str
    """A UUID in lower case."""

    task_id: str
    """A UUID in lower case."""

    revision: int

    state: Known[Literal["draft", "invalid", "validated", "superseded", "withdrawn"]]
    """Of the revision itself."""

    status: Known[Literal["draft", "invalid", "validated", "simulated", "awaiting_approval", "approved", "rejected", "changes_requested", "expired", "executing", "executed", "superseded", "withdrawn"]]
    """Its status, from simulation, approval, run and the clock."""

    digest: str | None
    """Of `expanded`: people approve this digest. Null if the plan could not be expanded."""

    headline: str | None
    """The plan in one line; null if there is no valid plan."""

    plan_risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """The level of the plan's riskiest tool."""

    submitted_by: Submitter

    created_at: datetime
    """ISO 8601, UTC."""

    updated_at: datetime
    """ISO 8601, UTC."""

    document: PlanDocument
    """How the agent wants it done. `summary` is the agent's own words and decides nothing."""

    words: list[str]
    """The plan in the agent's own words, for people. They decide nothing."""

    expanded: ExpandedPlan | None
    """The batches and calls that would be executed."""

    description: PlanDescription | None
    """The calls, as people are shown them; null if it could not be expanded."""

    errors: list[PlanErrorsItem]
    """Its errors, by step."""

    explanation: Explanation | None
    """The decision of its validation; null if it could not be expanded."""


class PlanDescription(Document):
    headline: str
    """The plan in one line."""

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """The level of its riskiest tool."""

    revision: int

    environment: str

    targets: list[str]
    """Distinct."""

    phases: list[ShownPhase]


class PlanDiff(Document):
    before: PlanDiffBefore

    after: PlanDiffAfter

    document: list[ValueChange]

    calls: list[PlanDiffCallsItem] | None
    """Null if one of the two could not be expanded."""

    in_words: list[ChangeInWords]
    """The same for people: each difference once, by phase."""

    targets: PlanDiffTargets


class PlanDiffAfter(Document):
    id: str
    """A UUID in lower case."""

    revision: int

    digest: str | None


class PlanDiffBefore(Document):
    id: str
    """A UUID in lower case."""

    revision: int

    digest: str | None


class PlanDiffCallsItem(Document):
    kind: Known[Literal["added", "removed", "changed"]]

    phase: str

    step_id: str

    targets: list[str]

    seq_before: int | None

    seq_after: int | None

    changes: list[ValueChange]


class PlanDiffTargets(Document):
    added: list[str]

    removed: list[str]


class PlanDocument(Document):
    """How the agent wants it done. `summary` is the agent's own words and decides nothing."""

    phases: list[PlanPhase]
    """In order. A plan expands into at most 500 calls."""

    summary: str | None = None
    """The agent's own words; approvers see them marked as such, below the calls."""


class PlanErrorsItem(Document):
    pointer: str
    """RFC 6901, into the submitted document."""

    code: str

    message: str

    line: int | None = None

    column: int | None = None

    suggestion: str | None = None


class PlanPage(Document):
    items: list[PlanSummary]

    next_cursor: str | None


class PlanPhase(Document):
    """Phases run in order. `batch_percent` is of the plan's distinct targets; a batch has at least
    one target. `wait_seconds` passes after each batch, before its health checks.
    """

    name: str
    """A name of its own within the plan."""

    targets: list[str]
    """The targets that the phase changes; empty if its tools touch none."""

    steps: list[PlanStep]
    """The calls of each batch, in order."""

    canary: bool = False
    """Tried first on few targets: at most 20 percent of all in production."""

    batch_percent: float = 100
    """The size of a batch, in percent of the plan's distinct targets; at least one target."""

    wait_seconds: int = 0
    """The wait after each batch, before its health checks."""

    health_checks: list[HealthCheck] = []
    """Calls after each batch."""

    rollback_if: str | None = None
    """Rolls the run back if it holds after a batch, `web.error_rate > 0.05 or web.unhealthy >= 1`.
    Production changes need one.
    """


class PlanRequestDetail(Document):
    id: str
    """A UUID in lower case."""

    subject: AskedPlan

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]

    closed_reason: PlanRequestDetailClosedReason | None

    headline: str
    """The effect of the plan or call in one line."""

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """The level of the riskiest tool that would run."""

    claim: Claim | None
    """The person who looks at it now."""

    binding: ApprovalBinding

    binding_digest: str

    decision: Decision
    """The reason why people are asked."""

    autonomy_line: AutonomyLine | None
    """The path of the mode of the decision, in the revision then in force."""

    decision_id: str
    """A UUID in lower case."""

    bundle_revision: str

    autonomy_revision_id: str | None

    requester: PlanRequestDetailRequester

    excluded: list[PlanRequestDetailExcludedItem]
    """The people who can never review it."""

    quorum: Quorum
    """Each slot takes a number of distinct people; nobody fills two."""

    start: Known[Literal["on_approval", "manual", "at"]]

    start_at: datetime | None

    start_after: datetime | None
    """Until when a freeze holds back the start that comes by itself."""

    opened_at: datetime
    """ISO 8601, UTC."""

    expires_at: datetime
    """ISO 8601, UTC."""

    approved_at: datetime | None

    approval_expires_at: datetime | None

    closed_at: datetime | None

    seconds_left: int | None
    """To decide while open, to start while approved."""

    environment: PlanRequestDetailEnvironment

    reviews: list[Review]

    may_review: PlanRequestDetailMayReview
    """The decision of policy if the reader approved now."""

    ways_to_a_vote: str | None
    """How people get a vote of their own; null if no shared vote keeps anybody from this request.
    """

    could_approve: ReviewerCount | None
    """The people who could approve now; null once it is closed."""

    changed_since_opened: list[PlanRequestDetailChangedSinceOpenedItem]
    """Bound things that have changed: a review would void the request."""

    revision: int

    said_by_the_requester: PlanRequestDetailSaidByTheRequester
    """The requester's own words. They decide nothing, and nothing here is checked against them."""

    description: PlanDescription
    """The calls, as people are shown them."""

    plan: ExpandedPlan

    simulation: PlanRequestDetailSimulation | None

    changes_asked: list[ChangesAsked]
    """The changes that people asked for of earlier revisions, the earliest first."""

    replaces: PlanRequestDetailReplaces | None
    """The closed request that this one replaces."""

    replaced_by: PlanRequestDetailReplacedBy | None
    """The request that took the place of this one, which was closed without a run."""

    changes_since_my_review: PlanRequestDetailChangesSinceMyReview | None
    """The differences from the plan that the reader approved last for this task; null if they
    approved none.
    """

    escalation: PlanRequestDetailEscalation | None
    """The destination of further people, if the autonomy document has them told of it."""


class PlanRequestDetailChangedSinceOpenedItem(Document):
    member: str

    names: list[str]


class PlanRequestDetailChangesSinceMyReview(Document):
    request_id: str
    """A UUID in lower case."""

    approved_at: datetime
    """ISO 8601, UTC."""

    bound: list[PlanRequestDetailChangesSinceMyReviewBoundItem]

    document: list[ValueChange]

    calls: list[PlanRequestDetailChangesSinceMyReviewCallsItem] | None
    """Null if one of the two could not be expanded."""

    in_words: list[ChangeInWords]
    """The same for people: each difference once, by phase."""

    targets: PlanRequestDetailChangesSinceMyReviewTargets


class PlanRequestDetailChangesSinceMyReviewBoundItem(Document):
    member: str

    names: list[str]


class PlanRequestDetailChangesSinceMyReviewCallsItem(Document):
    kind: Known[Literal["added", "removed", "changed"]]

    phase: str

    step_id: str

    targets: list[str]

    seq_before: int | None

    seq_after: int | None

    changes: list[ValueChange]


class PlanRequestDetailChangesSinceMyReviewTargets(Document):
    added: list[str]

    removed: list[str]


class PlanRequestDetailClosedReason(Document):
    code: str

    message: str

    details: dict[str, list[str] | str] | None = None


class PlanRequestDetailEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str

    production: bool


class PlanRequestDetailEscalation(Document):
    at: datetime
    """ISO 8601, UTC."""

    roles: list[str]
    """People with these roles are told. The roles give no right to review."""

    told: bool


class PlanRequestDetailExcludedItem(Document):
    person_id: str
    """A UUID in lower case."""

    why: Known[Literal["submitter", "on_behalf_of", "owner", "changed", "same_hand"]]

    shares_with: str | None = None
    """For same_hand: the other person of the shared vote."""


class PlanRequestDetailMayReview(Document):
    """The decision of policy if the reader approved now."""

    outcome: Known[Literal["allow", "deny"]]

    reasons: list[Reason]

    action: str | None
    """The next action of the reader if their approval is refused or would not count."""

    shares_vote_with: list[PlanRequestDetailMayReviewSharesVoteWithItem]
    """The approvers who have one vote together with the reader: a second one would not count."""


class PlanRequestDetailMayReviewSharesVoteWithItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class PlanRequestDetailReplacedBy(Document):
    request_id: str
    """A UUID in lower case."""

    revision: int

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]


class PlanRequestDetailReplaces(Document):
    request_id: str
    """A UUID in lower case."""

    revision: int

    state: Known[Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"]]


class PlanRequestDetailRequester(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    on_behalf_of: str | None


class PlanRequestDetailSaidByTheRequester(Document):
    """The requester's own words. They decide nothing, and nothing here is checked against them."""

    goal: str

    words: list[str]
    """The plan in the agent's own words, for people. They decide nothing."""


class PlanRequestDetailSimulation(Document):
    id: str
    """A UUID in lower case."""

    state: Known[Literal["pending", "running", "succeeded", "failed", "stale"]]

    digest: str

    result: PlanSimulationResult


class PlanSimulationResult(Document):
    affected_assets: int

    estimated_duration_minutes: float

    predicted_risk: Known[Literal["low", "medium", "high", "critical"]]

    health_check_points: list[str]

    details: SimulationDetails


class PlanStep(Document):
    id: str
    """A name of its own within the plan; errors and evidence use it."""

    tool: str
    """A tool of the catalog."""

    arguments: ToolArguments
    """Checked against the tool's parameters. `{$batch: targets}` becomes the targets of the batch;
    `{$batch: target}` makes one call for each target; `{$secret: name@version}` is resolved at
    dispatch.
    """

    on_failure: Known[Literal["pause", "rollback", "retry"]] = "pause"
    """pause: a person decides; rollback: the calls so far are undone; retry: the call is tried
    again, if its tool is idempotent.
    """

    compensate_with: Compensation | None = None
    """The call that undoes a step when the run rolls back."""


class PlanSummary(Document):
    id: str
    """A UUID in lower case."""

    task_id: str
    """A UUID in lower case."""

    revision: int

    state: Known[Literal["draft", "invalid", "validated", "superseded", "withdrawn"]]
    """Of the revision itself."""

    status: Known[Literal["draft", "invalid", "validated", "simulated", "awaiting_approval", "approved", "rejected", "changes_requested", "expired", "executing", "executed", "superseded", "withdrawn"]]
    """Its status, from simulation, approval, run and the clock."""

    digest: str | None
    """Of `expanded`: people approve this digest. Null if the plan could not be expanded."""

    headline: str | None
    """The plan in one line; null if there is no valid plan."""

    plan_risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """The level of the plan's riskiest tool."""

    submitted_by: Submitter

    created_at: datetime
    """ISO 8601, UTC."""

    updated_at: datetime
    """ISO 8601, UTC."""


class PossibleReviewers(Document):
    """Empty once the request is closed."""

    items: list[PossibleReviewersItem]

    more: int
    """How many further people could."""


class PossibleReviewersItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str

    known_by: list[str]
    """In words, how they are known."""


class Precedent(Document):
    id: str | None
    """Null for agents, except of their own."""

    request_id: str | None
    """Null for agents, except of their own."""

    run_id: str | None
    """Null for agents, except of their own."""

    incident_id: str | None
    """The break-glass incident of the run, once it is resolved. Null for agents, except of their
    own.
    """

    subject: PrecedentSubject

    task_id: str | None
    """Null for agents, except of their own."""

    environment: PrecedentEnvironment

    tools: list[str]

    argument_keys: list[str]

    targets: list[str]
    """The first 200, in order. An agent sees only those of others that its question names."""

    target_count: int

    phases: Known[Literal["all", "canary", "promotion"]] | None

    headline: str | None
    """Null for agents, except of their own; null after it was erased."""

    goal: str | None
    """Null for agents, except in their own words; null after it was erased."""

    submitted_by: str | None

    approved_by: list[PrecedentApprovedByItem]
    """By the names they have now. Empty for agents."""

    ended_as: str
    """The last state of the run or the call, else of the request."""

    ending: Known[Literal["good", "bad", "refused", "lapsed"]]
    """bad: it failed, was rolled back, or left an unknown effect, or was cancelled after a change.
    refused: people rejected it. lapsed: it came to nothing.
    """

    unknown_effects: int

    because: str | None
    """The reason for its end. Null for agents."""

    opened_at: datetime
    """ISO 8601, UTC."""

    ended_at: datetime
    """ISO 8601, UTC."""

    erased: bool
    """Whether the retention rule erased its words."""

    equal: list[str]
    """The facts that it has in common with the question."""

    different: list[str]
    """The facts that differ."""

    ranks: PrecedentRanks
    """Its rank in each ranking that found it: words, structure, similar ids or spellings, and
    meaning.
    """


class PrecedentApprovedByItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class PrecedentEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class PrecedentList(Document):
    """Earlier requests and runs. History, never authority: nothing is approved by it."""

    items: list[Precedent]
    """Bad outcomes first, then the best match."""

    line: str | None
    """The past of the same tools, environment and argument keys; null if the question leaves any of
    these open.
    """

    searched_by: str
    """How it was searched: words and structure; with an embedder that answers in time, words,
    structure and meaning.
    """


class PrecedentRanks(Document):
    """Its rank in each ranking that found it: words, structure, similar ids or spellings, and
    meaning.
    """

    words: int | None

    structure: int | None

    near: int | None

    meaning: int | None


class PrecedentSubject(Document):
    type: Known[Literal["plan", "tool_call"]]

    id: str | None
    """Null for agents, except of their own."""


class Problem(Document):
    type: str
    """urn:countersign:problem:<code>"""

    title: str

    status: int

    detail: str

    code: str
    """Stable; programs decide by it."""

    instance: str
    """The request id, as urn:countersign:request:<id>."""

    action: str | None = None
    """The next action, for people."""

    details: ProblemDetails | None = None

    errors: list[ProblemErrorsItem] | None = None

    reasons: list[ProblemReasonsItem] | None = None


class ProblemDetails(OpenDocument):
    route: str | None = None
    """The route by which a program does the next action, or reads the facts for it."""

    what: str | None = None
    """Of `change.reason_missing`: the change in one line."""

    loosens: list[str] | None = None
    """Of `change.reason_missing`: the guardrails that the change loosens, in words."""

    plans: list[str] | None = None
    """Of `tool.in_use`: the live plans that use the tools."""

    tool_call_id: str | None = None
    """Of `tool_call.already_pending`: the same call, which waits for a person."""

    done: list[ConfigurationChange] | None = None
    """Of a refused document: the changes before the refused one, which were made."""


class ProblemErrorsItem(Document):
    pointer: str
    """RFC 6901, into the submitted document."""

    code: str

    message: str

    line: int | None = None

    column: int | None = None

    suggestion: str | None = None


class ProblemReasonsItem(Document):
    code: str

    message: str

    rule: str

    details: ProblemReasonsItemDetails | None = None


class ProblemReasonsItemDetails(Document):
    until: datetime
    """Of `freeze.active`: the end of the freeze, UTC."""


class ProductionChange(Document):
    run_id: str
    """A UUID in lower case."""

    plan_id: str
    """A UUID in lower case."""

    task_id: str
    """A UUID in lower case."""

    occurred_at: datetime
    """ISO 8601, UTC."""

    started_at: datetime | None

    finished_at: datetime | None

    environment: str

    state: Known[Literal["queued", "executing", "paused", "rolling_back", "completed", "failed", "cancelled", "rolled_back", "rollback_failed"]]

    scope: Known[Literal["all", "canary", "promotion"]]

    exceptions: list[Known[Literal["break_glass", "without_approval", "rolled_back", "failed", "unknown_effect", "voided_approval"]]]

    tools: list[str]

    targets: int

    changing_calls: int
    """Calls that change something and were made."""

    requester: ProductionChangeRequester

    on_behalf_of: str | None
    """The person’s name."""

    approvers: list[ProductionChangeApproversItem]

    approval_request_id: str | None

    incident_id: str | None
    """The incident, if it was begun by break-glass."""

    plan_digest: str

    headline: str | None
    """The plan in one line; null if there is no valid plan."""

    goal: str
    """In the requester’s own words."""


class ProductionChangeApproversItem(Document):
    id: str
    """A UUID in lower case."""

    name: str

    at: datetime
    """ISO 8601, UTC."""


class ProductionChangeReport(Document):
    items: list[ProductionChange]

    next_cursor: str | None

    from_: datetime = Field(validation_alias="from", serialization_alias="from")
    """ISO 8601, UTC."""

    until: datetime
    """As it counts: never later than the moment of asking."""

    totals: ProductionChangeReportTotals
    """Of the whole period, not of this page."""


class ProductionChangeReportTotals(Document):
    """Of the whole period, not of this page."""

    runs: int
    """ordinary and exceptional, and the sum of by_state."""

    ordinary: int

    exceptional: int
    """Runs with at least one exception."""

    changing_calls: int

    by_state: list[ProductionChangeReportTotalsByStateItem]

    by_exception: list[ProductionChangeReportTotalsByExceptionItem]
    """A run may have several."""


class ProductionChangeReportTotalsByExceptionItem(Document):
    exception: Known[Literal["break_glass", "without_approval", "rolled_back", "failed", "unknown_effect", "voided_approval"]]

    runs: int


class ProductionChangeReportTotalsByStateItem(Document):
    state: Known[Literal["queued", "executing", "paused", "rolling_back", "completed", "failed", "cancelled", "rolled_back", "rollback_failed"]]

    runs: int


class ProductionChangeRequester(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    name: str


class ProvenAuditEntry(Document):
    header: AuditEntryHeader
    """The members that the log commits to."""

    salt: str | None
    """Hexadecimal; null once the payload was erased."""

    proof: ProvenAuditEntryProof | None
    """RFC 6962 section 2.1.1; null for the moment until the entry is sequenced."""

    payload: Any = None
    """Absent once it was erased under the retention rule."""


class ProvenAuditEntryProof(Document):
    epoch: int

    leaf_index: int

    inclusion: list[str]

    checkpoint: Checkpoint


class Quorum(Document):
    """Each slot takes a number of distinct people; nobody fills two."""

    complete: bool

    filled: list[QuorumFilledItem]

    open: list[QuorumOpenItem]


class QuorumFilledItem(Document):
    slot: int

    roles: list[str]
    """The roles that fill the slot."""

    as_: list[str] = Field(validation_alias="as", serialization_alias="as")
    """Those of them by which the person filled it."""

    person: QuorumFilledItemPerson


class QuorumFilledItemPerson(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class QuorumOpenItem(Document):
    slot: int

    roles: list[str]

    count: int


class ReadAutomation(Document):
    id: str
    """A UUID in lower case."""

    name: str

    environment: ReadAutomationEnvironment

    state: Known[Literal["proposed", "enabled", "paused", "disabled"]]

    revision: int

    source: str

    source_sha256: str

    author: Actor
    """The author of this revision."""

    owner_id: str | None
    """The person accountable for it; null before it was enabled."""

    agent_id: str | None
    """The agent that it acts as."""

    failures: int
    """Failed runs in a row."""

    next_at: datetime | None
    """The next time of its schedules; null unless enabled."""

    proposed_at: datetime
    """ISO 8601, UTC."""

    reading: AutomationReading | None
    """Null if this version cannot read the source."""


class ReadAutomationEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class Reason(Document):
    code: str

    message: str

    rule: str

    details: ReasonDetails | None = None


class ReasonDetails(Document):
    until: datetime
    """Of `freeze.active`: the end of the freeze, UTC."""


class RedeemedGrant(Document):
    claims: GrantClaims


class ReportAttemptFailed(Document):
    jti: str
    """A UUID in lower case."""

    arguments_digest: str

    outcome: Literal["failed"]

    effect: Known[Literal["not_started", "done"]]
    """`not_started` promises that nothing was changed."""

    error: ReportAttemptFailedError


class ReportAttemptFailedError(Document):
    code: str

    message: str


class ReportAttemptSucceeded(Document):
    jti: str
    """A UUID in lower case."""

    arguments_digest: str

    outcome: Literal["succeeded"]

    result: Any


class ReportAttemptUnknown(Document):
    jti: str
    """A UUID in lower case."""

    arguments_digest: str

    outcome: Literal["unknown"]

    error: ReportAttemptUnknownError


class ReportAttemptUnknownError(Document):
    code: str

    message: str


class Review(Document):
    id: str
    """A UUID in lower case."""

    request_id: str
    """A UUID in lower case."""

    person: ReviewPerson

    verdict: Known[Literal["approve", "reject", "request_changes"]]

    always: bool
    """Whether it holds for later calls of its shape in the session, too."""

    confirm_word: Literal["CONFIRM"] | None
    """The word that the reviewer typed; null if the request takes none, or they did not approve."""

    comment: str

    roles: list[str]
    """The roles that counted."""

    stands_in_for: ReviewStandsInFor | None
    """The person who delegated the roles; null: their own."""

    known_by: list[str]
    """The means by which the reviewer was known when they reviewed, in words."""

    shares_vote_with: list[ReviewSharesVoteWithItem]
    """The people who share one vote with the reviewer: together they count once."""

    subject_digest: str

    decision_id: str
    """A UUID in lower case."""

    created_at: datetime
    """ISO 8601, UTC."""

    replaced_at: datetime | None
    """When the same person reviewed again."""

    mfa_method: Known[Literal["passkey", "totp", "recovery_code"]] | None
    """How they proved a second factor; only a passkey signs. Null: not at all."""


class ReviewList(Document):
    items: list[Review]


class ReviewPerson(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class ReviewSharesVoteWithItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class ReviewStandsInFor(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class ReviewerCount(Document):
    enough: bool
    """Whether the people there are could give every approval that it takes."""

    needed: list[ReviewerCountNeededItem]

    missing: list[ReviewerCountMissingItem]
    """The slots that no reviewer can fill."""

    second_factor: bool
    """Whether an approval takes a second factor."""

    people: list[ReviewerCountPeopleItem]
    """The people who could approve and have not yet; a hundred at most."""

    warning: str | None
    """The reason why too few exist, and the way to get more; null if there are enough."""


class ReviewerCountMissingItem(Document):
    count: int

    roles: list[str]


class ReviewerCountNeededItem(Document):
    count: int

    roles: list[str]


class ReviewerCountPeopleItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class RoleAssignment(Document):
    role: str

    assigned_at: datetime
    """ISO 8601, UTC."""

    assigned_by: str | None

    assigned_by_issuer: str | None
    """The issuer that gives it by a claim."""


class Run(Document):
    id: str
    """A UUID in lower case."""

    task_id: str
    """A UUID in lower case."""

    plan_id: str
    """A UUID in lower case."""

    plan_digest: str

    headline: str | None
    """The plan in one line; null if there is no valid plan."""

    plan_risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """The level of the plan's riskiest tool."""

    environment_id: str
    """A UUID in lower case."""

    approval_request_id: str | None

    incident_id: str | None
    """The incident of the break-glass that it rests on; null for every other run."""

    simulation_id: str | None

    state: Known[Literal["queued", "executing", "paused", "rolling_back", "completed", "failed", "cancelled", "rolled_back", "rollback_failed"]]

    scope: Known[Literal["all", "canary", "promotion"]]
    """Which phases of the plan it executes."""

    requested: Known[Literal["pause", "cancel", "roll_back"]] | None
    """Asked for, and taken between steps."""

    reason: RunReason | None
    """The reason of its pause, or of its end."""

    rollback_reason: RunRollbackReason | None

    waiting_on: RunWaitingOn | None
    """The lock that a queued run waits for: a target, and the run that holds it."""

    wait_until: datetime | None

    pause_by: datetime | None
    """When it pauses by itself if it still goes forward; resuming it sets it anew."""

    outcome: RunOutcome | None

    started_by: Actor

    created_at: datetime
    """ISO 8601, UTC."""

    started_at: datetime | None

    finished_at: datetime | None


class RunDetail(Document):
    id: str
    """A UUID in lower case."""

    task_id: str
    """A UUID in lower case."""

    plan_id: str
    """A UUID in lower case."""

    plan_digest: str

    headline: str | None
    """The plan in one line; null if there is no valid plan."""

    plan_risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """The level of the plan's riskiest tool."""

    environment_id: str
    """A UUID in lower case."""

    approval_request_id: str | None

    incident_id: str | None
    """The incident of the break-glass that it rests on; null for every other run."""

    simulation_id: str | None

    state: Known[Literal["queued", "executing", "paused", "rolling_back", "completed", "failed", "cancelled", "rolled_back", "rollback_failed"]]

    scope: Known[Literal["all", "canary", "promotion"]]
    """Which phases of the plan it executes."""

    requested: Known[Literal["pause", "cancel", "roll_back"]] | None
    """Asked for, and taken between steps."""

    reason: RunDetailReason | None
    """The reason of its pause, or of its end."""

    rollback_reason: RunDetailRollbackReason | None

    waiting_on: RunDetailWaitingOn | None
    """The lock that a queued run waits for: a target, and the run that holds it."""

    wait_until: datetime | None

    pause_by: datetime | None
    """When it pauses by itself if it still goes forward; resuming it sets it anew."""

    outcome: RunDetailOutcome | None

    started_by: Actor

    created_at: datetime
    """ISO 8601, UTC."""

    started_at: datetime | None

    finished_at: datetime | None

    environment: str

    steps: list[RunStep]

    health: list[RunDetailHealthItem]

    explanation: Explanation | None
    """The decision at its start."""

    autonomy: EffectiveAutonomy
    """The mode it started under, and the line that it comes from."""

    predicted: RunDetailPredicted | None

    resume_refused: RunDetailResumeRefused | None
    """The refusal that a person would get who resumes it now; null for a run that is not paused."""


class RunDetailHealthItem(Document):
    phase_index: int

    batch_index: int

    health_round: int

    metrics: dict[str, float]

    condition: str | None

    verdict: Known[Literal["healthy", "roll_back", "unclear"]]

    explanation: str

    evaluated_at: datetime
    """ISO 8601, UTC."""


class RunDetailOutcome(Document):
    duration_minutes: float

    affected_assets: int

    calls: RunDetailOutcomeCalls

    not_undone: list[RunDetailOutcomeNotUndoneItem]


class RunDetailOutcomeCalls(Document):
    succeeded: int

    failed: int

    compensated: int

    not_started: int


class RunDetailOutcomeNotUndoneItem(Document):
    step_id: str

    seq: int

    tool: str

    why: Known[Literal["no_compensation", "compensation_failed", "failed_halfway", "not_rolled_back"]]


class RunDetailPredicted(Document):
    affected_assets: int

    estimated_duration_minutes: float

    predicted_risk: str


class RunDetailReason(Document):
    code: str

    message: str

    reasons: list[RunDetailReasonReasonsItem] | None = None

    details: dict[str, Any] | None = None


class RunDetailReasonReasonsItem(Document):
    code: str

    message: str

    rule: str

    details: RunDetailReasonReasonsItemDetails | None = None


class RunDetailReasonReasonsItemDetails(Document):
    until: datetime
    """Of `freeze.active`: the end of the freeze, UTC."""


class RunDetailResumeRefused(Document):
    code: str

    message: str

    action: str | None


class RunDetailRollbackReason(Document):
    code: str

    message: str

    reasons: list[RunDetailRollbackReasonReasonsItem] | None = None

    details: dict[str, Any] | None = None


class RunDetailRollbackReasonReasonsItem(Document):
    code: str

    message: str

    rule: str

    details: RunDetailRollbackReasonReasonsItemDetails | None = None


class RunDetailRollbackReasonReasonsItemDetails(Document):
    until: datetime
    """Of `freeze.active`: the end of the freeze, UTC."""


class RunDetailWaitingOn(Document):
    target: str

    run_id: str
    """A UUID in lower case."""


class RunEvent(Document):
    seq: int
    """Counts from 1 within the run; the id of the server-sent event."""

    type: str

    actor: Actor

    data: dict[str, Any]

    at: datetime
    """ISO 8601, UTC."""


class RunEventPage(Document):
    items: list[RunEvent]

    next_cursor: str | None


class RunOutcome(Document):
    duration_minutes: float

    affected_assets: int

    calls: RunOutcomeCalls

    not_undone: list[RunOutcomeNotUndoneItem]


class RunOutcomeCalls(Document):
    succeeded: int

    failed: int

    compensated: int

    not_started: int


class RunOutcomeNotUndoneItem(Document):
    step_id: str

    seq: int

    tool: str

    why: Known[Literal["no_compensation", "compensation_failed", "failed_halfway", "not_rolled_back"]]


class RunPage(Document):
    items: list[Run]

    next_cursor: str | None


class RunReason(Document):
    code: str

    message: str

    reasons: list[RunReasonReasonsItem] | None = None

    details: dict[str, Any] | None = None


class RunReasonReasonsItem(Document):
    code: str

    message: str

    rule: str

    details: RunReasonReasonsItemDetails | None = None


class RunReasonReasonsItemDetails(Document):
    until: datetime
    """Of `freeze.active`: the end of the freeze, UTC."""


class RunRollbackReason(Document):
    code: str

    message: str

    reasons: list[RunRollbackReasonReasonsItem] | None = None

    details: dict[str, Any] | None = None


class RunRollbackReasonReasonsItem(Document):
    code: str

    message: str

    rule: str

    details: RunRollbackReasonReasonsItemDetails | None = None


class RunRollbackReasonReasonsItemDetails(Document):
    until: datetime
    """Of `freeze.active`: the end of the freeze, UTC."""


class RunStep(Document):
    id: str
    """A UUID in lower case."""

    kind: Known[Literal["call", "health_check"]]

    phase_index: int

    batch_index: int

    seq: int

    step_id: str

    health_round: int

    tool: str

    idempotent: bool

    compensable: bool

    on_failure: Known[Literal["pause", "rollback", "retry"]]

    state: Known[Literal["pending", "dispatched", "succeeded", "failed", "unknown", "compensating", "compensated", "compensation_failed"]]

    unknown_of: Known[Literal["call", "compensation"]] | None

    resolved_as: Known[Literal["happened", "did_not"]] | None

    error: RunStepError | None

    attempts: list[StepAttempt]


class RunStepError(Document):
    code: str

    message: str


class RunWaitingOn(Document):
    target: str

    run_id: str
    """A UUID in lower case."""


class RunWork(Document):
    items: list[RunWorkItem]


class RunWorkItem(Document):
    attempt_id: str
    """A UUID in lower case."""

    run_step_id: str
    """A UUID in lower case."""

    step_id: str

    purpose: Known[Literal["call", "compensation"]]

    number: int

    tool: str

    arguments: dict[str, Any]

    arguments_digest: str

    targets: list[str]

    idempotency_key: str

    grant: str = Field(repr=False)
    """Its jti is the attempt’s id. Asked for again, it is the same."""

    grant_expires_at: datetime
    """ISO 8601, UTC."""

    lease_until: datetime
    """Until when a report counts."""


class Runner(Document):
    id: str
    """A UUID in lower case."""

    name: str

    pool: str

    environments: list[str]
    """The environments that it was added for."""

    works_in: list[str] | None

    state: Known[Literal["invited", "online", "offline", "revoked"]]
    """invited: no machine has exchanged its token. offline: it has not called for a minute."""

    version: str | None

    tools: list[AdvertisedTool]
    """The tools that it says it has. Risk comes from the catalog alone: a tool that is not there is
    denied.
    """

    hooks: list[str]
    """The names of the programs that its operator lists for lifecycle hooks."""

    mcp_servers: list[RunnerMcpServersItem]
    """The MCP servers that its operator lists, each with the number of its tools."""

    no_way_back: str | None
    """The reason why it takes no snapshot of its whole workspace before a command line. Null: it
    does.
    """

    created_at: datetime
    """ISO 8601, UTC."""

    enrolled_at: datetime | None

    last_seen_at: datetime | None

    revoked_at: datetime | None


class RunnerList(Document):
    items: list[Runner]


class RunnerMcpServersItem(Document):
    name: str

    tools: int

    problem: str | None


class SafeList(Document):
    items: list[SafeListEntry]


class SafeListEntry(Document):
    id: str
    """A UUID in lower case."""

    tool: str

    version: int

    digest: str

    effect: Known[Literal["read", "modify", "destructive"]]

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]

    counts: bool
    """False if the tool has another version since, or was removed."""

    added_by: str
    """A UUID in lower case."""

    added_at: datetime
    """ISO 8601, UTC."""

    guarded: Literal[False] | None = None
    """Present if the change loosens and no other person could confirm it."""

    guardrail_warning: str | None = None

    role_warnings: list[str] | None = None
    """For each role that no document names, the role that was probably meant."""


class SafeTools(Document):
    environment: str

    items: list[TieredTool]


class SeenAutomationRun(Document):
    id: str
    """A UUID in lower case."""

    revision: int

    occurrence: str
    """The trigger, and its time or its id: cron:…, event:…, endpoint:…."""

    inputs: dict[str, float | bool | str]
    """The values that fill arguments of its steps."""

    due_at: datetime
    """ISO 8601, UTC."""

    state: Known[Literal["queued", "executing", "completed", "failed", "skipped"]]

    error: SeenAutomationRunError | None
    """The reason why it failed or was left out."""

    created_at: datetime
    """ISO 8601, UTC."""

    finished_at: datetime | None

    steps: list[SeenAutomationRunStepsItem]


class SeenAutomationRunError(Document):
    code: str

    message: str


class SeenAutomationRunStepsItem(Document):
    step: str

    type: Known[Literal["tool_action", "condition", "notify"]]

    state: Known[Literal["calling", "succeeded", "not_met", "failed", "blocked", "skipped"]]

    blocked: bool
    """Whether policies blocked it."""

    error: SeenAutomationRunStepsItemError | None

    tool_call_id: str | None

    started_at: datetime
    """ISO 8601, UTC."""

    finished_at: datetime | None


class SeenAutomationRunStepsItemError(Document):
    code: str

    message: str


class Session(Document):
    id: str
    """A UUID in lower case."""

    environment: SessionEnvironment

    agent_ids: list[str]

    preset: Known[Literal["tiers", "levels", "modes", "cautious"]] | None
    """The rules that say which calls ask a person. Null: the strictest of tiers and levels."""

    level: Known[Literal["FULL_AUTO", "SUPERVISED", "CAUTIOUS", "MANUAL"]]
    """Of the preset levels."""

    mode: Known[Literal["always-ask", "ask-on-write", "ask-on-external", "allow-safe-readonly"]]
    """Of the preset modes."""

    revision: int
    """Counts the changes of preset, level, mode and call_budget."""

    model: str | None

    idle_seconds: int
    """It ends after resting for so long, with no call in flight."""

    approval_seconds: int
    """How long a call waits for a person before it is denied."""

    calls_per_turn: int
    """The most tool calls of one turn, and the most in flight at once."""

    call_budget: int
    """The most tool calls of the whole session."""

    calls_made: int
    """Of `call_budget`; denied calls count."""

    state: Known[Literal["open", "ended"]]

    ended_reason: Known[Literal["closed", "cancelled", "idle"]] | None

    opened_by: Submitter

    opened_at: datetime
    """ISO 8601, UTC."""

    last_used_at: datetime
    """To ten seconds."""

    idle_at: datetime
    """When it ends unless it is used before, or a call of it is in flight then."""

    ended_at: datetime | None


class SessionCall(Document):
    id: str
    """A UUID in lower case."""

    tool: str

    tool_version: int

    submitter: Submitter

    client_call_id: str | None

    turn_id: str | None

    reason: str | None
    """The submitter’s own words, masked."""

    arguments: dict[str, Any]

    targets: list[str]

    risk: Known[Literal["low", "medium", "high", "critical"]]
    """Of a command line by its class, else of the tool. If the level of its paths is higher, it is
    that.
    """

    category: str
    """The kind of work, such as workspace-write."""

    impact: str
    """The effect in one line, from the call alone; while it waits also if there is no way back."""

    command: str | None
    """The command line that it would execute; null without one."""

    shell: ShellVerdict | None
    """The verdict on the command line."""

    paths: PathVerdict | None
    """The verdict on the paths that it names."""

    state: Known[Literal["pending", "allowed", "denied", "executing", "succeeded", "failed", "unknown", "expired"]]

    decision: Known[Literal["auto_approved", "approved", "rejected", "trusted", "timeout", "denied", "cancelled"]] | None
    """Null while it is pending."""

    denial: SessionCallDenial | None
    """The reason for its denial, if not by policy."""

    decision_id: str
    """The policy decision, with its reasons."""

    request_id: str | None
    """The approval request, if people are asked."""

    asked_at: datetime
    """ISO 8601, UTC."""

    answer_by: datetime | None
    """Without an answer until then it is denied."""

    decided_at: datetime | None

    executor: str | None
    """Null if the agent executes."""

    result: Any

    error: SessionCallError | None
    """The reason of its failure, or the reason that its outcome is unknown."""

    finished_at: datetime | None


class SessionCallDenial(Document):
    code: str

    message: str


class SessionCallError(Document):
    code: str

    message: str


class SessionCallList(Document):
    items: list[SessionCall]

    next_cursor: str | None


class SessionEnvironment(Document):
    id: str
    """A UUID in lower case."""

    name: str


class SessionList(Document):
    items: list[Session]

    next_cursor: str | None


class SessionTrust(Document):
    id: str
    """A UUID in lower case."""

    tool: str

    shape: Any
    """Of a command line program, subcommand and flags; else the identity fields."""

    made_by: str
    """The person who said it."""

    made_at: datetime
    """ISO 8601, UTC."""

    revoked_at: datetime | None

    revoked_by: Actor | None


class SessionTrustList(Document):
    items: list[SessionTrust]

    next_cursor: str | None


class ShellVerdict(Document):
    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]
    """The shell that the verdict holds for."""

    tier: Known[Literal[1, 2, 3]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    allow_listed: Known[Literal["allowed", "after_approval", "blocked"]]
    """The verdict of the curated allow-list of a terminal."""

    network: bool
    """True if a command of the line may need a network."""

    parts: list[ShellVerdictPartsItem]


class ShellVerdictPartsItem(Document):
    start: int

    end: int

    program: str | None
    """Null for a part that is no command with a literal name."""

    tier: Known[Literal[1, 2, 3]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    reasons: list[ShellVerdictPartsItemReasonsItem]


class ShellVerdictPartsItemReasonsItem(Document):
    code: str

    message: str

    start: int

    end: int


class ShownArgument(Document):
    """As it is sent; a secret by its name."""

    name: str

    value: Any


class ShownHealthCheck(Document):
    name: str

    call: ShownHealthCheckCall
    """`targets_as` names arguments that hold the targets of the batch."""

    checks: list[ShownHealthCheckChecksItem]


class ShownHealthCheckCall(Document):
    """`targets_as` names arguments that hold the targets of the batch."""

    tool: ShownTool

    shell: ShownLine | None
    """The command line; null if the tool takes none."""

    paths: PathVerdict | None
    """If they make the calls graver than the tool says; else null."""

    arguments: list[ShownArgument]
    """The other arguments, the same in every call."""

    targets_as: list[str]
    """Names of arguments that hold exactly the call's targets."""


class ShownHealthCheckChecksItem(Document):
    batch: int

    targets: list[str]

    arguments: list[ShownArgument]


class ShownLine(Document):
    """A command line and its verdict; approvals bind tier, class and tree."""

    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]
    """The shell that the verdict holds for."""

    tier: Known[Literal[1, 2, 3]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    parts: list[ShownLinePartsItem]

    argument: str
    """JSON Pointer to the argument that is the command line."""

    command: str


class ShownLinePartsItem(Document):
    start: int

    end: int

    program: str | None
    """Null for a part that is no command with a literal name."""

    tier: Known[Literal[1, 2, 3]]

    class_: Known[Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"]] = Field(validation_alias="class", serialization_alias="class")

    reasons: list[ShownLinePartsItemReasonsItem]


class ShownLinePartsItemReasonsItem(Document):
    code: str

    message: str

    start: int

    end: int


class ShownPhase(Document):
    number: int

    name: str

    canary: bool

    batches: list[ShownPhaseBatchesItem]

    steps: list[ShownStep]

    wait_seconds: int
    """After each batch, before its health checks."""

    health_checks: list[ShownHealthCheck]

    rollback_if: str | None


class ShownPhaseBatchesItem(Document):
    number: int

    targets: list[str]


class ShownStep(Document):
    """Calls of one step that differ only as `calls` lists."""

    step_id: str

    on_failure: Known[Literal["pause", "rollback", "retry"]]

    call: ShownStepCall

    undo: ShownStepUndo | None
    """The call that undoes each; null if nothing does."""

    spread: Known[Literal["environment", "batch", "target", "listed"]]
    """One call for the environment, for each batch, for each target; or as `calls` lists them."""

    calls: list[ShownStepCallsItem]


class ShownStepCall(Document):
    tool: ShownTool

    shell: ShownLine | None
    """The command line; null if the tool takes none."""

    paths: PathVerdict | None
    """If they make the calls graver than the tool says; else null."""

    arguments: list[ShownArgument]
    """The other arguments, the same in every call."""

    targets_as: list[str]
    """Names of arguments that hold exactly the call's targets."""


class ShownStepCallsItem(Document):
    seq: int

    batch: int

    targets: list[str]

    arguments: list[ShownArgument]
    """In which it differs from the others of its group."""

    undo_targets: list[str] | None
    """If they are not those of the call; else null."""

    undo_arguments: list[ShownArgument]


class ShownStepUndo(Document):
    tool: ShownTool

    shell: ShownLine | None
    """The command line; null if the tool takes none."""

    paths: PathVerdict | None
    """If they make the calls graver than the tool says; else null."""

    arguments: list[ShownArgument]
    """The other arguments, the same in every call."""

    targets_as: list[str]
    """Names of arguments that hold exactly the call's targets."""


class ShownTool(Document):
    name: str

    version: int

    executor: str
    """The executor that the call is sent to."""

    risk: str
    """As the registry classifies the tool, or as its command line and paths are judged; `unknown`
    if the registry no longer says.
    """

    effect: str

    idempotent: bool


class SimulatedCall(Document):
    seq: int

    step_id: str

    tool: str

    tool_version: int

    targets: list[str]

    simulation: Known[Literal["done", "not_applicable"]]

    simulated_by: SimulatedCallSimulatedBy | None

    affected_assets: int | None

    estimated_duration_minutes: float | None

    predicted_risk: Known[Literal["low", "medium", "high", "critical"]]

    details: Any


class SimulatedCallSimulatedBy(Document):
    name: str

    version: int

    digest: str


class Simulation(Document):
    id: str
    """A UUID in lower case."""

    plan_id: str
    """A UUID in lower case."""

    plan_digest: str
    """Of exactly the expanded plan that is simulated."""

    state: Known[Literal["pending", "running", "succeeded", "failed", "stale"]]

    result: PlanSimulationResult | None

    digest: str | None
    """Of the result; bound by an approval."""

    failure: SimulationFailure | None

    stale_reason: SimulationStaleReason | None

    requested_by: Submitter

    created_at: datetime
    """ISO 8601, UTC."""

    started_at: datetime | None

    finished_at: datetime | None

    expires_at: datetime | None
    """Until when a result counts, as the rules stood when it came."""


class SimulationAccuracy(Document):
    tools: list[SimulationAccuracyToolsItem]


class SimulationAccuracyToolsItem(Document):
    tool: str

    runs: int

    calls: int

    failed_calls: int

    predicted_assets: int

    actual_assets: int

    exact_runs: int
    """Runs with a number of assets that was predicted exactly."""

    predicted_minutes: float

    actual_minutes: float


class SimulationDetails(Document):
    calls: list[SimulatedCall]

    wait_minutes: float


class SimulationFailure(Document):
    code: str

    message: str


class SimulationPage(Document):
    items: list[Simulation]

    next_cursor: str | None


class SimulationStaleReason(Document):
    code: str

    message: str

    details: SimulationStaleReasonDetails | None = None
    """The run that touched the targets."""


class SimulationStaleReasonDetails(Document):
    """The run that touched the targets."""

    run_id: str
    """A UUID in lower case."""


class Standing(Document):
    known: bool
    """Whether they have a vote of their own."""

    known_by: list[StandingKnownByItem]

    shares_vote_with: list[StandingSharesVoteWithItem]
    """The people that let them in, until they are known otherwise."""


class StandingKnownByItem(Document):
    basis: Known[Literal["founder", "issuer", "mailed_invitation", "vouched", "operator", "token"]]

    words: str

    counts: bool

    at: datetime
    """ISO 8601, UTC."""


class StandingSharesVoteWithItem(Document):
    id: str
    """A UUID in lower case."""

    display_name: str


class StepAttempt(Document):
    id: str
    """A UUID in lower case."""

    purpose: Known[Literal["call", "compensation"]]

    number: int

    decision_id: str
    """A UUID in lower case."""

    executor: str

    executor_version: int

    unverified: bool
    """True if the agent carried it out and reported, unchecked."""

    arguments_digest: str

    targets: list[str]

    dispatched_at: datetime
    """ISO 8601, UTC."""

    finished_at: datetime | None

    outcome: Known[Literal["succeeded", "failed", "unknown"]] | None

    effect: Known[Literal["not_started", "done"]] | None

    result: Any

    error: StepAttemptError | None

    late_result: Any
    """An answer that came after the attempt was given up; decides nothing."""


class StepAttemptError(Document):
    code: str

    message: str


class SubjectRef(Document):
    type: str

    id: str


class Submitter(Document):
    kind: Known[Literal["agent", "person"]]

    id: str
    """A UUID in lower case."""

    on_behalf_of: str | None


class Task(Document):
    id: str
    """A UUID in lower case."""

    state: Known[Literal["created", "planned", "executing", "completed", "failed", "cancelled"]]

    spec: TaskSpec
    """The goal of an agent, and its limits. `timeout_minutes` bounds how long an approval request
    of this task stays open.
    """

    digest: str
    """Of the spec; bound by every approval."""

    headline: str | None
    """Its latest plan in one line; null before there is a valid one."""

    plan_risk: Known[Literal["low", "medium", "high", "critical"]] | None
    """The level of the plan's riskiest tool."""

    submitted_by: Submitter

    created_at: datetime
    """ISO 8601, UTC."""

    updated_at: datetime
    """ISO 8601, UTC."""


class TaskConstraints(Document):
    """Limits the task sets itself. They only tighten the tenant's."""

    canary_required: bool | None = None
    """The plan begins with a canary phase, also outside production."""

    max_batch_percent: int | None = None
    """The largest batch, in percent of the distinct targets."""

    rollback_trigger: str | None = None
    """A condition like rollback_if, joined with that of every phase."""


class TaskPage(Document):
    items: list[Task]

    next_cursor: str | None


class TaskSpec(Document):
    """The goal of an agent, and its limits. `timeout_minutes` bounds how long an approval request
    of this task stays open.
    """

    goal: str
    """The agent's own words; approvers see them marked as such."""

    task_type: str
    """The kind of work, for lists and reports: drift_remediation."""

    environment: str
    """The one environment that it is about."""

    scope: TaskSpecScope | None = None
    """How far the task reaches."""

    timeout_minutes: int = 60
    """How long an approval request of this task stays open."""

    constraints: TaskConstraints | None = None
    """Limits the task sets itself. They only tighten the tenant's."""

    agent: TaskSpecAgent | None = None
    """The model behind the agent, as it says; recorded, never believed."""


class TaskSpecAgent(Document):
    """The model behind the agent, as it says; recorded, never believed."""

    model: str
    """As its maker calls it."""

    version: str
    """Of the model or of the agent."""


class TaskSpecScope(Document):
    """How far the task reaches."""

    targets: list[str] | None = None
    """Its plans may change these targets and no others."""

    description: str | None = None
    """The scope in words."""


class TieredTool(Document):
    tool: str

    version: int

    tier: Known[Literal["read", "modify", "destructive"]]
    """Its effect: read, modify or destructive."""

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]

    safe: bool
    """Whether an automation may call it there now."""

    reasons: list[TieredToolReasonsItem]
    """The reasons why it is blocked; empty if it is safe."""


class TieredToolReasonsItem(Document):
    code: str

    message: str


class Tool(Document):
    id: str

    name: str

    version: int

    digest: str

    level: Known[Literal["low", "medium", "high", "critical"]]
    """Derived from risk, effect, surface and scope."""

    definition: ToolDefinition

    created_at: str

    created_by: str


class ToolCall(Document):
    id: str
    """A UUID in lower case."""

    session_id: str | None

    outcome: Known[Literal["pending", "allowed", "denied", "executing", "succeeded", "failed", "unknown", "expired"]]
    """Its state now. Only an `allowed` call may be taken up."""

    decided_as: Known[Literal["auto_approved", "approved", "rejected", "trusted", "timeout", "denied", "cancelled"]] | None
    """The decision word, as audit entries hold it; null while it is pending."""

    allowed_until: datetime | None

    request_id: str | None
    """The approval request, if people are or were asked."""

    expires_at: datetime | None
    """Until when people can answer about a pending call."""

    denial: ToolCallDenial | None
    """The reason for its denial, if not by policies. Without an answer:
    `tool_call.approval_timeout`.
    """

    reasons: list[Reason]
    """Of the policy decision."""

    obligations: Obligations

    effective: EffectiveAutonomy

    decision_id: str | None

    bundle_revision: str

    tool_version: int | None

    arguments_digest: str | None

    shell: ShellVerdict | None

    paths: PathVerdict | None

    errors: list[ToolCallErrorsItem]

    decided_at: datetime | None

    answered_by: Known[Literal["executor", "agent"]] | None
    """`executor`: Countersign sends the call. `agent`: you make it under `grant`, and report. Null
    without an executor.
    """

    execution: ToolCallExecution | None
    """Null before the call left."""

    no_grant: ToolCallNoGrant | None = None
    """The reason why an allowed call has no grant: `tool_call.no_executor`."""

    grant: str | None = Field(default=None, repr=False)
    """For the agent that makes the call. Its jti is the id of the call. Asked again, it is the
    same.
    """

    grant_expires_at: datetime | None = None
    """ISO 8601, UTC."""


class ToolCallDenial(Document):
    code: str

    message: str


class ToolCallErrorsItem(Document):
    pointer: str
    """RFC 6901, into the submitted document."""

    code: str

    message: str

    line: int | None = None

    column: int | None = None

    suggestion: str | None = None


class ToolCallExecution(Document):
    attempt: int

    dispatched_at: datetime
    """ISO 8601, UTC."""

    lease_until: datetime | None
    """Until when its answer is awaited; null after it."""

    finished_at: datetime | None

    unverified: bool
    """True if the agent makes it and reports, unchecked."""

    result: Any

    error: ToolCallExecutionError | None


class ToolCallExecutionError(Document):
    code: str

    message: str


class ToolCallNoGrant(Document):
    """The reason why an allowed call has no grant: `tool_call.no_executor`."""

    code: str

    message: str


class ToolDefinition(Document):
    name: str

    description: str

    risk: Known[Literal["read_only", "plan_only", "state_change_nonprod", "state_change_prod"]]

    idempotent: bool

    scope: Known[Literal["asset", "environment", "organization"]]

    effect: Known[Literal["read", "modify", "destructive"]]

    surface: Known[Literal["asset", "workspace", "git", "terminal", "network", "audio"]]

    parameters: dict[str, Any]
    """JSON Schema 2020-12 of type object; linear-time patterns only, no remote or recursive $ref.
    """

    requires_plan: bool

    requires_hitl: Known[Literal["never", "configurable", "always"]]

    simulated_by: str | None

    simulation: Known[Literal["required", "not_applicable"]]

    canary: bool

    identity_fields: list[str]

    executor: str

    time_limit_seconds: int

    result_schema: dict[str, Any] | None = None
    """JSON Schema 2020-12 of type object; linear-time patterns only, no remote or recursive $ref.
    """

    simulation_secrets: Literal[True] | None = None
    """Left out: its simulation is given no secret."""

    shell: ToolDefinitionShell | None = None
    """Left out: it takes no command line."""

    path_arguments: ToolDefinitionPathArguments | None = None
    """Left out: its calls are not judged by paths."""

    mcp: ToolDefinitionMcp | None = None
    """Left out: it is no tool of an MCP server."""


class ToolDefinitionMcp(Document):
    """Left out: it is no tool of an MCP server."""

    tool: str
    """Its name at the upstream server."""

    digest: str
    """Digest of the accepted definition."""


class ToolDefinitionPathArguments(Document):
    """Left out: its calls are not judged by paths."""

    reads: list[str]

    writes: list[str]


class ToolDefinitionShell(Document):
    """Left out: it takes no command line."""

    argument: str

    shell: Known[Literal["bash", "sh", "zsh", "unknown"]]


class ToolHistory(Document):
    """Newest first."""

    name: str

    removed: bool

    versions: list[Tool]


class ToolList(Document):
    tools: list[Tool]


class ValueChange(Document):
    pointer: str
    """Of a removed value into the revision before, else into the revision after."""

    kind: Known[Literal["added", "removed", "changed"]]

    before: Any = None

    after: Any = None


ApprovalRequestDetail: TypeAlias = Known[PlanRequestDetail | CallRequestDetail]
AskedSubject: TypeAlias = Known[AskedPlan | AskedCall]
InFlightCall: TypeAlias = Known[InFlightCallVariant1 | InFlightCallVariant2]
ListedRequest: TypeAlias = Known[ListedPlanRequest | ListedCallRequest]
ToolArguments: TypeAlias = dict[str, Any]
