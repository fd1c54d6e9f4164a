import { digestOf, newId, type AgentPrincipal, type PersonPrincipal, type SessionId } from '#lib/kernel';
import { submitterOf } from '#lib/task';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SessionTrustId } from '../domain/ids.js';
import { DEFAULT_AUTONOMY, type EndedSession, type Session, type SessionLimits } from '../domain/session.js';
import type { SessionTrust } from '../domain/session-trust.js';

/** The settings and limits of a session whose opener chose none. */
export const DEFAULT_LIMITS: SessionLimits = {
  idleSeconds: 3_600,
  approvalSeconds: 120,
  callsPerTurn: 8,
  callBudget: 500,
};

/** A session of the tenant's agent in staging, as OpenSession would make it. */
export function sampleSession(
  tenant: SampleTenant,
  { by = tenant.agent, ...members }: Partial<Session> & { readonly by?: AgentPrincipal | PersonPrincipal } = {},
): Session {
  const openedBy = submitterOf(by);
  if (!openedBy.ok) throw new Error(openedBy.error.code);
  const openedAt = members.openedAt ?? Date.UTC(2026, 0, 5, 8);
  return {
    id: newId<SessionId>(),
    environment: { id: tenant.staging.id, name: tenant.staging.name },
    agentIds: [tenant.agent.agentId],
    autonomy: DEFAULT_AUTONOMY,
    revision: 1,
    model: null,
    ...DEFAULT_LIMITS,
    state: 'open',
    endedReason: null,
    openedBy: openedBy.value,
    openedAt,
    lastUsedAt: openedAt,
    endedAt: null,
    ...members,
  };
}

/** The session after somebody closed it. */
export const endedSession = (session: Session): EndedSession => ({
  ...session,
  state: 'ended',
  endedReason: 'closed',
  endedAt: session.lastUsedAt + 1_000,
});

/** An "always" of this person for calls of `edit_file` with one path. */
export const sampleTrust = (
  session: Session,
  { personId, credentialId }: PersonPrincipal,
  members: Partial<SessionTrust> = {},
): SessionTrust => ({
  id: newId<SessionTrustId>(),
  sessionId: session.id,
  tool: 'edit_file',
  toolDigest: digestOf('tool', { name: 'edit_file' }),
  executorDigest: null,
  shape: '{"path":"src/a.ts"}',
  madeBy: personId,
  credentialId,
  factorProved: false,
  madeAt: session.openedAt + 1_000,
  revoked: null,
  ...members,
});
