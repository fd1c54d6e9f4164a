import { newId, type AgentId, type CredentialId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { BROWSER_SESSION_IDLE_MS, type Credential } from '../domain/credential.js';
import { sampleCredential, sampleDigest } from './fake-credential-samples.js';
import type {
  AgentRepository,
  CredentialFile,
  CredentialOnFile,
  CredentialRepository,
  PersonRepository,
} from './identity.ports.js';
import type { SignInFacts } from './people.contract.js';

interface Stores {
  readonly world: ContractWorld;
  readonly file: CredentialFile;
  readonly credentials: CredentialRepository;
  readonly people: PersonRepository;
  readonly agents: AgentRepository;
  readonly facts: SignInFacts;
}

const MINUTE_MS = 60_000;

/** The contract of a file of credentials. The clock of the world is that of this process. */
export function describeCredentialFile(name: string, open: () => Promise<Stores>): void {
  describe(`${name} keeps the contract of CredentialFile`, () => {
    let stores: Stores;
    const NOW = Math.floor(Date.now() / 1_000) * 1_000;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      stores.world.uow.run(stores.world.home.tenantId, work);
    const person = async (displayName = 'A person'): Promise<PersonId> => {
      const id = newId<PersonId>();
      await atHome((tx) => stores.people.insert(tx, { id, email: `${id}@example.com`, displayName }));
      return id;
    };
    const disable = (id: PersonId): Promise<void> =>
      atHome((tx) => stores.people.save(tx, { id, displayName: id, disabledAt: NOW, enrolledAt: null }));
    const agentOf = async (ownerId: PersonId) => {
      const agent = { id: newId<AgentId>(), name: `agent-${newId()}`, description: '', ownerId };
      await atHome((tx) => stores.agents.insert(tx, agent));
      return agent;
    };
    const kept = async (holder: Credential['holder'], members: Partial<Credential> = {}) => {
      const maker = 'delegatedBy' in holder ? holder.delegatedBy : stores.world.home.admin.personId;
      const createdBy = 'agentId' in holder ? maker : null;
      const credential = sampleCredential(holder, NOW, { createdBy, ...members });
      const digest = sampleDigest();
      await atHome((tx) => stores.credentials.insert(tx, credential, digest));
      return { ...credential, digest };
    };
    const found = async ({ digest }: { readonly digest: Uint8Array }): Promise<CredentialOnFile> => {
      const onFile = await stores.file.find(digest);
      if (onFile === null) throw new Error('the credential is not on file');
      return onFile;
    };

    it("finds a person's token by its digest, before a tenant is known, and nothing by another digest", async () => {
      const personId = await person('Ada Lovelace');
      const enrolledAt = NOW + MINUTE_MS;
      const assignment = { id: newId(), personId, role: 'SRELead', assignedBy: null, at: NOW };
      await atHome(async (tx) => {
        await stores.people.save(tx, { id: personId, displayName: 'Ada Lovelace', disabledAt: null, enrolledAt });
        await stores.people.assignRole(tx, assignment);
      });
      const token = await kept({ kind: 'person_token', personId }, { scopes: ['read', 'review'] });
      expect(await found(token)).toEqual({
        tenantId: stores.world.home.tenantId,
        id: token.id,
        scopes: ['read', 'review'],
        holder: { kind: 'person_token', personId },
        displayName: 'Ada Lovelace',
        roles: [{ role: 'SRELead', assignedAt: NOW }],
        enrolledAt,
        signedInAt: null,
        ownerId: null,
        standing: {
          now: expect.any(Number) as number,
          expiresAt: token.expiresAt,
          revokedAt: null,
          idleUntil: null,
          holderDisabled: false,
          backerDisabled: false,
          outsideIssuers: false,
        },
        lastUsedAt: null,
      });
      expect(await stores.file.find(sampleDigest())).toBeNull();
    });

    it('names the agent of a token and its owner', async () => {
      const ownerId = await person();
      const agent = await agentOf(ownerId);
      const token = await kept({ kind: 'agent_token', agentId: agent.id });
      expect(await found(token)).toMatchObject({ displayName: agent.name, ownerId, roles: [], signedInAt: null });
      const delegation = { kind: 'delegation', agentId: agent.id, delegatedBy: await person() } as const;
      expect(await found(await kept(delegation))).toMatchObject({ holder: delegation, ownerId });
    });

    it('tells that the holder is disabled, or somebody behind an agent', async () => {
      const [ownerId, delegatedBy] = [await person(), await person()];
      const agent = await agentOf(ownerId);
      const [own, agents, delegated] = [
        await kept({ kind: 'person_token', personId: ownerId }),
        await kept({ kind: 'agent_token', agentId: agent.id }),
        await kept({ kind: 'delegation', agentId: agent.id, delegatedBy }),
      ];
      const standings = async () =>
        (await Promise.all([own, agents, delegated].map(found))).map(
          ({ standing: { holderDisabled, backerDisabled } }) => [holderDisabled, backerDisabled],
        );
      await disable(delegatedBy);
      expect(await standings()).toEqual([
        [false, false],
        [false, false],
        [false, true],
      ]);
      await disable(ownerId);
      await atHome((tx) => stores.agents.save(tx, { ...agent, disabledAt: NOW }));
      expect(await standings()).toEqual([
        [true, false],
        [true, true],
        [true, true],
      ]);
    });

    it('tells when a credential was revoked', async () => {
      const token = await kept({ kind: 'person_token', personId: await person() });
      await atHome((tx) => stores.credentials.revoke(tx, token.id, NOW + 1_000));
      expect(await found(token)).toMatchObject({ standing: { revokedAt: NOW + 1_000 } });
    });

    it('marks a use, from which a browser session may rest anew', async () => {
      const holder = { kind: 'browser_session', personId: await person() } as const;
      const [browserSession, bystander] = [await kept(holder), await kept(holder)];
      expect(await found(browserSession)).toMatchObject({ standing: { idleUntil: NOW + BROWSER_SESSION_IDLE_MS } });
      await atHome((tx) => stores.file.markUsed(tx, browserSession.id));
      const { lastUsedAt, standing } = await found(browserSession);
      expect(lastUsedAt).toBeGreaterThanOrEqual(NOW);
      expect(standing.idleUntil).toBe((lastUsedAt ?? 0) + BROWSER_SESSION_IDLE_MS);
      expect(await found(bystander)).toMatchObject({ lastUsedAt: null });
    });

    it('marks no use of a credential of another tenant', async () => {
      const { uow, other } = stores.world;
      const token = await kept({ kind: 'person_token', personId: await person() });
      await uow.run(other.tenantId, (tx) => stores.file.markUsed(tx, token.id));
      await atHome((tx) => stores.file.markUsed(tx, newId<CredentialId>()));
      expect(await found(token)).toMatchObject({ lastUsedAt: null });
    });

    it('tells which credentials are from another way while issuers are the only one', async () => {
      const [known, unknown] = [await person(), await person()];
      await stores.facts.knownAtIssuer(known);
      const agent = await agentOf(unknown);
      const all = [
        await kept({ kind: 'person_token', personId: known }),
        await kept({ kind: 'browser_session', personId: known }),
        await kept({ kind: 'person_token', personId: unknown }),
        await kept({ kind: 'slack_link', personId: unknown }),
        await kept({ kind: 'issuer_token', personId: unknown }),
        await kept({ kind: 'agent_token', agentId: agent.id }),
      ];
      const outside = async () => (await Promise.all(all.map(found))).map(({ standing }) => standing.outsideIssuers);
      const none = all.map(() => false);
      expect(await outside()).toEqual(none);
      await stores.facts.issuersOnly(stores.world.home.tenantId, true);
      expect(await outside()).toEqual([false, true, true, true, false, false]);
      expect((await Promise.all(all.map(found))).map(({ signedInAt }) => signedInAt)).toEqual([
        null,
        null,
        'never',
        'never',
        'never',
        null,
      ]);
    });
  });
}
