import { newId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { Tenant } from '../domain/environment.js';
import type { TenantRepository } from './tenancy.ports.js';

export interface TenantStore {
  readonly uow: UnitOfWork;
  readonly tenants: TenantRepository;
  close(): Promise<void>;
}

/** The contract of a repository of tenants. */
export function describeTenantRepository(name: string, open: () => Promise<TenantStore>): void {
  describe(`${name} keeps the contract of TenantRepository`, () => {
    let store: TenantStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    const sample = (slug: string): Tenant => ({
      id: newId<TenantId>(),
      slug,
      name: 'Acme, Inc.',
      createdAt: Date.UTC(2026, 0, 5, 8),
    });
    const within = <T>({ id }: Tenant, work: (tx: Tx) => Promise<T>): Promise<T> => store.uow.run(id, work);
    const insert = (tenant: Tenant): Promise<boolean> => within(tenant, (tx) => store.tenants.insert(tx, tenant));
    const found = (tenant: Tenant): Promise<Tenant | null> => within(tenant, (tx) => store.tenants.find(tx));

    it('finds the tenant of the transaction, whole, and no other', async () => {
      const [acme, globex] = [sample('acme'), sample('globex')];
      expect(await found(acme)).toBeNull();
      expect(await insert(acme)).toBe(true);
      expect(await found(acme)).toEqual(acme);
      expect(await found(globex)).toBeNull();
      expect(await insert(globex)).toBe(true);
      expect(await found(globex)).toEqual(globex);
      expect(await found(acme)).toEqual(acme);
    });

    it('takes no slug that another tenant has', async () => {
      const [first, second] = [sample('taken'), sample('taken')];
      expect(await insert(first)).toBe(true);
      expect(await insert(second)).toBe(false);
      expect(await found(second)).toBeNull();
      expect(await found(first)).toEqual(first);
    });

    it('refuses an id that is taken (23505)', async () => {
      const tenant = sample('first-name');
      await insert(tenant);
      await expect(insert({ ...tenant, slug: 'second-name' })).rejects.toMatchObject({ code: '23505' });
    });

    it.each<[string, Partial<Tenant>]>([
      ['slug', { slug: 'No-Capitals' }],
      ['name', { name: '' }],
    ])('refuses a %s that no tenant may have (23514)', async (_what, members) => {
      await expect(insert({ ...sample('refused'), ...members })).rejects.toMatchObject({ code: '23514' });
    });
  });
}
