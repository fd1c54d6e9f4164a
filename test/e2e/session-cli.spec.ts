import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, testApi, type HttpAs, type TestAgent, type TestApi } from '../support/api.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
`;

const folder = mkdtempSync(join(tmpdir(), 'countersign-session-'));
let api: TestApi;
let baseUrl: string;
let bot: TestAgent;
let agent: HttpAs;

beforeAll(async () => {
  api = await testApi();
  await api.app.listen(0, '127.0.0.1');
  baseUrl = `http://127.0.0.1:${String((api.app.getHttpServer().address() as AddressInfo).port)}`;
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  bot = await api.agent(tenant, await api.person(tenant));
  agent = api.http(bot.token);
  writeFileSync(join(folder, 'token'), bot.token, { mode: 0o600 });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command as the agent. `told` is called with everything on standard output so far. */
async function run(argv: readonly string[], told: (out: string) => void = () => undefined) {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(argv, {
    environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: join(folder, 'token') },
    out: (text) => {
      out += stripVTControlCharacters(text);
      told(out);
    },
    err: (text) => (err += stripVTControlCharacters(text)),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([]),
    replay: (job) => Promise.resolve(replayDecisions(job)),
  });
  return { exitCode, out, err };
}

const opened = async (...more: readonly string[]): Promise<string> => {
  const { out } = await run(['session', 'open', '--environment', 'development', ...more]);
  return /session (\S+) is open/.exec(out)?.[1] ?? '';
};

const called = async (session: string, command: string): Promise<void> => {
  const body = { tool: 'shell', arguments: { command }, reason: 'To see it.' };
  expectStatus(await agent.post(`/v1/sessions/${session}/tool-calls`, body), 201);
};

describe('countersign session', () => {
  it('opens, lists, shows, tightens and ends a session', async () => {
    const looser = await run(['session', 'open', '--environment', 'development', '--preset', 'levels']);
    expect([looser.exitCode, looser.err]).toEqual([1, expect.stringContaining('session.opened_looser') as string]);
    const id = await opened('--level', 'CAUTIOUS', '--model', 'a model', '--call-budget', '7');
    expect((await run(['session', 'list', '--state', 'open'])).out).toMatch(
      new RegExp(`${id} +open +development +the stricter of tiers and levels, at CAUTIOUS +0 of 7`),
    );
    await called(id, 'git status');
    const { out } = await run(['session', 'show', id]);
    expect(out).toContain('model');
    expect(out).toContain('1 of 7, 6 left');
    expect(out).toContain('auto approved  low  shell: git status');
    expect(out).not.toContain('calls that wait');
    expect(out).toContain('│ To see it.');
    expect((await run(['session', 'change', id, '--level', 'MANUAL'])).out).toContain('levels, at MANUAL');
    expect((await run(['session', 'change', id, '--call-budget', '3'])).out).toContain('1 of 3, 2 left');
    const loosened = await run(['session', 'change', id, '--level', 'FULL_AUTO']);
    expect([loosened.exitCode, loosened.err]).toEqual([
      1,
      expect.stringContaining('session.loosened_by_token') as string,
    ]);
    expect((await run(['session', 'end', id, '--cancel'])).out).toContain(`session ${id} is cancelled`);
    expect((await run(['session', 'list', '--state', 'open'])).out).toBe('There is no such session.\n');
  });

  it('shows a call that waits, however many newer calls there are', async () => {
    const id = await opened();
    await called(id, 'touch src/new.ts');
    for (let newer = 0; newer < 20; newer += 1) await called(id, 'git status');
    const { out } = await run(['session', 'show', id]);
    expect(out).toMatch(
      /\ncalls that wait for an answer:\n {2}.* waits {2}medium {2}shell: touch src\/new\.ts\n.*\ncalls, newest first:\n/,
    );
    expect(out.match(/auto approved {2}low {2}shell: git status\n/g)).toHaveLength(20);
    const { out: json } = await run(['--json', 'session', 'show', id]);
    expect(JSON.parse(json)).toMatchObject({ waiting: [{ command: 'touch src/new.ts', decision: null }] });
  });

  it('follows a session until it has ended, and names the page that answers', async () => {
    const id = await opened();
    await called(id, 'git status');
    const steps = [
      ['auto approved  low', () => called(id, 'rm -rf /')],
      ['denied  high', () => agent.patch(`/v1/sessions/${id}`, { level: 'MANUAL' })],
      ['at MANUAL from now on', () => agent.post(`/v1/sessions/${id}/end`, {})],
    ] as const;
    const done: Promise<unknown>[] = [];
    const { exitCode, out, err } = await run(['session', 'follow', id], (told) => {
      const next = steps[done.length];
      if (next !== undefined && told.includes(next[0])) done.push(next[1]());
    });
    await Promise.all(done);
    expect(exitCode).toBe(0);
    expect(done).toHaveLength(steps.length);
    expect(out).toContain('the session is closed');
    expect(err).toContain(`${baseUrl}/sessions/${id}`);
    const again = await run(['--json', 'session', 'follow', id]);
    expect(
      again.out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['audit_entry', 'audit_entry', 'autonomy_changed', 'session_ended']);
  });

  it('says which page answers a call that waits, and opens it', async () => {
    const id = await opened('--preset', 'levels', '--level', 'MANUAL');
    const page = `${baseUrl}/sessions/${id}`;
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${join(folder, 'page')}\n`, { mode: 0o700 });
    const path = process.env.PATH;
    process.env.PATH = `${folder}:${path ?? ''}`;
    await called(id, 'git status');
    const done: Promise<unknown>[] = [];
    const { out, err } = await run(['session', 'follow', id, '--open'], (told) => {
      if (done.length === 0 && told.includes('waits')) done.push(agent.post(`/v1/sessions/${id}/end`, {}));
    });
    process.env.PATH = path;
    await Promise.all(done);
    expect(out).toMatch(/waits +low +shell in development, tier 1 READ_ONLY, waits for an answer: git status/);
    expect(out).toMatch(/cancelled +low +shell/);
    expect(err).toContain(`answer it on ${page}`);
    const read = (): string => (existsSync(join(folder, 'page')) ? readFileSync(join(folder, 'page'), 'utf8') : '');
    while (read() === '') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read()).toBe(page);
  });

  it('says that there is no such session', async () => {
    const { exitCode, err } = await run(['session', 'follow', '0199c0de-0000-7000-8000-000000000001']);
    expect([exitCode, err]).toEqual([1, expect.stringContaining('resource.not_found') as string]);
  });
});
