import type { ToolCallView } from '#lib/api-schemas';
import { toTimestampOrNull } from '#lib/kernel';
import type { ToolCallAnswer } from '#lib/tool-call';
import { shellVerdictView } from './shell-verdict-view.js';

/** A call as the API answers it. */
export function toolCallView(answer: ToolCallAnswer): ToolCallView {
  const { reasons, obligations, effective } = answer.decision;
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
    errors: answer.errors.map((error) => ({ ...error, pointer: `/arguments${error.pointer}` })),
    decided_at: toTimestampOrNull(answer.decidedAt),
  };
}
