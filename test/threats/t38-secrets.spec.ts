import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { anotherTaskSpec } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 60_000;
const ROOT_PASSWORD = 'S3CRET-PROD-DB-ROOT-PW';
const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development: { mode: full_auto, allowed_approvers: [any] }
`;

let api: TestApi;
let server: ToolServer;
let worker: { stop(): Promise<void> };
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let dev: HttpAs;
/** The effect of the test while a call is in flight. */
let beforeCall: () => Promise<void> = () => Promise.resolve();

const note = (changes: object = {}) => ({
  description: 'Leaves a note.',
  risk: 'state_change_prod',
  effect: 'modify',
  idempotent: true,
  scope: 'environment',
  simulated_by: 'simulate_note',
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: { text: { type: 'string', maxLength: 100 }, pw: { type: 'string', writeOnly: true, maxLength: 100 } },
  },
  ...changes,
});
const predictor = { ...note(), risk: 'plan_only', effect: 'read', simulated_by: null };

const forNote = (tools = ['note'], executors = ['development/default']) => ({
  purpose: 'tool_arguments',
  executors,
  tools,
});

async function put(name: string, binding: object | undefined): Promise<string> {
  const value = name === 'prod-db-root' ? ROOT_PASSWORD : `value-of-${name}`;
  const body = binding === undefined ? { value } : { value, binding };
  return expectStatus(await admin.put(`/v1/secrets/${name}`, body), 200).body.reference as string;
}

async function submit(...secrets: readonly string[]): Promise<Answer> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ environment: 'development' })), 201);
  const steps = secrets.map((secret, index) => ({
    id: `s${String(index + 1)}`,
    tool: 'note',
    arguments: { text: 'hello', pw: { $secret: secret } },
  }));
  const document = { summary: 's', phases: [{ name: 'a', targets: ['t-1'], steps }] };
  return agent.post(`/v1/tasks/${String(task.body.id)}/plans`, document);
}

async function eventually(
  ask: () => Promise<Answer>,
  wanted: (body: Answer['body']) => boolean,
): Promise<Answer['body']> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === 200 && wanted(answer.body)) return answer.body;
    if (performance.now() > deadline) throw new Error(`it did not come to that in time: ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const simulated = async (plan: string): Promise<Answer['body']> => {
  const id = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  return eventually(
    () => agent.get(`/v1/simulations/${id}`),
    ({ state }) => state === 'succeeded' || state === 'failed',
  );
};

/** The run of a plan that one person approved. */
async function runOf(plan: string): Promise<Answer['body']> {
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body;
  const review = { verdict: 'approve', subject_digest: request.subject.digest as string };
  expectStatus(await dev.post(`/v1/approval-requests/${String(request.id)}/reviews`, review), 201);
  const { items } = expectStatus(await agent.get(`/v1/runs?plan_id=${plan}`), 200).body;
  return eventually(
    () => agent.get(`/v1/runs/${String(items[0].id)}`),
    (run) => run.finished_at !== null || run.state === 'paused',
  );
}

const sentTo = (tool: string) => server.ledger.filter((call) => call.tool === tool).map(({ request }) => request);

beforeAll(async () => {
  server = await toolServer({
    before: async ({ tool }) => {
      if (tool === 'note') await beforeCall();
      return true;
    },
    result: ({ tool }) =>
      tool.startsWith('simulate')
        ? {
            affected_assets: 1,
            estimated_duration_minutes: 1,
            predicted_risk: 'low',
            health_check_points: [],
            details: null,
          }
        : { noted: true },
  });
  api = await testApi({ config: { allowedPrivateHosts: [new URL(server.url).host] } });
  worker = await workerOf(api);
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', { tools: { note: note(), simulate_note: predictor } }), 200);
  const url = `${server.url}/dev`;
  expectStatus(await admin.put('/v1/environments/development/executors/default', { kind: 'http', url }), 200);
  dev = api.http((await api.person(tenant, 'DevOpsEngineer')).token);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 120_000);

afterAll(async () => {
  await worker.stop();
  await api.close();
  await server.close();
});

beforeEach(() => {
  beforeCall = () => Promise.resolve();
});

describe('T38: a plan that names a secret', () => {
  it('is refused with the step unless the secret is bound to this tool, executor and environment', async () => {
    const bindings: readonly (readonly [string, object | undefined])[] = [
      ['prod-db-root', forNote(['note'], ['production/default'])],
      ['without-binding', undefined],
      ['of-another-tool', forNote(['simulate_note'])],
      ['of-another-executor', forNote(['note'], ['development/other'])],
      ['token-of-it', { purpose: 'executor_token', executors: ['development/default'] }],
      ['of-the-issuer', { purpose: 'sign_in' }],
      ['of-the-pager', { purpose: 'incidents' }],
    ];
    const good = await put('bound', forNote());
    for (const [name, binding] of bindings) {
      const refused = expectStatus(await submit(good, await put(name, binding)), 422).body;
      expect(refused).toMatchObject({
        code: 'plan.invalid',
        errors: [{ code: 'plan.secret_not_bound', pointer: '/phases/0/steps/1/arguments/pw' }],
      });
    }
    const unknown = expectStatus(await submit('nobodys@1'), 422).body.errors[0];
    expect(unknown).toMatchObject({ code: 'plan.secret_not_bound' });
    expect(JSON.stringify(server.ledger)).not.toContain(ROOT_PASSWORD);
  });

  it('gets it from a simulation only if its tool says so, and at execution', async () => {
    const reference = await put('at-work', forNote());
    const plan = expectStatus(await submit(reference), 201).body.id as string;
    expect((await simulated(plan)).state).toBe('succeeded');
    expect(sentTo('simulate_note').at(-1)).toMatchObject({
      arguments: { pw: { $secret: reference } },
      secrets: {},
    });
    expect((await runOf(plan)).state).toBe('completed');
    expect(sentTo('note').at(-1)).toMatchObject({ secrets: { [reference]: 'value-of-at-work' } });
  });

  it('gets it from a simulation only if the tool says so and the predictor is bound, too', async () => {
    const tools = (secrets: boolean) => ({
      tools: { note: note({ simulation_secrets: secrets }), simulate_note: predictor },
    });
    const dry = expectStatus(await admin.put('/v1/tools?dry_run=true', tools(true)), 200).body;
    expect(dry.changes).toContainEqual(
      expect.objectContaining({ name: 'note', loosens: ['its simulation is given secrets, before anybody approves'] }),
    );
    for (const { state, id } of (await agent.get('/v1/plans?limit=100')).body.items as {
      state: string;
      id: string;
    }[]) {
      if (['validated', 'simulated', 'awaiting_approval'].includes(state)) await agent.post(`/v1/plans/${id}/withdraw`);
    }
    expectStatus(await admin.put('/v1/tools', tools(true)), 200);
    try {
      const one = await put('one-tool', forNote(['note']));
      const refused = await simulated(expectStatus(await submit(one), 201).body.id as string);
      expect([refused.state, refused.failure?.message]).toEqual([
        'failed',
        expect.stringContaining('dispatch.secret_not_bound'),
      ]);
      const both = await put('both-tools', forNote(['note', 'simulate_note']));
      expect((await simulated(expectStatus(await submit(both), 201).body.id as string)).state).toBe('succeeded');
      expect(sentTo('simulate_note').at(-1)).toMatchObject({ secrets: { [both]: 'value-of-both-tools' } });
    } finally {
      expectStatus(await admin.put('/v1/tools', tools(false)), 200);
    }
  });

  it('is sent nothing at dispatch once the binding is narrower', async () => {
    const reference = await put('taken-back', forNote());
    const plan = expectStatus(await submit(reference, reference), 201).body.id as string;
    expect((await simulated(plan)).state).toBe('succeeded');
    const before = sentTo('note').length;
    beforeCall = async () => {
      expectStatus(await admin.put('/v1/secrets/taken-back/binding', { binding: null }), 200);
    };
    const run = await runOf(plan);
    expect(run.state).not.toBe('completed');
    expect(JSON.stringify(run)).toContain('dispatch.secret_not_bound');
    expect(sentTo('note')).toHaveLength(before + 1);
  });
});

describe('T38: an executor', () => {
  const path = '/v1/environments/development/executors/second';

  it('names as its token only a secret that is bound to it, and is called with it only while bound', async () => {
    const document = {
      kind: 'http',
      url: 'https://elsewhere.example/',
      secret: await put('issuer-secret', { purpose: 'sign_in' }),
    };
    expect(expectStatus(await admin.put(path, document), 422).body.errors).toMatchObject([
      { pointer: '/secret', code: 'executor.secret_not_bound' },
    ]);
    const token = await put('second-token', { purpose: 'executor_token', executors: ['development/second'] });
    expectStatus(await admin.put(path, { ...document, secret: token }), 200);
  });
});

describe('T38: the names of secrets', () => {
  it('are not read by agents', async () => {
    const refused = expectStatus(await agent.get('/v1/secrets'), 403).body;
    expect(refused.code).toBe('credential.person_required');
    const executors = await agent.get('/v1/environments/development/executors');
    expect(expectStatus(executors, 200).text).not.toContain('second-token');
    expect((await admin.get('/v1/environments/development/executors')).text).toContain('second-token');
  });
});
