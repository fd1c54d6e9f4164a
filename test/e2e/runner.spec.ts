import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus, operatorToken, type Answer } from '../support/api.js';
import { acceptInvitation, pageOf, browserSessionCookieOf } from '../support/passkey-accounts.js';
import { until } from '../support/until.js';
import { untilThere } from '../support/until-there.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';

let world: RunnerWorld;
beforeAll(async () => {
  // A person has a passkey at a name.
  world = await runnerWorld({ name: 'localhost' });
}, 120_000);
afterEach(() => world.stopRunners());
afterAll(() => world.close());

const write = (path: string, content: string) => ({ tool: 'file-write', arguments: { path, content } });

describe('a runner', () => {
  it('carries out the steps of a plan, and shows its tools by name and schema', async () => {
    const { id, folder, process } = await world.started('build-01');
    expect(statSync(join(folder.data, 'key.json')).mode & 0o777).toBe(0o600);
    const run = await world.run(write('notes/a.txt', 'one\n'), {
      tool: 'file-edit',
      arguments: { path: 'notes/a.txt', old_text: 'one', new_text: 'two' },
    });
    const ended = await world.until(run, (body) => body.finished_at !== null);
    expect(ended).toMatchObject({ state: 'completed' });
    expect(readFileSync(join(folder.root, 'notes/a.txt'), 'utf8')).toBe('two\n');
    const seen = await world.untilRunner(id, 'online');
    expect(seen.pool).toBe('builders');
    const advertised = seen.tools as Record<string, unknown>[];
    expect(advertised.map(({ name }) => name)).toContain('terminal-run');
    expect(new Set(advertised.flatMap((tool) => Object.keys(tool)))).toEqual(new Set(['name', 'parameters']));
    // A second process would take the calls of the first for those of one that has died (T27).
    await expect(world.start(folder)).rejects.toThrow('runner.data_in_use');
    expect(await process.terminate()).toBe(0);
    expect(await world.seenRunner(id)).toMatchObject({ state: 'offline' });
  }, 120_000);

  it('searches its workspace for a session, whose index goes with it', async () => {
    const { folder, process } = await world.started('build-04');
    writtenSource(folder.root);
    const { id } = expectStatus(await world.agent.post('/v1/sessions', { environment: 'staging' }), 201).body;
    const session = `/v1/sessions/${id as string}`;
    const call = { tool: 'search_workspace', arguments: { query: 'where are retrys limited' } };
    const asked = expectStatus(await world.agent.post(`${session}/tool-calls`, call), 201).body;
    const path = `/v1/tool-calls/${asked.id as string}?wait_seconds=30`;
    const found = expectStatus(await world.agent.get(path), 200).body;
    expect(found).toMatchObject({
      ...{ outcome: 'succeeded', decided_as: 'auto_approved' },
      execution: {
        result: { results: [{ path: 'src/retry.ts', first_line: 1, last_line: 4, symbols: ['retryLimit'] }] },
      },
    });
    expect(JSON.stringify(found)).not.toContain('hunter2');
    const index = join(folder.data, 'sessions', `session-${id as string}`, 'workspace-index.json');
    expect(readFileSync(index, 'utf8')).not.toContain('hunter');
    await process.terminate();
    const again = await world.start(folder);
    expect(existsSync(index)).toBe(true);
    await again.terminate();
    expectStatus(await world.agent.post(`${session}/end`, {}), 200);
    await world.start(folder);
    await until(() => !existsSync(index));
  }, 90_000);

  it('deletes a file in a session if a person agrees, and restores it', async () => {
    const { folder, process } = await world.started('build-09');
    const file = join(folder.root, 'a.txt');
    writeFileSync(file, 'before\n');
    const { api, tenant, agent } = world;
    const lead = await api.person(tenant, 'SRELead');
    const site = { origin: world.url, rpId: 'localhost' };
    const { answer } = await acceptInvitation(api, await operatorToken(api, tenant.id, lead.id), { site });
    const page = { ...(await pageOf(api, browserSessionCookieOf(expectStatus(answer, 201)))), origin: world.url };
    const opened = await agent.post('/v1/sessions', { environment: 'staging', preset: 'modes' });
    const calls = `/v1/sessions/${String(expectStatus(opened, 201).body.id)}/tool-calls`;
    const ended = async (tool: string, given: object): Promise<Answer['body']> => {
      const call = expectStatus(await agent.post(calls, { tool, arguments: given }), 201).body;
      expect(call).toMatchObject({ outcome: 'pending' });
      const request = `/v1/approval-requests/${String(call.request_id)}`;
      const { subject } = expectStatus(await api.http().get(request, page), 200).body as {
        subject: { digest: string };
      };
      const review = { verdict: 'approve', subject_digest: subject.digest };
      expectStatus(await api.http().post(`${request}/reviews`, review, page), 201);
      return expectStatus(await agent.get(`/v1/tool-calls/${String(call.id)}?wait_seconds=30`), 200).body;
    };
    const deleted = await ended('file-delete', { path: 'a.txt' });
    expect(deleted).toMatchObject({ outcome: 'succeeded', decided_as: 'approved' });
    expect(existsSync(file)).toBe(false);
    const { snapshot } = (deleted.execution as { result: { snapshot: string } }).result;
    expect(await ended('rollback-checkpoint', { snapshot })).toMatchObject({ outcome: 'succeeded' });
    expect(readFileSync(file, 'utf8')).toBe('before\n');
    await process.terminate();
  }, 60_000);

  it('executes a command line after a snapshot, streams its output, and rolls back', async () => {
    const { folder, process } = await world.started('build-02');
    writeFileSync(join(folder.root, 'a.txt'), 'before\n');
    const run = await world.run({ tool: 'terminal-run', arguments: { command: 'echo after > a.txt; echo told' } });
    const ended = await world.until(run, (body) => body.state !== 'executing' && body.state !== 'queued');
    expect(ended).toMatchObject({ state: 'completed' });
    expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe('after\n');
    const [call] = expectStatus(await world.admin.get(`/v1/runner-calls?source_id=${run}`), 200).body.items as {
      id: string;
      state: string;
      answer: { result: Record<string, unknown> };
    }[];
    expectStatus(await world.agent.get(`/v1/runner-calls?source_id=${run}`), 403);
    expect(call).toMatchObject({ state: 'answered', answer: { result: { exit_status: 0, stdout: 'told\n' } } });
    // Nothing that a result says of itself is masked as a secret.
    expect(JSON.stringify(call)).not.toContain('[masked]');
    expect(call?.answer.result).toMatchObject({ secret_files: 'readable' });
    const seen = expectStatus(await world.admin.get(`/v1/runner-calls/${call?.id ?? ''}/output`), 200).body;
    expect(seen).toEqual({ chunks: [{ seq: 1, stream: 'stdout', text: 'told\n' }], cut: false, open: false });
    const { snapshot } = call?.answer.result ?? {};
    const back = await world.run({ tool: 'rollback-checkpoint', arguments: { snapshot } });
    await world.until(back, (body) => body.state !== 'executing' && body.state !== 'queued');
    expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe('before\n');
    await process.terminate();
  }, 60_000);

  it('replaces a key of 30 days at its start, and works on with the new one', async () => {
    const { folder, process } = await world.started('aged');
    expect(await process.terminate()).toBe(0);
    const file = join(folder.data, 'key.json');
    const key = JSON.parse(readFileSync(file, 'utf8')) as { readonly key_id: string; readonly made_at: number };
    writeFileSync(file, JSON.stringify({ ...key, made_at: key.made_at - 31 * 24 * 3_600_000 }));
    const again = await world.start(folder);
    await until(() => !readFileSync(file, 'utf8').includes(key.key_id));
    writeFileSync(join(folder.root, 'read.txt'), 'text');
    expect(await world.dispatched('file-read', { path: 'read.txt' })).toMatchObject({ kind: 'succeeded' });
    expect(await again.terminate()).toBe(0);
  });

  it('T35: is refused at once after it was revoked, and its call under way counts as unknown', async () => {
    const { id, folder, process } = await world.started('build-03');
    slowScript(folder.root);
    const run = await world.run({ tool: 'test-run', arguments: { script: 'slow' } });
    await untilThere(join(folder.root, 'started'));
    expectStatus(await world.admin.post(`/v1/runners/${id}/revoke`), 200);
    const paused = await world.until(run, (body) => body.state === 'paused');
    expect(paused).toMatchObject({ reason: { code: 'run.effect_unknown' } });
    expect(JSON.stringify(paused.steps)).toMatch(/The runner build-03 of the pool \S+ took the call, and was revoked/);
    expect(await process.ended).toBe(4);
    expect(process.output()).toContain('runner.revoked');
    const again = await world.start(folder);
    expect(await again.ended).toBe(4);
    await world.untilRunner(id, 'revoked');
  }, 90_000);
});

describe('without a runner that is online', () => {
  it('a step waits, and the next runner takes it, idempotent or not', async () => {
    const first = await world.started('build-05');
    await first.process.terminate();
    const run = await world.run({ tool: 'test-run', arguments: { script: 'once' } });
    await world.until(run, ({ steps }) => (steps as { state: string }[])[0]?.state === 'dispatched');
    const scripts = { once: 'echo once >> started' };
    writeFileSync(join(first.folder.root, 'package.json'), JSON.stringify({ scripts }));
    await world.start(first.folder);
    expect(await world.until(run, ({ finished_at }) => finished_at !== null)).toMatchObject({ state: 'completed' });
    expect(readFileSync(join(first.folder.root, 'started'), 'utf8')).toBe('once\n');
  }, 60_000);
});

/** A source file, and one with a secret that asks to be found. */
function writtenSource(root: string): void {
  mkdirSync(join(root, 'src'));
  writeFileSync(
    join(root, 'src/retry.ts'),
    '/** A call is retried at most so often. */\nexport function retryLimit() {\n  return 3;\n}\n',
  );
  writeFileSync(join(root, '.env'), 'RETRY_LIMIT_PASSWORD=hunter2\n');
}

/** A script that marks its start, each time, and then takes long. */
function slowScript(root: string): void {
  const scripts = { slow: 'echo once >> started && sleep 90' };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
  expect(existsSync(join(root, 'started'))).toBe(false);
}
