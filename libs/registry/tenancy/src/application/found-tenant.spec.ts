import { newId, type TenantId } from '#lib/kernel';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { createKeys, createTenancy } from '../create-tenancy.js';
import { FakeEnvironmentRepository } from './fake-environment.repository.js';
import { FakeKeyring } from './fake-keyring.js';
import { FakeTenantRepository } from './fake-tenant.repository.js';

function founding() {
  const uow = new FakeUnitOfWork();
  const [tenants, environments] = [new FakeTenantRepository(uow), new FakeEnvironmentRepository(uow)];
  const parts = createTenancy({
    ...{ uow, audit: unasked(), twoPersonRule: unasked(), keys: createKeys(new FakeKeyring()), elsewhere: [] },
    rows: { tenants, environments, secrets: unasked() },
  });
  return {
    now: uow.now,
    found: (id: TenantId, tenant: { slug: string; name: string }) =>
      uow.run(id, (tx) => parts.foundTenant.found(tx, tenant)),
    get: (id: TenantId) => parts.getTenant.execute(id),
    list: (id: TenantId) => parts.listEnvironments.execute(id, { limit: 9, afterName: null }),
  };
}

describe('founding a tenant', () => {
  it('makes it with the environments that every tenant begins with', async () => {
    const { found, get, list, now } = founding();
    const id = newId<TenantId>();
    expect(await found(id, { slug: 'acme', name: 'Acme' })).toEqual({ ok: true, value: undefined });
    expect(await get(id)).toEqual({ ok: true, value: { id, slug: 'acme', name: 'Acme', createdAt: now } });
    expect((await list(id)).map(({ name, production, version }) => [name, production, version])).toEqual([
      ['development', false, 1],
      ['production', true, 1],
      ['staging', false, 1],
    ]);
  });

  it('refuses a slug that another tenant has, and leaves nothing', async () => {
    const { found, get, list } = founding();
    const id = newId<TenantId>();
    await found(newId<TenantId>(), { slug: 'acme', name: 'Acme' });
    expect(await found(id, { slug: 'acme', name: 'Acme' })).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'tenancy.slug_taken' },
    });
    expect(await get(id)).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
    expect(await list(id)).toEqual([]);
  });

  it.each([
    ['slug', { slug: 'No Label', name: 'Acme' }],
    ['name', { slug: 'acme', name: '' }],
  ])('refuses a %s that no tenant may have', async (pointer, tenant) => {
    const { found, get } = founding();
    const id = newId<TenantId>();
    expect(await found(id, tenant)).toMatchObject({
      ok: false,
      error: { code: 'tenancy.invalid_tenant', errors: [{ pointer: `/${pointer}` }] },
    });
    expect(await get(id)).toMatchObject({ ok: false });
  });
});
