import type { AgentPrincipal, DecisionId, SessionId, Tx } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeAgentRepository, FakePeopleRows } from '../../../../people/identity/src/application/fake-people.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import {
  FakeAutonomyRepository,
  sampleRevision,
} from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { fakePolicy } from '../../../../rules/policy/src/fake-policy.js';
import { createSessions } from '../create-sessions.js';
import type { Session } from '../domain/session.js';
import { FakeSessionRepository } from './fake-session-repository.js';
import { FakeSessionTrustRepository } from './fake-session-trust-repository.js';
import { sampleSession } from './fake-session.js';
import type { SessionEnded } from './session.ports.js';

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
  const audit = new FakeAuditSink(uow);
  const { decisions: log, decisionPoint: policy } = fakePolicy(uow);
  /** The sessions with a call in flight. */
  const busy = new Set<SessionId>();
  const calls = { anyInFlight: (_tx: Tx, id: SessionId) => Promise.resolve(busy.has(id)) };
  const ended: SessionEnded[] = [];
  const listener = {
    sessionEnded: (_tx: Tx, event: SessionEnded) => {
      ended.push(event);
      return Promise.resolve();
    },
  };
  const parts = createSessions({
    ...{ uow, audit, policy, autonomy, environments, agents, calls },
    rows: { sessions, trusts },
    ended: [listener],
  });
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
    access: parts.access,
    sessions,
    trusts,
    ended,
    busy,
    disable: (id: AgentPrincipal['agentId']) =>
      atHome(async (tx) => {
        const agent = await agents.find(tx, id);
        if (agent !== null) await agents.save(tx, { ...agent, disabledAt: uow.now });
      }),
    open: parts.openSession,
    read: parts.readSessions,
    change: parts.changeSessionAutonomy,
    end: parts.endSession,
    endOfAgent: parts.endAgentSessions,
    endIdle: parts.endIdleSessions,
    trust: parts.trustCall,
    listTrusts: parts.listTrusts,
    revokeTrust: parts.revokeTrust,
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
