import { newId, type AgentId, type PersonId, type Scope, type TenantId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Agent } from '../domain/agent.js';
import type { Person } from '../domain/person.js';
import { sampleCredential, sampleDigest } from './fake-credential-samples.js';
import type { AgentRepository, CredentialRepository, PersonRepository } from './identity.ports.js';

/** Brings about facts that other libraries write. */
export interface SignInFacts {
  /** An issuer in service knows the person of the home tenant. */
  knownAtIssuer(personId: PersonId): Promise<void>;
  /** Issuers are the only way into the tenant, or one of several. */
  issuersOnly(tenantId: TenantId, only: boolean): Promise<void>;
}

interface Repositories {
  readonly credentials: Pick<CredentialRepository, 'insert'>;
  readonly people: PersonRepository;
  readonly agents: AgentRepository;
  readonly facts: SignInFacts;
}

const AT = Math.floor(Date.now() / 1_000) * 1_000;

/** The contracts of the repositories of people and of agents. */
export function describePeople(
  name: string,
  open: () => Promise<Repositories & { readonly world: ContractWorld }>,
): void {
  describe(`people and agents ${name}`, () => {
    let world: ContractWorld;
    let people: PersonRepository;
    let agents: AgentRepository;
    let credentials: Repositories['credentials'];
    let facts: SignInFacts;
    beforeAll(async () => {
      ({ world, people, agents, credentials, facts } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const found = async (id: PersonId): Promise<Person> => {
      const person = await atHome((tx) => people.find(tx, id));
      if (person === null) throw new Error('no such person');
      return person;
    };
    let named = 0;
    const person = async (members: Partial<Pick<Person, 'email' | 'displayName'>> = {}): Promise<Person> => {
      const id = newId<PersonId>();
      const displayName = `Person number ${String((named += 1))}`;
      await atHome((tx) => people.insert(tx, { id, email: `${id}@example.com`, displayName, ...members }));
      return found(id);
    };
    const agent = async (members: Partial<Pick<Agent, 'name'>> = {}): Promise<Agent> => {
      const id = newId<AgentId>();
      const owner = await person();
      const wanted = { id, name: `agent-${id}`, description: 'looks', ownerId: owner.id, ...members };
      await atHome((tx) => agents.insert(tx, wanted));
      const kept = await atHome((tx) => agents.find(tx, id));
      if (kept === null) throw new Error('no such agent');
      return kept;
    };

    const now = Math.floor(Date.now() / 1_000) * 1_000;
    /** Somebody with a role and a token. */
    const admin = async (
      scopes: readonly Scope[] = ['admin'],
      { role = 'PlatformAdmin', expiresAt = now + 3_600_000, createdAt = now } = {},
    ): Promise<Person> => {
      const made = await person();
      const token = sampleCredential({ kind: 'person_token', personId: made.id }, createdAt, { scopes, expiresAt });
      await atHome(async (tx) => {
        const assignedBy = world.home.admin.personId;
        await people.assignRole(tx, { id: newId(), personId: made.id, role, assignedBy, at: AT });
        await credentials.insert(tx, token, sampleDigest());
      });
      return made;
    };

    describe('PersonRepository', () => {
      it('finds an inserted person without activity, in their tenant alone', async () => {
        const { id, ...rest } = await person({ email: 'Ada@example.com', displayName: 'Ada' });
        expect(rest).toEqual({
          email: 'Ada@example.com',
          displayName: 'Ada',
          createdAt: expect.any(Number) as number,
          disabledAt: null,
          enrolledAt: null,
          cameInAt: null,
          roles: [],
          nameNote: null,
        });
        expect(await atHome((tx) => people.lock(tx, id))).toEqual({ id, ...rest });
        expect(await atHome((tx) => people.findByEmail(tx, 'ADA@example.COM'))).toBe(id);
        for (const missing of [
          await elsewhere((tx) => people.find(tx, id)),
          await elsewhere((tx) => people.lock(tx, id)),
          await elsewhere((tx) => people.findByEmail(tx, 'ada@example.com')),
          await atHome((tx) => people.find(tx, newId<PersonId>())),
        ]) {
          expect(missing).toBeNull();
        }
      });

      it('refuses an address that is taken, in upper case too', async () => {
        const { email } = await person();
        const again = { id: newId<PersonId>(), email: email.toUpperCase(), displayName: 'Somebody else' };
        expect(await atHome((tx) => people.insert(tx, again))).toBe(false);
        expect(await atHome((tx) => people.find(tx, again.id))).toBeNull();
        expect(await elsewhere((tx) => people.insert(tx, again))).toBe(true);
      });

      it('finds many, without those of other tenants, and lists by id', async () => {
        const [one, two, three] = [await person(), await person(), await person()];
        const wanted = [three.id, one.id, newId<PersonId>()];
        expect(await atHome((tx) => people.findMany(tx, wanted))).toEqual([one, three]);
        expect(await elsewhere((tx) => people.findMany(tx, wanted))).toEqual([]);
        const page = { afterId: one.id, limit: 1 };
        expect(await atHome((tx) => people.list(tx, page, { withoutIssuer: false }))).toEqual([two]);
      });

      it('lists people without an issuer, but for disabled ones', async () => {
        const [before, gone, there] = [await person(), await person(), await person()];
        await atHome((tx) => people.save(tx, { ...gone, disabledAt: AT }));
        const page = { afterId: before.id, limit: 5 };
        const ids = async (withoutIssuer: boolean): Promise<readonly PersonId[]> =>
          (await atHome((tx) => people.list(tx, page, { withoutIssuer }))).map(({ id }) => id);
        expect(await ids(false)).toEqual([gone.id, there.id]);
        expect(await ids(true)).toEqual([there.id]);
      });

      it('saves name, standing and enrolment of one person', async () => {
        const [changed, bystander] = [await person(), await person()];
        const enrolledAt = changed.createdAt + 60_000;
        await atHome((tx) => people.save(tx, { ...changed, displayName: 'Grace', disabledAt: AT, enrolledAt }));
        expect(await found(changed.id)).toMatchObject({ displayName: 'Grace', disabledAt: AT, enrolledAt });
        expect(await found(bystander.id)).toEqual(bystander);
      });

      it('lets one transaction at a time hold a person', async () => {
        const { id } = await person();
        expect(await waitsBehind(world, (tx) => people.lock(tx, id))).toBe(true);
      });

      it('assigns a role once (23505), and takes it away once', async () => {
        const { id } = await person();
        const assignedBy = world.home.admin.personId;
        const assign = (role: string): Promise<void> =>
          atHome((tx) => people.assignRole(tx, { id: newId(), personId: id, role, assignedBy, at: AT }));
        await assign('SRELead');
        await assign('DevOpsEngineer');
        const held = (role: string) => ({ role, assignedAt: AT, assignedBy, assignedByIssuer: null });
        expect((await found(id)).roles).toEqual([held('DevOpsEngineer'), held('SRELead')]);
        await expect(assign('SRELead')).rejects.toMatchObject({ code: '23505' });
        const revoke = (): Promise<boolean> =>
          atHome((tx) => people.revokeRole(tx, { personId: id, role: 'SRELead', revokedBy: assignedBy, at: AT + 1 }));
        expect([await revoke(), await revoke()]).toEqual([true, false]);
        expect((await found(id)).roles).toEqual([held('DevOpsEngineer')]);
        await assign('SRELead');
        expect((await found(id)).roles).toHaveLength(2);
      });

      it('tells whether another person or agent has a name, in upper or lower case', async () => {
        const [one, other] = [await person({ displayName: 'Alan Turing' }), await agent({ name: 'drift-bot' })];
        const taken = (name: string, id: PersonId | AgentId): Promise<boolean> =>
          atHome((tx) => people.nameTaken(tx, name, id));
        expect(await taken('alan turing', other.id)).toBe(true);
        expect(await taken('Drift-Bot', one.id)).toBe(true);
        expect(await taken('Alan Turing', one.id)).toBe(false);
        expect(await taken('Barbara Liskov', one.id)).toBe(false);
        expect(await elsewhere((tx) => people.nameTaken(tx, 'Alan Turing', other.id))).toBe(false);
      });

      it('tells whether an issuer knows a person, and lists the others', async () => {
        const [known, unknown] = [await person(), await person()];
        await facts.knownAtIssuer(known.id);
        const signsIn = (id: PersonId) => atHome((tx) => people.signsInAtIssuer(tx, id));
        expect([await signsIn(known.id), await signsIn(unknown.id)]).toEqual([true, false]);
        expect(await elsewhere((tx) => people.signsInAtIssuer(tx, known.id))).toBe(false);
        const without = await atHome((tx) => people.list(tx, { afterId: null, limit: 500 }, { withoutIssuer: true }));
        expect(without.map(({ id }) => id)).toEqual(expect.arrayContaining([unknown.id]));
        expect(without.map(({ id }) => id)).not.toContain(known.id);
      });

      it('tells whether issuers are the only way into a tenant', async () => {
        const only = () => atHome((tx) => people.issuersOnly(tx));
        expect(await only()).toBe(false);
        await facts.issuersOnly(world.home.tenantId, true);
        expect(await only()).toBe(true);
        expect(await elsewhere((tx) => people.issuersOnly(tx))).toBe(false);
        await facts.issuersOnly(world.home.tenantId, false);
        expect(await only()).toBe(false);
      });

      it('locks an admin who is known to an issuer, and no other while issuers are the only way in', async () => {
        const [known, able] = [await admin(['read']), await admin()];
        await facts.knownAtIssuer(known.id);
        const locked = () => atHome((tx) => people.lockAdmins(tx));
        expect(await locked()).toEqual(expect.arrayContaining([known.id, able.id]));
        await facts.issuersOnly(world.home.tenantId, true);
        expect(await locked()).toContain(known.id);
        expect(await locked()).not.toContain(able.id);
        await facts.issuersOnly(world.home.tenantId, false);
      });

      it('locks the admins who can come in: here with a live token that may administer', async () => {
        const [able, reading, gone] = [await admin(), await admin(['read']), await admin()];
        const late = await admin(['admin'], { createdAt: now - 60_000, expiresAt: now - 1_000 });
        const lead = await admin(['admin'], { role: 'SRELead' });
        await atHome((tx) => people.save(tx, { ...gone, disabledAt: AT }));
        const locked = await atHome((tx) => people.lockAdmins(tx));
        expect(locked).toContain(able.id);
        for (const { id } of [reading, gone, late, lead]) expect(locked).not.toContain(id);
        expect(await elsewhere((tx) => people.lockAdmins(tx))).toEqual([]);
      });
    });

    describe('AgentRepository', () => {
      it('finds an inserted agent in its tenant alone', async () => {
        const { id, ...rest } = await agent();
        expect(rest).toMatchObject({ description: 'looks', disabledAt: null, nameNote: null });
        expect(await atHome((tx) => agents.lock(tx, id))).toEqual({ id, ...rest });
        expect(await elsewhere((tx) => agents.find(tx, id))).toBeNull();
        expect(await atHome((tx) => agents.lock(tx, newId<AgentId>()))).toBeNull();
      });

      it('lets one transaction at a time hold an agent', async () => {
        const { id } = await agent();
        expect(await waitsBehind(world, (tx) => agents.lock(tx, id))).toBe(true);
      });

      it('inserts and saves none with a name that is taken', async () => {
        const [one, other] = [await agent(), await agent()];
        expect(await atHome((tx) => agents.insert(tx, { ...one, id: newId<AgentId>() }))).toBe(false);
        expect(await atHome((tx) => agents.save(tx, { ...other, name: one.name }))).toBe(false);
        expect(await atHome((tx) => agents.find(tx, other.id))).toEqual(other);
      });

      it('saves every part of an agent that may change, and lists by id', async () => {
        const [one, two] = [await agent(), await agent()];
        const owner = await person();
        const change = { id: one.id, name: `new-${one.name}`, description: 'acts', ownerId: owner.id, disabledAt: AT };
        expect(await atHome((tx) => agents.save(tx, change))).toBe(true);
        expect(await atHome((tx) => agents.find(tx, one.id))).toMatchObject(change);
        expect(await atHome((tx) => agents.save(tx, { ...change, id: newId<AgentId>() }))).toBe(false);
        expect(await atHome((tx) => agents.list(tx, { afterId: one.id, limit: 1 }))).toEqual([two]);
      });
    });
  });
}
