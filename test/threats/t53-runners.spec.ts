import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#lib/canonical';
import type { GrantedLine } from '#lib/formats';
import { grantVerifier } from '#lib/sdk';
import { classifyCommand, executableTree, treeDigest } from '#lib/shell-safety';
import { identityOf } from '../../apps/runner/src/enrol.js';
import { Plane } from '../../apps/runner/src/plane.js';
import { KeyFile } from '../../apps/runner/src/runner-key.js';
import { expectStatus } from '../support/api.js';
import { callProxy } from '../support/call-proxy.js';
import { asRunner, newKey, rawRunner, sampleIntroduction, type RawRunner } from '../support/raw-runner.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';

const HELLO = '/v1/runner/hello';
const TAKE = '/v1/runner/dispatches/take';
const hello = { version: '1', tools: [], works_in: ['staging'] };

let world: RunnerWorld;
let runner: RawRunner;
beforeAll(async () => {
  world = await runnerWorld();
  runner = await rawRunner(world.url, (await world.added('raw')).token);
}, 120_000);
afterAll(() => world.close());

const dispatched = (given: JsonObject, seconds = 20, withSecrets = false) =>
  world.dispatched('file-write', given, { seconds, withSecrets });

const taken = async (by: RawRunner = runner) => {
  const call = await by.take();
  if (call === null) throw new Error('no call came');
  return call;
};

describe('T53: the proof of a runner', () => {
  it('lets one request in, and no copy of it', async () => {
    const proof = await runner.proof(HELLO, hello);
    expect(await runner.post(HELLO, hello, proof)).toEqual({
      status: 200,
      body: { environments: ['staging'], ended_sessions: [] },
    });
    expect(await runner.post(HELLO, hello, proof)).toMatchObject({
      status: 401,
      body: { code: 'runner.proof_replayed' },
    });
  });

  it.each<[string, string, () => Promise<[unknown, string | undefined]>]>([
    ['without one', 'runner.proof_refused', () => Promise.resolve([hello, undefined])],
    ['with something that is none', 'runner.proof_refused', () => Promise.resolve([hello, 'nonsense'])],
    [
      'of another body',
      'runner.proof_mismatch',
      async () => [hello, await runner.proof(HELLO, { ...hello, version: '2' })],
    ],
    ['of another path', 'runner.proof_mismatch', async () => [hello, await runner.proof('/v1/runner/keys', hello)]],
    ['of another address', 'runner.proof_mismatch', async () => [hello, await elsewhere().proof(HELLO, hello)]],
    [
      'of an hour ago',
      'runner.proof_expired',
      async () => [hello, await runner.proof(HELLO, hello, Date.now() - 3_600_000)],
    ],
    [
      'of the next hour',
      'runner.proof_expired',
      async () => [hello, await runner.proof(HELLO, hello, Date.now() + 3_600_000)],
    ],
    ['signed by another key', 'runner.proof_refused', async () => [hello, await withKey(newKey()).proof(HELLO, hello)]],
    [
      'of a tenant that there is not',
      'runner.proof_refused',
      async () => [hello, await ofTenant().proof(HELLO, hello)],
    ],
  ])('refuses a request %s: %s', async (_what, code, made) => {
    const [body, proof] = await made();
    expect(await runner.post(HELLO, body, proof)).toMatchObject({ status: 401, body: { code } });
  });

  it('is looked at before a long body is parsed', async () => {
    const long = { ...hello, tools: [{ name: 'long', parameters: { text: 'x'.repeat(65_536) } }] };
    const cut = JSON.stringify(long).slice(0, -1);
    expect(await runner.post(HELLO, cut)).toMatchObject({ status: 401, body: { code: 'runner.proof_refused' } });
    const forged = await withKey(newKey()).proof(HELLO, long);
    expect(await runner.post(HELLO, cut, forged)).toMatchObject({
      status: 401,
      body: { code: 'runner.proof_refused' },
    });
    const misplaced = await runner.proof('/v1/runner/keys', long);
    expect(await runner.post(HELLO, cut, misplaced)).toMatchObject({
      status: 401,
      body: { code: 'runner.proof_mismatch' },
    });
    const own = await runner.proof(HELLO, long);
    expect(await runner.post(HELLO, cut, own)).toMatchObject({ status: 400, body: { code: 'json.syntax' } });
    expect(await runner.post(HELLO, long, own)).toMatchObject({ status: 200 });
  });

  it('is not asked for by the exchange that takes none: a long body is too large there', async () => {
    const long = { token: 'x'.repeat(65_536) };
    expect(await runner.post('/v1/runner/enrol', long)).toMatchObject({
      status: 413,
      body: { code: 'request.too_large' },
    });
  });

  const elsewhere = (): RawRunner => asRunner('https://elsewhere.example', runner.identity);
  const withKey = (key: ReturnType<typeof newKey>): RawRunner =>
    asRunner(world.url, { ...runner.identity, private_key: key });
  const ofTenant = (): RawRunner => asRunner(world.url, { ...runner.identity, tenant_id: randomUUID() });

  it('takes a new key that the old one signs in, and no longer the old one after its first use', async () => {
    const before = await rawRunner(world.url, (await world.added('rotates', 'others')).token);
    const key = newKey();
    const key_id = await before.plane.rotate(key.x);
    expect(await before.plane.rotate(key.x)).toBe(key_id);
    await before.plane.hello(sampleIntroduction);
    const after = asRunner(world.url, { ...before.identity, key_id, private_key: key });
    await after.plane.hello(sampleIntroduction);
    await expect(before.plane.hello(sampleIntroduction)).rejects.toMatchObject({ code: 'runner.revoked' });
  });

  it('is refused from the moment on in which the runner is revoked, also while it waits for a call', async () => {
    const { id, token } = await world.added('ends', 'others');
    const ends = await rawRunner(world.url, token);
    const waiting = expect(ends.take()).rejects.toMatchObject({ code: 'runner.revoked' });
    expectStatus(await world.admin.post(`/v1/runners/${id}/revoke`), 200);
    await waiting;
    await expect(ends.plane.hello(sampleIntroduction)).rejects.toMatchObject({ code: 'runner.revoked' });
  });

  it('comes after a token that works once', async () => {
    const { token } = await world.added('once', 'others');
    await rawRunner(world.url, token);
    await expect(rawRunner(world.url, token)).rejects.toMatchObject({ code: 'runner.enrolment_refused' });
  });

  it('T27: is not locked out by a connection that breaks after its token was taken', async () => {
    const { id, token } = await world.added('cut-off', 'others');
    let breaks = true;
    const broken = await callProxy(world.url, {
      before: () => true,
      after: () => {
        if (breaks) throw new Error('the connection breaks');
        return true;
      },
      answered: () => undefined,
    });
    const folder = mkdtempSync(join(tmpdir(), 'countersign-cut-off-'));
    try {
      const [keys, plane] = [new KeyFile(folder), new Plane(broken.url)];
      const options = { token, version: '0.0.0-test', now: 0 };
      const cut = { failure: { code: 'runner.unreachable' } };
      await expect(identityOf(keys, plane, options)).rejects.toMatchObject(cut);
      expect(await world.untilRunner(id, 'online')).toMatchObject({ version: '0.0.0-test' });
      breaks = false;
      const identity = await identityOf(keys, plane, options);
      expect(identity.runner_id).toBe(id);
      await asRunner(world.url, identity).plane.hello(sampleIntroduction);
      await expect(rawRunner(world.url, token)).rejects.toMatchObject({ code: 'runner.enrolment_refused' });
    } finally {
      await broken.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('T53: a call for a runner', () => {
  it('is good in its environment alone, and with its arguments alone', async () => {
    const answered = dispatched({ path: 'a', content: 'a' });
    const call = await taken();
    const options = {
      issuer: world.url,
      audience: 'workspace.staging',
      tenants: [world.tenant.id],
      replay: 'redeem',
    } as const;
    const elsewhere = grantVerifier({ ...options, environments: ['production'] });
    await expect(elsewhere(call.grant, call.request)).rejects.toMatchObject({ code: 'grant.wrong_environment' });
    const here = grantVerifier({ ...options, environments: ['staging'] });
    const altered = { ...call.request, arguments: { path: 'a', content: 'b' } };
    await expect(here(call.grant, altered)).rejects.toMatchObject({ code: 'grant.wrong_arguments' });
    await here(call.grant, call.request);
    await expect(here(call.grant, call.request)).rejects.toMatchObject({ code: 'grant.already_redeemed' });
    await runner.plane.result(call.id, { ok: true, result: { done: true } });
    expect(await answered).toEqual({ kind: 'succeeded', result: { done: true } });
  }, 60_000);

  it('goes with its secrets to a runner of its environment alone', async () => {
    const binding = { purpose: 'tool_arguments', executors: ['production/workspace'], tools: ['file-write'] };
    expectStatus(await world.admin.put('/v1/secrets/live', { value: 'a-secret-of-production', binding }), 200);
    const given = { path: 'a', content: { $secret: 'live@1' } };
    const sent = () => world.dispatched('file-write', given, { withSecrets: true, environment: 'production' });
    const unsent = async (message: string) => {
      const error = { code: 'dispatch.unreachable', message: expect.stringContaining(message) };
      expect(await sent()).toMatchObject({ kind: 'failed', effect: 'not_started', error });
    };
    await unsent('has no runner for production');
    const live = await rawRunner(world.url, (await world.added('live', 'builders', ['production'])).token);
    await unsent('do not work in production');
    await live.plane.hello({ ...sampleIntroduction, worksIn: ['production'] });
    const answered = sent();
    const passed = runner.post(
      `${TAKE}?wait_seconds=1`,
      { held: [] },
      await runner.proof(`${TAKE}?wait_seconds=1`, { held: [] }),
    );
    expect((await passed).body).toEqual({ call: null });
    const call = await taken(live);
    expect(call.request.secrets).toEqual({ 'live@1': 'a-secret-of-production' });
    const stolen = { ok: true, result: { stolen: true } } as const;
    await expect(runner.plane.result(call.id, stolen)).rejects.toMatchObject({ code: 'resource.not_found' });
    await live.plane.result(call.id, { ok: true, result: {} });
    expect(await answered).toMatchObject({ kind: 'succeeded' });
  }, 60_000);

  it('T19: is answered by the runner that took it, and by no other one', async () => {
    const answered = dispatched({ path: 'a', content: 'a' });
    const call = await taken();
    const other = await rawRunner(world.url, (await world.added('other', 'others')).token);
    const forged = { ok: true, result: { forged: true } } as const;
    await expect(other.plane.result(call.id, forged)).rejects.toMatchObject({ code: 'resource.not_found' });
    const chunk = { stream: 'stdout', text: 'forged' } as const;
    await expect(other.plane.output(call.id, 1, [chunk])).rejects.toMatchObject({ code: 'resource.not_found' });
    const error = { code: 'x.failed', message: 'It failed.' };
    await runner.plane.result(call.id, { ok: false, effect: 'done', error });
    await runner.plane.result(call.id, forged);
    expect(await answered).toEqual({ kind: 'failed', effect: 'done', error });
  }, 60_000);

  it('comes again to the runner that took it if the answer to its take was lost, and only then', async () => {
    const answered = dispatched({ path: 'a', content: 'a' }, 30);
    const call = await taken();
    expect(await taken()).toMatchObject({ id: call.id });
    const next = dispatched({ path: 'b', content: 'b' }, 30);
    const second = await runner.plane.take([call.id], new AbortController().signal);
    expect(second?.request.arguments).toEqual({ path: 'b', content: 'b' });
    for (const id of [call.id, second?.id ?? '']) await runner.plane.result(id, { ok: true, result: {} });
    await Promise.all([answered, next]);
  }, 60_000);

  it('that no runner takes is withdrawn: nothing happened', async () => {
    const error = { code: 'dispatch.not_taken' };
    expect(await dispatched({ path: 'a', content: 'a' }, 1)).toMatchObject({
      kind: 'failed',
      effect: 'not_started',
      error,
    });
  });

  it('T27: that is taken and not answered in time is unknown, and its late answer stays on record', async () => {
    const answered = dispatched({ path: 'a', content: 'a' }, 2);
    const call = await taken();
    expect(await answered).toMatchObject({ kind: 'unknown', error: { code: 'dispatch.runner_lost' } });
    await runner.plane.result(call.id, { ok: true, result: { late: true } });
    const { rows } = await world.api.db.owner.query<{ state: string }>(
      'select state from runner_dispatch where id = $1',
      [call.id],
    );
    expect(rows).toEqual([{ state: 'answered_late' }]);
  }, 60_000);

  it('T35: is refused by its grant if a halt came before it was redeemed', async () => {
    const answered = dispatched({ path: 'a', content: 'a' });
    const call = await taken();
    const halt = { kind: 'environment', environment: 'staging', reason: 'a drill' };
    const { id } = expectStatus(await world.admin.post('/v1/halts', halt), 201).body as { id: string };
    const redeemed = { grant: call.grant, audience: 'workspace.staging', environment: 'staging' };
    expect(await runner.post('/v1/grants/redeem', redeemed)).toMatchObject({
      status: 403,
      body: { code: 'grant.revoked' },
    });
    const error = { code: 'grant.not_redeemed', message: 'It was revoked.' };
    await runner.plane.result(call.id, { ok: false, effect: 'not_started', error });
    expect(await answered).toEqual({ kind: 'failed', effect: 'not_started', error });
    expectStatus(await world.admin.post(`/v1/halts/${id}/lift`, { note: 'over' }), 200);
  }, 60_000);

  it('T32: has its secrets in the answer to a take alone, and not in its stored rows', async () => {
    const binding = { purpose: 'tool_arguments', executors: ['staging/workspace'], tools: ['file-write'] };
    const value = 'correct-horse-battery-staple';
    expectStatus(await world.admin.put('/v1/secrets/deploy', { value, binding }), 200);
    const answered = dispatched({ path: 'a', content: { $secret: 'deploy@1' } }, 20, true);
    const call = await taken();
    expect(call.request.secrets).toEqual({ 'deploy@1': value });
    await runner.plane.output(call.id, 1, [{ stream: 'stdout', text: `password=${value}\n` }]);
    await runner.plane.result(call.id, { ok: true, result: { echoed: value } });
    expect(JSON.stringify(await answered)).not.toContain(value);
    const { rows } = await world.api.db.owner.query<{ row: unknown }>(
      `select to_jsonb(d) as row from runner_dispatch d where id = $1
       union all select to_jsonb(o) from runner_output o where dispatch_id = $1`,
      [call.id],
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(value);
  }, 60_000);
});

describe('T53: a command line on a runner', () => {
  let root: string;
  beforeAll(async () => {
    root = (await world.started('lines')).folder.root;
  }, 60_000);
  afterAll(() => world.stopRunners());

  /** The line as it is judged and granted. */
  const granted = (command: string): GrantedLine => {
    const [made, { tier }] = [executableTree(command, 'bash'), classifyCommand(command, 'bash')];
    if (!made.ok || tier === 3) throw new Error(`${command} is denied`);
    return { shell: 'bash', tier, tree: treeDigest(made.value) };
  };
  const LINE = 'touch made';
  const executed = (shell: GrantedLine | null) => world.dispatched('terminal-run', { command: LINE }, { shell });

  it.each<[string, string, GrantedLine | null]>([
    ['names no tree', 'runner.grant_without_tree', null],
    ['names another tree', 'shell.tree_differs', granted('touch other')],
    ['names a better tier than the runner finds', 'shell.tier_not_approved', { ...granted(LINE), tier: 1 }],
    ['was judged for another shell', 'runner.other_shell', { ...granted(LINE), shell: 'sh' }],
  ])(
    'T53: is refused if its grant %s, and nothing starts',
    async (_what, code, shell) => {
      expect(await executed(shell)).toMatchObject({ kind: 'failed', effect: 'not_started', error: { code } });
      expect(readdirSync(root)).toEqual([]);
    },
    60_000,
  );

  it('T53: stands in the grant of no other tool', async () => {
    const shell = granted(LINE);
    const answer = await world.dispatched('file-write', { path: 'made', content: 'a' }, { shell });
    expect(answer).toMatchObject({ effect: 'not_started', error: { code: 'runner.takes_no_line' } });
    expect(readdirSync(root)).toEqual([]);
  }, 60_000);

  it('T53: is executed under a grant of its tree', async () => {
    const result = { exit_status: 0, tree_digest: granted(LINE).tree };
    expect(await executed(granted(LINE))).toMatchObject({ kind: 'succeeded', result });
    expect(readdirSync(root)).toEqual(['made']);
  }, 60_000);
});

describe('T33: the messages of a runner', () => {
  it.each<[string, string, unknown, number]>([
    ['output without text', 'output', { first_seq: 1, chunks: [] }, 422],
    ['output of another stream', 'output', { first_seq: 1, chunks: [{ stream: 'tty', text: 'x' }] }, 422],
    ['an answer of another form', 'result', { answer: { ok: 'yes' } }, 422],
    ['a member that no schema has', 'result', { answer: { ok: true, result: 1 }, more: 1 }, 422],
    ['text that is no JSON', 'result', '{"answer":', 400],
    ['a body over the limit', 'result', { answer: { ok: true, result: 'x'.repeat(2_000_000) } }, 413],
    ['10,000 levels of nesting', 'result', '['.repeat(10_000) + ']'.repeat(10_000), 400],
  ])('T33: is refused if it is %s', async (_what, route, body, status) => {
    const path = `/v1/runner/dispatches/${randomUUID()}/${route}`;
    const proof = typeof body === 'string' ? undefined : await runner.proof(path, body as JsonObject);
    expect((await runner.post(path, body, proof)).status).toBe(status);
  });

  it('T24: is kept of its output up to a cap, in order and once, however much it sends', async () => {
    const answered = dispatched({ path: 'a', content: 'a' }, 60);
    const call = await taken();
    const chunks = Array.from({ length: 8 }, () => ({ stream: 'stdout' as const, text: 'x'.repeat(16_000) }));
    await expect(runner.plane.output(call.id, 2, chunks)).rejects.toMatchObject({ code: 'runner.output_gap' });
    for (const first of [1, 1, 5, 9, 17, 25, 33])
      await runner.plane.output(call.id, first, chunks).catch(() => undefined);
    await runner.plane.result(call.id, { ok: true, result: {} });
    await answered;
    const { rows } = await world.api.db.owner.query<{ chunks: number; last: number; bytes: number; cut: boolean }>(
      `select count(*)::int as chunks, max(seq) as last, sum(octet_length(text))::int as bytes,
              (select output_cut from runner_dispatch where id = $1) as cut
         from runner_output where dispatch_id = $1`,
      [call.id],
    );
    expect(rows).toEqual([{ chunks: 16, last: 16, bytes: 256_000, cut: true }]);
  }, 60_000);
});

describe('T22: a runner that floods', () => {
  it('T22: is refused beyond its own budget, and the others are not', async () => {
    const loud = await rawRunner(world.url, (await world.added('loud', 'others')).token);
    await world.api.db.owner.query(
      `insert into runner_proof (tenant_id, runner_id, id, expires_at)
       select $1, $2, gen_random_uuid(), now() + interval '1 minute' from generate_series(1, 1200)`,
      [world.tenant.id, loud.identity.runner_id],
    );
    const refused = await loud.post(HELLO, hello, await loud.proof(HELLO, hello));
    expect(refused).toMatchObject({ status: 429, body: { code: 'runner.rate_limited' } });
    expect((await runner.post(HELLO, hello, await runner.proof(HELLO, hello))).status).toBe(200);
  });
});
