"""The operations of the API. `npm run references` generates them from its OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

from . import models
from ._call import UNSET, Call, AsyncSender, Unset, members


class AsyncHealth:
    """Operation."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def live(
        self,
    ) -> models.Health:
        """The process runs. It checks no dependency, so that a broken database restarts nothing."""
        call = Call(
            "GET",
            "/health/live",
        )
        return await self._sender.send(models.Health, call)

    async def ready(
        self,
    ) -> models.Health:
        """The process can do its work: send it requests."""
        call = Call(
            "GET",
            "/health/ready",
        )
        return await self._sender.send(models.Health, call)


class AsyncDescription:
    """Description."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def schema(
        self,
        name: str,
    ) -> models.JsonSchema:
        """The JSON Schema of a document that people and agents write, for editors."""
        call = Call(
            "GET",
            "/v1/schemas/{name}",
            path={"name": name},
        )
        return await self._sender.send(models.JsonSchema, call)


class AsyncSignIn:
    """Identity."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def me(
        self,
    ) -> models.Me:
        """The owner of the credential, their tenant, and the scopes of the credential.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/me",
        )
        return await self._sender.send(models.Me, call)


class AsyncRoles:
    """People."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        *,
        name: str | None = None,
    ) -> models.KnownRoles:
        """The roles of the tenant, each with its sources. With `name`, a warning if that role has
        no source.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/roles",
            query={"name": name},
        )
        return await self._sender.send(models.KnownRoles, call)


class AsyncPeople:
    """People."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        without_issuer: bool | None = None,
    ) -> models.PersonPage:
        """The people of the tenant, with their roles; to an agent without their addresses.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            without_issuer: true: only people who are not disabled, and known by no issuer in
                service.
        """
        call = Call(
            "GET",
            "/v1/people",
            query={"limit": limit, "cursor": cursor, "without_issuer": without_issuer},
        )
        return await self._sender.send(models.PersonPage, call)

    async def get(
        self,
        id: str,
    ) -> models.Person:
        """A person, with their roles; to an agent without their address.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/people/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.Person, call)


class AsyncAgents:
    """Agents."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.AgentPage:
        """The agents of the tenant.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/agents",
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.AgentPage, call)

    async def get(
        self,
        id: str,
    ) -> models.Agent:
        """An agent.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/agents/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.Agent, call)

    async def reviewers(
        self,
        id: str,
    ) -> models.AgentReviewers:
        """The people who could approve requests of the agent in production, one vote a seat, and
        whether they are enough.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/agents/{id}/reviewers",
            path={"id": id},
        )
        return await self._sender.send(models.AgentReviewers, call)


class AsyncEnvironments:
    """Environments."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.EnvironmentPage:
        """The environments of the tenant, by name.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/environments",
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.EnvironmentPage, call)

    async def get(
        self,
        id: str,
    ) -> models.Environment:
        """An environment; its ETag is its version.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/environments/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.Environment, call)


class AsyncGrant:
    """Grants."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def redeem(
        self,
        *,
        grant: str,
        audience: str,
        environment: str,
        idempotency_key: str | None = None,
    ) -> models.RedeemedGrant:
        """Uses a grant up, for the tool server that received it; the grant itself is the
        credential. Succeeds exactly once.

        Args:
            grant: The value of the Countersign-Grant header, as it came.
            audience: The executor that the tool server knows itself to be.
            environment: The environment that the tool server works in; a grant of another one is
                refused.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/grants/redeem",
            body=members(
                {
                    "grant": grant,
                    "audience": audience,
                    "environment": environment,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.RedeemedGrant, call)

    async def keys(
        self,
    ) -> models.JsonWebKeySet:
        """The public keys that grants are signed with; a new one is published before it is used."""
        call = Call(
            "GET",
            "/.well-known/jwks.json",
        )
        return await self._sender.send(models.JsonWebKeySet, call)


class AsyncDecisionLog:
    """Decisions."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        task_id: str | None = None,
        plan_id: str | None = None,
        request_id: str | None = None,
        run_id: str | None = None,
    ) -> models.OpaDecisionPage:
        """The same decisions as OPA logs its own, newest first, for tools that read decision logs.

        Needs the scope ``audit``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            task_id: A UUID in lower case.
            plan_id: A UUID in lower case.
            request_id: A UUID in lower case.
            run_id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/decision-log",
            query={"limit": limit, "cursor": cursor, "task_id": task_id, "plan_id": plan_id, "request_id": request_id, "run_id": run_id},
        )
        return await self._sender.send(models.OpaDecisionPage, call)


class AsyncDecisions:
    """Decisions."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        task_id: str | None = None,
        plan_id: str | None = None,
        request_id: str | None = None,
        run_id: str | None = None,
    ) -> models.LoggedDecisionPage:
        """Recorded policy decisions about a task, plan, approval request or run, newest first.

        Needs the scope ``audit``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            task_id: A UUID in lower case.
            plan_id: A UUID in lower case.
            request_id: A UUID in lower case.
            run_id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/decisions",
            query={"limit": limit, "cursor": cursor, "task_id": task_id, "plan_id": plan_id, "request_id": request_id, "run_id": run_id},
        )
        return await self._sender.send(models.LoggedDecisionPage, call)

    async def get(
        self,
        id: str,
    ) -> models.LoggedDecision:
        """One decision: the question, with every fact that it rests on, and the answer.

        Needs the scope ``audit``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/decisions/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.LoggedDecision, call)


class AsyncSessionToolCalls:
    """Tool calls."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def submit(
        self,
        id: str,
        *,
        tool: str,
        arguments: Mapping[str, Any],
        client_call_id: str | None = None,
        turn_id: str | None = None,
        reason: str | None = None,
        wait_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.ToolCall:
        """Asks to make one tool call in a session, under its preset. Answers 201 with the outcome,
        a deny included.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            tool: The name of a tool of the registry.
            arguments: As the tool's parameters describe them.
            client_call_id: Your own name of the call. The same name with the same call gets the
                same answer.
            turn_id: The turn of the agent that the call belongs to.
            reason: Your reason for the call, in your own words.
            wait_seconds: Holds the answer for so long while the call is pending, or Countersign
                executes it.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/sessions/{id}/tool-calls",
            path={"id": id},
            query={"wait_seconds": wait_seconds},
            body=members(
                {
                    "tool": tool,
                    "arguments": arguments,
                    "client_call_id": client_call_id,
                    "turn_id": turn_id,
                    "reason": reason,
                },
            ),
            hold_seconds=wait_seconds or 0,
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ToolCall, call)


class AsyncSessionCalls:
    """Tool calls."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["pending"] | None = None,
    ) -> models.SessionCallList:
        """The calls of a session that policies were asked about, newest first, each with its
        outcome.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            state: Only the calls that wait for people.
        """
        call = Call(
            "GET",
            "/v1/sessions/{id}/tool-calls",
            path={"id": id},
            query={"limit": limit, "cursor": cursor, "state": state},
        )
        return await self._sender.send(models.SessionCallList, call)


class AsyncShell:
    """Shell."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def classify(
        self,
        *,
        command: str,
        shell: Literal["bash", "sh", "zsh", "unknown"] | None = None,
        idempotency_key: str | None = None,
    ) -> models.ShellVerdict:
        """The verdict on a command line: its tier, its class, and each part with its reasons and
        its place. Executes nothing.

        Needs the scope ``read``.

        Args:
            command: The command line. It is not executed.
            shell: The shell that would read it. `unknown` is judged as bash, zsh and sh at once,
                the worst counting.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/shell/classify",
            body=members(
                {
                    "command": command,
                    "shell": shell,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ShellVerdict, call)


class AsyncToolCallOutput:
    """Tool calls."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def read(
        self,
        id: str,
        *,
        after: int | None = None,
    ) -> models.CallOutput:
        """The output of a call on a runner or with its agent, while it arrives and afterwards.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            after: The number of the last chunk that you have.
        """
        call = Call(
            "GET",
            "/v1/tool-calls/{id}/output",
            path={"id": id},
            query={"after": after},
        )
        return await self._sender.send(models.CallOutput, call)

    async def append(
        self,
        id: str,
        *,
        first_seq: int,
        chunks: Sequence[models.AppendCallOutputChunksItem | Mapping[str, Any]],
        idempotency_key: str | None = None,
    ) -> models.KeptOutput:
        """Appends output of a call that the agent makes itself.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            first_seq: The number of the first chunk, from 1. Chunks that were kept before are
                ignored.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tool-calls/{id}/output",
            path={"id": id},
            body=members(
                {
                    "first_seq": first_seq,
                    "chunks": chunks,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.KeptOutput, call)


class AsyncToolCalls:
    """Tool calls."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def submit(
        self,
        *,
        tool: str,
        environment: str,
        arguments: Mapping[str, Any],
        client_call_id: str | None = None,
        turn_id: str | None = None,
        reason: str | None = None,
        wait_seconds: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.ToolCall:
        """Asks to make one tool call now, without a plan. Answers 201 with the outcome, a deny
        included.

        Needs the scope ``run``.

        Args:
            tool: The name of a tool of the registry.
            environment: The name of the environment it is aimed at.
            arguments: As the tool's parameters describe them.
            client_call_id: Your own name of the call. The same name with the same call gets the
                same answer.
            turn_id: The turn of the agent that the call belongs to.
            reason: Your reason for the call, in your own words.
            wait_seconds: Holds the answer for so long while the call is pending, or Countersign
                executes it.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tool-calls",
            query={"wait_seconds": wait_seconds},
            body=members(
                {
                    "tool": tool,
                    "environment": environment,
                    "arguments": arguments,
                    "client_call_id": client_call_id,
                    "turn_id": turn_id,
                    "reason": reason,
                },
            ),
            hold_seconds=wait_seconds or 0,
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ToolCall, call)

    async def get(
        self,
        id: str,
        *,
        wait_seconds: int | None = None,
    ) -> models.ToolCall:
        """One call with its answer, or its outcome.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            wait_seconds: Holds the answer for so long while the call is pending, or Countersign
                executes it.
        """
        call = Call(
            "GET",
            "/v1/tool-calls/{id}",
            path={"id": id},
            query={"wait_seconds": wait_seconds},
            hold_seconds=wait_seconds or 0,
        )
        return await self._sender.send(models.ToolCall, call)

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ToolCall:
        """Takes a call back that is pending, or allowed and not taken up.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tool-calls/{id}/cancel",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ToolCall, call)

    async def report(
        self,
        id: str,
        body: models.ReportAttemptSucceeded | models.ReportAttemptFailed | models.ReportAttemptUnknown | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> models.ToolCall:
        """Reports the result of a call that the agent made itself; shown as unverified.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            body: Names the grant (its jti) and the arguments that were acted on.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tool-calls/{id}/result",
            path={"id": id},
            body=body,
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ToolCall, call)


class AsyncAudit:
    """Audit."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        actor_id: str | None = None,
        subject_id: str | None = None,
        tool: str | None = None,
        outcome: Literal["allow", "require_approval", "deny"] | None = None,
        level: Literal["basic", "detailed", "full", "full_with_evidence", "critical"] | None = None,
        session_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        agent_id: str | None = None,
        command_lines: bool | None = None,
        decision: Literal["auto_approved", "approved", "rejected", "trusted", "timeout", "denied", "cancelled"] | None = None,
        tier: float | None = None,
        class_: Literal["READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"] | None = None,
    ) -> models.CallDecisionPage:
        """Decisions on single tool calls, newest first, by session, agent, tool, tier and class of
        the command line, or decision.

        Needs the scope ``audit``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            tool: Calls of this tool.
            outcome: Of the entry’s decision.
            session_id: A UUID in lower case.
            from_: Inclusive.
            until: Exclusive.
            agent_id: Calls that this agent asked for.
            command_lines: Calls with a command line alone.
            decision: The decision word.
            tier: Command lines of this tier, 1 to 3.
            class_: Command lines of this class.
        """
        call = Call(
            "GET",
            "/v1/audit",
            query={"limit": limit, "cursor": cursor, "actor_id": actor_id, "subject_id": subject_id, "tool": tool, "outcome": outcome, "level": level, "session_id": session_id, "from": from_, "until": until, "agent_id": agent_id, "command_lines": command_lines, "decision": decision, "tier": tier, "class": class_},
        )
        return await self._sender.send(models.CallDecisionPage, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        actor_id: str | None = None,
        subject_type: str | None = None,
        subject_id: str | None = None,
        tool: str | None = None,
        outcome: Literal["allow", "require_approval", "deny"] | None = None,
        level: Literal["basic", "detailed", "full", "full_with_evidence", "critical"] | None = None,
        action: str | None = None,
        task_id: str | None = None,
        plan_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> models.AuditEntryPage:
        """Entries by time, actor, subject, action, level, tool, outcome of the decision, task, plan
        or session, newest first.

        Needs the scope ``audit``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            tool: Of the tool, and of every plan that calls it.
            outcome: Of the entry’s decision.
            task_id: A UUID in lower case.
            plan_id: A UUID in lower case.
            run_id: A UUID in lower case.
            session_id: A UUID in lower case.
            from_: Inclusive.
            until: Exclusive.
        """
        call = Call(
            "GET",
            "/v1/audit/entries",
            query={"limit": limit, "cursor": cursor, "actor_id": actor_id, "subject_type": subject_type, "subject_id": subject_id, "tool": tool, "outcome": outcome, "level": level, "action": action, "task_id": task_id, "plan_id": plan_id, "run_id": run_id, "session_id": session_id, "from": from_, "until": until},
        )
        return await self._sender.send(models.AuditEntryPage, call)

    async def actions(
        self,
    ) -> models.AuditActionList:
        """The actions that the log holds entries of, to choose from.

        Needs the scope ``audit``.
        """
        call = Call(
            "GET",
            "/v1/audit/actions",
        )
        return await self._sender.send(models.AuditActionList, call)

    async def export(
        self,
        *,
        format: Literal["csv", "jsonl"],
        actor_id: str | None = None,
        subject_type: str | None = None,
        subject_id: str | None = None,
        tool: str | None = None,
        outcome: Literal["allow", "require_approval", "deny"] | None = None,
        level: Literal["basic", "detailed", "full", "full_with_evidence", "critical"] | None = None,
        action: str | None = None,
        task_id: str | None = None,
        plan_id: str | None = None,
        run_id: str | None = None,
        session_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> str:
        """Every entry that the filters find, newest first, as CSV or as JSON, one a line; 100,000
        at most.

        Needs the scope ``audit``.

        Args:
            format: `csv`, or `jsonl`: an entry a line.
            tool: Of the tool, and of every plan that calls it.
            outcome: Of the entry’s decision.
            task_id: A UUID in lower case.
            plan_id: A UUID in lower case.
            run_id: A UUID in lower case.
            session_id: A UUID in lower case.
            from_: Inclusive.
            until: Exclusive.
        """
        call = Call(
            "GET",
            "/v1/audit/export",
            query={"format": format, "actor_id": actor_id, "subject_type": subject_type, "subject_id": subject_id, "tool": tool, "outcome": outcome, "level": level, "action": action, "task_id": task_id, "plan_id": plan_id, "run_id": run_id, "session_id": session_id, "from": from_, "until": until},
        )
        return await self._sender.send(str, call)

    async def get(
        self,
        id: str,
    ) -> models.ProvenAuditEntry:
        """One entry, with the proof that the log holds it.

        Needs the scope ``audit``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/audit/entries/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.ProvenAuditEntry, call)

    async def checkpoint(
        self,
    ) -> models.Checkpoint:
        """The latest signed checkpoint. Keep one outside: a database that is restored or rewritten
        cannot match it.

        Needs the scope ``audit``.
        """
        call = Call(
            "GET",
            "/v1/audit/checkpoint",
        )
        return await self._sender.send(models.Checkpoint, call)

    async def consistency(
        self,
        *,
        epoch: int,
        first: int,
        second: int | None = None,
    ) -> models.ConsistencyProof:
        """A proof that the log only grew between two sizes.

        Needs the scope ``audit``.
        """
        call = Call(
            "GET",
            "/v1/audit/consistency",
            query={"epoch": epoch, "first": first, "second": second},
        )
        return await self._sender.send(models.ConsistencyProof, call)

    async def keys(
        self,
    ) -> models.AuditKeyList:
        """The public keys that checkpoints are signed with, past ones too.

        Needs the scope ``audit``.
        """
        call = Call(
            "GET",
            "/v1/audit/keys",
        )
        return await self._sender.send(models.AuditKeyList, call)


class AsyncAuditRetention:
    """Audit."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
    ) -> models.AuditRetention:
        """The time for which payloads are kept, by audit level. Headers and proofs stay for ever.

        Needs the scope ``audit``.
        """
        call = Call(
            "GET",
            "/v1/audit/retention",
        )
        return await self._sender.send(models.AuditRetention, call)


class AsyncEvidence:
    """Audit."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def assemble(
        self,
        id: str,
        *,
        held: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """The proof of the plan, its decisions, approvals and calls, as one file that is checked
        offline.

        Needs the scope ``audit``.

        Args:
            id: A UUID in lower case.
            held: Checkpoint notes you hold: the pack then proves that the log only grew since.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/plans/{id}/evidence",
            path={"id": id},
            body=members(
                {
                    "held": held,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(str, call)

    async def assemble_change(
        self,
        id: str,
        *,
        held: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """The proof of a change, its author, its confirmation and its actions, as one file.

        Needs the scope ``audit``.

        Args:
            id: A UUID in lower case.
            held: Checkpoint notes you hold: the pack then proves that the log only grew since.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/change-requests/{id}/evidence",
            path={"id": id},
            body=members(
                {
                    "held": held,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(str, call)

    async def assemble_session(
        self,
        id: str,
        *,
        held: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """The proof of a session of agents: its calls, decisions and answers, as one file.

        Needs the scope ``audit``.

        Args:
            id: A UUID in lower case.
            held: Checkpoint notes you hold: the pack then proves that the log only grew since.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/sessions/{id}/evidence",
            path={"id": id},
            body=members(
                {
                    "held": held,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(str, call)

    async def assemble_automation_run(
        self,
        id: str,
        *,
        held: Sequence[str] | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """The proof of a run of an automation: its steps, calls and decisions, as one file.

        Needs the scope ``audit``.

        Args:
            id: A UUID in lower case.
            held: Checkpoint notes you hold: the pack then proves that the log only grew since.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/automation-runs/{id}/evidence",
            path={"id": id},
            body=members(
                {
                    "held": held,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(str, call)


class AsyncTools:
    """Tools."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
    ) -> models.ToolList:
        """Every tool that counts now, with its definition.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/tools",
        )
        return await self._sender.send(models.ToolList, call)

    async def get(
        self,
        name: str,
    ) -> models.ToolHistory:
        """A tool with every version it had, newest first.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/tools/{name}",
            path={"name": name},
        )
        return await self._sender.send(models.ToolHistory, call)


class AsyncExecutorKinds:
    """Executors."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
    ) -> models.ExecutorKindList:
        """The kinds that an executor can be of, and the settings of each.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/executor-kinds",
        )
        return await self._sender.send(models.ExecutorKindList, call)


class AsyncExecutors:
    """Executors."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        environment: str,
    ) -> models.ExecutorList:
        """The executors of an environment, by its name.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/environments/{environment}/executors",
            path={"environment": environment},
        )
        return await self._sender.send(models.ExecutorList, call)

    async def get(
        self,
        environment: str,
        name: str,
    ) -> models.Executor:
        """One executor of an environment.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/environments/{environment}/executors/{name}",
            path={"environment": environment, "name": name},
        )
        return await self._sender.send(models.Executor, call)


class AsyncAutonomy:
    """Autonomy."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
    ) -> str:
        """The autonomy document in force, byte for byte as it was put. Its ETag is the SHA-256 of
        those bytes.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/autonomy",
        )
        return await self._sender.send(str, call)

    async def schema(
        self,
    ) -> models.JsonSchema:
        """The JSON Schema of the document, for editors.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/autonomy/schema",
        )
        return await self._sender.send(models.JsonSchema, call)

    async def matrix(
        self,
        *,
        tool: str | None = None,
        environment: str | None = None,
    ) -> models.AutonomyMatrix:
        """The mode of every tool in every environment, and the line of the document that sets it.

        Needs the scope ``read``.

        Args:
            tool: Only this tool.
            environment: Only this environment.
        """
        call = Call(
            "GET",
            "/v1/autonomy/matrix",
            query={"tool": tool, "environment": environment},
        )
        return await self._sender.send(models.AutonomyMatrix, call)

    async def revisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.AutonomyRevisionPage:
        """Every revision of the document, newest first.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/autonomy/revisions",
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.AutonomyRevisionPage, call)

    async def revision(
        self,
        number: str,
    ) -> models.AutonomyRevision:
        """One revision: its source, its author and how it differs from the one before it.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/autonomy/revisions/{number}",
            path={"number": number},
        )
        return await self._sender.send(models.AutonomyRevision, call)


class AsyncConfiguration:
    """Configuration."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def read(
        self,
        name: str,
    ) -> str:
        """Tools, executors or environments as they stand, as the YAML that can be put again.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/configuration/{name}",
            path={"name": name},
        )
        return await self._sender.send(str, call)


class AsyncTasks:
    """Tasks."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        *,
        goal: str,
        task_type: str,
        environment: str,
        scope: models.TaskSpecScope | Mapping[str, Any] | None = None,
        timeout_minutes: int | None = None,
        constraints: models.TaskConstraints | Mapping[str, Any] | None = None,
        agent: models.TaskSpecAgent | Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Task:
        """Submits a task: a goal in one environment.

        Needs the scope ``submit``.

        Args:
            goal: The agent's own words; approvers see them marked as such.
            task_type: The kind of work, for lists and reports: drift_remediation.
            environment: The one environment that it is about.
            scope: How far the task reaches.
            timeout_minutes: How long an approval request of this task stays open.
            constraints: Limits the task sets itself. They only tighten the tenant's.
            agent: The model behind the agent, as it says; recorded, never believed.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tasks",
            body=members(
                {
                    "goal": goal,
                    "task_type": task_type,
                    "environment": environment,
                    "scope": scope,
                    "timeout_minutes": timeout_minutes,
                    "constraints": constraints,
                    "agent": agent,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Task, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        environment: str | None = None,
        agent_id: str | None = None,
        tool: str | None = None,
        target: str | None = None,
        person_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        state: Literal["created", "planned", "executing", "completed", "failed", "cancelled"] | None = None,
    ) -> models.TaskPage:
        """The tasks of the tenant, newest first.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            search: Words of the goal or the headline, names of tools and targets, each as it
                begins; or an id, from 8 characters on, or its last eight. All of them count.
            environment: By name.
            agent_id: The agent that submitted it.
            tool: Its plan calls this tool, in any version.
            target: Its plan changes this target.
            person_id: Somebody who asked for it, in person or through an agent, or reviewed it.
            from_: Inclusive.
            until: Exclusive.
        """
        call = Call(
            "GET",
            "/v1/tasks",
            query={"limit": limit, "cursor": cursor, "search": search, "environment": environment, "agent_id": agent_id, "tool": tool, "target": target, "person_id": person_id, "from": from_, "until": until, "state": state},
        )
        return await self._sender.send(models.TaskPage, call)

    async def get(
        self,
        id: str,
    ) -> models.ExplainedTask:
        """A task, and the latest decision about it.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/tasks/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.ExplainedTask, call)

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Task:
        """Gives a task up before any of it is executed; its live plan is withdrawn, and its
        requests are voided.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tasks/{id}/cancel",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Task, call)


class AsyncPlans:
    """Plans."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def submit(
        self,
        id: str,
        *,
        phases: Sequence[models.PlanPhase | Mapping[str, Any]],
        summary: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.Plan:
        """Submits a revision of how a task is to be done. A valid one takes the place of the one
        before, and voids its approval.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            phases: In order. A plan expands into at most 500 calls.
            summary: The agent's own words; approvers see them marked as such, below the calls.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/tasks/{id}/plans",
            path={"id": id},
            body=members(
                {
                    "summary": summary,
                    "phases": phases,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Plan, call)

    async def list_of_task(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        environment: str | None = None,
        agent_id: str | None = None,
        tool: str | None = None,
        target: str | None = None,
        person_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        status: Literal["draft", "invalid", "validated", "simulated", "awaiting_approval", "approved", "rejected", "changes_requested", "expired", "executing", "executed", "superseded", "withdrawn"] | None = None,
    ) -> models.PlanPage:
        """The revisions of a task, newest first.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            search: Words of the goal or the headline, names of tools and targets, each as it
                begins; or an id, from 8 characters on, or its last eight. All of them count.
            environment: By name.
            agent_id: The agent that submitted it.
            tool: Its plan calls this tool, in any version.
            target: Its plan changes this target.
            person_id: Somebody who asked for it, in person or through an agent, or reviewed it.
            from_: Inclusive.
            until: Exclusive.
        """
        call = Call(
            "GET",
            "/v1/tasks/{id}/plans",
            path={"id": id},
            query={"limit": limit, "cursor": cursor, "search": search, "environment": environment, "agent_id": agent_id, "tool": tool, "target": target, "person_id": person_id, "from": from_, "until": until, "status": status},
        )
        return await self._sender.send(models.PlanPage, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        environment: str | None = None,
        agent_id: str | None = None,
        tool: str | None = None,
        target: str | None = None,
        person_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        status: Literal["draft", "invalid", "validated", "simulated", "awaiting_approval", "approved", "rejected", "changes_requested", "expired", "executing", "executed", "superseded", "withdrawn"] | None = None,
    ) -> models.PlanPage:
        """The plans of the tenant, newest first.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            search: Words of the goal or the headline, names of tools and targets, each as it
                begins; or an id, from 8 characters on, or its last eight. All of them count.
            environment: By name.
            agent_id: The agent that submitted it.
            tool: Its plan calls this tool, in any version.
            target: Its plan changes this target.
            person_id: Somebody who asked for it, in person or through an agent, or reviewed it.
            from_: Inclusive.
            until: Exclusive.
        """
        call = Call(
            "GET",
            "/v1/plans",
            query={"limit": limit, "cursor": cursor, "search": search, "environment": environment, "agent_id": agent_id, "tool": tool, "target": target, "person_id": person_id, "from": from_, "until": until, "status": status},
        )
        return await self._sender.send(models.PlanPage, call)

    async def get(
        self,
        id: str,
    ) -> models.Plan:
        """A plan: as it was written, as it would be executed, its status, and the reasons for it.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/plans/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.Plan, call)

    async def diff(
        self,
        id: str,
        *,
        against: Literal["last_executed"] | str,
    ) -> models.PlanDiff:
        """The differences of a revision from another of the same task, or from the last executed
        plan of its kind.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            against: The revision to compare with; or the plan of this kind that was executed last.
        """
        call = Call(
            "GET",
            "/v1/plans/{id}/diff",
            path={"id": id},
            query={"against": against},
        )
        return await self._sender.send(models.PlanDiff, call)

    async def withdraw(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Plan:
        """Takes a plan back; its requests and approvals are voided.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/plans/{id}/withdraw",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Plan, call)


class AsyncSimulations:
    """Simulations."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def start(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ExplainedSimulation:
        """Asks for a prediction of the effects of a plan. Read the simulation until it has a
        result.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/plans/{id}/simulations",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ExplainedSimulation, call)

    async def list(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SimulationPage:
        """The simulations of a plan, newest first.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/plans/{id}/simulations",
            path={"id": id},
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.SimulationPage, call)

    async def accuracy(
        self,
    ) -> models.SimulationAccuracy:
        """Predictions beside actual results, by tool.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/simulations/accuracy",
        )
        return await self._sender.send(models.SimulationAccuracy, call)

    async def get(
        self,
        id: str,
    ) -> models.ExplainedSimulation:
        """A simulation, its prediction, and the decision that allowed it.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/simulations/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.ExplainedSimulation, call)


class AsyncApprovalRequests:
    """Approval."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def open(
        self,
        id: str,
        *,
        start: Literal["on_approval", "manual", "at"] | None = None,
        start_at: datetime | str | None = None,
        idempotency_key: str | None = None,
    ) -> models.ApprovalRequest:
        """Asks people to approve a plan. The same question asked again answers with the request
        that stands.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/plans/{id}/approval-requests",
            path={"id": id},
            body=members(
                {
                    "start": start,
                    "start_at": start_at,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ApprovalRequest, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        environment: str | None = None,
        agent_id: str | None = None,
        tool: str | None = None,
        target: str | None = None,
        person_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        tab: Literal["for_me", "open", "decided_by_me", "all"] | None = None,
        state: Literal["open", "approved", "denied", "changes_requested", "expired", "voided", "consumed"] | None = None,
        plan_id: str | None = None,
        task_id: str | None = None,
        reviewable: bool | None = None,
    ) -> models.ApprovalRequestList:
        """Requests, newest first: for the caller, open, decided by the caller, or all; with
        `reviewable=true` the open ones that policy lets the caller approve now.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            search: Words of the goal or the headline, names of tools and targets, each as it
                begins; or an id, from 8 characters on, or its last eight. All of them count.
            environment: By name.
            agent_id: The agent that submitted it.
            tool: Its plan calls this tool, in any version.
            target: Its plan changes this target.
            person_id: Somebody who asked for it, in person or through an agent, or reviewed it.
            from_: Inclusive.
            until: Exclusive.
            tab: for_me: open, policy lets the caller approve it now, and they have not reviewed it.
                open: of everybody. decided_by_me: the caller has reviewed it.
            plan_id: A UUID in lower case.
            task_id: A UUID in lower case.
            reviewable: Only open requests that policy lets the caller approve now.
        """
        call = Call(
            "GET",
            "/v1/approval-requests",
            query={"limit": limit, "cursor": cursor, "search": search, "environment": environment, "agent_id": agent_id, "tool": tool, "target": target, "person_id": person_id, "from": from_, "until": until, "tab": tab, "state": state, "plan_id": plan_id, "task_id": task_id, "reviewable": reviewable},
        )
        return await self._sender.send(models.ApprovalRequestList, call)

    async def get(
        self,
        id: str,
    ) -> models.ApprovalRequestDetail:
        """A request with everything its approvers see, and its differences from the request that
        the caller approved before.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/approval-requests/{id}",
            path={"id": id},
        )
        answer: models.ApprovalRequestDetail = await self._sender.send(cast(Any, models.ApprovalRequestDetail), call)
        return answer

    async def reviews(
        self,
        id: str,
    ) -> models.ReviewList:
        """Every review of a request in order, those that were replaced too.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/approval-requests/{id}/reviews",
            path={"id": id},
        )
        return await self._sender.send(models.ReviewList, call)

    async def reviewers(
        self,
        id: str,
    ) -> models.PossibleReviewers:
        """The people who could review an open request now: policy lets them approve, and their vote
        would count.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/approval-requests/{id}/reviewers",
            path={"id": id},
        )
        return await self._sender.send(models.PossibleReviewers, call)

    async def changes_asked(
        self,
        id: str,
    ) -> models.ChangesAskedList:
        """The changes that people requested of the revisions of a task, the earliest first.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/tasks/{id}/changes-asked",
            path={"id": id},
        )
        return await self._sender.send(models.ChangesAskedList, call)

    async def withdraw(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApprovalRequest:
        """Takes a request back, by somebody who may change its task.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/approval-requests/{id}/withdraw",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.ApprovalRequest, call)


class AsyncQueue:
    """Approval."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def statistics(
        self,
        *,
        by: Literal["tool", "agent", "person"],
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
    ) -> models.ApprovalStatistics:
        """Time to decision, approvals within five seconds of the first look, and overrides, by
        tool, by agent or by person.

        Needs the scope ``read``.

        Args:
            from_: Without it, 30 days before `until`.
            until: Without it, now.
        """
        call = Call(
            "GET",
            "/v1/approval-statistics",
            query={"by": by, "from": from_, "until": until},
        )
        return await self._sender.send(models.ApprovalStatistics, call)


class AsyncComments:
    """Conversation."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def comment_on_request(
        self,
        id: str,
        *,
        body: str,
        idempotency_key: str | None = None,
    ) -> models.Comment:
        """Comments on a request without deciding on it. An agent comments on requests of its own
        plans, five times until a person answers.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            body: Plain text; nothing in it is a link. An agent writes at most 2,000 characters.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/approval-requests/{id}/comments",
            path={"id": id},
            body=members(
                {
                    "body": body,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Comment, call)

    async def of_request(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.CommentPage:
        """The comments on a request, oldest first.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/approval-requests/{id}/comments",
            path={"id": id},
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.CommentPage, call)


class AsyncHalts:
    """Halts."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def set(
        self,
        body: models.CreateHaltTenant | models.CreateHaltEnvironment | models.CreateHaltAgent | models.CreateHaltTool | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> models.Halt:
        """Stops the tenant, an environment, an agent or a tool at once. Answers with the calls that
        had already left.

        Needs the scope ``halt``.

        Args:
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/halts",
            body=body,
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Halt, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        active: bool | None = None,
    ) -> models.HaltList:
        """Halts, newest first; with `active` only those in force, or only those lifted.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/halts",
            query={"limit": limit, "cursor": cursor, "active": active},
        )
        return await self._sender.send(models.HaltList, call)

    async def get(
        self,
        id: str,
    ) -> models.Halt:
        """A halt, and the work that it found when it was set.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/halts/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.Halt, call)


class AsyncRuns:
    """Runs."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def start(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Run:
        """Starts a run of a plan that is approved or needs no approval.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/plans/{id}/runs",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Run, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        environment: str | None = None,
        agent_id: str | None = None,
        tool: str | None = None,
        target: str | None = None,
        person_id: str | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        state: Literal["queued", "executing", "paused", "rolling_back", "completed", "failed", "cancelled", "rolled_back", "rollback_failed"] | None = None,
        task_id: str | None = None,
        plan_id: str | None = None,
    ) -> models.RunPage:
        """Runs, newest first.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            search: Words of the goal or the headline, names of tools and targets, each as it
                begins; or an id, from 8 characters on, or its last eight. All of them count.
            environment: By name.
            agent_id: The agent that submitted it.
            tool: Its plan calls this tool, in any version.
            target: Its plan changes this target.
            person_id: Somebody who asked for it, in person or through an agent, or reviewed it.
            from_: Inclusive.
            until: Exclusive.
            task_id: A UUID in lower case.
            plan_id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/runs",
            query={"limit": limit, "cursor": cursor, "search": search, "environment": environment, "agent_id": agent_id, "tool": tool, "target": target, "person_id": person_id, "from": from_, "until": until, "state": state, "task_id": task_id, "plan_id": plan_id},
        )
        return await self._sender.send(models.RunPage, call)

    async def get(
        self,
        id: str,
    ) -> models.RunDetail:
        """A run, its steps and attempts, the reason for any wait, and the decision and autonomy
        line behind it.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/runs/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.RunDetail, call)

    async def events(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.RunEventPage:
        """The events of a run in order; with Accept: text/event-stream as they happen, from
        Last-Event-ID on.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/runs/{id}/events",
            path={"id": id},
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.RunEventPage, call)

    async def pause(
        self,
        id: str,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.Run:
        """Asks a run to pause before its next step.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            note: Why; stands in the run and in the audit log.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/runs/{id}/pause",
            path={"id": id},
            body=members(
                {
                    "note": note,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Run, call)

    async def cancel(
        self,
        id: str,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.Run:
        """Asks a run to end now, without rolling back.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            note: Why; stands in the run and in the audit log.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/runs/{id}/cancel",
            path={"id": id},
            body=members(
                {
                    "note": note,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Run, call)

    async def roll_back(
        self,
        id: str,
        *,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.Run:
        """Asks a run to undo its steps, the last one first.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            note: Why; stands in the run and in the audit log.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/runs/{id}/roll-back",
            path={"id": id},
            body=members(
                {
                    "note": note,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Run, call)

    async def work(
        self,
        id: str,
    ) -> models.RunWork:
        """The calls that the agent which submitted the plan carries out itself, each with its
        grant.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/runs/{id}/work",
            path={"id": id},
        )
        return await self._sender.send(models.RunWork, call)

    async def report(
        self,
        id: str,
        attempt_id: str,
        body: models.ReportAttemptSucceeded | models.ReportAttemptFailed | models.ReportAttemptUnknown | Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
    ) -> models.Run:
        """Reports the result of a call that the agent carried out itself; shown as unverified.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            attempt_id: A UUID in lower case.
            body: Names the grant (its jti) and the arguments that were acted on.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/runs/{id}/attempts/{attemptId}/report",
            path={"id": id, "attemptId": attempt_id},
            body=body,
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Run, call)


class AsyncRunners:
    """Runners."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
    ) -> models.RunnerList:
        """The runners of the tenant, newest first and at most 500, with the tools that they
        advertise.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/runners",
        )
        return await self._sender.send(models.RunnerList, call)


class AsyncSessions:
    """Sessions."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def open(
        self,
        *,
        environment: str,
        agent_ids: Sequence[str] | None = None,
        preset: Literal["tiers", "levels", "modes", "cautious"] | Unset | None = UNSET,
        level: Literal["FULL_AUTO", "SUPERVISED", "CAUTIOUS", "MANUAL"] | None = None,
        mode: Literal["always-ask", "ask-on-write", "ask-on-external", "allow-safe-readonly"] | None = None,
        model: str | None = None,
        idle_seconds: int | None = None,
        approval_seconds: int | None = None,
        calls_per_turn: int | None = None,
        call_budget: int | None = None,
        idempotency_key: str | None = None,
    ) -> models.Session:
        """Opens a session: agents call one tool after another in it, each call decided by itself.

        Needs the scope ``run``.

        Args:
            agent_ids: An agent leaves it out, and opens a session for itself.
            preset: The rules that say which calls ask a person. Null: the strictest of tiers and
                levels.
            level: Of the preset levels.
            mode: Of the preset modes.
            model: The model behind the agent; it decides nothing.
            idle_seconds: It ends after resting for so long, with no call in flight.
            approval_seconds: How long a call waits for a person before it is denied.
            calls_per_turn: The most tool calls of one turn, and the most in flight at once.
            call_budget: By default `calls_per_session` of the autonomy document, or 500.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/sessions",
            body=members(
                {
                    "environment": environment,
                    "agent_ids": agent_ids,
                    "preset": preset,
                    "level": level,
                    "mode": mode,
                    "model": model,
                    "idle_seconds": idle_seconds,
                    "approval_seconds": approval_seconds,
                    "calls_per_turn": calls_per_turn,
                    "call_budget": call_budget,
                },
                nullable=frozenset({"preset"}),
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Session, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["open", "ended"] | None = None,
        agent_id: str | None = None,
    ) -> models.SessionList:
        """Sessions, newest first: an agent’s own, for people those of the tenant.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            agent_id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/sessions",
            query={"limit": limit, "cursor": cursor, "state": state, "agent_id": agent_id},
        )
        return await self._sender.send(models.SessionList, call)

    async def get(
        self,
        id: str,
    ) -> models.Session:
        """A session.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/sessions/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.Session, call)

    async def change(
        self,
        id: str,
        *,
        preset: Literal["tiers", "levels", "modes", "cautious"] | Unset | None = UNSET,
        level: Literal["FULL_AUTO", "SUPERVISED", "CAUTIOUS", "MANUAL"] | None = None,
        mode: Literal["always-ask", "ask-on-write", "ask-on-external", "allow-safe-readonly"] | None = None,
        call_budget: int | None = None,
    ) -> models.Session:
        """Changes preset, level, mode or budget of calls. A token only tightens; a person loosens
        in a browser or in Slack.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            preset: The rules that say which calls ask a person. Null: the strictest of tiers and
                levels.
            level: Of the preset levels.
            mode: Of the preset modes.
            call_budget: The most tool calls of the whole session.
        """
        call = Call(
            "PATCH",
            "/v1/sessions/{id}",
            path={"id": id},
            body=members(
                {
                    "preset": preset,
                    "level": level,
                    "mode": mode,
                    "call_budget": call_budget,
                },
                nullable=frozenset({"preset"}),
            ),
        )
        return await self._sender.send(models.Session, call)

    async def end(
        self,
        id: str,
        *,
        reason: Literal["closed", "cancelled"] | None = None,
        idempotency_key: str | None = None,
    ) -> models.Session:
        """Ends a session. Its pending calls are denied.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            reason: Its pending calls are denied either way.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/sessions/{id}/end",
            path={"id": id},
            body=members(
                {
                    "reason": reason,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Session, call)


class AsyncSessionTrusts:
    """Sessions."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SessionTrustList:
        """The trusts of a session, newest first: a person said "always" to calls like these. Those
        taken back are among them.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/sessions/{id}/trusts",
            path={"id": id},
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.SessionTrustList, call)

    async def revoke(
        self,
        id: str,
        trust: str,
    ) -> None:
        """Takes an "always" back; the next call asks again.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            trust: A UUID in lower case.
        """
        call = Call(
            "DELETE",
            "/v1/sessions/{id}/trusts/{trust}",
            path={"id": id, "trust": trust},
        )
        return await self._sender.send(type(None), call)


class AsyncAutomations:
    """Automations."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def safe_tools(
        self,
        *,
        environment: str,
    ) -> models.SafeTools:
        """Every tool with its tier, and whether an automation may call it in an environment now.

        Needs the scope ``read``.

        Args:
            environment: The environment that the calls are aimed at.
        """
        call = Call(
            "GET",
            "/v1/automations/safe-tools",
            query={"environment": environment},
        )
        return await self._sender.send(models.SafeTools, call)

    async def validate(
        self,
        *,
        source: str,
        idempotency_key: str | None = None,
    ) -> models.BlockedSteps:
        """Checks an automation that is saved nowhere, and says which of its steps would be blocked
        now.

        Needs the scope ``read``.

        Args:
            source: The YAML of the automation, as the schema `automation` has it.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/automations/validate",
            body=members(
                {
                    "source": source,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.BlockedSteps, call)

    async def preview(
        self,
        *,
        source: str,
        automation_id: str | None = None,
        cursor: str | None = None,
        idempotency_key: str | None = None,
    ) -> models.AutomationPreview:
        """Lists the occurrences on which an automation would have run in the last thirty days.
        Executes nothing.

        Needs the scope ``audit``.

        Args:
            source: The YAML of the automation, as the schema `automation` has it.
            automation_id: The automation that it belongs to: its own events start nothing.
            cursor: The next_cursor of the page before.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/automations/preview",
            query={"cursor": cursor},
            body=members(
                {
                    "source": source,
                    "automation_id": automation_id,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.AutomationPreview, call)

    async def propose(
        self,
        *,
        source: str,
        idempotency_key: str | None = None,
    ) -> models.JudgedAutomation:
        """Proposes an automation. It does nothing before an admin enables it.

        Needs the scope ``submit``.

        Args:
            source: The YAML of the automation, as the schema `automation` has it.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/automations",
            body=members(
                {
                    "source": source,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.JudgedAutomation, call)

    async def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.AutomationList:
        """Automations, newest first, each with its last run.

        Needs the scope ``read``.

        Args:
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/automations",
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.AutomationList, call)

    async def withdraw(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> models.Automation:
        """Withdraws an automation that you proposed, before an admin enables it. Its name is free
        again.

        Needs the scope ``submit``.

        Args:
            id: A UUID in lower case.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/automations/{id}/withdraw",
            path={"id": id},
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.Automation, call)

    async def get(
        self,
        id: str,
    ) -> models.ReadAutomation:
        """An automation, with the source in force as it is read.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/automations/{id}",
            path={"id": id},
        )
        return await self._sender.send(models.ReadAutomation, call)

    async def trigger(
        self,
        id: str,
        *,
        inputs: Mapping[str, float | bool | str] | None = None,
        idempotency_key: str | None = None,
    ) -> models.AutomationRun:
        """Starts a run of an automation that has an endpoint, with the inputs that it declares.

        Needs the scope ``run``.

        Args:
            id: A UUID in lower case.
            inputs: The values of declared inputs; no others are taken.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/automations/{id}/trigger",
            path={"id": id},
            body=members(
                {
                    "inputs": inputs,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(models.AutomationRun, call)

    async def runs(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.AutomationRunList:
        """The runs of an automation, newest first.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
        """
        call = Call(
            "GET",
            "/v1/automations/{id}/runs",
            path={"id": id},
            query={"limit": limit, "cursor": cursor},
        )
        return await self._sender.send(models.AutomationRunList, call)

    async def run(
        self,
        id: str,
        run: str,
    ) -> models.SeenAutomationRun:
        """A run of an automation, with the outcome of each step.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            run: A UUID in lower case.
        """
        call = Call(
            "GET",
            "/v1/automations/{id}/runs/{run}",
            path={"id": id, "run": run},
        )
        return await self._sender.send(models.SeenAutomationRun, call)


class AsyncAutomationSafeList:
    """Automations."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
    ) -> models.SafeList:
        """The tools of the modify tier that automations may call, each at the version that was
        accepted.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/automation-safe-list",
        )
        return await self._sender.send(models.SafeList, call)


class AsyncAgentErrors:
    """Lifecycle hooks."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def report(
        self,
        *,
        error: str,
        tool: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Reports an error of the agent. Hooks of agent.error take it from the log; nothing is
        decided by it.

        Needs the scope ``run``.

        Args:
            error: The error in words; masked before it is stored.
            tool: The tool that the agent used.
            idempotency_key: Your own name of this request: the same name gets the same answer for a
                day.
        """
        call = Call(
            "POST",
            "/v1/agent-errors",
            body=members(
                {
                    "error": error,
                    "tool": tool,
                },
            ),
            idempotency_key=idempotency_key,
        )
        return await self._sender.send(type(None), call)


class AsyncIncidentSettings:
    """Incidents."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
    ) -> models.IncidentSettings:
        """The destinations of incidents, the time for a review, and the PagerDuty integration.

        Needs the scope ``admin``.
        """
        call = Call(
            "GET",
            "/v1/incident-settings",
        )
        return await self._sender.send(models.IncidentSettings, call)


class AsyncIncidentDestinations:
    """Incidents."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
    ) -> models.IncidentDestinationList:
        """The destinations of incidents, with the last test message to each address.

        Needs the scope ``admin``.
        """
        call = Call(
            "GET",
            "/v1/incident-destinations",
        )
        return await self._sender.send(models.IncidentDestinationList, call)


class AsyncOverview:
    """Reports."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
        *,
        days: int | None = None,
    ) -> models.Overview:
        """Waiting requests, live runs, the time that approvals took, and decisions day by day.

        Needs the scope ``read``.

        Args:
            days: Days in UTC, today among them.
        """
        call = Call(
            "GET",
            "/v1/overview",
            query={"days": days},
        )
        return await self._sender.send(models.Overview, call)


class AsyncReports:
    """Reports."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def changes(
        self,
        *,
        from_: datetime | str,
        until: datetime | str,
        limit: int | None = None,
        cursor: str | None = None,
        format: Literal["json", "csv"] | None = None,
    ) -> models.ProductionChangeReport:
        """Every run in production of a period, oldest first, its exceptions, and counts over the
        same rows; also as CSV.

        Needs the scope ``audit``.

        Args:
            from_: Inclusive.
            until: Exclusive; a moment to come counts as now.
            limit: How many items at most.
            cursor: The next_cursor of the page before.
            format: csv is the same as "Accept: text/csv": every row, in one stream.
        """
        call = Call(
            "GET",
            "/v1/reports/production-changes",
            query={"limit": limit, "cursor": cursor, "from": from_, "until": until, "format": format},
        )
        return await self._sender.send(models.ProductionChangeReport, call)

    async def evidence(
        self,
        *,
        from_: datetime | str,
        until: datetime | str,
    ) -> str:
        """An evidence pack for every plan executed in production in a period: one a line (NDJSON),
        each byte for byte.

        Needs the scope ``audit``.

        Args:
            from_: Inclusive.
            until: Exclusive; a moment to come counts as now.
        """
        call = Call(
            "GET",
            "/v1/reports/production-changes/packs",
            query={"from": from_, "until": until},
        )
        return await self._sender.send(str, call)


class AsyncPrecedents:
    """Precedents."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def of_request(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> models.PrecedentList:
        """The requests and runs of the past that are like a request, their approvers and their
        ends.

        Needs the scope ``read``.

        Args:
            id: A UUID in lower case.
            limit: How many at most.
        """
        call = Call(
            "GET",
            "/v1/approval-requests/{id}/precedents",
            path={"id": id},
            query={"limit": limit},
        )
        return await self._sender.send(models.PrecedentList, call)

    async def search(
        self,
        *,
        text: str | None = None,
        tools: str | None = None,
        environment: str | None = None,
        argument_keys: str | None = None,
        targets: str | None = None,
        limit: int | None = None,
    ) -> models.PrecedentList:
        """Searches precedents by words, ids, tools and targets: for agents before they plan, and
        for people.

        Needs the scope ``read``.

        Args:
            text: Words, ids, hosts or tickets; typing errors are forgiven.
            tools: The tools that would be called, with commas between them.
            environment: The name of the environment.
            argument_keys: The argument keys of the calls, with commas between them.
            targets: The targets of the calls, with commas between them.
            limit: How many at most.
        """
        call = Call(
            "GET",
            "/v1/precedents",
            query={"text": text, "tools": tools, "environment": environment, "argument_keys": argument_keys, "targets": targets, "limit": limit},
        )
        return await self._sender.send(models.PrecedentList, call)


class AsyncNotificationChannels:
    """Notifications."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(
        self,
    ) -> models.NotificationChannelList:
        """The ways in which messages can reach people.

        Needs the scope ``read``.
        """
        call = Call(
            "GET",
            "/v1/notification-channels",
        )
        return await self._sender.send(models.NotificationChannelList, call)


class AsyncResources:
    """Everything that an agent may call, by resource."""

    def __init__(self, sender: AsyncSender) -> None:
        self.health = AsyncHealth(sender)
        self.description = AsyncDescription(sender)
        self.sign_in = AsyncSignIn(sender)
        self.roles = AsyncRoles(sender)
        self.people = AsyncPeople(sender)
        self.agents = AsyncAgents(sender)
        self.environments = AsyncEnvironments(sender)
        self.grant = AsyncGrant(sender)
        self.decision_log = AsyncDecisionLog(sender)
        self.decisions = AsyncDecisions(sender)
        self.session_tool_calls = AsyncSessionToolCalls(sender)
        self.session_calls = AsyncSessionCalls(sender)
        self.shell = AsyncShell(sender)
        self.tool_call_output = AsyncToolCallOutput(sender)
        self.tool_calls = AsyncToolCalls(sender)
        self.audit = AsyncAudit(sender)
        self.audit_retention = AsyncAuditRetention(sender)
        self.evidence = AsyncEvidence(sender)
        self.tools = AsyncTools(sender)
        self.executor_kinds = AsyncExecutorKinds(sender)
        self.executors = AsyncExecutors(sender)
        self.autonomy = AsyncAutonomy(sender)
        self.configuration = AsyncConfiguration(sender)
        self.tasks = AsyncTasks(sender)
        self.plans = AsyncPlans(sender)
        self.simulations = AsyncSimulations(sender)
        self.approval_requests = AsyncApprovalRequests(sender)
        self.queue = AsyncQueue(sender)
        self.comments = AsyncComments(sender)
        self.halts = AsyncHalts(sender)
        self.runs = AsyncRuns(sender)
        self.runners = AsyncRunners(sender)
        self.sessions = AsyncSessions(sender)
        self.session_trusts = AsyncSessionTrusts(sender)
        self.automations = AsyncAutomations(sender)
        self.automation_safe_list = AsyncAutomationSafeList(sender)
        self.agent_errors = AsyncAgentErrors(sender)
        self.incident_settings = AsyncIncidentSettings(sender)
        self.incident_destinations = AsyncIncidentDestinations(sender)
        self.overview = AsyncOverview(sender)
        self.reports = AsyncReports(sender)
        self.precedents = AsyncPrecedents(sender)
        self.notification_channels = AsyncNotificationChannels(sender)
