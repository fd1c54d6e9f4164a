import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openDatabase, type Database } from '#lib/database';
import { sessionMessageSchema } from '#lib/api-schemas';
import { compose, ENTITIES } from '#lib/installation';
import { newId, type PersonId } from '#lib/kernel';
import { createApi } from '../../apps/api/src/create-api.js';
import {
  assignByHand,
  expectStatus,
  operatorToken,
  testApi,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { SocketClient } from '../support/session-socket.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';
import { workerOf } from '../support/worker.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
    staging:
      mode: full_auto
`;

let api: TestApi;
let tenant: TestTenant;
let bot: { readonly id: string; readonly token: string };
let agent: HttpAs;
let ownerPage: Record<string, string>;
let ownerToken: string;
let owner: TestPerson;

interface Replica {
  readonly url: string;
  close(): Promise<void>;
}
let replica: Replica;

/** A test has the look come at once. */
const TOKEN_LOOKED_AT_EVERY_MS = 10_000;

/** Another process's API, as far as the database can tell. */
async function startReplica(): Promise<Replica> {
  const database: Database = await openDatabase(
    { kind: 'external', url: api.db.url },
    { applicationName: 'countersign-test-replica', entities: ENTITIES, poolSize: 5, onError: () => undefined },
  );
  const installation = await compose(api.config, database);
  const app: NestFastifyApplication = await createApi(api.config, { installation, database });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
  ownerPage = await pageOf(api, cookie);
  const minted = await api.http().post('/v1/tokens', { name: 'laptop', scopes: ['read', 'run', 'review'] }, ownerPage);
  ownerToken = expectStatus(minted, 201).body.token as string;
  owner = { id, email: '', token: '' };
  bot = await api.agent(tenant, owner);
  agent = api.http(bot.token);
  replica = await startReplica();
});
afterAll(async () => {
  await replica.close();
  await api.close();
});

const opened = async (body: object = {}): Promise<string> =>
  expectStatus(await agent.post('/v1/sessions', { environment: 'development', ...body }), 201).body.id as string;

const called = async (session: string, command: string): Promise<string> =>
  expectStatus(await agent.post(`/v1/sessions/${session}/tool-calls`, { tool: 'shell', arguments: { command } }), 201)
    .body.id as string;

const address = (session: string, query = '', at = replica): string => `${at.url}/v1/sessions/${session}/ws${query}`;
const byToken = (token = bot.token) => ({ authorization: `Bearer ${token}` });
const byBrowser = () => ({ cookie: ownerPage.cookie ?? '', origin: api.config.publicUrl });

describe('the socket of a session', () => {
  it('tells of calls through another replica, from the beginning, in messages of the session protocol', async () => {
    const session = await opened();
    const first = await called(session, 'git status');
    const client = await SocketClient.open(address(session), byToken());
    const entry = await client.next('audit_entry');
    expect(entry).toEqual({
      v: 1,
      type: 'audit_entry',
      sessionId: session,
      id: expect.any(String) as string,
      toolCallId: first,
      agentId: bot.id,
      toolName: 'shell',
      risk: 'low',
      decision: 'auto_approved',
      timestamp: expect.any(String) as string,
      summary: 'shell in development, tier 1 READ_ONLY, auto approved: git status',
      tier: 1,
      class: 'READ_ONLY',
      cursor: expect.any(String) as string,
    });
    const second = await called(session, 'rm -rf /');
    expect(await client.next('audit_entry')).toMatchObject({ toolCallId: second, decision: 'denied', risk: 'high' });
    for (const message of client.seen) expect(sessionMessageSchema.parse(message)).toEqual(message);
    client.close();
  });

  it('tells of a command with other rights by an error, and by its entry', async () => {
    const session = await opened();
    const client = await SocketClient.open(address(session), byToken());
    const toolCallId = await called(session, 'sudo ls');
    expect(await client.next('error')).toMatchObject({ error: 'REFUSED', code: 'shell.denied', toolCallId });
    expect(await client.next('audit_entry')).toMatchObject({ toolCallId, risk: 'critical', decision: 'rejected' });
    // One word, wherever it is told.
    expect((await agent.get(`/v1/tool-calls/${toolCallId}`)).body).toMatchObject({
      decided_as: 'rejected',
      denial: null,
    });
    const { items } = (await agent.get(`/v1/sessions/${session}/tool-calls`)).body as { items: { id: string }[] };
    expect(items.find(({ id }) => id === toolCallId)).toMatchObject({ decision: 'rejected' });
    client.close();
  });

  it('tightens by set_autonomy, byte for byte as the protocol writes it, and tells every client', async () => {
    const session = await opened();
    const watching = await SocketClient.open(address(session), byBrowser());
    const client = await SocketClient.open(address(session), byToken());
    client.send(`{"v": 1, "type": "set_autonomy", "sessionId": "${session}", "level": "CAUTIOUS"}`);
    for (const each of [client, watching])
      expect(await each.next('autonomy_changed')).toMatchObject({ v: 1, sessionId: session, level: 'CAUTIOUS' });
    expect((await agent.get(`/v1/sessions/${session}`)).body).toMatchObject({ level: 'CAUTIOUS', preset: null });
    for (const each of [client, watching]) each.close();
  });

  it('T55: is loosened by the owner in a browser, and not by a token', async () => {
    const session = await opened({ preset: 'levels', level: 'MANUAL' });
    const loosen = { v: 1, type: 'set_autonomy', sessionId: session, level: 'FULL_AUTO' };
    const client = await SocketClient.open(address(session), byToken());
    client.send(loosen);
    expect(await client.next('error')).toMatchObject({ error: 'REFUSED', code: 'session.loosened_by_token' });
    expect((await agent.get(`/v1/sessions/${session}`)).body).toMatchObject({ level: 'MANUAL' });
    const page = await SocketClient.open(address(session), byBrowser());
    page.send(loosen);
    expect(await page.next('autonomy_changed')).toMatchObject({ level: 'FULL_AUTO' });
    for (const each of [client, page]) each.close();
  });

  it('asks people about a call, and takes the answer of a browser; every client hears of both', async () => {
    const session = await opened({ preset: 'levels', level: 'MANUAL' });
    const watching = await SocketClient.open(address(session), byToken());
    const toolCallId = await called(session, 'git status');
    const asked = await watching.next('tool_approve_request');
    expect(asked).toMatchObject({
      v: 1,
      sessionId: session,
      toolCallId,
      agentId: bot.id,
      toolName: 'shell',
      arguments: { command: 'git status' },
      risk: 'low',
      category: 'terminal-read',
      impact: 'shell executes in development (Tier 1, READ_ONLY): git status',
      confirmWord: null,
      alwaysCovers: { program: 'git', class: 'READ_ONLY', subcommand: 'status', flags: [] },
      reason: null,
      summary: 'shell in development, tier 1 READ_ONLY, waits for an answer: git status',
      tier: 1,
      class: 'READ_ONLY',
    });
    expect(Date.parse(asked.expiresAt as string) - Date.parse(asked.timestamp as string)).toBe(120_000);
    // The page came later, and to another process.
    const other = await startReplica();
    const page = await SocketClient.open(address(session, '', other), byBrowser());
    await page.next('tool_approve_request');
    page.send({ v: 1, type: 'approve', sessionId: session, toolCallId });
    for (const each of [watching, page])
      expect(await each.next('audit_entry')).toMatchObject({ toolCallId, decision: 'approved', agentId: bot.id });
    expect((await agent.get(`/v1/tool-calls/${toolCallId}`)).body).toMatchObject({ decided_as: 'approved' });
    const second = await called(session, 'git diff');
    page.send({ v: 1, type: 'reject', sessionId: session, toolCallId: second, comment: 'Not now.' });
    expect(await watching.next('audit_entry')).toMatchObject({ toolCallId: second, decision: 'rejected' });
    for (const message of watching.seen) expect(sessionMessageSchema.parse(message)).toEqual(message);
    for (const each of [watching, page]) each.close();
    await other.close();
  });

  it('takes “always”, spelled in either way: the next call of its shape does not ask', async () => {
    for (const answer of [{ type: 'always' }, { type: 'approve', decision: 'always' }]) {
      const session = await opened({ preset: 'levels', level: 'MANUAL' });
      const page = await SocketClient.open(address(session), byBrowser());
      const toolCallId = await called(session, 'git status --short');
      page.send({ v: 1, sessionId: session, toolCallId, ...answer });
      expect(await page.next('audit_entry')).toMatchObject({ toolCallId, decision: 'approved' });
      const second = await called(session, 'git status --short');
      expect(await page.next('audit_entry')).toMatchObject({ toolCallId: second, decision: 'trusted' });
      page.send({ v: 1, type: 'reject', decision: 'always', sessionId: session, toolCallId: second });
      expect(await page.next('error')).toMatchObject({ code: 'session.message_invalid' });
      page.close();
    }
  });

  it('wants the word CONFIRM for a destructive call of a cautious session, and takes no “always” for it', async () => {
    const wanted = { environment: 'development', preset: 'cautious', agent_ids: [bot.id] };
    const session = expectStatus(await api.http().post('/v1/sessions', wanted, ownerPage), 201).body.id as string;
    const page = await SocketClient.open(address(session), byBrowser());
    const toolCallId = await called(session, 'rm build/a');
    const asked = await page.next('tool_approve_request');
    expect(asked).toMatchObject({ toolCallId, confirmWord: 'CONFIRM', alwaysCovers: null });
    expect(sessionMessageSchema.parse(asked)).toEqual(asked);
    const answer = { v: 1, sessionId: session, toolCallId };
    for (const [given, code] of [
      [{ type: 'approve' }, 'review.confirm_word_required'],
      [{ type: 'approve', confirmWord: 'confirm' }, 'review.confirm_word_required'],
      [{ type: 'always', confirmWord: 'CONFIRM' }, 'review.always_not_here'],
      [{ type: 'approve', confirm_word: 'CONFIRM' }, 'session.message_invalid'],
    ] as const) {
      page.send({ ...answer, ...given });
      expect(await page.next('error')).toMatchObject({ code });
    }
    expect(page.seen.filter((each) => each.toolCallId === toolCallId && each.type === 'error')).toHaveLength(3);
    page.send({ ...answer, type: 'approve', confirmWord: 'CONFIRM' });
    expect(await page.next('audit_entry')).toMatchObject({ toolCallId, decision: 'approved' });
    page.close();
  });

  it('passes the output of a call on as it arrives', async () => {
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/environments/staging/executors/fleet', { kind: 'agent' }), 200);
    const session = await opened({ environment: 'staging' });
    const client = await SocketClient.open(address(session), byToken());
    const toolCallId = await called(session, 'git status');
    await client.next('audit_entry');
    const chunks = [
      { stream: 'stdout', text: 'nothing to commit' },
      { stream: 'stderr', text: 'a warning' },
    ];
    expectStatus(await agent.post(`/v1/tool-calls/${toolCallId}/output`, { first_seq: 1, chunks }), 200);
    for (const [index, chunk] of chunks.entries())
      expect(await client.next('output')).toEqual({
        v: 1,
        type: 'output',
        sessionId: session,
        toolCallId,
        seq: index + 1,
        ...chunk,
      });
    client.close();
  });

  it('tells an agent of its own calls, and of no call of another one, with a cursor neither', async () => {
    const twin = await api.agent(tenant, owner);
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/environments/staging/executors/fleet', { kind: 'agent' }), 200);
    const wanted = { environment: 'staging', preset: 'levels', level: 'MANUAL', agent_ids: [bot.id, twin.id] };
    const session = expectStatus(await api.http().post('/v1/sessions', wanted, ownerPage), 201).body.id as string;
    const [page, mine, other] = await Promise.all([
      SocketClient.open(address(session), byBrowser()),
      SocketClient.open(address(session), byToken()),
      SocketClient.open(address(session), byToken(twin.token)),
    ]);
    const toolCallId = await called(session, 'cat notes/of-one-agent');
    await mine.next('tool_approve_request');
    await page.next('tool_approve_request');
    page.send({ v: 1, type: 'approve', sessionId: session, toolCallId });
    const { cursor } = await mine.next('audit_entry');
    expect((await agent.get(`/v1/tool-calls/${toolCallId}`)).body).toMatchObject({ grant: expect.any(String) });
    const chunks = [{ stream: 'stdout', text: 'a text of one agent' }];
    expectStatus(await agent.post(`/v1/tool-calls/${toolCallId}/output`, { first_seq: 1, chunks }), 200);
    for (const each of [mine, page]) expect(await each.next('output')).toMatchObject({ text: 'a text of one agent' });
    // Each client hears of the session. The twin heard of nothing before it.
    page.send({ v: 1, type: 'set_autonomy', sessionId: session, level: 'CAUTIOUS' });
    for (const each of [mine, page, other]) await each.next('autonomy_changed');
    const late = await SocketClient.open(address(session, `?cursor=${String(cursor)}`), byToken(twin.token));
    await late.next('autonomy_changed');
    for (const each of [other, late]) {
      expect(each.seen.filter(({ toolCallId: call }) => call === toolCallId)).toEqual([]);
      expect(JSON.stringify(each.seen)).not.toContain('of one agent');
      expect(JSON.stringify(each.seen)).not.toContain('of-one-agent');
    }
    const theirs = await api
      .http(twin.token)
      .post(`/v1/sessions/${session}/tool-calls`, { tool: 'shell', arguments: { command: 'git log -3' } });
    const { id } = expectStatus(theirs, 201).body;
    expect(await other.next('audit_entry')).toMatchObject({ toolCallId: id, agentId: twin.id });
    page.send({ v: 1, type: 'set_autonomy', sessionId: session, level: 'MANUAL' });
    await mine.next('autonomy_changed');
    expect(mine.seen.filter(({ toolCallId: call }) => call === id)).toEqual([]);
    for (const each of [page, mine, other, late]) each.close();
  });

  it('T55: takes no answer with a token, of an agent or of a person', async () => {
    const session = await opened({ preset: 'levels', level: 'MANUAL' });
    const toolCallId = await called(session, 'git status');
    for (const token of [bot.token, ownerToken]) {
      const client = await SocketClient.open(address(session), byToken(token));
      for (const type of ['approve', 'reject', 'always']) {
        client.send({ v: 1, type, sessionId: session, toolCallId });
        expect(await client.next('error')).toMatchObject({ error: 'REFUSED', code: 'review.browser_only' });
      }
      client.close();
    }
    expect((await agent.get(`/v1/tool-calls/${toolCallId}`)).body).toMatchObject({ outcome: 'pending' });
  });

  it('takes an answer to calls of this session alone, and to those that wait', async () => {
    const session = await opened();
    const elsewhere = await called(await opened({ preset: 'levels', level: 'MANUAL' }), 'git status --branch');
    const decided = await called(session, 'git status');
    const page = await SocketClient.open(address(session), byBrowser());
    for (const [toolCallId, code] of [
      [elsewhere, 'resource.not_found'],
      [newId(), 'resource.not_found'],
      [decided, 'tool_call.not_pending'],
    ]) {
      page.send({ v: 1, type: 'approve', sessionId: session, toolCallId });
      expect(await page.next('error')).toMatchObject({ error: 'REFUSED', code });
    }
    page.close();
  });

  it('says APPROVAL_TIMEOUT without an answer in time', async () => {
    const session = await opened({ preset: 'levels', level: 'MANUAL' });
    const client = await SocketClient.open(address(session), byToken());
    const toolCallId = await called(session, 'git log -1');
    const { requestId } = await client.next('tool_approve_request');
    await api.db.owner.query('update approval_request set expires_at = clock_timestamp() where id = $1', [requestId]);
    const worker = await workerOf(api);
    try {
      expect(await client.next('audit_entry')).toMatchObject({ toolCallId, decision: 'timeout' });
      expect(await client.next('error')).toMatchObject({
        error: 'APPROVAL_TIMEOUT',
        code: 'tool_call.approval_timeout',
        toolCallId,
      });
    } finally {
      client.close();
      await worker.stop();
    }
  });

  it('denies with cancel the calls that wait', async () => {
    const session = await opened({ preset: 'levels', level: 'MANUAL' });
    const toolCallId = await called(session, 'git log -2');
    const client = await SocketClient.open(address(session), byToken());
    client.send({ v: 1, type: 'cancel', sessionId: session });
    expect(await client.next('audit_entry')).toMatchObject({ toolCallId, decision: 'cancelled' });
    expect(client.seen.map(({ type }) => type)).toContain('session_ended');
  });

  it('ends a session by cancel, and closes', async () => {
    const session = await opened();
    const client = await SocketClient.open(address(session), byToken());
    client.send({ v: 1, type: 'cancel', sessionId: session });
    expect(await client.next('session_ended')).toMatchObject({ reason: 'cancelled' });
    expect(await client.closed).toEqual({ code: 1000, reason: 'session.ended' });
    const late = await SocketClient.open(address(session), byToken());
    expect(await late.closed).toEqual({ code: 1000, reason: 'session.ended' });
    expect(late.seen.map(({ type }) => type)).toEqual(['session_ended']);
  });

  it('goes on with a cursor after a restart of the process, and misses nothing', async () => {
    const session = await opened();
    const other = await startReplica();
    const before = await called(session, 'git status');
    const client = await SocketClient.open(address(session, '', other), byToken());
    const { cursor } = await client.next('audit_entry');
    await other.close();
    expect(await client.closed).toMatchObject({ code: expect.any(Number) as number });
    const missed = await called(session, 'git diff');
    const again = await SocketClient.open(address(session, `?cursor=${String(cursor)}`), byToken());
    expect(await again.next('audit_entry')).toMatchObject({ toolCallId: missed });
    expect(again.seen.map(({ toolCallId }) => toolCallId)).not.toContain(before);
    again.close();
  });

  it('names the versions that it speaks, and refuses messages that it does not understand', async () => {
    const session = await opened();
    const client = await SocketClient.open(address(session), byToken());
    const refused = async (message: object | string) => {
      client.send(message);
      const { error, code, supported } = await client.next('error');
      return [error, code, supported];
    };
    const message = { v: 1, type: 'set_autonomy', sessionId: session, level: 'MANUAL' };
    for (const v of [2, '1', undefined])
      expect(await refused({ ...message, v })).toEqual(['PROTOCOL_MISMATCH', 'session.version_unsupported', [1]]);
    expect(await refused('{')).toEqual(['INVALID_MESSAGE', 'session.message_malformed', undefined]);
    const reject = { v: 1, type: 'reject', sessionId: session, toolCallId: newId() };
    expect(await refused({ ...reject, comment: 'a\u0000b' })).toEqual([
      'INVALID_MESSAGE',
      'request.null_character',
      undefined,
    ]);
    for (const wrong of [
      { ...message, type: 'chat' },
      { ...message, level: 'ANY' },
      { ...message, more: 1 },
    ])
      expect(await refused(wrong)).toEqual(['INVALID_MESSAGE', 'session.message_invalid', undefined]);
    expect(await refused({ ...message, sessionId: newId() })).toEqual([
      'INVALID_MESSAGE',
      'session.other_session',
      undefined,
    ]);
    client.send('x'.repeat(20_000));
    expect(await client.closed).toMatchObject({ code: 1009 });
  });

  it('is opened for a credential alone, and for a browser from our own pages alone', async () => {
    const session = await opened();
    const refusal = (headers: Record<string, string>, query = '') =>
      SocketClient.refusal(address(session, query), headers);
    const { cookie } = byBrowser();
    expect(await refusal({})).toEqual([401, 'credential.missing']);
    expect(await refusal({ cookie })).toEqual([403, 'browser_session.csrf']);
    expect(await refusal({ cookie, origin: 'https://evil.example' })).toEqual([403, 'browser_session.csrf']);
    expect(await refusal({ ...byToken(), origin: 'https://evil.example' })).toEqual([403, 'browser_session.csrf']);
    expect(await refusal(byToken(), `?token=${bot.token}`)).toMatchObject({ 0: 400 });
    expect(await refusal(byToken(), '?cursor=x')).toEqual([422, 'request.cursor_invalid']);
    const foreign = await api.tenant();
    expect(await refusal(byToken(foreign.admin.token))).toEqual([404, 'resource.not_found']);
    const stranger = await api.agent(tenant, await api.person(tenant));
    expect(await refusal(byToken(stranger.token))).toEqual([404, 'resource.not_found']);
    const plain = await agent.get(`/v1/sessions/${session}/ws`);
    expect([plain.status, plain.body.code]).toEqual([422, 'session.socket_only']);
  });

  it('T17: closes once its token is revoked', async () => {
    const session = await opened();
    const reader = await api.person(tenant, 'SecurityReviewer');
    const timers = jest.spyOn(globalThis, 'setInterval');
    const client = await SocketClient.open(address(session), byToken(reader.token));
    const [lookAtToken] = timers.mock.calls.flatMap(([look, ms]) => (ms === TOKEN_LOOKED_AT_EVERY_MS ? [look] : []));
    timers.mockRestore();
    const tokens = expectStatus(await api.http(reader.token).get('/v1/tokens'), 200).body as {
      items: { id: string }[];
    };
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.delete(`/v1/tokens/${tokens.items[0]?.id ?? ''}`), 204);
    client.send({ v: 1, type: 'cancel', sessionId: session });
    expect(await client.next('error')).toMatchObject({ code: 'credential.revoked' });
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    lookAtToken?.();
    expect(await client.closed).toEqual({ code: 4401, reason: 'credential.not_good' });
  });
});
