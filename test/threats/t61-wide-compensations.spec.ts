import { expectStatus, testApi, type Answer, type HttpAs, type TestApi } from '../support/api.js';
import { autonomyDocument, equippedTenant } from '../support/equipped-tenant.js';
import { anotherTaskSpec, rolloutPlan, servers } from '../support/stages.js';

let api: TestApi;
let agent: HttpAs;
beforeAll(async () => {
  api = await testApi({ config: { allowedPrivateHosts: ['127.0.0.1:9'] } });
  const { tenant, admin } = await equippedTenant(api, 9);
  const reimage = {
    description: 'Brings every server of the environment to its last image.',
    risk: 'state_change_prod',
    idempotent: true,
    scope: 'environment',
    executor: 'fleet',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  };
  expectStatus(await admin.put('/v1/tools/reimage_everything', reimage), 200);
  expectStatus(await admin.put('/v1/autonomy', autonomyDocument(true)), 200);
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 60_000);
afterAll(() => api.close());

/** The plan of the demonstration, of which the canary is undone by this call. */
async function submittedWith(compensation: StepCall): Promise<Answer> {
  const plan = rolloutPlan();
  const phases = plan.phases.map((phase) => ({
    ...phase,
    steps: phase.steps.map((step) => (phase.canary ? { ...step, compensate_with: compensation } : step)),
  }));
  const { id } = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
  return agent.post(`/v1/tasks/${id}/plans`, { ...plan, phases });
}

interface StepCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
const rollback = (targets: unknown): StepCall => ({
  tool: 'execute_rollout_prod',
  arguments: { targets, image: 'web-2026-10' },
});
const codesOf = ({ body }: Answer, list: 'errors' | 'reasons'): readonly string[] =>
  ((body[list] ?? []) as { code: string }[]).map(({ code }) => code);

describe('T61: a canary with an undo that reaches further than the canary', () => {
  it('by naming the whole fleet: the plan is not valid', async () => {
    const refused = await submittedWith(rollback(servers(47)));
    expect([refused.status, refused.body.code]).toEqual([422, 'plan.invalid']);
    expect(codesOf(refused, 'errors')).toContain('plan.target_outside_batch');
  });

  it('by naming nothing, and so the environment: it counts in the limits of batch and canary', async () => {
    const refused = await submittedWith({ tool: 'reimage_everything', arguments: {} });
    expect([refused.status, refused.body.code]).toEqual([422, 'plan.refused']);
    expect(codesOf(refused, 'reasons')).toEqual(
      expect.arrayContaining(['safety.batch_too_large', 'safety.canary_too_large']),
    );
  });

  it('is taken if the undo stays within the batch', async () => {
    const within = await submittedWith(rollback({ $batch: 'targets' }));
    expect(expectStatus(within, 201).body.status).toBe('validated');
  });
});
