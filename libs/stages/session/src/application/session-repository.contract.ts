import { newId, type AgentId, type SessionId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { TOUCH_MS, type Session } from '../domain/session.js';
import { endedSession, sampleSession } from './fake-session.js';
import type { SessionFilter, SessionRefusal, SessionRepository } from './session.ports.js';

/** A repository of sessions, the agents that may be in them, and the clock. */
interface Opened {
  readonly world: ContractWorld;
  readonly sessions: SessionRepository;
  /** Two more agents of the tenant. */
  readonly agents: readonly [AgentId, AgentId];
}

/** The contract of a repository of sessions. */
export function describeSessionRepository(name: string, open: () => Promise<Opened>): void {
  describe(`${name} keeps the contract of SessionRepository`, () => {
    let world: ContractWorld;
    let sessions: SessionRepository;
    let agents: Opened['agents'];
    beforeAll(async () => {
      ({ world, sessions, agents } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (session: Session): Promise<Session> => {
      await atHome((tx) => sessions.insert(tx, session));
      return session;
    };
    const found = (id: SessionId) => atHome((tx) => sessions.find(tx, id));
    const READS = ['find', 'lock', 'share'] as const;

    it('finds an inserted session, whole', async () => {
      const { home } = world;
      const wholes = [
        sampleSession(home),
        sampleSession(home, { by: { ...home.agent, onBehalfOf: home.admin.personId }, model: 'a model' }),
        sampleSession(home, {
          by: home.owner,
          agentIds: [home.agent.agentId, ...agents].sort(),
          autonomy: { preset: 'levels', level: 'MANUAL', mode: 'always-ask' },
          idleSeconds: 60,
          approvalSeconds: 10,
          callsPerTurn: 1,
          environment: { id: home.production.id, name: home.production.name },
        }),
      ];
      for (const session of wholes) {
        await kept(session);
        for (const read of READS) expect(await atHome((tx) => sessions[read](tx, session.id))).toEqual(session);
      }
    });

    it('has nothing under another id, and nothing for another tenant', async () => {
      const { id } = await kept(sampleSession(world.home));
      for (const read of READS) {
        expect(await atHome((tx) => sessions[read](tx, newId<SessionId>()))).toBeNull();
        expect(await elsewhere((tx) => sessions[read](tx, id))).toBeNull();
      }
    });

    it('counts the open sessions of agents, for one transaction at a time', async () => {
      const [one, two] = [...agents].sort() as [AgentId, AgentId];
      const open = (ids: readonly AgentId[]) => atHome((tx) => sessions.lockOpen(tx, ids));
      const before = await open([one, two]);
      const now = await atHome((tx) => tx.now());
      const idleSeconds = 60;
      const live = await kept(sampleSession(world.home, { agentIds: [one, two], openedAt: now, idleSeconds }));
      await kept(sampleSession(world.home, { agentIds: [one], openedAt: now + 5_000, idleSeconds }));
      await kept(sampleSession(world.home, { agentIds: [one], openedAt: now - 120_000, idleSeconds }));
      const ended = await kept(sampleSession(world.home, { agentIds: [two], openedAt: now, idleSeconds }));
      await atHome((tx) => sessions.saveEnded(tx, endedSession(ended)));
      const openAmong = (tx: Tx) => sessions.openAmong(tx, [ended.id, newId<SessionId>(), live.id]);
      expect(await atHome(openAmong)).toEqual([live.id]);
      expect(await elsewhere(openAmong)).toEqual([]);
      const after = await open([one, two]);
      const more = (id: AgentId) => (after.get(id)?.count ?? 0) - (before.get(id)?.count ?? 0);
      expect([more(one), more(two)]).toEqual([2, 1]);
      expect(after.get(one)?.firstIdleAt).toBe(now + 60_000);
      expect([...(await open([two])).keys()]).toEqual([two]);
      expect([...(await open([newId<AgentId>()]))]).toEqual([]);
      expect([...(await elsewhere((tx) => sessions.lockOpen(tx, [one])))]).toEqual([]);
      const waited = await waitsBehind(
        world,
        (tx) => sessions.lockOpen(tx, [one]),
        (tx) => sessions.lockOpen(tx, [one, two]),
      );
      expect(waited).toBe(true);
    });

    it('knows the first refusal of its kind for a time', async () => {
      const [agentId, another] = agents;
      const submitterId = newId<AgentId>();
      const first = (members: Partial<SessionRefusal> = {}, forMs = 60_000) =>
        atHome((tx) => sessions.firstRefusal(tx, { submitterId, agentId, ...members }, forMs));
      expect([await first(), await first()]).toEqual([true, false]);
      expect(await first({ submitterId: newId<AgentId>() })).toBe(true);
      expect([await first({ agentId: another }, 0), await first({ agentId: another })]).toEqual([true, true]);
      expect(await first({ agentId: another })).toBe(false);
    });

    it('refuses an id that is taken (23505), and a session that begins ended (CS002)', async () => {
      const session = await kept(sampleSession(world.home));
      await expect(kept(session)).rejects.toMatchObject({ code: '23505' });
      await expect(kept(endedSession(sampleSession(world.home)))).rejects.toMatchObject({ code: 'CS002' });
    });

    it('saves settings under the next revision, and nothing else', async () => {
      const session = await kept(sampleSession(world.home));
      const bystander = await kept(sampleSession(world.home));
      const autonomy = { preset: 'tiers', level: 'CAUTIOUS', mode: 'always-ask' } as const;
      const changed = { ...session, autonomy, callBudget: 7, revision: 2 };
      await atHome((tx) => sessions.saveSettings(tx, { ...changed, state: 'ended', model: 'another' }));
      expect([await found(session.id), await found(bystander.id)]).toEqual([changed, bystander]);
    });

    it('refuses an earlier revision, the same again, and any after the end (CS001)', async () => {
      const session = await kept(sampleSession(world.home));
      const loose = { ...session, autonomy: { ...session.autonomy, preset: 'tiers' as const } };
      const save = (revision: number) => atHome((tx) => sessions.saveSettings(tx, { ...loose, revision }));
      await save(2);
      for (const revision of [1, 2, 4])
        await expect(atHome((tx) => sessions.saveSettings(tx, { ...session, revision }))).rejects.toMatchObject({
          code: 'CS001',
        });
      await atHome((tx) => sessions.saveEnded(tx, endedSession(session)));
      await expect(atHome((tx) => sessions.saveSettings(tx, { ...session, revision: 3 }))).rejects.toMatchObject({
        code: 'CS001',
      });
    });

    it('saves an end once (CS001)', async () => {
      const session = await kept(sampleSession(world.home));
      const ended = endedSession(session);
      await atHome((tx) => sessions.saveEnded(tx, ended));
      expect(await found(session.id)).toEqual(ended);
      await expect(
        atHome((tx) => sessions.saveEnded(tx, { ...ended, endedReason: 'cancelled' })),
      ).rejects.toMatchObject({ code: 'CS001' });
      // @ts-expect-error -- an end leads to no open session
      await expect(atHome((tx) => sessions.saveEnded(tx, session))).rejects.toMatchObject({ code: 'CS001' });
    });

    it('changes nothing of another tenant', async () => {
      const session = await kept(sampleSession(world.home));
      await elsewhere(async (tx) => {
        await sessions.saveSettings(tx, { ...session, revision: 2 });
        await sessions.saveEnded(tx, endedSession(session));
        await sessions.touch(tx, session.id);
      });
      expect(await found(session.id)).toEqual(session);
    });

    it('puts a use on record if the last one is older than ten seconds', async () => {
      const now = await atHome((tx) => tx.now());
      const rested = await kept(sampleSession(world.home, { openedAt: now - TOUCH_MS - 1_000 }));
      const busy = await kept(sampleSession(world.home, { openedAt: now - 1_000 }));
      for (const { id } of [rested, busy]) await atHome((tx) => sessions.touch(tx, id));
      const touched = await found(rested.id);
      expect(touched?.lastUsedAt).toBeGreaterThanOrEqual(now);
      expect(touched).toEqual({ ...rested, lastUsedAt: touched?.lastUsedAt });
      expect(await found(busy.id)).toEqual(busy);
    });

    it('puts no use on record after the end', async () => {
      const ended = endedSession(await kept(sampleSession(world.home)));
      await atHome((tx) => sessions.saveEnded(tx, ended));
      await atHome((tx) => sessions.touch(tx, ended.id));
      expect(await found(ended.id)).toEqual(ended);
    });

    it('lets one transaction at a time hold a session, and none change it while a call shares it', async () => {
      const { id } = await kept(sampleSession(world.home));
      const lock = (tx: Tx) => sessions.lock(tx, id);
      const share = (tx: Tx) => sessions.share(tx, id);
      expect(await waitsBehind(world, lock)).toBe(true);
      expect(await waitsBehind(world, share, lock)).toBe(true);
      expect(await waitsBehind(world, lock, share)).toBe(true);
    });

    describe('lists', () => {
      const start = Date.UTC(2030, 0, 1);
      let byAgent: Session;
      let ended: Session;
      let ofTwo: Session;
      beforeAll(async () => {
        const { home } = world;
        byAgent = await kept(sampleSession(home, { openedAt: start }));
        const closed = endedSession(await kept(sampleSession(home, { openedAt: start + 1 })));
        await atHome((tx) => sessions.saveEnded(tx, closed));
        ended = closed;
        ofTwo = await kept(sampleSession(home, { by: home.owner, agentIds: [...agents].sort(), openedAt: start + 2 }));
      });

      const listed = (filter: Partial<SessionFilter>, limit = 3, after: Session | null = null) =>
        atHome(async (tx) => {
          const page = { limit, after: after === null ? null : { at: after.openedAt, id: after.id } };
          return (await sessions.list(tx, { state: null, agentId: null, ...filter }, page)).map(({ id }) => id);
        });

      it('the newest first, page by page', async () => {
        expect(await listed({})).toEqual([ofTwo.id, ended.id, byAgent.id]);
        expect(await listed({}, 1)).toEqual([ofTwo.id]);
        expect(await listed({}, 2, ofTwo)).toEqual([ended.id, byAgent.id]);
      });

      it('whole', async () => {
        const [first] = await atHome((tx) =>
          sessions.list(tx, { state: null, agentId: null }, { limit: 1, after: null }),
        );
        expect(first).toEqual(ofTwo);
      });

      it('by state and by each agent', async () => {
        expect(await listed({ state: 'ended' }, 1)).toEqual([ended.id]);
        expect(await listed({ state: 'open' }, 2)).toEqual([ofTwo.id, byAgent.id]);
        for (const agentId of agents) expect(await listed({ agentId }, 1)).toEqual([ofTwo.id]);
        expect(await listed({ agentId: world.home.agent.agentId }, 2)).toEqual([ended.id, byAgent.id]);
        expect(await listed({ agentId: newId<AgentId>() })).toEqual([]);
      });

      it('nothing of another tenant', async () => {
        const all = { state: null, agentId: null };
        expect(await elsewhere((tx) => sessions.list(tx, all, { limit: 10, after: null }))).toEqual([]);
      });
    });
  });
}
