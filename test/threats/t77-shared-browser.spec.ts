import { apiRoutes } from '../support/api-routes.js';
import { testApi, type TestApi, type TestTenant } from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

/** These hold nothing of a tenant. */
const OF_EVERYBODY = ['/.well-known/jwks.json', '/v1/openapi.json'];

describe('T77: another person at the same browser, or behind the same proxy', () => {
  it('gets no answer from a cache', async () => {
    const lists = (await apiRoutes(api)).filter(
      ({ method, path, parameters }) => method === 'GET' && parameters.length === 0 && !OF_EVERYBODY.includes(path),
    );
    const kept: string[] = [];
    for (const { path } of lists) {
      const { status, headers } = await api.http(tenant.admin.token).get(path);
      if (headers['cache-control'] !== 'no-store')
        kept.push(`${path}: ${String(status)} ${String(headers['cache-control'])}`);
    }
    expect(kept).toEqual([]);
    expect(lists.length).toBeGreaterThan(50);
  });

  it('gets those that hold nothing of anybody', async () => {
    for (const path of OF_EVERYBODY)
      expect([path, (await api.http().get(path)).headers['cache-control']]).toEqual([
        path,
        expect.stringMatching(/^public, max-age=\d+$/),
      ]);
  });
});
