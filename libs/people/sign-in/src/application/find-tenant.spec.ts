import { signInWorld } from '../fake-sign-in-world.js';
import { FindTenant } from './find-tenant.js';

it('finds the tenant of a slug, and none for any other', async () => {
  const { directory, home, other } = await signInWorld();
  const finding = new FindTenant(directory);
  expect([await finding.execute('acme'), await finding.execute('globex')]).toEqual([home.tenantId, other.tenantId]);
  expect([await finding.execute('initech'), await finding.execute('')]).toEqual([null, null]);
});
