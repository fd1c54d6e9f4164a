import { expectStatus, testApi, type Answer, type TestApi } from '../support/api.js';
import type { PersonPrincipal } from '#lib/kernel';

let api: TestApi;

beforeAll(async () => {
  // One more a second than the burst: the test counts in the requests that refill while it runs.
  api = await testApi({ config: { requestsPerMinute: 60, requestBurst: 40 } });
});
afterAll(() => api.close());

const statuses = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('how often a person or agent may call', () => {
  it('is bounded, with when to come back, and does not touch other people', async () => {
    const tenant = await api.tenant();
    const other = (await api.person(tenant)).token;
    const before = Date.now();
    const answers = await Promise.all(Array.from({ length: 200 }, () => api.http(tenant.admin.token).get('/v1/me')));
    const refilled = Math.ceil((Date.now() - before) / 1_000) + 1;
    const counts = statuses(answers);
    expect(Object.keys(counts).sort()).toEqual(['200', '429']);
    expect(counts['200']).toBeLessThanOrEqual(40 + refilled);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.body.code, Number(refused?.headers['retry-after']) >= 1]).toEqual(['request.rate_limited', true]);
    expectStatus(await api.http(other).get('/v1/me'), 200);
  });

  it('holds over several processes together', async () => {
    const tenant = await api.tenant();
    const principal = { kind: 'person', tenantId: tenant.id, personId: tenant.admin.id } as PersonPrincipal;
    const limits = { holder: { perMinute: 60, burst: 40 }, tenant: { perMinute: 6_000, burst: 4_000 } };
    const { limited } = api.installation.identity;
    const processes = [1, 2, 3].map(() => limited({ requests: limits, tokensPerHolder: 1 }).requestBudget);
    const before = Date.now();
    let taken = 0;
    for (let round = 0; round < 60; round += 1) {
      const waits = await Promise.all(processes.map((budget) => budget.take(principal)));
      taken += waits.filter((wait) => wait === null).length;
    }
    expect(taken).toBeLessThanOrEqual(40 + Math.ceil((Date.now() - before) / 1_000) + 1);
    expect(taken).toBeGreaterThan(10);
  });
});
