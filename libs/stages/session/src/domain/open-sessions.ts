import { SESSIONS_PER_AGENT, type AutonomyDocument } from '#lib/formats';
import type { AgentId, Failure } from '#lib/kernel';

/** The most open sessions of an agent, by the tenant's `sessions_per_agent`. */
export const mostOpenSessions = (document: AutonomyDocument | null): number =>
  document?.autonomy.sessions_per_agent ?? SESSIONS_PER_AGENT;

/** `session.too_many_open`. Times are epoch milliseconds. */
export const tooManyOpen = (
  agentId: AgentId,
  most: number,
  { firstIdleAt, now }: { readonly firstIdleAt: number; readonly now: number },
): Failure => ({
  kind: 'rate_limited',
  code: 'session.too_many_open',
  message: `The agent ${agentId} has ${String(most)} open sessions, which is the most at once.`,
  action: 'End one of them, or use one that is open. The bound is sessions_per_agent of the autonomy document.',
  details: { agent_id: agentId, sessions_per_agent: most },
  retryAfterSeconds: Math.max(1, Math.ceil((firstIdleAt - now) / 1_000)),
});
