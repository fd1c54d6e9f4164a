import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDocument } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import { assignByHand, expectStatus, operatorToken, type Answer } from '../support/api.js';
import { acceptInvitation, pageOf, browserSessionCookieOf } from '../support/passkey-accounts.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';

/** A definition of somebody who left out that a path is one. */
const UNJUDGED: Partial<ToolDocument> = {
  parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
  path_arguments: {},
};

let world: RunnerWorld;
let root: string;
/** A person who is signed in to a browser. */
let lead: Record<string, string>;
let agentId: string;

beforeAll(async () => {
  world = await runnerWorld({ name: 'localhost', tools: { 'git-log': UNJUDGED } });
  const { api, tenant, admin } = world;
  const runner = await world.started('paths');
  root = runner.folder.root;
  const person = { email: 'bo@example.com', display_name: 'Bo' };
  const { id } = expectStatus(await admin.post('/v1/people', person), 201).body as { id: PersonId };
  // Opens sessions of any agent, and answers its calls.
  for (const role of ['PlatformAdmin', 'SRELead'])
    await assignByHand(api, tenant.id, { personId: id, role, assignedBy: tenant.admin.id });
  // The world listens at an address of its own.
  const site = { origin: world.url, rpId: 'localhost' };
  const { answer } = await acceptInvitation(api, await operatorToken(api, tenant.id, id), { site });
  lead = { ...(await pageOf(api, browserSessionCookieOf(expectStatus(answer, 201)))), origin: world.url };
  [{ id: agentId }] = expectStatus(await admin.get('/v1/agents'), 200).body.items as [{ id: string }];
  await world.untilRunner(runner.id, 'online');
  writeFileSync(join(root, 'notes.txt'), 'ordinary');
  writeFileSync(join(root, '.env'), 'GREETING=hello');
  mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
}, 120_000);
afterAll(() => world.close());

/** A session with these settings, which a person opens. */
const session = async (settings: object): Promise<string> => {
  const body = { environment: 'staging', agent_ids: [agentId], calls_per_turn: 64, ...settings };
  return expectStatus(await world.api.http().post('/v1/sessions', body, lead), 201).body.id as string;
};
/** The loosest settings: reads and writes of the workspace pass. */
const loose = (): Promise<string> => session({ preset: 'modes', mode: 'allow-safe-readonly' });

const call = async (id: string, tool: string, given: object): Promise<Answer['body']> =>
  expectStatus(
    await world.agent.post(`/v1/sessions/${id}/tool-calls?wait_seconds=${tool.endsWith('read') ? '30' : '20'}`, {
      tool,
      arguments: given,
    }),
    201,
  ).body;

/** The call as it stands, without waiting. */
const asked = async (id: string, tool: string, given: object): Promise<Answer['body']> =>
  expectStatus(await world.agent.post(`/v1/sessions/${id}/tool-calls`, { tool, arguments: given }), 201).body;

const requestOf = async ({ request_id: id }: Answer['body']): Promise<Answer['body']> =>
  expectStatus(await world.api.http().get(`/v1/approval-requests/${String(id)}`, lead), 200).body;

const approved = async (answer: Answer['body'], more: object = {}): Promise<Answer> => {
  const { subject } = (await requestOf(answer)) as { subject: { digest: string } };
  const review = { verdict: 'approve', subject_digest: subject.digest, ...more };
  return world.api.http().post(`/v1/approval-requests/${String(answer.request_id)}/reviews`, review, lead);
};

const WRITES = ['.git/hooks/pre-commit', '.GIT//./hooks/x', '.mcp.json', 'package.json', 'sub/Makefile', '../outside'];

describe('T52: the paths of workspace tools', () => {
  it('T52: that are ordinary follow the preset of the session', async () => {
    const id = await loose();
    expect(await call(id, 'file-read', { path: 'notes.txt' })).toMatchObject({
      outcome: 'succeeded',
      decided_as: 'auto_approved',
      paths: { tier: 1, class: 'READ_ONLY', reasons: [] },
      execution: { result: { text: 'ordinary' } },
    });
    expect(await call(id, 'file-write', { path: 'a.txt', content: 'a' })).toMatchObject({
      outcome: 'succeeded',
      decided_as: 'auto_approved',
    });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a');
    // Without a choice, a session asks about every write.
    expect(await asked(await session({}), 'file-write', { path: 'b.txt', content: 'b' })).toMatchObject({
      outcome: 'pending',
    });
  }, 60_000);

  it.each([
    ...WRITES.map((path) => ['file-write', path, { path, content: '' }] as const),
    ...['.env', '.ssh/id_rsa'].map((path) => ['file-read', path, { path }] as const),
    ['file-move', 'a.txt to .git/hooks/a', { from: 'a.txt', to: '.git/hooks/a' }] as const,
    ['git-apply-patch', 'of .mcp.json', { patch: 'x', paths: ['a.txt', '.mcp.json'] }] as const,
    ['text-search', 'in .ssh', { pattern: 'key', path: '.ssh' }] as const,
  ])('T52: %s %s waits for a person, in a session that lets ordinary writes pass', async (tool, _what, given) => {
    const answer = await asked(await loose(), tool, given);
    expect(answer).toMatchObject({ outcome: 'pending', paths: { tier: 2 } });
    expect(answer.execution).toBeNull();
    // Another session may ask for the same call only once it waits no more (T09).
    expectStatus(await world.agent.post(`/v1/tool-calls/${String(answer.id)}/cancel`, {}), 200);
  });

  it('T52: the person is told why, and the runner carries out the approved call alone', async () => {
    const id = await loose();
    const hook = await asked(id, 'file-write', { path: '.git/hooks/pre-commit', content: 'exit 0' });
    const secret = await asked(id, 'file-read', { path: '.env' });
    expect(await requestOf(hook)).toMatchObject({
      call: { impact: expect.stringContaining('executes, obeys or trusts ".git/hooks/pre-commit"') as string },
    });
    expect(JSON.stringify(await requestOf(secret))).toContain('may hold secrets');
    const calls = expectStatus(await world.admin.get(`/v1/sessions/${id}/tool-calls`), 200).body.items as unknown[];
    expect(calls).toMatchObject([
      { paths: { class: 'READ_ONLY' }, risk: 'low' },
      { paths: { class: 'UNKNOWN', reasons: [{ code: 'paths.writes_code' }] }, risk: 'high' },
    ]);
    expectStatus(await approved(secret), 201);
    const path = `/v1/tool-calls/${String(secret.id)}?wait_seconds=30`;
    expect(expectStatus(await world.agent.get(path), 200).body).toMatchObject({
      outcome: 'succeeded',
      decided_as: 'approved',
      execution: { result: { text: 'GREETING=hello' } },
    });
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
    const [decision] = expectStatus(await world.admin.get(`/v1/audit?session_id=${id}`), 200).body.items as unknown[];
    expect(decision).toMatchObject({ tool: 'file-read', decision: 'approved', tier: 2, class: 'READ_ONLY' });
  }, 60_000);

  it('T52: an "always" about an ordinary write covers no write of code', async () => {
    const id = await session({ preset: 'tiers' });
    const write = (path: string): Promise<Answer['body']> => asked(id, 'file-write', { path, content: '' });
    expectStatus(await approved(await write('c.txt'), { always: true }), 201);
    expect(await write('c.txt')).toMatchObject({ decided_as: 'trusted' });
    const refused = await approved(await write('.mcp.json'), { always: true });
    expect(refused.body).toMatchObject({ code: 'tool_call.no_shape' });
    expect(await write('package.json')).toMatchObject({ outcome: 'pending' });
  });

  it('T52: a path that the catalog has nobody judge does not reach the runner', async () => {
    expect(await call(await loose(), 'git-log', { path: '.env' })).toMatchObject({
      outcome: 'failed',
      paths: null,
      execution: { error: { code: 'runner.paths_not_declared' } },
    });
  });

  it('T52: in production a secret is read by a plan alone', async () => {
    const read = async (path: string): Promise<Answer['body']> => {
      const ask = { environment: 'production', tool: 'file-read', arguments: { path } };
      return expectStatus(await world.agent.post('/v1/tool-calls', ask), 201).body;
    };
    expect(await read('.env')).toMatchObject({
      outcome: 'denied',
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'plan.required' })]) as unknown,
    });
    expect(await read('notes.txt')).toMatchObject({ decided_as: 'auto_approved' });
  });
});
