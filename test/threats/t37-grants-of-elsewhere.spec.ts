import { readFileSync } from 'node:fs';
import type { ToolCallRequest } from '#lib/formats';
import { GrantError, grantVerifier, type GrantVerifier } from '#lib/sdk';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { serverPort } from '../support/server-port.js';
import { anotherTaskSpec } from '../support/stages.js';
import { toolServer, type ReceivedCall, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 60_000;
const AUDIENCE = 'fleet';
const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development: { mode: full_auto, allowed_approvers: [any] }
    production: { mode: full_auto, allowed_approvers: [SRELead], require_two_approvers: true }
`;

let api: TestApi;
let issuer: string;
let development: ToolServer;
let worker: { stop(): Promise<void> };
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let dev: HttpAs;

const executorPath = (environment: string, name = 'fleet'): string =>
  `/v1/environments/${environment}/executors/${name}`;

async function eventually(ask: () => Promise<Answer>, wanted: (body: Answer['body']) => boolean): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === 200 && wanted(answer.body)) return;
    if (performance.now() > deadline) throw new Error(`it did not come to that in time: ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The call that one person alone approved in development, as its server received it; the grant was not redeemed. */
async function approvedInDevelopment(target: string): Promise<ReceivedCall> {
  const spec = anotherTaskSpec({ environment: 'development' });
  const task = expectStatus(await agent.post('/v1/tasks', spec), 201).body.id as string;
  const step = {
    id: 'rollout',
    tool: 'execute_rollout_prod',
    arguments: { targets: { $batch: 'targets' }, image: 'web-2026-11' },
  };
  const document = { summary: 's', phases: [{ name: 'all', targets: [target], steps: [step] }] };
  const submitted = await agent.post(`/v1/tasks/${task}/plans`, document);
  const plan = expectStatus(submitted, 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await eventually(
    () => agent.get(`/v1/simulations/${simulation}`),
    ({ state }) => state === 'succeeded',
  );
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body as {
    id: string;
    subject: { digest: string };
  };
  const review = { verdict: 'approve', subject_digest: request.subject.digest };
  expectStatus(await dev.post(`/v1/approval-requests/${request.id}/reviews`, review), 201);
  const done = (): ReceivedCall | undefined =>
    development.ledger.find(
      (call) => call.tool === 'execute_rollout_prod' && String(call.arguments.targets).includes(target),
    );
  await eventually(
    () => agent.get('/v1/me'),
    () => done() !== undefined,
  );
  const call = done();
  if (call === undefined) throw new Error('the call is gone');
  return call;
}

const codeOf = async (verify: GrantVerifier, grant: string, call: ToolCallRequest): Promise<string> =>
  verify(grant, call).then(
    () => 'accepted',
    (error: unknown) => (error instanceof GrantError ? error.code : String(error)),
  );

beforeAll(async () => {
  development = await toolServer({
    before: () => true,
    result: ({ tool }) =>
      tool === 'simulate_rollout'
        ? {
            affected_assets: 1,
            estimated_duration_minutes: 1,
            predicted_risk: 'medium',
            health_check_points: [],
            details: null,
          }
        : { metrics: { error_rate: 0 } },
  });
  const port = await serverPort();
  issuer = `http://127.0.0.1:${String(port)}`;
  api = await testApi({ config: { publicUrl: issuer, allowedPrivateHosts: [new URL(development.url).host] } });
  await api.app.listen(port, '127.0.0.1');
  worker = await workerOf(api);
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  // The worst case: the tenant says in both documents that the audience is shared.
  const executor = { kind: 'http', url: `${development.url}/tools`, audience: AUDIENCE, shared_audience: true };
  expectStatus(await admin.put(executorPath('development'), executor), 200);
  expectStatus(await admin.put(executorPath('production'), executor), 200);
  dev = api.http((await api.person(tenant, 'DevOpsEngineer')).token);
  await api.person(tenant, 'SRELead');
  await api.person(tenant, 'SRELead');
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 120_000);

afterAll(async () => {
  await worker.stop();
  await api.close();
  await development.close();
});

describe('T37: a grant of development', () => {
  it('is refused by a verifier of production with the same audience, and by redemption there', async () => {
    const { grant, request } = await approvedInDevelopment('web-1');
    const options = { issuer, audience: AUDIENCE, tenants: [tenant.id], replay: 'redeem' } as const;
    const production = grantVerifier({ ...options, environments: ['production'] });
    expect(await codeOf(production, grant, request)).toBe('grant.wrong_environment');

    const redeem = (body: object): Promise<Answer> => api.http().post('/v1/grants/redeem', { grant, ...body });
    const elsewhere = expectStatus(await redeem({ audience: AUDIENCE, environment: 'production' }), 403);
    expect(elsewhere.body.code).toBe('grant.wrong_environment');
    expect(elsewhere.body.detail).toBe(
      'The grant is for the environment "development", and the tool server says that it works in "production".',
    );
    expectStatus(await redeem({ audience: AUDIENCE }), 422);
    // None of this used it up: where it belongs it is good, once.
    const own = grantVerifier({ ...options, environments: ['development'] });
    expect(await codeOf(own, grant, request)).toBe('accepted');
    expect(await codeOf(own, grant, request)).toBe('grant.already_redeemed');
  });
});

describe('T37: one audience in two environments', () => {
  const executor = { kind: 'http', url: 'https://fleet.example/tools' };

  it('is refused unless both executors say so, and the refusal names the other environment', async () => {
    expectStatus(await admin.put(executorPath('development', 'lab'), { ...executor, audience: 'lab' }), 200);
    const refused = expectStatus(
      await admin.put(executorPath('production', 'lab'), { ...executor, audience: 'lab', shared_audience: true }),
      422,
    ).body;
    expect(refused).toMatchObject({
      code: 'executor.invalid',
      errors: [{ pointer: '/audience', code: 'executor.audience_in_use', suggestion: 'lab.production' }],
    });
    expect(refused.errors[0].message).toContain('The executor lab of development has the audience lab');
    const own = expectStatus(await admin.put(executorPath('production', 'lab'), executor), 200).body;
    expect(own).toMatchObject({ audience: 'lab.production', shared_audience: false });
  });

  it('is refused for one of two registrations at the same moment', async () => {
    const put = (environment: string) =>
      admin.put(executorPath(environment, 'race'), { ...executor, audience: 'race' });
    const answers = await Promise.all(['development', 'staging', 'production'].map(put));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });
});
