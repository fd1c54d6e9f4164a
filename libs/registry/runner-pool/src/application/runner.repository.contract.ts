import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerId } from '../domain/ids.js';
import type { Runner } from '../domain/runner.js';
import type { RunnerIntroduction, RunnerRepository } from './runner.ports.js';

/** The contract of a repository of runners, their tokens, keys and proofs. */
export function describeRunnerRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly runners: RunnerRepository }>,
): void {
  describe(`${name} keeps the contract of RunnerRepository`, () => {
    let world: ContractWorld;
    let runners: RunnerRepository;
    beforeAll(async () => {
      ({ world, runners } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const now = (): Promise<number> => atHome((tx) => tx.now());
    const added = async (changes: Partial<Pick<Runner, 'pool' | 'environments' | 'createdAt'>> = {}) => {
      const id = newId<RunnerId>();
      const createdBy = world.home.admin.personId;
      const made = {
        id,
        name: `r-${id}`,
        pool: 'builders',
        environments: ['staging'],
        createdBy,
        createdAt: await now(),
      };
      await atHome((tx) => runners.insert(tx, { ...made, ...changes }));
      return { ...made, ...changes };
    };
    const enrolled = async (changes: Parameters<typeof added>[0] = {}, at?: number): Promise<RunnerId> => {
      const { id } = await added(changes);
      const since = at ?? (await now());
      await atHome((tx) => runners.markEnrolled(tx, id, '1', since));
      await says(id, {});
      return id;
    };
    const says = (id: RunnerId, changes: Partial<RunnerIntroduction>) =>
      atHome((tx) =>
        runners.introduce(tx, id, {
          version: '2',
          tools: [],
          worksIn: ['staging'],
          hooks: [],
          noWayBack: null,
          ...changes,
        }),
      );
    const find = (id: RunnerId) => atHome((tx) => runners.find(tx, id));
    const revoke = async (id: RunnerId): Promise<number> => {
      const at = await now();
      await atHome((tx) => runners.revoke(tx, id, world.home.admin.personId, at));
      return at;
    };

    it('finds a runner as it was added, for its tenant alone', async () => {
      const made = await added({ environments: ['production', 'staging'] });
      const fresh = { enrolledAt: null, version: null, tools: [], lastSeenAt: null, leftAt: null, revokedAt: null };
      expect(await find(made.id)).toEqual({ ...made, ...fresh, worksIn: null, hooks: [], noWayBack: null });
      expect(await elsewhere((tx) => runners.find(tx, made.id))).toBeNull();
      expect(await find(newId<RunnerId>())).toBeNull();
    });

    it('keeps the progress of a runner', async () => {
      const { id } = await added();
      const at = await now();
      const tools = [{ name: 'file-read', parameters: { type: 'object' } }];
      await atHome((tx) => runners.markEnrolled(tx, id, '1', at));
      await atHome((tx) =>
        runners.introduce(tx, id, { version: '2', tools, worksIn: ['qa'], hooks: ['notify'], noWayBack: 'too large' }),
      );
      expect(await find(id)).toMatchObject({
        ...{ enrolledAt: at, lastSeenAt: at, version: '2', tools },
        ...{ worksIn: ['qa'], hooks: ['notify'], noWayBack: 'too large' },
      });
    });

    it('knows why a runner of a pool has no way back, in its environments alone', async () => {
      const pool = `pool-${newId()}`;
      const [one, other] = [await enrolled({ pool }), await enrolled({ pool })];
      const reason = (environment = 'staging', of = pool) => atHome((tx) => runners.noWayBack(tx, of, environment));
      expect(await reason()).toBeNull();
      await says(other, { noWayBack: 'too many files' });
      expect([await reason(), await reason('production'), await reason('staging', 'others')]).toEqual([
        'too many files',
        null,
        null,
      ]);
      expect(await elsewhere((tx) => runners.noWayBack(tx, pool, 'staging'))).toBeNull();
      await says(one, { noWayBack: 'too large' });
      expect(await reason()).toBe('too large');
      await says(one, { noWayBack: null });
      expect(await reason()).toBe('too many files');
      await says(other, { noWayBack: 'too many files', worksIn: ['production'] });
      expect([await reason(), await reason('production')]).toEqual([null, null]);
      await says(other, { noWayBack: 'too many files' });
      await revoke(other);
      expect(await reason()).toBeNull();
    });

    it('notes a call of a runner, unless it called a moment ago', async () => {
      const id = await enrolled();
      const at = (await find(id))?.lastSeenAt ?? 0;
      await atHome((tx) => runners.saw(tx, id, at + 4_000));
      expect(await find(id)).toMatchObject({ lastSeenAt: at });
      await atHome((tx) => runners.saw(tx, id, at + 6_000));
      expect(await find(id)).toMatchObject({ lastSeenAt: at + 6_000 });
    });

    it('knows whether a pool is online in an environment', async () => {
      const pool = `pool-${newId()}`;
      const at = await now();
      const reach = (since: number, environment = 'staging', of = pool) =>
        atHome((tx) => runners.reach(tx, of, environment, since));
      await added({ pool });
      expect(await reach(at - 60_000)).toBe('none');
      const id = await enrolled({ pool }, at);
      expect(await reach(at - 60_000)).toBe('online');
      expect(await reach(at)).toBe('offline');
      expect(await reach(at - 60_000, 'production')).toBe('none');
      expect(await reach(at - 60_000, 'staging', 'others')).toBe('none');
      await revoke(id);
      expect(await reach(at - 60_000)).toBe('none');
    });

    it('tells a runner that does not work in an environment from one that does', async () => {
      const pool = `pool-${newId()}`;
      const at = await now();
      const both = ['production', 'staging'];
      const reach = (environment = 'staging') => atHome((tx) => runners.reach(tx, pool, environment, at - 60_000));
      const { id } = await added({ pool, environments: both });
      await atHome((tx) => runners.markEnrolled(tx, id, '1', at));
      expect(await reach()).toBe('online');
      await says(id, { worksIn: ['production', 'qa'] });
      expect([await reach(), await reach('production'), await reach('qa')]).toEqual(['elsewhere', 'online', 'none']);
    });

    it('takes a pool for offline whose one runner for an environment is, although another one is online', async () => {
      const pool = `pool-${newId()}`;
      const at = await now();
      const reach = () => atHome((tx) => runners.reach(tx, pool, 'staging', at - 60_000));
      const other = await enrolled({ pool, environments: ['production', 'staging'] }, at);
      await says(other, { worksIn: ['production'] });
      expect(await reach()).toBe('elsewhere');
      const asleep = await enrolled({ pool }, at - 120_000);
      expect(await reach()).toBe('offline');
      await atHome((tx) => runners.saw(tx, asleep, at));
      expect(await reach()).toBe('online');
      await atHome((tx) => runners.left(tx, asleep, at));
      expect(await reach()).toBe('offline');
      await says(asleep, { worksIn: ['qa'] });
      expect(await reach()).toBe('elsewhere');
    });

    it('takes a runner that left for offline, until it calls again', async () => {
      const pool = `pool-${newId()}`;
      const at = await now();
      const id = await enrolled({ pool }, at);
      const reach = () => atHome((tx) => runners.reach(tx, pool, 'staging', at - 60_000));
      await atHome((tx) => runners.left(tx, id, at));
      expect(await find(id)).toMatchObject({ leftAt: at });
      expect(await reach()).toBe('offline');
      const other = await enrolled({ pool }, at - 1);
      expect(await reach()).toBe('online');
      await revoke(other);
      await atHome((tx) => runners.saw(tx, id, at + 1));
      expect(await find(id)).toMatchObject({ leftAt: null, lastSeenAt: at + 1 });
      expect(await reach()).toBe('online');
    });

    it('keeps a name for a runner until it is revoked', async () => {
      const { id, name: called } = await added();
      expect(await atHome((tx) => runners.byName(tx, called))).toMatchObject({ id });
      expect(await elsewhere((tx) => runners.byName(tx, called))).toBeNull();
      const at = await revoke(id);
      expect(await atHome((tx) => runners.byName(tx, called))).toBeNull();
      expect(await find(id)).toMatchObject({ revokedAt: at });
    });

    it('lists the newest first, and the revoked last', async () => {
      const at = await now();
      const [old, late, gone] = [
        await added({ createdAt: at + 1 }),
        await added({ createdAt: at + 2 }),
        await added({ createdAt: at + 3 }),
      ];
      await revoke(gone.id);
      const mine = [old.id, late.id, gone.id];
      const listed = await atHome((tx) => runners.list(tx));
      expect(listed.map(({ id }) => id).filter((id) => mine.includes(id))).toEqual([late.id, old.id, gone.id]);
      expect(await elsewhere((tx) => runners.list(tx))).toEqual([]);
    });

    it('keeps a revocation waiting while a transaction holds the runner', async () => {
      const id = await enrolled();
      const holds = (tx: Tx) => runners.find(tx, id, 'share');
      expect(await waitsBehind(world, holds, (tx) => runners.find(tx, id, 'update'))).toBe(true);
    });

    it('finds a token by its digest, before a tenant is known, and uses it up', async () => {
      const { id: runnerId } = await added();
      const [id, digest] = [newId(), Buffer.alloc(32, newId())];
      const createdAt = await now();
      const expiresAt = createdAt + 60_000;
      await atHome((tx) => runners.insertEnrolment(tx, { id, runnerId, digest, createdAt, expiresAt }));
      const located = { tenantId: world.home.tenantId, id };
      expect(await runners.locateEnrolment([Buffer.alloc(32, 1), digest])).toEqual(located);
      expect(await runners.locateEnrolment([Buffer.alloc(32, 1)])).toBeNull();
      const lock = (tx: Tx) => runners.lockEnrolment(tx, id);
      expect(await atHome(lock)).toEqual({ id, runnerId, expiresAt, usedAt: null });
      expect(await elsewhere(lock)).toBeNull();
      expect(await waitsBehind(world, lock)).toBe(true);
      await atHome((tx) => runners.markEnrolmentUsed(tx, id, createdAt + 1));
      expect(await atHome(lock)).toMatchObject({ usedAt: createdAt + 1 });
    });

    it('keeps the keys of a runner, oldest first, until they are revoked', async () => {
      const runnerId = await enrolled();
      const at = await now();
      const key = (createdAt: number) => ({ id: newId(), runnerId, publicKey: publicKey(), createdAt });
      const [first, second] = [key(at), key(at + 1)];
      for (const each of [second, first]) await atHome((tx) => runners.insertKey(tx, each));
      const listed = () => atHome((tx) => runners.keys(tx, runnerId));
      expect(await listed()).toEqual([first, second].map((each) => ({ ...each, revokedAt: null })));
      await atHome((tx) => runners.revokeKeys(tx, [first.id], at + 2));
      await atHome((tx) => runners.revokeKeys(tx, [first.id], at + 3));
      expect(await atHome((tx) => runners.key(tx, first.id))).toEqual({ ...first, revokedAt: at + 2 });
      expect(await elsewhere((tx) => runners.key(tx, first.id))).toBeNull();
      const revokedAt = await revoke(runnerId);
      expect((await listed()).map((each) => each.revokedAt)).toEqual([at + 2, revokedAt]);
    });

    it('uses each proof once, counts those of a minute, and drops those that expired', async () => {
      const [id, other] = [await enrolled(), await enrolled()];
      const [proof, later] = [newId(), (await now()) + 60_000];
      const use = (jti: string, until: number, by = id) => atHome((tx) => runners.useProof(tx, by, jti, until));
      expect(await use(proof, later)).toEqual({ fresh: true, recent: 1 });
      expect(await use(proof, later)).toEqual({ fresh: false, recent: 1 });
      expect(await use(proof, later, other)).toEqual({ fresh: true, recent: 1 });
      expect(await use(newId(), later - 120_000)).toEqual({ fresh: true, recent: 2 });
      expect(await use(newId(), later)).toEqual({ fresh: true, recent: 2 });
    });
  });
}

const publicKey = (): string => Buffer.from(newId().padEnd(32, '.').slice(0, 32)).toString('base64url');
