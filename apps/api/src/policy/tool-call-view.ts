import type { ToolCallView } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type { CallGrant, ToolCallAnswer } from '#lib/tool-call';
import { pathVerdictView } from './path-verdict-view.js';
import { shellVerdictView } from './shell-verdict-view.js';

/** The reason why an allowed call has no grant. */
const NO_EXECUTOR = {
  code: 'tool_call.no_executor',
  message:
    'The tool has no executor in this environment: this answer is advice, and no report follows it. Have an admin put one there, of the kind agent if you make the call yourself.',
};

type ExecutionView = NonNullable<ToolCallView['execution']>;

/** A call as the API answers it, with its grant for the agent that makes it. */
export function toolCallView(answer: ToolCallAnswer, granted: CallGrant | null): ToolCallView {
  const { reasons, obligations, effective } = answer.decision;
  const { execution } = answer;
  return {
    id: answer.id,
    session_id: answer.sessionId,
    outcome: answer.state,
    decided_as: answer.decidedAs,
    allowed_until: toTimestampOrNull(answer.allowedUntil),
    request_id: answer.requestId,
    expires_at: toTimestampOrNull(answer.expiresAt),
    denial: answer.denial && { ...answer.denial },
    reasons,
    obligations,
    effective,
    decision_id: answer.decisionId,
    bundle_revision: answer.bundleRevision,
    tool_version: answer.toolVersion,
    arguments_digest: answer.argumentsDigest,
    shell: answer.shell === null ? null : shellVerdictView(answer.shell),
    paths: answer.paths && pathVerdictView(answer.paths),
    errors: answer.errors.map((error) => ({ ...error, pointer: `/arguments${error.pointer}` })),
    decided_at: toTimestampOrNull(answer.decidedAt),
    answered_by: answer.answeredBy,
    execution: execution && {
      attempt: execution.attempt,
      dispatched_at: toTimestamp(execution.dispatchedAt),
      lease_until: toTimestampOrNull(execution.leaseUntil),
      finished_at: toTimestampOrNull(execution.finishedAt),
      unverified: answer.answeredBy === 'agent',
      // Zod's type of JSON has no readonly members.
      result: execution.result as ExecutionView['result'],
      error: execution.error,
    },
    ...(answer.state === 'allowed' && answer.answeredBy === null ? { no_grant: NO_EXECUTOR } : {}),
    ...(granted === null ? {} : { grant: granted.grant, grant_expires_at: toTimestamp(granted.expiresAt) }),
  };
}
