import type { SessionTrustView, SessionView } from '#lib/api-schemas';
import { parseStrictJson } from '#lib/canonical';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { idleAt, type Session, type SessionTrust } from '#lib/session';
import { submitterView } from '../task/task-views.js';

/** @param calls the number of calls in the session. */
export const sessionView = (session: Session, calls: number): SessionView => ({
  id: session.id,
  environment: session.environment,
  agent_ids: [...session.agentIds],
  ...session.autonomy,
  revision: session.revision,
  model: session.model,
  idle_seconds: session.idleSeconds,
  approval_seconds: session.approvalSeconds,
  calls_per_turn: session.callsPerTurn,
  call_budget: session.callBudget,
  calls_made: calls,
  state: session.state,
  ended_reason: session.endedReason,
  opened_by: submitterView(session.openedBy),
  opened_at: toTimestamp(session.openedAt),
  last_used_at: toTimestamp(session.lastUsedAt),
  idle_at: toTimestamp(idleAt(session)),
  ended_at: toTimestampOrNull(session.endedAt),
});

export const trustView = ({ id, tool, shape, madeBy, madeAt, revoked }: SessionTrust): SessionTrustView => ({
  id,
  tool,
  // Any JSON: the view's type alone may be written.
  shape: parseStrictJson(shape) as SessionTrustView['shape'],
  made_by: madeBy,
  made_at: toTimestamp(madeAt),
  revoked_at: toTimestampOrNull(revoked?.at ?? null),
  revoked_by: revoked?.by ?? null,
});
