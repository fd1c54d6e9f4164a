import { nodeRandomBytes } from '#lib/identity';
import type { TenantId, Tx } from '#lib/kernel';
import { createKeys } from '#lib/tenancy';
import { FakeAuditSink } from '../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, type SampleTenant } from '../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../foundation/kernel/src/fake-two-person-rule.js';
import { unasked } from '../../../foundation/kernel/src/fake-unasked.js';
import { FakeKeyring } from '../../../registry/tenancy/src/application/fake-keyring.js';
import { FakeTenantRepository } from '../../../registry/tenancy/src/application/fake-tenant.repository.js';
import { FakeSecretVault } from '../../../registry/tenancy/src/fake-secret-vault.js';
import { fakeIdentity } from '../../identity/src/fake-identity.js';
import { FakeBrowserSessionRepository } from './application/fake-browser-session.repository.js';
import { FakeCredentials } from './application/fake-credentials.js';
import { FakeExternalIdentityRepository } from './application/fake-external-identity.repository.js';
import { FakeIssuerGateway } from './application/fake-issuer-gateway.js';
import { sampleSettings } from './application/fake-issuer.js';
import { FakePasskeyAccountRepository } from './application/fake-passkey-account.repository.js';
import { FakePeople } from './application/fake-people.js';
import { FakeSignInReturnRepository } from './application/fake-sign-in-return.repository.js';
import { FakeSignInSettingsRepository } from './application/fake-sign-in-settings.repository.js';
import { FakeTenantDirectory } from './application/fake-tenant-directory.js';
import { createSignIn, type SignInDeps } from './create-sign-in.js';
import type { Issuer } from './domain/issuer.js';

/** The parts of other libraries that a test plays. */
export interface PlayedParts {
  readonly publicUrl?: string;
  readonly directory?: Partial<SignInDeps['directory']>;
  readonly identity?: Partial<SignInDeps['identity']>;
  readonly passkeyKeeper?: SignInDeps['mfa']['passkeyKeeper'];
  readonly signInPasskeys?: Partial<SignInDeps['mfa']['signInPasskeys']>;
}

/** An installation of two tenants, `acme` (at home) and `globex`, with the use cases of sign-in over fakes. */
export async function signInWorld(played: PlayedParts = {}) {
  const world = fakeWorld();
  const { uow, home, other } = world;
  const [tenants, settings] = [new FakeTenantRepository(uow), new FakeSignInSettingsRepository(uow)];
  const vault = new FakeSecretVault(uow);
  const keyring = new FakeKeyring();
  const { wrapping, digests } = createKeys(keyring);
  const within = <T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(tenantId, work);
  const found = ({ tenantId }: SampleTenant, slug: string) =>
    within(tenantId, (tx) => tenants.insert(tx, { id: tenantId, slug, name: slug.toUpperCase(), createdAt: uow.now }));
  await found(home, 'acme');
  await found(other, 'globex');
  const audit = new FakeAuditSink(uow);
  const credentials = new FakeCredentials(uow);
  const identities = new FakeExternalIdentityRepository(uow, settings, credentials);
  const browserSessions = new FakeBrowserSessionRepository(uow, { credentials, identities, settings });
  const directory = new FakeTenantDirectory(tenants);
  const people = new FakePeople(uow);
  const accounts = new FakePasskeyAccountRepository(uow, { people, identities, settings });
  const gateway = new FakeIssuerGateway(uow);
  const parts = createSignIn({
    ...{ uow, gateway, audit, vault, tenants, keys: { digests, wrapping }, random: nodeRandomBytes },
    rows: {
      ...{ settings, identities, browserSessions, accounts, tenantDirectory: directory },
      returns: new FakeSignInReturnRepository(uow),
      standings: unasked(),
    },
    directory: { people, credentials, enrolments: unasked(), seats: unasked(), ...played.directory },
    identity: {
      ...{ authenticator: unasked(), outdatePerson: unasked(), endFormerHand: unasked(), invitations: unasked() },
      mintCredential: fakeIdentity(uow, { credentials, digests }).mintCredential,
      ...played.identity,
    },
    mfa: {
      proofs: unasked(),
      passkeyKeeper: played.passkeyKeeper ?? unasked(),
      signInPasskeys: unasked({ available: true, ...played.signInPasskeys }),
    },
    twoPersonRule: new FakeTwoPersonRule(uow),
    publicUrl: played.publicUrl ?? 'https://countersign.example',
    allowedPrivateHosts: [],
    slugOf: () => Promise.resolve('acme'),
  });
  return {
    ...world,
    tenants,
    credentials,
    identities,
    browserSessions,
    directory,
    people,
    accounts,
    settings,
    vault,
    gateway,
    keyring,
    keys: wrapping,
    digests,
    parts,
    sealed: parts.sealed,
    addresses: parts.addresses,
    audit,
    atHome: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => within(home.tenantId, work),
    elsewhere: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => within(other.tenantId, work),
    audited: () => audit.of(home),
    /** Puts settings in force at home. @returns the issuers in service. */
    putInForce: (members: Parameters<typeof sampleSettings>[0] = {}): Promise<readonly Issuer[]> =>
      within(home.tenantId, async (tx) => {
        const { revision } = await settings.read(tx);
        await settings.save(tx, sampleSettings({ revision: revision + 1, ...members }));
        return settings.inService(tx);
      }),
  };
}
