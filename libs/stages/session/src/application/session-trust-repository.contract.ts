import { actorOf, digestOf, newId, type SessionId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SessionTrustId } from '../domain/ids.js';
import type { Session } from '../domain/session.js';
import type { RevokedTrust, SessionTrust, TrustedCall } from '../domain/session-trust.js';
import { sampleSession, sampleTrust } from './fake-session.js';
import type { SessionTrustRepository } from './session.ports.js';

const OTHER_DIGEST = digestOf('tool', { name: 'another' });

/** The contract of a repository of trusts. The tools `edit_file` and `run_tests` are there. */
export function describeSessionTrustRepository(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly trusts: SessionTrustRepository;
    keepSession(session: Session): Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of SessionTrustRepository`, () => {
    let world: ContractWorld;
    let trusts: SessionTrustRepository;
    let session: Session;
    let another: Session;
    beforeAll(async () => {
      const opened = await open();
      ({ world, trusts } = opened);
      [session, another] = [sampleSession(world.home), sampleSession(world.home)];
      await opened.keepSession(session);
      await opened.keepSession(another);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (members: Partial<SessionTrust> = {}): Promise<SessionTrust> => {
      const trust = sampleTrust(session, world.home.owner, { shape: `"${newId()}"`, ...members });
      await atHome((tx) => trusts.insert(tx, trust));
      return trust;
    };
    const found = ({ sessionId, id }: SessionTrust) => atHome((tx) => trusts.find(tx, sessionId, id));
    const covering = (sessionId: SessionId, trust: SessionTrust, other: Partial<TrustedCall> = {}) =>
      atHome((tx) => trusts.covering(tx, sessionId, { ...trust, ...other }));
    const revoked = (trust: SessionTrust): RevokedTrust => ({
      ...trust,
      revoked: { at: trust.madeAt + 1_000, by: actorOf(world.home.agent) },
    });

    it('finds an inserted trust, whole, by its id and by the call that it covers', async () => {
      const trust = await kept();
      expect(await found(trust)).toEqual(trust);
      expect(await covering(session.id, trust)).toEqual([trust]);
    });

    it('covers no call of another session, tool, version, executor, shape or tenant', async () => {
      const trust = await kept();
      const { id, shape } = trust;
      expect(await covering(another.id, trust)).toEqual([]);
      for (const other of [
        { tool: 'run_tests' },
        { shape: `${shape} ` },
        { toolDigest: OTHER_DIGEST },
        { executorDigest: OTHER_DIGEST },
      ])
        expect(await covering(session.id, trust, other)).toEqual([]);
      expect(await elsewhere((tx) => trusts.covering(tx, session.id, trust))).toEqual([]);
      expect(await elsewhere((tx) => trusts.find(tx, session.id, id))).toBeNull();
      expect(await atHome((tx) => trusts.find(tx, another.id, id))).toBeNull();
      expect(await atHome((tx) => trusts.find(tx, session.id, newId<SessionTrustId>()))).toBeNull();
    });

    it('covers nothing once it was taken back, and may be given again', async () => {
      const trust = await kept();
      await atHome((tx) => trusts.saveRevoked(tx, revoked(trust)));
      expect(await found(trust)).toEqual(revoked(trust));
      expect(await covering(session.id, trust)).toEqual([]);
      const again = await kept({ shape: trust.shape });
      expect(await covering(session.id, trust)).toEqual([again]);
    });

    it('covers a call of an executor, oldest first, once for each credential and factor', async () => {
      const trust = await kept({ executorDigest: OTHER_DIGEST });
      const proved = await kept({ ...trust, id: newId(), madeAt: trust.madeAt - 1, factorProved: true });
      expect(await covering(session.id, trust)).toEqual([proved, trust]);
      expect(await covering(session.id, trust, { executorDigest: null })).toEqual([]);
    });

    it('lists those in force of one session, oldest first', async () => {
      const other = await atHome((tx) => trusts.inForce(tx, another.id));
      const before = await atHome((tx) => trusts.inForce(tx, session.id));
      const madeAt = session.openedAt + 10_000;
      const [second, first, back] = [
        await kept({ madeAt: madeAt + 2 }),
        await kept({ madeAt }),
        await kept({ madeAt }),
      ];
      await atHome((tx) => trusts.saveRevoked(tx, revoked(back)));
      expect(await atHome((tx) => trusts.inForce(tx, session.id))).toEqual([...before, first, second]);
      expect(await atHome((tx) => trusts.inForce(tx, another.id))).toEqual(other);
      expect(await elsewhere((tx) => trusts.inForce(tx, session.id))).toEqual([]);
    });

    it('is in force once for the same calls (23505), and taken back once (CS001)', async () => {
      const trust = await kept();
      await expect(kept({ shape: trust.shape })).rejects.toMatchObject({ code: '23505' });
      await kept({ shape: trust.shape, tool: 'run_tests' });
      await kept({ shape: trust.shape, sessionId: another.id });
      await atHome((tx) => trusts.saveRevoked(tx, revoked(trust)));
      const later = { ...trust, revoked: { at: trust.madeAt + 2_000, by: actorOf(world.home.owner) } };
      await expect(atHome((tx) => trusts.saveRevoked(tx, later))).rejects.toMatchObject({ code: 'CS001' });
    });

    it('takes back nothing of another tenant', async () => {
      const trust = await kept();
      await elsewhere((tx) => trusts.saveRevoked(tx, revoked(trust)));
      expect(await found(trust)).toEqual(trust);
    });

    it('lists those of one session, newest first, page by page, with those taken back', async () => {
      const start = Date.UTC(2030, 0, 1);
      const first = await kept({ madeAt: start });
      const second = await kept({ madeAt: start + 1 });
      await kept({ madeAt: start + 2, sessionId: another.id });
      await atHome((tx) => trusts.saveRevoked(tx, revoked(second)));
      const listed = (limit: number, after: SessionTrust | null) =>
        atHome((tx) =>
          trusts.list(tx, session.id, { limit, after: after === null ? null : { at: after.madeAt, id: after.id } }),
        );
      expect(await listed(2, null)).toEqual([revoked(second), first]);
      expect(await listed(1, null)).toEqual([revoked(second)]);
      expect(await listed(1, second)).toEqual([first]);
      expect(await elsewhere((tx) => trusts.list(tx, session.id, { limit: 9, after: null }))).toEqual([]);
    });
  });
}
