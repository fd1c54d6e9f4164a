import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { CountersignClient } from '#lib/sdk';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, type HttpAs } from '../support/api.js';
import { openMcpWorld, type McpWorld } from '../support/mcp-world.js';

const folder = mkdtempSync(join(tmpdir(), 'countersign-precedents-'));
let world: McpWorld;
let call: { readonly id: string; readonly request_id: string };
const target = 'db-77.fra';
let owner: { readonly token: string };
let other: { readonly token: string };
const as = ({ token }: { readonly token: string }): HttpAs => world.api.http(token);

beforeAll(async () => {
  world = await openMcpWorld();
  owner = world.bot;
  other = await world.api.agent(world.tenant, world.tenant.admin);
  const asked = { ...world.another(), arguments: { targets: [target] }, reason: 'the platypus asked for OPS-4711' };
  call = expectStatus(await as(owner).post('/v1/tool-calls', asked), 201).body as typeof call;
  await world.answered(call.request_id, 'reject');
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const SHAPE = { tools: 'label_sandbox', environment: 'staging', argument_keys: 'targets' };

async function onCommandLine(token: string, argv: readonly string[]): Promise<string> {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  let text = '';
  await runCommandLine(['precedents', ...argv], {
    environment: { COUNTERSIGN_URL: world.url, COUNTERSIGN_TOKEN_FILE: tokenFile },
    out: (more) => (text += more),
    err: (more) => (text += more),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([]),
    replay: (job) => Promise.resolve(replayDecisions(job)),
  });
  return stripVTControlCharacters(text);
}

/** The same question, as each surface puts it. */
const SURFACES: Readonly<Record<string, (token: string) => Promise<string>>> = {
  api: async (token) =>
    JSON.stringify((await as({ token }).get(`/v1/precedents?${new URLSearchParams(SHAPE).toString()}`)).body),
  sdk: async (token) =>
    JSON.stringify(await new CountersignClient({ baseUrl: world.url, token }).get('/v1/precedents', { query: SHAPE })),
  mcp: async (token) =>
    JSON.stringify((await (await world.connected('2026-07-28', { token })).call('find_precedents', SHAPE)).answer),
  'the command line': (token) =>
    onCommandLine(token, ['--tool', 'label_sandbox', '--environment', 'staging', '--argument', 'targets']),
};

describe.each(Object.keys(SURFACES))('precedents over %s', (surface) => {
  const ask = (token: string): Promise<string> => SURFACES[surface]?.(token) ?? Promise.reject(new Error(surface));

  it('name a request to its agent and to people', async () => {
    for (const token of [owner.token, world.tenant.admin.token]) {
      const told = await ask(token);
      expect(told).toContain('denied');
      expect(told).toContain(call.request_id);
      expect(told).toContain('platypus');
    }
  });

  it('tell another agent structure and outcome, and no id, target or word', async () => {
    const told = await ask(other.token);
    expect(told).toContain('denied');
    expect(told).toContain('label_sandbox');
    expect(told).toContain('Asked once before with the same tools, environment and arguments: 1 denied.');
    for (const hidden of [call.request_id, call.id, target, 'platypus', 'OPS-4711', world.bot.id])
      expect(told).not.toContain(hidden);
  });
});

it('the command line names the kind of each id, and asks for a question', async () => {
  expect(await onCommandLine(owner.token, ['--text', 'platypus'])).toContain(`request ${call.request_id}`);
  expect(await onCommandLine(owner.token, [])).toContain('precedents.nothing_named');
  for (const limit of ['0', '21', 'many'])
    expect(await onCommandLine(owner.token, ['--text', 'platypus', '--limit', limit])).toContain(
      'It must be a whole number from 1 to 20.',
    );
});

it('an agent asks about requests of its own alone', async () => {
  const path = `/v1/approval-requests/${call.request_id}/precedents`;
  expectStatus(await as(owner).get(path), 200);
  expect(expectStatus(await as(other).get(path), 404).body).toMatchObject({ code: 'resource.not_found' });
  expect(await onCommandLine(other.token, [call.request_id])).toContain('resource.not_found');
});

it('an agent learns of a target of others only that it is the one it names', async () => {
  const named = async (query: object) =>
    expectStatus(await as(other).get(`/v1/precedents?${new URLSearchParams({ ...query }).toString()}`), 200).body
      .items as readonly { readonly targets: readonly string[] }[];
  expect(await named({ targets: target })).toMatchObject([{ id: null, targets: [target] }]);
  expect(await named({ text: target })).toMatchObject([{ id: null, targets: [target] }]);
  expect(await named({ targets: 'db-78.fra', tools: 'label_sandbox' })).toMatchObject([{ id: null, targets: [] }]);
  for (const text of ['db-77', 'db-78.fra', 'fra', 'platypus', 'OPS-4711']) expect(await named({ text })).toEqual([]);
});
