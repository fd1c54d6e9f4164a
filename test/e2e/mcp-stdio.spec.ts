import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PersonId } from '#lib/kernel';
import { assignByHand, expectStatus, operatorToken } from '../support/api.js';
import { acceptInvitation, pageOf, browserSessionCookieOf } from '../support/passkey-accounts.js';
import { runnerWorld, type RunnerFolder, type RunnerWorld } from '../support/runner-world.js';
import type { RunnerProcess } from '../support/runner-process.js';
import { FILES_SERVER, MODERN_SERVER } from '../support/stdio-mcp.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

let world: RunnerWorld;
/** The headers of the pages of a lead: calls are answered in a browser. */
let page: Record<string, string>;
let session: string;
let shared: string;
let mark: string;
let file: string;
let runner: { readonly id: string; readonly folder: RunnerFolder; process: RunnerProcess };

const servers = (files: readonly string[]): string =>
  JSON.stringify({
    servers: {
      files: { program: process.execPath, arguments: files, folder: shared },
      modern: { program: process.execPath, arguments: [MODERN_SERVER, mark] },
    },
  });

interface Listed {
  readonly tool: string;
  readonly standing: string;
  readonly digest: string;
}
interface Seen {
  readonly problem: string | null;
  readonly tools: readonly Listed[];
}

const look = async (server: string): Promise<Seen> =>
  expectStatus(await world.admin.post(`/v1/mcp-servers/staging/${server}/look`), 200).body as Seen;

async function accept(server: string, tool: string, assigned: object): Promise<void> {
  const digest = (await look(server)).tools.find((each) => each.tool === tool)?.digest;
  const body = { digest, scope: 'asset', requires_plan: false, ...assigned };
  expectStatus(await world.admin.post(`/v1/mcp-servers/staging/${server}/tools/${tool}/accept`, body), 200);
}

const READ = { risk: 'read_only', effect: 'read', idempotent: true };
const WRITE = {
  ...{ risk: 'state_change_nonprod', effect: 'modify', idempotent: true, simulation: 'not_applicable' },
  ...{ identity_fields: ['/path'], requires_hitl: 'always' },
};
/** A change that may not be repeated takes a plan. This one counts as a read, so that the test needs none. */
const ONCE = { risk: 'read_only', effect: 'read', idempotent: false };

interface Execution {
  readonly finished_at: string | null;
  readonly result: { readonly content: readonly { readonly text: string }[] } | null;
  readonly error: { readonly code: string } | null;
}

const ask = async (tool: string, given: object): Promise<Readonly<Record<string, unknown>>> =>
  expectStatus(await world.agent.post(`/v1/sessions/${session}/tool-calls`, { tool, arguments: given }), 201)
    .body as Readonly<Record<string, unknown>>;

const execution = async (id: unknown): Promise<Execution | null> =>
  expectStatus(await world.agent.get(`/v1/tool-calls/${String(id)}`), 200).body.execution as Execution | null;

const ended = (id: unknown): Promise<Execution> =>
  until(async () => {
    const found = await execution(id);
    return found?.finished_at == null ? null : found;
  });

async function approved({ request_id: request }: Readonly<Record<string, unknown>>): Promise<void> {
  const path = `/v1/approval-requests/${String(request)}`;
  const lead = world.api.http();
  const { subject } = expectStatus(await lead.get(path, page), 200).body as { subject: { digest: string } };
  expectStatus(await lead.post(`${path}/reviews`, { verdict: 'approve', subject_digest: subject.digest }, page), 201);
}

const marks = (): string => (existsSync(mark) ? readFileSync(mark, 'utf8') : '');
const settings = () => ({ COUNTERSIGN_RUNNER_MCP_FILE: file });

beforeAll(async () => {
  world = await runnerWorld({ name: 'localhost' });
  const { api, tenant, admin } = world;
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const site = { origin: world.url, rpId: 'localhost' };
  const { answer } = await acceptInvitation(api, await operatorToken(api, tenant.id, id), { site });
  page = { ...(await pageOf(api, browserSessionCookieOf(expectStatus(answer, 201)))), origin: world.url };
  session = String(expectStatus(await world.agent.post('/v1/sessions', { environment: 'staging' }), 201).body.id);
  const own = dirname(world.folder().root);
  [shared, mark, file] = [join(own, 'shared'), join(own, 'marks'), join(own, 'mcp.yaml')];
  mkdirSync(shared, { recursive: true });
  writeFileSync(join(own, 'private.txt'), 'private');
  writeFileSync(join(shared, 'note.txt'), 'hello');
  writeFileSync(file, servers([FILES_SERVER, shared]));
  runner = await world.started('mcp-01', settings());
  for (const server of ['files', 'modern']) {
    const executor = { kind: 'mcp', pool: 'builders', server };
    expectStatus(await world.admin.put(`/v1/environments/staging/executors/${server}`, executor), 200);
  }
  await until(async () => (await look('files')).problem === null);
  await accept('files', 'read_text_file', READ);
  await accept('files', 'write_file', WRITE);
  await accept('modern', 'restart', ONCE);
}, 120_000);
afterAll(async () => {
  await world.stopRunners();
  await world.close();
});

it('lists a server of a pool with its transport, and the runner that advertises it', async () => {
  expect(await look('files')).toMatchObject({ transport: 'stdio', url: null, pool: 'builders', server: 'files' });
  expect(await world.seenRunner(runner.id)).toMatchObject({
    mcp_servers: [
      { name: 'files', problem: null, tools: (await look('files')).tools.length },
      { name: 'modern', problem: null, tools: 1 },
    ],
  });
});

it('has no tool that no person accepted', async () => {
  expect(await ask('mcp:files:move_file', { source: 'a', destination: 'b' })).toMatchObject({ outcome: 'denied' });
});

it('calls a server of the older protocol once a person approved the call', async () => {
  const path = join(shared, 'new.txt');
  const asked = await ask('mcp:files:write_file', { path, content: 'written' });
  expect(asked).toMatchObject({ outcome: 'pending' });
  expect(existsSync(path)).toBe(false);
  await approved(asked);
  expect(await ended(asked.id)).toMatchObject({ error: null });
  expect(readFileSync(path, 'utf8')).toBe('written');
});

it('reads a file of the folder of the server, and none beside it', async () => {
  const inside = await ask('mcp:files:read_text_file', { path: join(shared, 'note.txt') });
  expect((await ended(inside.id)).result?.content[0]?.text).toBe('hello');
  const outside = await ask('mcp:files:read_text_file', { path: `${shared}/../private.txt` });
  expect(await ended(outside.id)).toMatchObject({ error: { code: 'mcp.tool_failed' } });
});

it('calls a server of the new protocol', async () => {
  const asked = await ask('mcp:modern:restart', { host: 'web-01' });
  expect((await ended(asked.id)).result?.content[0]?.text).toBe('restarted web-01');
});

it('T27: a call whose runner is killed is unknown, and the server is not called again', async () => {
  const asked = await ask('mcp:modern:restart', { host: 'slow' });
  await until(() => marks().endsWith('slow\n'));
  await runner.process.kill();
  runner.process = await world.start(runner.folder, settings());
  expect(await ended(asked.id)).toMatchObject({ error: { code: 'runner.died' } });
  expect(runner.process.output()).toContain('ended programs that a process before left behind');
  expect(marks().match(/slow/g)).toHaveLength(1);
  expect(readdirSync(join(runner.folder.data, 'mcp-homes'))).toEqual([]);
});

it('T54: keeps a call for a runner that is offline, which refuses a tool that its server no longer lists', async () => {
  await runner.process.terminate();
  expect((await look('files')).problem).toContain('No runner of the pool builders for staging is online.');
  const offline = await ask('mcp:files:read_text_file', { path: join(shared, 'note.txt') });
  writeFileSync(file, servers([MODERN_SERVER, mark]));
  runner.process = await world.start(runner.folder, settings());
  expect(await ended(offline.id)).toMatchObject({ error: { code: 'mcp.definition_changed' } });
  const standing = async () => (await look('files')).tools.find(({ tool }) => tool === 'read_text_file')?.standing;
  await until(async () => (await standing()) === 'gone');
  const other = await ask('mcp:files:read_text_file', { path: `${shared}/note.txt` });
  expect(await ended(other.id)).toMatchObject({ error: { code: 'mcp.definition_changed' } });
});
