import { expectStatus, testApi, type TestAgent, type TestApi, type TestTenant } from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;
let agent: TestAgent;
let other: TestAgent;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  agent = await api.agent(tenant, tenant.admin);
  other = await api.agent(tenant, tenant.admin);
});
afterAll(() => api.close());

describe('T63: an agent halts more than its own work', () => {
  it.each<[string, () => object]>([
    ['the tenant', () => ({ kind: 'tenant' })],
    ['an environment', () => ({ kind: 'environment', environment: 'production' })],
    ['another agent', () => ({ kind: 'agent', agent_id: other.id })],
    ['a tool', () => ({ kind: 'tool', tool: 'execute_rollout_prod' })],
  ])('%s: refused, with who may, also under a delegation', async (_what, target) => {
    const delegated = await api.delegation(agent, tenant.admin, 'read', 'halt');
    for (const token of [agent.token, delegated]) {
      const { status, body } = await api.http(token).post('/v1/halts', { ...target(), reason: 'to stop everybody' });
      expect([status, body.code]).toEqual([403, 'halt.own_work_only']);
      expect(body.action).toContain('ask a person of the tenant');
    }
    expect((await api.http(tenant.admin.token).get('/v1/halts')).body.items).toEqual([]);
  });

  it('itself: it may', async () => {
    const halt = { kind: 'agent', agent_id: agent.id, reason: 'I am not well' };
    expectStatus(await api.http(agent.token).post('/v1/halts', halt), 201);
  });
});
