import { readFileSync } from 'node:fs';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { testDatabase, testServer, type TestDatabase } from '../support/database.js';
import { SHELL_TOOL } from '../support/shell-catalog.js';

/** The answer of the Wasm module instead of its own, if a test sets one. */
let wasmAnswers: (() => unknown) | null = null;

jest.mock('../../libs/rules/policy/src/adapters/load-wasm-policy.js', () => {
  const actual = jest.requireActual<typeof import('../../libs/rules/policy/src/adapters/load-wasm-policy.js')>(
    '../../libs/rules/policy/src/adapters/load-wasm-policy.js',
  );
  return {
    loadWasmPolicy: (...args: Parameters<typeof actual.loadWasmPolicy>) => {
      const policy = actual.loadWasmPolicy(...args);
      const evaluate = policy.evaluate.bind(policy);
      policy.evaluate = (...asked) => (wasmAnswers === null ? evaluate(...asked) : wasmAnswers()) as null;
      return policy;
    },
  };
});

/**
 * Nonprod tools that need no plan; ADR-009 has none. One names its simulation tool, one leaves that out, and one
 * says that there is nothing to simulate.
 */
const NONPROD = [
  ['restart_sandbox', 'simulate_rollout', 'required'],
  ['reset_sandbox', null, 'required'],
  ['label_sandbox', null, 'not_applicable'],
]
  .map(
    ([name, simulatedBy, simulation]) => `
  ${String(name)}:
    risk: state_change_nonprod
    idempotent: true
    scope: asset
    description: A change of a sandbox
    requires_plan: false
    effect: modify
    simulated_by: ${String(simulatedBy)}
    simulation: ${String(simulation)}
    identity_fields: [/targets]
    executor: fleet
    parameters:
      type: object
      additionalProperties: false
      required: [targets]
      properties:
        targets: { type: array, items: { type: string, maxLength: 100 }, minItems: 1, maxItems: 10 }
`,
  )
  .join('');
const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
`;

let db: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;

beforeAll(async () => {
  db = await testDatabase(await testServer());
  api = await testApi({ db });
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  const catalog = readFileSync('catalog/adr-009.yaml', 'utf8');
  expectStatus(await admin.put('/v1/tools', catalog + NONPROD + SHELL_TOOL), 200);
  await api.person(tenant, 'SRELead');
  const bot = await api.agent(tenant, await api.person(tenant));
  agent = api.http(bot.token);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
});
afterAll(async () => {
  await api.close();
  await db.close();
});

const ask = async (as: HttpAs, tool: string, environment: string, args: unknown = {}): Promise<Answer> =>
  expectStatus(await as.post('/v1/tool-calls', { tool, environment, arguments: args }), 201);

const codes = ({ body }: Answer): unknown => (body.reasons as { code: string }[]).map(({ code }) => code);

const TARGETS = { targets: ['sandbox-1'] };

interface Recorded {
  readonly action: string;
  readonly level: string;
  readonly decision_id: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The audit entry of an answer, from the log itself. */
const recorded = async ({ body }: Answer): Promise<Recorded | undefined> => {
  const { rows } = await api.db.owner.query<Recorded>(
    `select entry.action, entry.level, entry.decision_id, entry.payload::jsonb as payload
       from audit_entry entry
      where entry.tenant_id = $1 and entry.subject_type = 'tool_call' and entry.subject_id = $2`,
    [tenant.id, body.id],
  );
  return rows[0];
};

describe('POST /v1/tool-calls', () => {
  it.each([
    ['query_assets', 'production', {}, 'allow', 'autonomy.executes'],
    [
      'generate_compliance_evidence',
      'production',
      { framework: 'cis', from: '2026-01-01', to: '2026-03-31' },
      'allow',
      'autonomy.executes',
    ],
    ['label_sandbox', 'production', TARGETS, 'deny', 'safety.nonprod_in_production'],
    ['restart_sandbox', 'development', TARGETS, 'deny', 'simulation.required'],
    ['reset_sandbox', 'development', TARGETS, 'deny', 'simulation.not_declared'],
    ['execute_rollout_nonprod', 'development', { targets: ['a'], image: 'web-1' }, 'deny', 'plan.required'],
    ['trigger_dr_failover', 'production', { service: 'shop', to_region: 'eu-west-1' }, 'deny', 'plan.required'],
  ])('%s in %s with %j: %s, on record', async (tool, environment, args, outcome, code) => {
    const answer = await ask(agent, tool, environment, args);
    expect([answer.body.outcome, codes(answer)]).toEqual([
      outcome === 'allow' ? 'allowed' : 'denied',
      expect.arrayContaining([code]),
    ]);
    expect(expectStatus(await agent.get(`/v1/tool-calls/${String(answer.body.id)}`), 200).body).toEqual(answer.body);
    const entry = await recorded(answer);
    expect(entry).toMatchObject({
      action: 'tool_call.decided',
      level: answer.body.obligations.audit_level,
      decision_id: answer.body.decision_id,
      payload: { tool, environment, outcome, arguments: args, arguments_digest: answer.body.arguments_digest },
    });
    const { rows } = await api.db.owner.query('select outcome from decision where tenant_id = $1 and id = $2', [
      tenant.id,
      answer.body.decision_id,
    ]);
    expect(rows).toEqual([{ outcome }]);
  });

  it('T55: asks a person about a change with a token outside a session, of an agent and of a person', async () => {
    for (const by of [agent, admin]) {
      const answer = await ask(by, 'label_sandbox', 'development', TARGETS);
      expect([answer.body.outcome, codes(answer)]).toEqual(['pending', ['session.asks']]);
    }
  });

  it('answers a command line with its verdict, part by part', async () => {
    const read = await ask(agent, 'shell', 'production', { command: 'kubectl get pods' });
    expect(read.body).toMatchObject({ outcome: 'allowed', shell: { shell: 'bash', tier: 1, class: 'READ_ONLY' } });
    const denied = await ask(agent, 'shell', 'development', { command: 'ls && rm -rf /' });
    expect([denied.body.outcome, codes(denied)]).toEqual(['denied', ['shell.denied']]);
    expect(denied.body.shell).toMatchObject({
      tier: 3,
      class: 'DESTRUCTIVE',
      parts: [
        { start: 0, end: 2, program: 'ls', tier: 1 },
        { start: 6, end: 14, program: 'rm', tier: 3 },
      ],
    });
    expect(JSON.stringify(denied.body.shell)).toContain('shell.deletes_beyond_undo');
    expect(await recorded(denied)).toMatchObject({ payload: { shell: { tier: 3, class: 'DESTRUCTIVE' } } });
  });

  it('names each mistake in the arguments and its place, and keeps none of them', async () => {
    const answer = await ask(agent, 'query_assets', 'production', { limit: 0, rolle: 'hunter2' });
    expect(answer.body.errors).toEqual([
      expect.objectContaining({ pointer: '/arguments/rolle', code: 'tool.argument_unknown', suggestion: 'role' }),
      expect.objectContaining({ pointer: '/arguments/limit', code: 'tool.argument_minimum' }),
    ]);
    expect(JSON.stringify(await recorded(answer))).not.toContain('hunter2');
  });

  it('never gives an old answer again, with any Idempotency-Key', async () => {
    const body = { tool: 'query_assets', environment: 'production', arguments: {} };
    const key = { 'idempotency-key': 'the-same' };
    const [one, two] = [await agent.post('/v1/tool-calls', body, key), await agent.post('/v1/tool-calls', body, key)];
    expect(one.body.id).not.toBe(two.body.id);
    expect(two.headers['idempotent-replay']).toBeUndefined();
  });

  it('in a session is bounded by its preset, and stands in its audit', async () => {
    const session = expectStatus(await agent.post('/v1/sessions', { environment: 'development' }), 201).body
      .id as string;
    const call = async (tool: string, args: unknown): Promise<Answer> =>
      expectStatus(await agent.post(`/v1/sessions/${session}/tool-calls`, { tool, arguments: args }), 201);
    expect((await call('query_assets', {})).body).toMatchObject({ outcome: 'allowed' });
    const asked = await call('label_sandbox', { targets: ['sandbox-in-session'] });
    expect([asked.body.outcome, codes(asked)]).toEqual(['pending', ['session.asks']]);
    const { rows } = await api.db.owner.query<{ action: string }>(
      'select action from audit_entry where root_id = $1 order by occurred_at, id',
      [session],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'session.opened',
      'tool_call.decided',
      'approval_request.opened',
      'tool_call.asked',
    ]);
  });

  it('gives one answer for one client_call_id, and refuses it for another call', async () => {
    const call = { tool: 'query_assets', environment: 'production', arguments: {}, client_call_id: 'call-1' };
    const first = expectStatus(await agent.post('/v1/tool-calls', call), 201);
    expect(expectStatus(await agent.post('/v1/tool-calls', call), 201).body).toEqual(first.body);
    const reused = await agent.post('/v1/tool-calls', { ...call, environment: 'staging' });
    expect([reused.status, reused.body.code]).toEqual([409, 'tool_call.client_call_id_reused']);
  });

  it('denies one client_call_id again, also if its tool is there by now', async () => {
    const call = { tool: 'look_later', environment: 'development', arguments: {}, client_call_id: 'call-2' };
    const first = expectStatus(await agent.post('/v1/tool-calls', call), 201);
    expect([first.body.outcome, codes(first)]).toEqual(['denied', ['policy.unknown_tool']]);
    const later = `  look_later:
    risk: read_only
    idempotent: true
    scope: asset
    description: Looks
    executor: fleet
    parameters: { type: object }
`;
    const all = readFileSync('catalog/adr-009.yaml', 'utf8') + NONPROD + SHELL_TOOL;
    expectStatus(await admin.put('/v1/tools', all + later), 200);
    expect(expectStatus(await agent.post('/v1/tool-calls', call), 201).body).toEqual(first.body);
    const { rows } = await api.db.owner.query(
      `select from audit_entry where tenant_id = $1 and action = 'tool_call.decided' and payload::jsonb ->> 'tool' = 'look_later'`,
      [tenant.id],
    );
    expect(rows).toHaveLength(1);
    const reused = await agent.post('/v1/tool-calls', { ...call, arguments: { targets: [] } });
    expect([reused.status, reused.body.code]).toEqual([409, 'tool_call.client_call_id_reused']);
    const fresh = await agent.post('/v1/tool-calls', { ...call, client_call_id: 'call-3' });
    expect(expectStatus(fresh, 201).body.outcome).toBe('allowed');
  });

  it('answers one of two requests with one client_call_id anew, and the other one again, also without its tool', async () => {
    const call = { tool: 'never', environment: 'development', arguments: {}, client_call_id: 'call-4' };
    const answers = await Promise.all([1, 2, 3].map(() => agent.post('/v1/tool-calls', call)));
    expect(new Set(answers.map((answer) => String(expectStatus(answer, 201).body.id))).size).toBe(1);
  });

  it.each<[string, () => unknown, string]>([
    ['nothing', () => [], 'policy.no_decision'],
    ['undefined', () => undefined, 'policy.no_decision'],
    ['a truthy string', () => [{ result: 'allow' }], 'policy.malformed_decision'],
    ['an unknown outcome', () => [{ result: { outcome: 'maybe' } }], 'policy.malformed_decision'],
    [
      'an error',
      () => {
        throw new Error('trapped');
      },
      'policy.evaluation_failed',
    ],
  ])('T23: denies if the policy answers %s', async (_what, answers, code) => {
    wasmAnswers = answers;
    try {
      const answer = await ask(agent, 'query_assets', 'production');
      expect([answer.body.outcome, codes(answer)]).toEqual(['denied', [code]]);
      expect(await recorded(answer)).toMatchObject({ decision_id: answer.body.decision_id });
    } finally {
      wasmAnswers = null;
    }
  });

  it('T28: answers nothing if the audit entry cannot be written, and keeps no decision', async () => {
    const decisions = async (): Promise<number> =>
      (await api.db.owner.query('select from decision where tenant_id = $1', [tenant.id])).rowCount ?? 0;
    const before = await decisions();
    const sink = api.installation.audit.log.sink;
    const broken = jest.spyOn(sink, 'record').mockRejectedValueOnce(new Error('the disk is full'));
    const body = { tool: 'query_assets', environment: 'production', arguments: {} };
    const { status } = await agent.post('/v1/tool-calls', body);
    broken.mockRestore();
    expect([status, await decisions()]).toEqual([500, before]);
  });
});
