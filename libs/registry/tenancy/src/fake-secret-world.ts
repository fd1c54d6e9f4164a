import type { PersonPrincipal, Tx } from '#lib/kernel';
import { FakeAuditSink } from '../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeEnvironmentRepository } from './application/fake-environment.repository.js';
import { FakeKeyring } from './application/fake-keyring.js';
import { FakeSecretRepository } from './application/fake-secret.repository.js';
import { FakeTenantRepository } from './application/fake-tenant.repository.js';
import type { SealedElsewhere } from './application/tenancy.ports.js';
import { createKeys, createTenancy } from './create-tenancy.js';
import type { SecretBinding, SecretUse } from './domain/secret-binding.js';

export const FOR_SIGN_IN: SecretBinding = { purpose: 'sign_in', executors: [], environments: [], tools: [] };
export const FOR_FLEET: SecretBinding = {
  purpose: 'tool_arguments',
  executors: ['production/fleet'],
  environments: [],
  tools: ['restart'],
};
/** The secrets of a tenant, over fakes. @param secondAdmin whether a person could confirm a wider binding. */
export function secretsOf({ secondAdmin = false, elsewhere = [] as readonly SealedElsewhere[] } = {}) {
  const { uow, home, other } = fakeWorld();
  const secrets = new FakeSecretRepository(uow);
  const [audit, rule] = [new FakeAuditSink(uow), new FakeTwoPersonRule(uow, secondAdmin)];
  const keyring = new FakeKeyring();
  const environments = new FakeEnvironmentRepository(uow, [home, other]);
  const { vault, putSecret, bindSecret, listSecrets, rotateSecrets } = createTenancy({
    ...{ uow, audit, elsewhere, keys: createKeys(keyring), twoPersonRule: rule },
    rows: { tenants: new FakeTenantRepository(uow), environments, secrets },
  });
  const admin: PersonPrincipal = { ...home.admin, reason: 'The fleet moved.' };
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  return {
    home,
    other,
    admin,
    audit,
    rule,
    keyring,
    bindSecret,
    atHome,
    put: (name: string, value: string, binding?: SecretBinding) =>
      putSecret.execute(admin, { name, value, ...(binding === undefined ? {} : { binding }) }),
    bind: (name: string, binding: SecretBinding | null) => bindSecret.execute(admin, name, binding),
    rotate: () => rotateSecrets.execute(admin),
    resolve: (reference: string, use: SecretUse = { purpose: 'sign_in' }, tenantId = home.tenantId) =>
      uow.run(tenantId, (tx) => vault.resolve(tx, reference, use)),
    bindingOf: (name: string) => atHome((tx) => secrets.binding(tx, name)),
    listed: async () =>
      (await listSecrets.execute(home.tenantId, { limit: 200, after: null })).map(
        ({ name, version }) => `${name}@${String(version)}`,
      ),
    breakSecret: (name: string) =>
      atHome(async (tx) => {
        const stored = await secrets.find(tx, { name, version: 1 });
        if (stored === null) throw new Error(`there is no ${name}`);
        await secrets.reseal(tx, stored.id, { ...stored, ciphertext: Buffer.alloc(16) });
      }),
    audited: () => audit.of(home),
  };
}
