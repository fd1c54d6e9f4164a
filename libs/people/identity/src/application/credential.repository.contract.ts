import { newId, type CredentialId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Credential } from '../domain/credential.js';
import { sampleCredential, sampleDigest } from './fake-credential-samples.js';
import type { CredentialRepository, CredentialsSeenBy } from './identity.ports.js';

/** The contract of a repository of credentials. The clock of the world is that of this process. */
export function describeCredentialRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly credentials: CredentialRepository }>,
): void {
  describe(`${name} keeps the contract of CredentialRepository`, () => {
    let world: ContractWorld;
    let credentials: CredentialRepository;
    const NOW = Math.floor(Date.now() / 1_000) * 1_000;
    beforeAll(async () => {
      ({ world, credentials } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const everything = (): CredentialsSeenBy => ({ personId: world.home.admin.personId, all: true });
    const ofPerson = (personId: PersonId): CredentialsSeenBy => ({ personId, all: false });
    const found = (id: CredentialId, seenBy = everything()): Promise<Credential | null> =>
      atHome((tx) => credentials.find(tx, id, seenBy));
    const kept = async (
      holder?: Credential['holder'],
      members: Partial<Credential> = {},
      createdAt = NOW,
    ): Promise<Credential> => {
      const { personId } = world.home.owner;
      const of = holder ?? { kind: 'person_token', personId };
      const createdBy = 'agentId' in of ? { createdBy: 'delegatedBy' in of ? of.delegatedBy : personId } : {};
      const credential = sampleCredential(of, createdAt, { ...createdBy, ...members });
      await atHome((tx) => credentials.insert(tx, credential, sampleDigest()));
      return credential;
    };
    const delegation = (): Credential['holder'] => {
      const { agent, admin } = world.home;
      return { kind: 'delegation', agentId: agent.agentId, delegatedBy: admin.personId };
    };
    const ofAgent = (): Credential['holder'] => ({ kind: 'agent_token', agentId: world.home.agent.agentId });
    const ofAdmin = (): Credential['holder'] => ({ kind: 'person_token', personId: world.home.admin.personId });

    it('finds an inserted credential, whole, in its tenant alone', async () => {
      const all = [await kept(), await kept(ofAgent()), await kept(delegation())];
      for (const credential of all) expect(await found(credential.id)).toEqual(credential);
      const [one] = all;
      const elsewhere = world.uow.run(world.other.tenantId, (tx) =>
        credentials.find(tx, one?.id ?? newId<CredentialId>(), everything()),
      );
      expect(await elsewhere).toBeNull();
    });

    it('refuses an id and a token that are there already (23505)', async () => {
      await expect(kept(undefined, { id: (await kept()).id })).rejects.toMatchObject({ code: '23505' });
      const digest = sampleDigest();
      const { personId } = world.home.owner;
      const insert = (): Promise<void> =>
        atHome((tx) => credentials.insert(tx, sampleCredential({ kind: 'person_token', personId }, NOW), digest));
      await insert();
      await expect(insert()).rejects.toMatchObject({ code: '23505' });
    });

    it("refuses an agent's credential without its maker (23514)", async () => {
      await expect(kept(ofAgent(), { createdBy: null })).rejects.toMatchObject({ code: '23514' });
    });

    it('shows people their own, those of their agents, and the delegations they issued', async () => {
      const { owner, admin } = world.home;
      const [mine, agents, delegated] = [await kept(), await kept(ofAgent()), await kept(delegation())];
      const seen = async (personId: PersonId): Promise<readonly boolean[]> => {
        const each = [mine, agents, delegated].map(({ id }) => found(id, ofPerson(personId)));
        return (await Promise.all(each)).map((credential) => credential !== null);
      };
      expect(await seen(owner.personId)).toEqual([true, true, true]);
      expect(await seen(admin.personId)).toEqual([false, false, true]);
      expect(await seen(newId<PersonId>())).toEqual([false, false, false]);
    });

    it('lists by id, without browser sessions', async () => {
      const { personId } = world.home.owner;
      const [one, browserSession, two] = [
        await kept(),
        await kept({ kind: 'browser_session', personId }),
        await kept(),
      ];
      const page = { afterId: one.id, limit: 1 };
      expect(await atHome((tx) => credentials.list(tx, ofPerson(personId), page))).toEqual([two]);
      expect(await found(browserSession.id)).toEqual(browserSession);
    });

    it('keeps the first revocation of a credential, at no time before it was made', async () => {
      const [one, bystander] = [await kept(), await kept()];
      await atHome((tx) => credentials.revoke(tx, one.id, NOW - 5_000));
      await atHome((tx) => credentials.revoke(tx, one.id, NOW + 5_000));
      expect(await found(one.id)).toEqual({ ...one, revokedAt: NOW });
      expect(await found(bystander.id)).toEqual(bystander);
    });

    it('counts the tokens of a holder: the good ones, and those of a day', async () => {
      const count = (holder: Credential['holder']) => atHome((tx) => credentials.countTokens(tx, holder));
      const { agentId } = world.home.agent;
      const holder = { kind: 'agent_token', agentId } as const;
      const before = await count(holder);
      const gone = await kept(ofAgent());
      await atHome((tx) => credentials.revoke(tx, gone.id, NOW));
      await kept(ofAgent(), { expiresAt: NOW - 1_000 }, NOW - 60_000);
      await kept(delegation(), { expiresAt: NOW + 86_400_000 }, NOW - 90_000_000);
      await kept(delegation());
      expect(await count(holder)).toEqual({ live: before.live + 2, madeToday: before.madeToday + 3 });
      const person = { kind: 'person_token', personId: world.home.admin.personId } as const;
      const own = await count(person);
      await kept(ofAdmin());
      await kept({ kind: 'browser_session', personId: person.personId });
      expect(await count(person)).toEqual({ live: own.live + 1, madeToday: own.madeToday + 1 });
    });

    it('knows the agents that act for automations, also once their credential is revoked', async () => {
      const { agentId } = world.home.agent;
      const acts = (tx: Tx) => credentials.actsForAutomation(tx, agentId);
      await kept(ofAgent());
      expect(await atHome(acts)).toBe(false);
      const { id } = await kept({ kind: 'automation', agentId });
      expect(await atHome(acts)).toBe(true);
      expect(await world.uow.run(world.other.tenantId, acts)).toBe(false);
      await atHome((tx) => credentials.revoke(tx, id, NOW));
      expect(await atHome(acts)).toBe(true);
    });

    it('gives another token to a browser session, and to nothing else', async () => {
      const { personId } = world.home.owner;
      const [browserSession, token] = [await kept({ kind: 'browser_session', personId }), await kept()];
      const taken = sampleDigest();
      await atHome((tx) => credentials.rotate(tx, token.id, taken));
      // Free still: the token has its own.
      await atHome((tx) => credentials.rotate(tx, browserSession.id, taken));
      await expect(
        atHome((tx) => credentials.insert(tx, sampleCredential(ofAdmin(), NOW), taken)),
      ).rejects.toMatchObject({
        code: '23505',
      });
    });

    it('revokes credentials that a person holds and delegated, and those that they made if asked', async () => {
      const { owner, admin } = world.home;
      await atHome((tx) => credentials.revokeAllMadeBy(tx, admin.personId, NOW));
      const all = [
        await kept(ofAdmin()),
        await kept(delegation()),
        await kept(ofAgent(), { createdBy: admin.personId }),
        await kept({ kind: 'person_token', personId: owner.personId }),
      ];
      const revoked = async (): Promise<readonly boolean[]> =>
        (await Promise.all(all.map(({ id }) => found(id)))).map((credential) => credential?.revokedAt === NOW + 1);
      expect(await atHome((tx) => credentials.revokeAllOf(tx, admin.personId, NOW + 1))).toBe(2);
      expect(await revoked()).toEqual([true, true, false, false]);
      expect(await atHome((tx) => credentials.revokeAllMadeBy(tx, admin.personId, NOW + 1))).toBe(1);
      expect(await revoked()).toEqual([true, true, true, false]);
    });

    it('tells whether a credential is still good', async () => {
      const { personId } = world.home.owner;
      const [good, gone] = [await kept(), await kept()];
      const late = await kept(undefined, { expiresAt: NOW - 1_000 }, NOW - 60_000);
      await atHome((tx) => credentials.revoke(tx, gone.id, NOW));
      const standing = (id: CredentialId): Promise<boolean> => atHome((tx) => credentials.stillGood(tx, personId, id));
      expect([await standing(good.id), await standing(gone.id), await standing(late.id)]).toEqual([true, false, false]);
      expect(await standing(newId<CredentialId>())).toBe(false);
    });
  });
}
