import type { AutonomyReader } from '#lib/autonomy';
import type { AgentRepository } from '#lib/identity';
import type { AuditSink, RowSeals, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { EnvironmentReader } from '#lib/task';
import { SqlSessionRepository } from './adapters/sql-session-repository.js';
import { SqlSessionTrustRepository } from './adapters/sql-session-trust-repository.js';
import { ChangeSessionAutonomy } from './application/change-session-autonomy.js';
import { EndAgentSessions } from './application/end-agent-sessions.js';
import { EndIdleSessions } from './application/end-idle-sessions.js';
import { EndSession, SessionEnding } from './application/end-session.js';
import { JudgeSessionChange } from './application/judge-session-change.js';
import { ListTrusts } from './application/list-trusts.js';
import { OpenSession } from './application/open-session.js';
import { ReadSessions } from './application/read-sessions.js';
import { RevokeTrust } from './application/revoke-trust.js';
import { SessionAccess } from './application/session-access.js';
import { SessionJournal } from './application/session-journal.js';
import type {
  CallsInFlight,
  SessionEndedListener,
  SessionRepository,
  SessionTrustRepository,
} from './application/session.ports.js';
import { TrustCall } from './application/trust-call.js';

/** The stored sessions, and their trusted calls. */
export interface SessionRows {
  readonly sessions: SessionRepository;
  readonly trusts: SessionTrustRepository;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createSessionStore = (seals: RowSeals): SessionRows => ({
  sessions: new SqlSessionRepository(seals),
  trusts: new SqlSessionTrustRepository(seals),
});

export interface SessionDeps {
  readonly uow: UnitOfWork;
  readonly rows: SessionRows;
  readonly audit: AuditSink;
  readonly policy: PolicyDecisionPoint;
  readonly autonomy: AutonomyReader;
  readonly environments: EnvironmentReader;
  readonly agents: Pick<AgentRepository, 'find'>;
  readonly calls: CallsInFlight;
  readonly ended: readonly SessionEndedListener[];
}

/** Sessions of agents. */
export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(deps: SessionDeps) {
  const { uow, audit, policy, autonomy, environments, agents, calls, ended } = deps;
  const { sessions, trusts } = deps.rows;
  const access = new SessionAccess(sessions, agents, calls);
  const journal = new SessionJournal(audit);
  const judge = new JudgeSessionChange(environments, autonomy, policy);
  const ending = new SessionEnding(sessions, journal, ended);
  return {
    sessions,
    trusts,
    access,
    trustCall: new TrustCall(trusts, journal),
    openSession: new OpenSession({ uow, sessions, environments, agents, autonomy, judge, journal }),
    readSessions: new ReadSessions(uow, sessions, access),
    changeSessionAutonomy: new ChangeSessionAutonomy({
      uow,
      sessions,
      trusts,
      autonomy,
      access,
      judge,
      journal,
    }),
    endSession: new EndSession(uow, access, ending),
    endAgentSessions: new EndAgentSessions(sessions, ending),
    endIdleSessions: new EndIdleSessions(uow, sessions, calls, ending),
    listTrusts: new ListTrusts(uow, trusts, access),
    revokeTrust: new RevokeTrust(uow, trusts, access, journal),
  };
}
