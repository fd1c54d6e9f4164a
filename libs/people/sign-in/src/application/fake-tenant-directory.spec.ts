import { newId, type TenantId } from '#lib/kernel';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeTenantRepository } from '../../../../registry/tenancy/src/application/fake-tenant.repository.js';
import { FakeTenantDirectory } from './fake-tenant-directory.js';
import { describeTenantDirectory } from './tenant-directory.contract.js';

describeTenantDirectory('FakeTenantDirectory', () => {
  const uow = new FakeUnitOfWork();
  const tenants = new FakeTenantRepository(uow);
  return Promise.resolve({
    directory: new FakeTenantDirectory(tenants),
    found: async (slug) => {
      const id = newId<TenantId>();
      await uow.run(id, (tx) => tenants.insert(tx, { id, slug, name: slug, createdAt: uow.now }));
      return id;
    },
    close: () => Promise.resolve(),
  });
});
