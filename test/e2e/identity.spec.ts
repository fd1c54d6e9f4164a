import { testApi, type TestApi, type TestTenant } from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

describe('identity over HTTP', () => {
  it('founds a tenant with its first admin', async () => {
    const me = await api.http(tenant.admin.token).get('/v1/me');
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ tenant_id: tenant.id, kind: 'person', roles: [{ role: 'PlatformAdmin' }] });
  });
});
