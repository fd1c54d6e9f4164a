import type { PersonId } from '#lib/kernel';
import { trustedCall } from '../support/agent-session.js';
import { expectStatus, operatorToken, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
/** The accountable owner of the agent, in a browser and by a token. */
let owner: { readonly id: PersonId; readonly page: Record<string, string>; readonly byToken: HttpAs };
let agent: HttpAs;
let agentId: string;
let otherAgent: HttpAs;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
  const page = await pageOf(api, cookie);
  const minted = await api.http().post('/v1/tokens', { name: 'laptop', scopes: ['read', 'run'] }, page);
  owner = { id, page, byToken: api.http(expectStatus(minted, 201).body.token as string) };
  const bot = await api.agent(tenant, { id, email: '', token: '' });
  [agentId, agent] = [bot.id, api.http(bot.token)];
  otherAgent = api.http((await api.agent(tenant, await api.person(tenant))).token);
});
afterAll(() => api.close());

const opened = async (body: object = {}, as = agent): Promise<string> =>
  expectStatus(await as.post('/v1/sessions', { environment: 'staging', ...body }), 201).body.id as string;

const entriesOf = async (id: string): Promise<readonly string[]> => {
  const { rows } = await api.db.owner.query<{ action: string }>(
    'select action from audit_entry where root_id = $1 order by occurred_at, id',
    [id],
  );
  return rows.map(({ action }) => action);
};

describe('a session of an agent', () => {
  it('is opened with defaults, read, tightened, and ended, all on record', async () => {
    const created = await agent.post(
      '/v1/sessions',
      { environment: 'staging', model: 'a model' },
      { 'idempotency-key': 'open-once' },
    );
    const { id } = expectStatus(created, 201).body as { id: string };
    expect(created.body).toMatchObject({
      environment: { name: 'staging' },
      agent_ids: [agentId],
      preset: null,
      level: 'SUPERVISED',
      mode: 'ask-on-write',
      revision: 1,
      model: 'a model',
      idle_seconds: 3_600,
      approval_seconds: 120,
      calls_per_turn: 8,
      state: 'open',
      ended_reason: null,
      opened_by: { kind: 'agent', id: agentId, on_behalf_of: null },
      ended_at: null,
    });
    expect((await agent.get(`/v1/sessions/${id}`)).body).toEqual(created.body);
    const again = await agent.post(
      '/v1/sessions',
      { environment: 'staging', model: 'a model' },
      { 'idempotency-key': 'open-once' },
    );
    expect(again.body.id).toBe(id);
    const tightened = expectStatus(await agent.patch(`/v1/sessions/${id}`, { level: 'MANUAL' }), 200);
    expect(tightened.body).toMatchObject({ level: 'MANUAL', revision: 2 });
    const ended = expectStatus(await agent.post(`/v1/sessions/${id}/end`, { reason: 'cancelled' }), 200);
    expect(ended.body).toMatchObject({ state: 'ended', ended_reason: 'cancelled' });
    const after = await agent.patch(`/v1/sessions/${id}`, { level: 'CAUTIOUS' });
    expect([after.status, after.body.code]).toEqual([409, 'session.ended']);
    expect(await entriesOf(id)).toEqual(['session.opened', 'session.changed', 'session.ended']);
  });

  it('T55: is loosened by the owner in a browser, and not by the agent or the owner’s token', async () => {
    const loose = { environment: 'staging', preset: 'levels', agent_ids: [agentId] };
    const refusal = await agent.post('/v1/sessions', loose);
    expect(expectStatus(refusal, 403).body.code).toBe('session.opened_looser');
    const { id } = expectStatus(await api.http().post('/v1/sessions', loose, owner.page), 201).body as { id: string };
    for (const as of [agent, owner.byToken]) {
      const refused = await as.patch(`/v1/sessions/${id}`, { level: 'FULL_AUTO' });
      expect([refused.status, refused.body.code]).toEqual([403, 'session.loosened_by_token']);
      expect(refused.body.action).toContain('browser');
      expect(refused.body.reasons).toMatchObject([{ code: 'session.loosened_by_token' }]);
    }
    expect((await agent.get(`/v1/sessions/${id}`)).body).toMatchObject({ level: 'SUPERVISED', revision: 1 });
    const loosened = await api.http().patch(`/v1/sessions/${id}`, { level: 'FULL_AUTO' }, owner.page);
    expect(expectStatus(loosened, 200).body).toMatchObject({ level: 'FULL_AUTO', revision: 2 });
    expect(await entriesOf(id)).toEqual([
      'session.opened',
      'session.change_refused',
      'session.change_refused',
      'session.changed',
    ]);
  });

  it('lists its calls by the one state that the store and the answer share', async () => {
    const calls = `/v1/sessions/${await opened()}/tool-calls`;
    expect(expectStatus(await agent.get(`${calls}?state=pending`), 200).body).toEqual({ items: [], next_cursor: null });
    const refused = expectStatus(await agent.get(`${calls}?state=allowed`), 422);
    expect(refused.body).toMatchObject({ code: 'request.query_invalid', errors: [{ pointer: '/state' }] });
  });

  it('is not there for an agent of another session', async () => {
    const id = await opened();
    for (const answer of [
      await otherAgent.get(`/v1/sessions/${id}`),
      await otherAgent.patch(`/v1/sessions/${id}`, { level: 'MANUAL' }),
      await otherAgent.post(`/v1/sessions/${id}/end`, {}),
      await otherAgent.get(`/v1/sessions/${id}/trusts`),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'resource.not_found']);
    expect((await otherAgent.get('/v1/sessions')).body.items).toEqual([]);
    const widened = await otherAgent.post('/v1/sessions', { environment: 'staging', agent_ids: [agentId] });
    expect([widened.status, widened.body.code]).toEqual([403, 'session.agents_not_yours']);
  });

  it('is opened by its owner too, and for agents of others by an admin alone', async () => {
    const body = { environment: 'staging', agent_ids: [agentId] };
    const { id } = expectStatus(await owner.byToken.post('/v1/sessions', body), 201).body as { id: string };
    expectStatus(await agent.patch(`/v1/sessions/${id}`, { mode: 'always-ask', preset: 'modes' }), 200);
    expectStatus(await admin.post('/v1/sessions', body), 201);
    const stranger = api.http((await api.person(tenant, 'SRELead')).token);
    const refused = await stranger.post('/v1/sessions', body);
    expect([refused.status, refused.body.code]).toEqual([403, 'session.agents_not_yours']);
    const notTheirs = await stranger.post(`/v1/sessions/${id}/end`, {});
    expect([notTheirs.status, notTheirs.body.code]).toEqual([403, 'session.not_yours']);
    expectStatus(await stranger.get(`/v1/sessions/${id}`), 200);
  });

  it.each([
    [{ idle_seconds: 59 }, '/idle_seconds'],
    [{ approval_seconds: 3_601 }, '/approval_seconds'],
    [{ calls_per_turn: 65 }, '/calls_per_turn'],
    [{ preset: 'lax' }, '/preset'],
    [{ environment: 'stagging' }, '/environment'],
  ])('is refused with %j', async (body, pointer) => {
    const { status, body: problem } = await agent.post('/v1/sessions', { environment: 'staging', ...body });
    expect([status, (problem.errors as { pointer: string }[])[0]?.pointer]).toEqual([422, pointer]);
  });

  it('is listed page by page, by state and by agent', async () => {
    const [first, second] = [await opened(), await opened()];
    expectStatus(await agent.post(`/v1/sessions/${second}/end`, {}), 200);
    const idsAt = async (query: string) =>
      ((await owner.byToken.get(`/v1/sessions?${query}`)).body.items as { id: string }[]).map(({ id }) => id);
    expect(await idsAt(`state=open&agent_id=${agentId}&limit=1`)).toEqual([first]);
    expect(await idsAt('state=ended&limit=1')).toEqual([second]);
    const page = await agent.get('/v1/sessions?limit=1');
    expect(await idsAt(`limit=1&cursor=${String(page.body.next_cursor)}`)).toEqual([first]);
  });

  it('is ended by a worker once it has rested too long', async () => {
    const id = await opened({ idle_seconds: 60 });
    await api.db.owner.query(
      "update session set last_used_at = last_used_at - interval '61 s', idle_at = idle_at - interval '61 s' where id = $1",
      [id],
    );
    const worker = await workerOf(api);
    const read = async () => (await agent.get(`/v1/sessions/${id}`)).body as { state: string };
    await until(async () => (await read()).state !== 'open');
    await worker.stop();
    expect(await read()).toMatchObject({ state: 'ended', ended_reason: 'idle' });
    expect(await entriesOf(id)).toEqual(['session.opened', 'session.ended']);
  });

  it('lists what a person said "always" to, and lets its agent take it back', async () => {
    const id = await opened();
    const definition = { description: 'Edits a file', risk: 'read_only', idempotent: true, scope: 'asset' };
    expectStatus(await admin.put('/v1/tools/edit_file', definition), 200);
    const call = { tool: 'edit_file', shape: '{"path":"src/a.ts"}' };
    const trust = await trustedCall(api, tenant, owner.id, id, call);
    const { items } = expectStatus(await agent.get(`/v1/sessions/${id}/trusts`), 200).body as { items: unknown[] };
    expect(items).toMatchObject([
      { id: trust, tool: 'edit_file', shape: { path: 'src/a.ts' }, made_by: owner.id, revoked_at: null },
    ]);
    expect((await otherAgent.delete(`/v1/sessions/${id}/trusts/${trust}`)).status).toBe(404);
    expectStatus(await agent.delete(`/v1/sessions/${id}/trusts/${trust}`), 204);
    expect((await owner.byToken.get(`/v1/sessions/${id}/trusts`)).body.items).toMatchObject([
      { id: trust, revoked_by: { kind: 'agent', id: agentId } },
    ]);
    expect(await entriesOf(id)).toEqual(['session.opened', 'session.trusted', 'session.trust_revoked']);
  });

  it('is not there for another tenant', async () => {
    const id = await opened();
    const other = api.http((await api.tenant()).admin.token);
    expect((await other.get(`/v1/sessions/${id}`)).status).toBe(404);
    expect((await other.get('/v1/sessions')).body.items).toEqual([]);
    const theirs = await other.post('/v1/sessions', { environment: 'staging', agent_ids: [agentId] });
    expect([theirs.status, theirs.body.code]).toEqual([422, 'session.unknown_agent']);
  });
});
