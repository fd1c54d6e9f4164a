import type { TenantId, Tx } from '#lib/kernel';
import { createKeys } from '#lib/tenancy';
import { FakeAuditSink } from '../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, type SampleTenant } from '../../../foundation/kernel/src/fake-tenant.js';
import { FakeKeyring } from '../../../registry/tenancy/src/application/fake-keyring.js';
import { FakeTenantRepository } from '../../../registry/tenancy/src/application/fake-tenant.repository.js';
import { FakeSecretVault } from '../../../registry/tenancy/src/fake-secret-vault.js';
import { FakeBrowserSessionRepository } from './application/fake-browser-session.repository.js';
import { FakeCredentials } from './application/fake-credentials.js';
import { FakeExternalIdentityRepository } from './application/fake-external-identity.repository.js';
import { FakeIssuerGateway } from './application/fake-issuer-gateway.js';
import { sampleSettings } from './application/fake-issuer.js';
import { FakeSignInSettingsRepository } from './application/fake-sign-in-settings.repository.js';
import { FakeTenantDirectory } from './application/fake-tenant-directory.js';
import { SealedSignIns } from './application/sealed-sign-ins.js';
import { SignInAddresses } from './application/sign-in-addresses.js';
import type { Issuer } from './domain/issuer.js';

/** An installation of two tenants, `acme` (at home) and `globex`, over fakes, with the parts that sign-ins share. */
export async function signInWorld() {
  const world = fakeWorld();
  const { uow, home, other } = world;
  const [tenants, settings] = [new FakeTenantRepository(uow), new FakeSignInSettingsRepository(uow)];
  const vault = new FakeSecretVault(uow);
  const keyring = new FakeKeyring();
  const { wrapping: keys, digests } = createKeys(keyring);
  const within = <T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(tenantId, work);
  const found = ({ tenantId }: SampleTenant, slug: string) =>
    within(tenantId, (tx) => tenants.insert(tx, { id: tenantId, slug, name: slug.toUpperCase(), createdAt: uow.now }));
  await found(home, 'acme');
  await found(other, 'globex');
  const audit = new FakeAuditSink(uow);
  const credentials = new FakeCredentials(uow);
  const identities = new FakeExternalIdentityRepository(uow, settings, credentials);
  return {
    ...world,
    tenants,
    credentials,
    identities,
    browserSessions: new FakeBrowserSessionRepository(uow, { credentials, identities, settings }),
    directory: new FakeTenantDirectory(tenants),
    settings,
    vault,
    gateway: new FakeIssuerGateway(uow),
    keyring,
    keys,
    sealed: new SealedSignIns(keys),
    digests,
    addresses: new SignInAddresses('https://countersign.example'),
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
