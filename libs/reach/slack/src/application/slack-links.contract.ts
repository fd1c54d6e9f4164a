import { createHash } from 'node:crypto';
import { newId, type CredentialId, type PersonId, type Tx } from '#lib/kernel';
import type { ClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import type { SlackLinks } from './slack.ports.js';

const MINUTE_MS = 60_000;

/** The links of the home tenant, and the rows of other libraries that they depend on. */
export interface LinkStore {
  readonly world: ClockedWorld;
  readonly links: SlackLinks;
  /** A credential of kind `slack_link`, with the digest of its token. */
  credential(
    personId: PersonId,
    lifetimeMs: number,
  ): Promise<{ readonly id: CredentialId; readonly digest: Uint8Array }>;
  revoke(id: CredentialId): Promise<void>;
  revoked(id: CredentialId): Promise<boolean>;
  disable(personId: PersonId): Promise<void>;
  /** Installs Slack in this workspace and in no other. */
  install(team: string): Promise<void>;
}

/** The contract of {@link SlackLinks}. */
export function describeSlackLinks(name: string, open: () => Promise<LinkStore>): void {
  describe(`${name} keeps the contract of SlackLinks`, () => {
    let store: LinkStore;
    let owner: PersonId;
    let admin: PersonId;
    beforeEach(async () => {
      store = await open();
      ({ personId: owner } = store.world.home.owner);
      ({ personId: admin } = store.world.home.admin);
      await store.install('T1');
    });
    afterEach(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.other.tenantId, work);
    const linked = async (personId: PersonId, user: string, team = 'T1', lifetimeMs = 10 * MINUTE_MS) => {
      const credential = await store.credential(personId, lifetimeMs);
      await atHome((tx) => store.links.link(tx, { team, user, personId, credentialId: credential.id }));
      return credential;
    };
    const credentialOf = (user: string, team = 'T1') => atHome((tx) => store.links.credentialOf(tx, { team, user }));
    const usersOf = (...people: PersonId[]) =>
      atHome(async (tx) => (await store.links.usersOf(tx, people)).map(({ user }) => user));
    const mine = (personId: PersonId) =>
      atHome(async (tx) => (await store.links.mine(tx, personId)).map(({ userId }) => userId));
    const clear = (user: string, team = 'T1') => atHome((tx) => store.links.clear(tx, { team, user }));

    describe('links', () => {
      it('lead from a Slack user of a workspace to the credential of their person', async () => {
        const { digest } = await linked(owner, 'UADA');
        expect(Buffer.from((await credentialOf('UADA')) ?? [])).toEqual(Buffer.from(digest));
        expect([await credentialOf('UBEN'), await credentialOf('UADA', 'T2')]).toEqual([null, null]);
      });

      it('are told to their person, oldest first', async () => {
        const before = await atHome((tx) => tx.now());
        const { id: credentialId } = await linked(owner, 'UADA');
        await linked(owner, 'UOLD', 'T2');
        await linked(admin, 'UBEN');
        const found = await atHome((tx) => store.links.mine(tx, owner));
        expect(found.map(({ userId, teamId }) => [userId, teamId])).toEqual([
          ['UADA', 'T1'],
          ['UOLD', 'T2'],
        ]);
        expect(found[0]).toEqual({
          id: expect.any(String) as string,
          teamId: 'T1',
          userId: 'UADA',
          credentialId,
          linkedAt: before,
        });
      });

      it('tell the users of people in the installed workspace, without those of disabled people', async () => {
        await linked(owner, 'UADA');
        await linked(owner, 'UTWO');
        await linked(owner, 'UOLD', 'T2');
        await linked(admin, 'UBEN');
        expect(await usersOf(owner, admin)).toEqual(['UADA', 'UTWO', 'UBEN']);
        expect(await usersOf(admin)).toEqual(['UBEN']);
        expect(await usersOf()).toEqual([]);
        await store.disable(admin);
        expect(await usersOf(owner, admin)).toEqual(['UADA', 'UTWO']);
        await store.install('T2');
        expect(await usersOf(owner, admin)).toEqual(['UOLD']);
      });

      it.each<[string, (credential: CredentialId) => Promise<void>]>([
        ['is revoked', (id) => store.revoke(id)],
        ['expires', () => store.world.pass(10 * MINUTE_MS)],
      ])('hold no longer if their credential %s', async (_what, end) => {
        const { id } = await linked(owner, 'UADA');
        await linked(admin, 'UBEN', 'T1', 20 * MINUTE_MS);
        expect(await clear('UADA')).toBe(false);
        await end(id);
        expect(await credentialOf('UADA')).toBeNull();
        expect([await usersOf(owner, admin), await mine(owner)]).toEqual([['UBEN'], []]);
      });

      it('are one a user: none is made while another holds (23505)', async () => {
        const { id } = await linked(owner, 'UADA');
        await expect(linked(admin, 'UADA')).rejects.toMatchObject({ code: '23505' });
        await linked(admin, 'UADA', 'T2');
        await store.revoke(id);
        await expect(linked(admin, 'UADA')).rejects.toMatchObject({ code: '23505' });
        expect(await clear('UADA')).toBe(true);
        await linked(admin, 'UADA');
        expect(await mine(admin)).toEqual(['UADA', 'UADA']);
        expect(await clear('UADA')).toBe(false);
        expect(await clear('UNEW')).toBe(true);
      });

      it('end all at once, with their credentials', async () => {
        const [first, second] = [await linked(owner, 'UADA'), await linked(admin, 'UBEN', 'T2')];
        const other = await store.credential(owner, MINUTE_MS);
        expect(await atHome((tx) => store.links.endAll(tx))).toBe(2);
        expect([await mine(owner), await mine(admin)]).toEqual([[], []]);
        expect([await store.revoked(first.id), await store.revoked(second.id)]).toEqual([true, true]);
        expect(await store.revoked(other.id)).toBe(false);
        expect(await atHome((tx) => store.links.endAll(tx))).toBe(0);
      });

      it('T19: are shown and ended by their own tenant alone', async () => {
        const user = { team: 'T1', user: 'UADA' };
        const { id } = await linked(owner, 'UADA');
        expect(await elsewhere((tx) => store.links.credentialOf(tx, user))).toBeNull();
        expect(await elsewhere((tx) => store.links.mine(tx, owner))).toEqual([]);
        expect(await elsewhere((tx) => store.links.usersOf(tx, [owner]))).toEqual([]);
        expect(await elsewhere((tx) => store.links.clear(tx, user))).toBe(true);
        expect(await elsewhere((tx) => store.links.endAll(tx))).toBe(0);
        expect([await mine(owner), await store.revoked(id)]).toEqual([['UADA'], false]);
      });
    });

    describe('codes', () => {
      const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
      const write = (code: string, user = 'UADA') =>
        atHome((tx) => store.links.writeCode(tx, digest(code), user, 10 * MINUTE_MS));
      const read = (...codes: string[]) => atHome((tx) => store.links.readCode(tx, codes.map(digest)));
      const use = (...codes: string[]) => atHome((tx) => store.links.useCode(tx, codes.map(digest)));

      it('T14: tell their user, and work once', async () => {
        const code = newId();
        await write(code);
        expect(await read(code)).toBe('UADA');
        expect(await read(code)).toBe('UADA');
        expect(await use(code)).toBe('UADA');
        expect([await use(code), await read(code)]).toEqual([null, null]);
      });

      it('are found by any digest of theirs', async () => {
        const code = newId();
        await write(code, 'UBEN');
        expect([await read('another', code), await read('another'), await read()]).toEqual(['UBEN', null, null]);
        expect([await use('another'), await use('another', code)]).toEqual([null, 'UBEN']);
      });

      it('T14: are too old once their time is over', async () => {
        const code = newId();
        await write(code);
        await store.world.pass(10 * MINUTE_MS - 1);
        expect(await read(code)).toBe('UADA');
        await store.world.pass(1);
        expect([await read(code), await use(code)]).toEqual([null, null]);
      });

      it('are unused again if their transaction fails', async () => {
        const code = newId();
        await write(code);
        const failing = atHome(async (tx) => {
          await store.links.useCode(tx, [digest(code)]);
          throw new Error('rolled back');
        });
        await expect(failing).rejects.toThrow('rolled back');
        expect(await use(code)).toBe('UADA');
      });

      it('T19: are of no use in another tenant', async () => {
        const code = newId();
        await write(code);
        expect(await elsewhere((tx) => store.links.readCode(tx, [digest(code)]))).toBeNull();
        expect(await elsewhere((tx) => store.links.useCode(tx, [digest(code)]))).toBeNull();
        expect(await use(code)).toBe('UADA');
      });
    });
  });
}
