import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import type { AgentPrincipal, DecisionId, SessionId, Tx } from '#lib/kernel';
import { loadPolicyBundle, OpaWasmPolicyEngine, PolicyDecisionPoint } from '#lib/policy';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeAgentRepository, FakePeopleRows } from '../../../../people/identity/src/application/fake-people.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import {
  FakeAutonomyRepository,
  sampleRevision,
} from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { FakeDecisionLog } from '../../../../rules/policy/src/application/fake-decision-log.js';
import type { Session } from '../domain/session.js';
import { ChangeSessionAutonomy } from './change-session-autonomy.js';
import { EndAgentSessions } from './end-agent-sessions.js';
import { EndIdleSessions } from './end-idle-sessions.js';
import { EndSession, SessionEnding } from './end-session.js';
import { FakeSessionRepository } from './fake-session-repository.js';
import { FakeSessionTrustRepository } from './fake-session-trust-repository.js';
import { sampleSession } from './fake-session.js';
import { JudgeSessionChange } from './judge-session-change.js';
import { ListTrusts } from './list-trusts.js';
import { OpenSession } from './open-session.js';
import { ReadSessions } from './read-sessions.js';
import { RevokeTrust } from './revoke-trust.js';
import { SessionAccess } from './session-access.js';
import { SessionJournal } from './session-journal.js';
import type { SessionEnded } from './session.ports.js';
import { TrustCall } from './trust-call.js';

/** Compiled once a file. */
const engine = new OpaWasmPolicyEngine(loadPolicyBundle(join(packageRoot(), 'policies')));

/** Sessions of a tenant in memory, under the real policies. */
export async function sessionWorld() {
  const { uow, home, other } = fakeWorld();
  const stranger = samplePerson(home.tenantId);
  const another = sampleAgent(stranger);
  const agents = new FakeAgentRepository(new FakePeopleRows(uow));
  const sessions = new FakeSessionRepository(uow);
  const trusts = new FakeSessionTrustRepository(uow);
  const environments = new FakeEnvironmentRepository(uow, [home, other]);
  const autonomy = new FakeAutonomyRepository(uow);
  const [log, audit] = [new FakeDecisionLog(), new FakeAuditSink(uow)];
  /** The sessions with a call in flight. */
  const busy = new Set<SessionId>();
  const calls = { anyInFlight: (_tx: Tx, id: SessionId) => Promise.resolve(busy.has(id)) };
  const access = new SessionAccess(sessions, agents, calls);
  const journal = new SessionJournal(audit);
  const ended: SessionEnded[] = [];
  const listener = {
    sessionEnded: (_tx: Tx, event: SessionEnded) => {
      ended.push(event);
      return Promise.resolve();
    },
  };
  const ending = new SessionEnding(sessions, journal, [listener]);
  const judge = new JudgeSessionChange(environments, autonomy, new PolicyDecisionPoint(engine, log));
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const registered = async ({ tenantId, agentId, ownerId }: AgentPrincipal): Promise<void> => {
    const agent = { id: agentId, name: `agent ${agentId}`, description: '', ownerId };
    await uow.run(tenantId, (tx) => agents.insert(tx, agent));
  };
  for (const agent of [home.agent, another, other.agent]) await registered(agent);
  return {
    uow,
    home,
    other,
    /** Somebody who answers for another agent of the tenant. */
    stranger,
    another,
    atHome,
    access,
    sessions,
    trusts,
    ended,
    busy,
    disable: (id: AgentPrincipal['agentId']) =>
      atHome(async (tx) => {
        const agent = await agents.find(tx, id);
        if (agent !== null) await agents.save(tx, { ...agent, disabledAt: uow.now });
      }),
    open: new OpenSession(uow, sessions, environments, agents, autonomy, judge, journal),
    read: new ReadSessions(uow, sessions, access),
    change: new ChangeSessionAutonomy({ uow, sessions, trusts, autonomy, access, judge, journal }),
    end: new EndSession(uow, access, ending),
    endOfAgent: new EndAgentSessions(sessions, ending),
    endIdle: new EndIdleSessions(uow, sessions, calls, ending),
    trust: new TrustCall(trusts, journal),
    listTrusts: new ListTrusts(uow, trusts, access),
    revokeTrust: new RevokeTrust(uow, trusts, access, journal),
    /** A session that is there. */
    opened: async (members: Parameters<typeof sampleSession>[1] = {}): Promise<Session> => {
      const session = sampleSession(home, { openedAt: uow.now, ...members });
      await atHome((tx) => sessions.insert(tx, session));
      return session;
    },
    found: (id: SessionId) => atHome((tx) => sessions.find(tx, id)),
    /** Puts an autonomy document in force. */
    put: (source: string, number: number): Promise<void> =>
      atHome((tx) => autonomy.put(tx, sampleRevision(source, { number }))),
    audited: () => audit.of(home),
    decisionOf: (id: DecisionId) => atHome((tx) => log.find(tx, id)),
  };
}
