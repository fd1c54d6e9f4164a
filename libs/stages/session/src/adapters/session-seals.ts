import type { SealedRow, Tx } from '#lib/kernel';
import type { Session } from '../domain/session.js';
import type { SessionTrust } from '../domain/session-trust.js';

/**
 * All that decides about the calls of a session, and the people behind it. State and uses change by themselves, and are
 * left out. The database never undoes an end, and refuses an earlier revision.
 */
export const sealedSession = (tx: Tx, session: Session): SealedRow => ({
  table: 'session',
  tenantId: tx.tenantId,
  id: session.id,
  columns: {
    environment_id: session.environment.id,
    agent_ids: [...session.agentIds],
    ...session.autonomy,
    revision: session.revision,
    idle_seconds: session.idleSeconds,
    approval_seconds: session.approvalSeconds,
    calls_per_turn: session.callsPerTurn,
    call_budget: session.callBudget,
    opened_by: { ...session.openedBy },
  },
});

/** All of a trust but its end. */
export const sealedTrust = (tx: Tx, trust: SessionTrust): SealedRow => ({
  table: 'session_trust',
  tenantId: tx.tenantId,
  id: trust.id,
  columns: {
    session_id: trust.sessionId,
    tool: trust.tool,
    tool_digest: trust.toolDigest,
    executor_digest: trust.executorDigest,
    shape: trust.shape,
    person_id: trust.madeBy,
    credential_id: trust.credentialId,
    factor_proved: trust.factorProved,
    made_at: trust.madeAt,
  },
});
