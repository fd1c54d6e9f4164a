import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SecretBinding } from '../domain/secret-binding.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { SecretRepository } from './tenancy.ports.js';

const AT = Date.UTC(2026, 0, 5, 8);

const FOR_FLEET: SecretBinding = {
  purpose: 'tool_arguments',
  executors: ['production/fleet'],
  environments: ['staging'],
  tools: ['restart'],
};
const FOR_SIGN_IN: SecretBinding = { purpose: 'sign_in', executors: [], environments: [], tools: [] };

/** The contract of a repository of secrets. */
export function describeSecretRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly secrets: SecretRepository }>,
): void {
  describe(`${name} keeps the contract of SecretRepository`, () => {
    let world: ContractWorld;
    let secrets: SecretRepository;
    beforeAll(async () => {
      ({ world, secrets } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const sample = (reference: SecretReference, keyId = 'k3') => ({
      id: newId(),
      ...reference,
      keyId,
      nonce: Buffer.alloc(12, 1),
      ciphertext: Buffer.alloc(20, reference.version),
      createdAt: AT,
      createdBy: world.home.owner.personId,
    });
    const kept = async (of: string, version = 1, keyId?: string) => {
      const secret = sample({ name: of, version }, keyId);
      await atHome((tx) => secrets.insert(tx, secret));
      return secret;
    };
    const bind = (of: string, binding: SecretBinding | null, at = AT): Promise<void> =>
      atHome((tx) => secrets.saveBinding(tx, of, binding, world.home.owner.personId, at));

    it('lists names and versions in order, after the given one, without values', async () => {
      for (const each of ['b.2', 'Zeta', 'b-1']) await kept(each);
      for (const version of [10, 9]) await kept('a', version);
      const listed = async (limit: number, after: SecretReference | null): Promise<readonly string[]> =>
        (await atHome((tx) => secrets.list(tx, { limit, after }))).map((one) => `${one.name}@${String(one.version)}`);
      const all = ['Zeta@1', 'a@9', 'a@10', 'b-1@1', 'b.2@1'];
      expect(await listed(9, null)).toEqual(all);
      expect(await listed(2, { name: 'Zeta', version: 1 })).toEqual(['a@9', 'a@10']);
      expect(await listed(9, { name: 'a', version: 9 })).toEqual(['a@10', 'b-1@1', 'b.2@1']);
      expect(await elsewhere((tx) => secrets.list(tx, { limit: 9, after: null }))).toEqual([]);
    });

    it('finds an inserted secret by name and version, for its own tenant', async () => {
      const secret = await kept('found', 2);
      const { createdAt: _at, createdBy: _by, ...stored } = secret;
      expect(await atHome((tx) => secrets.find(tx, { name: 'found', version: 2 }))).toMatchObject(stored);
      expect(await atHome((tx) => secrets.find(tx, { name: 'found', version: 1 }))).toBeNull();
      expect(await atHome((tx) => secrets.find(tx, { name: 'foun', version: 2 }))).toBeNull();
      expect(await elsewhere((tx) => secrets.find(tx, { name: 'found', version: 2 }))).toBeNull();
    });

    it('refuses an id, and a version of a name, that is taken (23505)', async () => {
      const secret = await kept('twice');
      const again = (members: object): Promise<void> => atHome((tx) => secrets.insert(tx, { ...secret, ...members }));
      await expect(again({ name: 'twice-2' })).rejects.toMatchObject({ code: '23505' });
      await expect(again({ id: newId() })).rejects.toMatchObject({ code: '23505' });
    });

    it('knows the highest version of a name, and 0 before the first', async () => {
      await kept('counted', 9);
      await kept('counted', 10);
      await kept('counted-2', 11);
      expect(await atHome((tx) => secrets.lockName(tx, 'counted'))).toBe(10);
      expect(await atHome((tx) => secrets.lockName(tx, 'never'))).toBe(0);
      expect(await elsewhere((tx) => secrets.lockName(tx, 'counted'))).toBe(0);
    });

    it('lets one transaction at a time store a secret of a name, also the first one', async () => {
      expect(await waitsBehind(world, (tx) => secrets.lockName(tx, 'never'))).toBe(true);
    });

    it('shows each listed version with the binding of its name', async () => {
      await kept('shown-1');
      await kept('shown-2');
      await bind('shown-1', FOR_FLEET);
      const by = { keyId: 'k3', createdAt: AT, createdBy: world.home.owner.personId };
      expect(await atHome((tx) => secrets.list(tx, { limit: 2, after: { name: 'shown', version: 1 } }))).toEqual([
        { name: 'shown-1', version: 1, ...by, binding: FOR_FLEET },
        { name: 'shown-2', version: 1, ...by, binding: null },
      ]);
    });

    it('sets, replaces and removes a binding', async () => {
      expect(await atHome((tx) => secrets.binding(tx, 'bound'))).toBeNull();
      await bind('bound', FOR_FLEET);
      expect(await atHome((tx) => secrets.binding(tx, 'bound'))).toEqual(FOR_FLEET);
      expect(await elsewhere((tx) => secrets.binding(tx, 'bound'))).toBeNull();
      await bind('bound', FOR_SIGN_IN, AT + 1);
      expect(await atHome((tx) => secrets.binding(tx, 'bound'))).toEqual(FOR_SIGN_IN);
      await bind('bound-2', FOR_FLEET);
      await bind('bound', null);
      expect(await atHome((tx) => secrets.binding(tx, 'bound'))).toBeNull();
      expect(await atHome((tx) => secrets.binding(tx, 'bound-2'))).toEqual(FOR_FLEET);
    });

    it.each<[string, SecretBinding]>([
      ['to no executor', { ...FOR_FLEET, executors: [], environments: [] }],
      ['to no tool', { ...FOR_FLEET, tools: [] }],
      ['to an environment, for sign-in', { ...FOR_SIGN_IN, environments: ['staging'] }],
      ['to a tool, as a token', { ...FOR_FLEET, purpose: 'executor_token' }],
    ])('refuses a binding %s (23514)', async (_what, binding) => {
      await expect(bind('refused', binding)).rejects.toMatchObject({ code: '23514' });
      expect(await atHome((tx) => secrets.binding(tx, 'refused'))).toBeNull();
    });

    it('locks some of the secrets under other keys, the oldest first, and stores them encrypted anew', async () => {
      const first = await kept('stale-1', 1, 'k1');
      await kept('stale-2', 1, 'k3');
      const second = await kept('stale-3', 1, 'k2');
      const stale = (limit: number): Promise<readonly string[]> =>
        atHome(async (tx) => (await secrets.lockStale(tx, 'k3', limit)).map(({ id }) => id));
      expect(await stale(1)).toEqual([first.id]);
      expect(await stale(9)).toEqual([first.id, second.id]);
      expect(await elsewhere((tx) => secrets.lockStale(tx, 'k3', 9))).toEqual([]);
      const sealed = { keyId: 'k3', nonce: Buffer.alloc(12, 7), ciphertext: Buffer.alloc(30, 7) };
      await elsewhere((tx) => secrets.reseal(tx, first.id, sealed));
      expect(await stale(9)).toEqual([first.id, second.id]);
      await atHome((tx) => secrets.reseal(tx, first.id, sealed));
      expect(await atHome((tx) => secrets.find(tx, first))).toMatchObject({ id: first.id, name: 'stale-1', ...sealed });
      expect(await stale(9)).toEqual([second.id]);
    });

    it('lets one transaction at a time encrypt a secret anew', async () => {
      await kept('held');
      expect(await waitsBehind(world, (tx) => secrets.lockStale(tx, 'k2', 9))).toBe(true);
    });
  });
}
