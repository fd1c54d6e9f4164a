/**
 * Sessions of agents: the frame in which agents call one tool after another in one environment. Each call is decided by
 * itself.
 *
 * Owns sessions with their preset, level, mode and limits, and the trusts ("always") that people give in them. Invariants: a
 * session adds questions to the tenant's autonomy document, and never answers one of them. Its agents never change. An agent
 * or a token only tightens it; a person loosens it, in a browser or in Slack. An end is final, and denies the calls that wait.
 * Rows that decide are sealed, and their earlier revisions never come back.
 *
 * Never decides a call, and knows none. The gate finds a session by `SessionAccess.toUse`, and asks for a trust that
 * covers a call. It hears of ends by `SessionEndedListener`. A browser session is another thing: see `#lib/sign-in`.
 */
export { sessionAgentEntity, sessionEntity, sessionTrustEntity } from './adapters/session.entity.js';
export { ChangeSessionAutonomy } from './application/change-session-autonomy.js';
export { EndSession } from './application/end-session.js';
export { ListTrusts } from './application/list-trusts.js';
export { OpenSession } from './application/open-session.js';
export { ReadSessions } from './application/read-sessions.js';
export { RevokeTrust } from './application/revoke-trust.js';
export { callBudgets } from './domain/call-budgets.js';
export type { SessionTrustId } from './domain/ids.js';
export { idleAt, type Session } from './domain/session.js';
export type { SessionTrust, TrustedCall } from './domain/session-trust.js';
export { TrustCall } from './application/trust-call.js';
export { SessionAccess } from './application/session-access.js';
export type { SessionEnded, SessionEndedListener, SessionRepository } from './application/session.ports.js';
export { createSessions, createSessionStore, type Sessions } from './create-sessions.js';
