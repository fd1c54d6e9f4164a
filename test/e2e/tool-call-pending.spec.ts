import type { PersonId } from '#lib/kernel';
import {
  assignByHand,
  expectStatus,
  operatorToken,
  testApi,
  type Answer,
  type HttpAs,
  type TestApi,
  type TestTenant,
} from '../support/api.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

const SANDBOX = `
  label_sandbox:
    risk: state_change_nonprod
    idempotent: true
    scope: asset
    description: Labels a sandbox
    requires_plan: false
    effect: modify
    simulation: not_applicable
    identity_fields: [/targets]
    executor: fleet
    parameters:
      type: object
      additionalProperties: false
      required: [targets]
      properties:
        targets: { type: array, items: { type: string, maxLength: 100 }, minItems: 1, maxItems: 10 }
`;
const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
`;
const CALL = { tool: 'label_sandbox', environment: 'staging', arguments: { targets: ['sandbox-1'] } };

let api: TestApi;
/** Another process on the same database, as a load balancer has beside the first. */
let replica: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let agentId: string;
let bot: { readonly id: string; readonly token: string };
let owner: { readonly id: PersonId; readonly page: Record<string, string>; readonly byToken: HttpAs };
/** The path of the calls of a session, which the owner may answer. */
let calls: string;

beforeAll(async () => {
  api = await testApi();
  replica = await testApi({ db: api.db, config: { keyDirectory: api.keyDirectory } });
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG + SANDBOX), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
  const page = await pageOf(api, cookie);
  const minted = await api.http().post('/v1/tokens', { name: 'laptop', scopes: ['read', 'run', 'review'] }, page);
  owner = { id, page, byToken: api.http(expectStatus(minted, 201).body.token as string) };
  bot = await api.agent(tenant, { id, email: '', token: '' });
  [agentId, agent] = [bot.id, api.http(bot.token)];
  const wanted = { environment: 'staging', agent_ids: [agentId], calls_per_turn: 64 };
  calls = `/v1/sessions/${String(expectStatus(await api.http().post('/v1/sessions', wanted, page), 201).body.id)}/tool-calls`;
});
afterAll(async () => {
  await replica.close();
  await api.close();
});

let sandboxes = 0;
/** Arguments of their own for each call: people are not asked about one twice. */
const another = (): object => ({ targets: [`sandbox-${String((sandboxes += 1))}`] });

const asked = async (query = '', more: object = {}): Promise<Answer> =>
  expectStatus(await agent.post(`${calls}${query}`, { tool: CALL.tool, arguments: another(), ...more }), 201);

const requestOf = async ({ body }: Answer): Promise<{ id: string; digest: string; impact: string }> => {
  const path = `/v1/approval-requests/${String(body.request_id)}`;
  const detail = expectStatus(await api.http().get(path, owner.page), 200).body;
  return { id: detail.id as string, digest: detail.subject.digest as string, impact: detail.headline as string };
};

/** The answer of the owner in the browser, at the other process. */
const answered = async (answer: Answer, verdict: 'approve' | 'reject'): Promise<Answer> => {
  const { id, digest } = await requestOf(answer);
  // A rejection of a call needs no comment.
  return replica.http().post(`/v1/approval-requests/${id}/reviews`, { verdict, subject_digest: digest }, owner.page);
};

const got = async ({ body }: Answer, query = ''): Promise<Answer> =>
  expectStatus(await agent.get(`/v1/tool-calls/${String(body.id)}${query}`), 200);

const decisionsOf = async ({ body }: Answer): Promise<readonly unknown[]> => {
  const { items } = expectStatus(await admin.get(`/v1/audit?subject_id=${String(body.id)}`), 200).body;
  return (items as { decision: string }[]).map(({ decision }) => decision);
};

describe('a call that people are asked about', () => {
  it('is pending with a request that shows it', async () => {
    const answer = await asked();
    expect(answer.body).toMatchObject({ outcome: 'pending', decided_as: null, decided_at: null, denial: null });
    expect(Date.parse(answer.body.expires_at as string) - Date.now()).toBeGreaterThan(100_000);
    expect((await requestOf(answer)).impact).toMatch(/^label_sandbox changes sandbox-\d+ in staging\.$/);
    expect((await got(answer)).body).toEqual(answer.body);
    expect(await decisionsOf(answer)).toEqual([]);
  });

  it.each([
    ['approve', 'allowed', 'approved', null],
    ['reject', 'denied', 'rejected', 'tool_call.rejected'],
  ] as const)('on %s at another replica wakes its waiter: %s', async (verdict, outcome, word, code) => {
    const answer = await asked();
    const waiting = got(answer, '?wait_seconds=60');
    const reviewed = await answered(answer, verdict);
    expectStatus(reviewed, 201);
    const { body } = await waiting;
    expect(body).toMatchObject({ outcome, decided_as: word, expires_at: null });
    expect((body.denial as { code: string } | null)?.code ?? null).toBe(code);
    expect(await decisionsOf(answer)).toEqual([word]);
  });

  it('holds the answer to the question itself, and gives it again for the same name', async () => {
    const name = { client_call_id: 'held-1', arguments: another() };
    const first = await asked('', name);
    const waiting = asked('?wait_seconds=60', name);
    expectStatus(await answered(first, 'approve'), 201);
    const { body } = await waiting;
    expect(body).toMatchObject({ id: first.body.id, outcome: 'allowed', decided_as: 'approved' });
    // The tool has no executor here.
    expect(body).toMatchObject({ answered_by: null, no_grant: { code: 'tool_call.no_executor' } });
  });

  it('holds an answer no longer than it was asked to, and not at all for a decided call', async () => {
    expect((await asked('?wait_seconds=1')).body).toMatchObject({ outcome: 'pending' });
    expect((await agent.post('/v1/tool-calls?wait_seconds=61', CALL)).status).toBe(422);
  });

  it('T09: asks people once, and names the call that waits', async () => {
    const call = { tool: CALL.tool, arguments: another() };
    const both = await Promise.all([agent.post(calls, call), replica.http(bot.token).post(calls, call)]);
    const [first, refused] = both.toSorted((one, next) => one.status - next.status);
    if (first === undefined || refused === undefined) throw new Error('two answers were awaited');
    const { id, request_id } = expectStatus(first, 201).body;
    expect(expectStatus(refused, 409).body).toMatchObject({
      code: 'tool_call.already_pending',
      details: { tool_call_id: id, request_id },
    });
  });

  it('T09: is refused if as many calls of its session are in flight, under any names of turns', async () => {
    const open = { environment: 'staging', calls_per_turn: 3 };
    const { id } = expectStatus(await agent.post('/v1/sessions', open), 201).body;
    const path = `/v1/sessions/${String(id)}/tool-calls`;
    const elsewhere = replica.http(bot.token);
    const answers = await Promise.all(
      [...Array(9).keys()].map((index) =>
        (index % 2 === 0 ? agent : elsewhere).post(path, {
          tool: CALL.tool,
          arguments: another(),
          turn_id: `turn ${String(index)}`,
        }),
      ),
    );
    const codes = answers.map((answer) => (answer.status === 201 ? 'pending' : (answer.body.code as string)));
    expect(codes.toSorted()).toEqual([
      ...Array<string>(3).fill('pending'),
      ...Array<string>(6).fill('tool_call.turn_full'),
    ]);
    const { items } = expectStatus(await admin.get(`/v1/audit/entries?session_id=${String(id)}`), 200).body;
    const limited = (items as { header: { action: string } }[]).filter(
      ({ header }) => header.action === 'tool_call.limited',
    );
    expect(limited).toHaveLength(1);
  });

  it('counts in the budget of its session, which two processes cannot overrun', async () => {
    const open = { environment: 'staging', call_budget: 4 };
    const { id } = expectStatus(await agent.post('/v1/sessions', open), 201).body;
    const path = `/v1/sessions/${String(id)}`;
    const elsewhere = replica.http(bot.token);
    const look = { tool: 'query_assets', arguments: {} };
    const answers = await Promise.all(
      [...Array(9).keys()].map((index) => (index % 2 === 0 ? agent : elsewhere).post(`${path}/tool-calls`, look)),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(4);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      code: 'session.budget_spent',
      details: { call_budget: 4 },
    });
    expect(expectStatus(await agent.get(path), 200).body).toMatchObject({ call_budget: 4, calls_made: 4 });
    expect(expectStatus(await agent.patch(path, { call_budget: 5 }), 403).body.code).toBe('session.loosened_by_token');
    expectStatus(await api.http().patch(path, { call_budget: 5 }, owner.page), 200);
    expectStatus(await agent.post(`${path}/tool-calls`, look), 201);
    const { items } = expectStatus(await agent.get('/v1/sessions?limit=1'), 200).body;
    expect(items).toMatchObject([{ id, call_budget: 5, calls_made: 5 }]);
  });

  it('T55: is answered by no bearer token, and not by its agent', async () => {
    const answer = await asked();
    const { id, digest } = await requestOf(answer);
    const review = { verdict: 'approve', subject_digest: digest };
    for (const [as, code] of [
      [owner.byToken, 'policy.denied'],
      [agent, 'credential.scope_missing'],
    ] as const) {
      const refused = expectStatus(await as.post(`/v1/approval-requests/${id}/reviews`, review), 403);
      expect(refused.body.code).toBe(code);
    }
    expect((await got(answer)).body).toMatchObject({ outcome: 'pending' });
  });

  it('T03: is not answered by the owner of its agent outside a session', async () => {
    const refused = await answered(
      expectStatus(await agent.post('/v1/tool-calls', { ...CALL, arguments: another() }), 201),
      'approve',
    );
    expect(expectStatus(refused, 403).body).toMatchObject({ reasons: [{ code: 'review.separation_of_duties' }] });
  });

  it('is denied without an answer once its time is over: its request expires, and its waiter hears of it', async () => {
    const session = expectStatus(
      await agent.post('/v1/sessions', { environment: 'staging', approval_seconds: 10 }),
      201,
    ).body;
    const [tool, args] = [CALL.tool, another()];
    const path = `/v1/sessions/${String(session.id)}/tool-calls`;
    const answer = expectStatus(await agent.post(path, { tool, arguments: args }), 201);
    const waiting = got(answer, '?wait_seconds=60');
    await api.db.owner.query('update approval_request set expires_at = clock_timestamp() where id = $1', [
      answer.body.request_id,
    ]);
    const worker = await workerOf(api);
    try {
      const { body } = await waiting;
      expect(body).toMatchObject({
        outcome: 'denied',
        decided_as: 'timeout',
        denial: {
          code: 'tool_call.approval_timeout',
          message: expect.stringMatching(/^No answer came within \d+ seconds\.$/) as string,
        },
      });
    } finally {
      await worker.stop();
    }
    expect(await decisionsOf(answer)).toEqual(['timeout']);
    const listed = expectStatus(await agent.get(path), 200).body;
    expect(listed).toMatchObject({ items: [{ id: answer.body.id, state: 'denied', decision: 'timeout' }] });
  });

  it('is denied with its session, and its waiter hears of it', async () => {
    const { id } = expectStatus(await agent.post('/v1/sessions', { environment: 'staging' }), 201).body;
    const [tool, args] = [CALL.tool, another()];
    const path = `/v1/sessions/${String(id)}/tool-calls`;
    const answer = expectStatus(await agent.post(path, { tool, arguments: args }), 201);
    const waiting = got(answer, '?wait_seconds=60');
    expectStatus(await replica.http().post(`/v1/sessions/${String(id)}/end`, { reason: 'cancelled' }, owner.page), 200);
    expect((await waiting).body).toMatchObject({
      outcome: 'denied',
      decided_as: 'cancelled',
      denial: { code: 'approval.session_ended' },
    });
    expect(await decisionsOf(answer)).toEqual(['cancelled']);
  });

  it('keeps its session open until its answer, however short that may rest', async () => {
    const wanted = { environment: 'staging', agent_ids: [agentId], idle_seconds: 60, approval_seconds: 600 };
    const { id } = expectStatus(await api.http().post('/v1/sessions', wanted, owner.page), 201).body as { id: string };
    const session = async () =>
      expectStatus(await api.http().get(`/v1/sessions/${id}`, owner.page), 200).body as {
        state: string;
        idle_at: string;
      };
    const rest = () =>
      api.db.owner.query(
        "update session set last_used_at = last_used_at - interval '61 s', idle_at = idle_at - interval '61 s' where id = $1",
        [id],
      );
    const idle = async () => Date.parse((await session()).idle_at);
    const call = (args = another()) =>
      agent.post(`/v1/sessions/${id}/tool-calls`, { tool: CALL.tool, arguments: args });
    const answer = expectStatus(await call(), 201);
    await rest();
    // A worker looks at the session, and leaves it open.
    const worker = await workerOf(api);
    await until(async () => (await idle()) > Date.now());
    await worker.stop();
    expect(await session()).toMatchObject({ state: 'open' });
    // Without a worker, the next call and the answer look by themselves.
    await rest();
    expectStatus(await call(), 201);
    await rest();
    expectStatus(await answered(answer, 'reject'), 201);
    expect((await got(answer)).body).toMatchObject({ outcome: 'denied', decided_as: 'rejected' });
    expect(await idle()).toBeGreaterThan(Date.now());
    expectStatus(await api.http().post(`/v1/sessions/${id}/end`, {}, owner.page), 200);
  });

  it('is denied with its agent, which loses its sessions, and is never sent', async () => {
    const { id, token } = await api.agent(tenant, { id: owner.id, email: '', token: '' });
    const other = api.http(token);
    const wanted = { environment: 'staging', agent_ids: [id] };
    const session = `/v1/sessions/${String(expectStatus(await other.post('/v1/sessions', wanted), 201).body.id)}`;
    const [tool, args] = [CALL.tool, another()];
    const asking = [other.post(`${session}/tool-calls`, { tool, arguments: args }), other.post('/v1/tool-calls', CALL)];
    const [inside, outside] = await Promise.all(asking);
    expectStatus(await admin.patch(`/v1/agents/${id}`, { disabled: true }), 200);
    expect((await api.http().get(session, owner.page)).body).toMatchObject({ state: 'ended' });
    for (const [answer, code] of [
      [inside, 'approval.session_ended'],
      [outside, 'approval.agent_disabled'],
    ] as const)
      expect((await api.http().get(`/v1/tool-calls/${String(answer?.body.id)}`, owner.page)).body).toMatchObject({
        outcome: 'denied',
        denial: { code },
      });
  });

  it('T35: is denied by a halt', async () => {
    const answer = await asked();
    const halt = { kind: 'tool', tool: 'label_sandbox', reason: 'a drill' };
    const set = expectStatus(await admin.post('/v1/halts', halt), 201).body;
    expect((await got(answer)).body).toMatchObject({ outcome: 'denied', denial: { code: 'approval.halted' } });
    expectStatus(await admin.post(`/v1/halts/${String(set.id)}/lift`, { note: 'over' }), 200);
  });

  it('is asked about no more in its session after an "always", and at most eight times a turn', async () => {
    const wanted = { environment: 'development', preset: 'tiers', agent_ids: [agentId] };
    const { id } = expectStatus(await api.http().post('/v1/sessions', wanted, owner.page), 201).body;
    const path = `/v1/sessions/${String(id)}/tool-calls`;
    const { tool, arguments: args } = CALL;
    const first = expectStatus(await agent.post(path, { tool, arguments: args, turn_id: 'one' }), 201);
    expect(first.body).toMatchObject({ outcome: 'pending', reasons: [{ code: 'session.asks' }] });
    const request = `/v1/approval-requests/${String(first.body.request_id)}`;
    const detail = expectStatus(await api.http().get(request, owner.page), 200).body;
    expect(detail.call).toMatchObject({ always_covers: { '/targets': ['sandbox-1'] }, shell: null });
    const review = { verdict: 'approve', subject_digest: detail.subject.digest, always: true };
    expectStatus(await replica.http().post(`${request}/reviews`, review, owner.page), 201);
    const later = () => agent.post(path, { tool, arguments: args, turn_id: 'one' });
    for (let count = 1; count < 8; count += 1)
      expect(expectStatus(await later(), 201).body).toMatchObject({ outcome: 'allowed', decided_as: 'trusted' });
    const ninth = expectStatus(await later(), 429);
    expect([ninth.body.code, ninth.headers['retry-after']]).toEqual(['tool_call.turn_full', '1']);
    const trusts = expectStatus(await agent.get(`/v1/sessions/${String(id)}/trusts`), 200).body;
    expect(trusts.items).toMatchObject([{ tool, shape: { '/targets': ['sandbox-1'] } }]);
  });

  it('with the word CONFIRM is approved only with it', async () => {
    const wanted = { environment: 'development', preset: 'cautious', agent_ids: [agentId] };
    const { id } = expectStatus(await api.http().post('/v1/sessions', wanted, owner.page), 201).body;
    const call = { tool: 'shell', arguments: { command: 'rm build/a' } };
    const answer = expectStatus(await agent.post(`/v1/sessions/${String(id)}/tool-calls`, call), 201);
    expect(answer.body).toMatchObject({ outcome: 'pending', obligations: { confirm_word: 'CONFIRM' } });
    expect(expectStatus(await answered(answer, 'approve'), 422).body.code).toBe('review.confirm_word_required');
    const path = `/v1/approval-requests/${String(answer.body.request_id)}`;
    const detail = expectStatus(await api.http().get(path, owner.page), 200).body;
    // The owner could answer it, so the page gives no warning.
    expect(detail.could_approve).toMatchObject({ warning: null });
    expect(detail.call).toMatchObject({
      always_covers: null,
      shell: { argument: '/command', command: 'rm build/a', tier: 2, class: 'DESTRUCTIVE', parts: [{ program: 'rm' }] },
    });
    const { id: request, digest } = await requestOf(answer);
    const review = { verdict: 'approve', subject_digest: digest, confirm_word: 'CONFIRM' };
    expectStatus(await api.http().post(`/v1/approval-requests/${request}/reviews`, review, owner.page), 201);
    expect((await got(answer)).body).toMatchObject({ outcome: 'allowed' });
  });

  it('is taken back by its agent, once', async () => {
    const answer = await asked();
    const cancel = () => agent.post(`/v1/tool-calls/${String(answer.body.id)}/cancel`);
    expect(expectStatus(await cancel(), 200).body).toMatchObject({ outcome: 'denied', decided_as: 'cancelled' });
    expect(expectStatus(await cancel(), 409).body.code).toBe('tool_call.too_late');
    expect(expectStatus(await answered(answer, 'approve'), 409).body.code).toBe('approval.voided');
  });

  it('is one of eight in flight outside sessions, which two processes cannot overrun', async () => {
    const { token } = await api.agent(tenant, { id: owner.id, email: '', token: '' });
    const [here, elsewhere] = [api.http(token), replica.http(token)];
    const answers = await Promise.all(
      [...Array(9).keys()].map((index) =>
        (index % 2 === 0 ? here : elsewhere).post('/v1/tool-calls', { ...CALL, arguments: another() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(8);
    const full = answers.find(({ status }) => status === 429);
    expect(full?.body).toMatchObject({ code: 'tool_call.turn_full', details: { calls_per_turn: 8 } });
  });

  it('counts in the budget of its agent, which two processes cannot overrun', async () => {
    const budget = AUTONOMY.replace('mode: plan_only', 'mode: plan_only\n  calls_per_hour: 5');
    const { headers } = await admin.get('/v1/autonomy');
    expectStatus(await admin.put('/v1/autonomy', budget, { 'if-match': headers.etag ?? '' }), 200);
    const { token } = await api.agent(tenant, { id: owner.id, email: '', token: '' });
    const [here, elsewhere] = [api.http(token), replica.http(token)];
    const look = { tool: 'query_assets', environment: 'staging', arguments: {} };
    const answers = await Promise.all(
      [...Array(9).keys()].map((index) => (index % 2 === 0 ? here : elsewhere).post('/v1/tool-calls', look)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const spent = answers.find(({ status }) => status === 429);
    expect(spent?.body).toMatchObject({ code: 'tool_call.budget_spent', details: { calls_per_hour: 5 } });
    expect(Number(spent?.headers['retry-after'])).toBeGreaterThan(3_500);
  });
});
