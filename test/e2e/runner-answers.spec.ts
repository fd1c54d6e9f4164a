import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDocument } from '#lib/formats';
import { expectStatus, type Answer } from '../support/api.js';
import { rawRunner, type RawRunner } from '../support/raw-runner.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';
import { SocketClient } from '../support/session-socket.js';
import { until } from '../support/until.js';

const CHUNKS = 4;

/**
 * A line of a single call: neither a plan nor a simulation comes before it. The cast: a member that is undefined takes one away, and
 * the type has no word for that.
 */
const PLANLESS = {
  ...{ requires_plan: false, idempotent: true, identity_fields: ['/command'] },
  ...{ simulated_by: undefined, simulation: 'not_applicable' },
} as unknown as Partial<ToolDocument>;

let world: RunnerWorld;
let runner: RawRunner;
beforeAll(async () => {
  // Their leases end after the tests.
  const tools = { 'file-read': { idempotent: false }, 'terminal-run': PLANLESS };
  world = await runnerWorld({ workerProcess: true, tools });
  runner = await rawRunner(world.url, (await world.added('raw')).token);
}, 120_000);
afterAll(() => world.close());

/**
 * The runner takes the next call, and answers it. The worker hears of the answer, waits for the locked row to write it, and dies.
 */
async function answeredAndNotRecorded(
  table: 'tool_call' | 'run',
  id: string,
  found: Readonly<Record<string, true>>,
): Promise<void> {
  const call = await runner.take();
  if (call === null) throw new Error('no call came');
  const holder = await world.api.db.owner.connect();
  try {
    await holder.query('begin');
    await holder.query(`select from ${table} where id = $1 for update`, [id]);
    await runner.plane.result(call.id, { ok: true, result: found });
    const waits = 'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';
    await until(async () => (await holder.query(waits)).rowCount !== 0);
    await world.replaceWorker();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

async function ended(id: string): Promise<Answer['body']> {
  let call: Answer['body'] = {};
  await until(async () => {
    call = (await world.agent.get(`/v1/tool-calls/${id}`)).body;
    return call.outcome !== 'allowed' && call.outcome !== 'executing';
  });
  return call;
}

const offersOf = async (id: string): Promise<readonly unknown[]> =>
  expectStatus(await world.admin.get(`/v1/runner-calls?source_id=${id}`), 200).body.items as readonly unknown[];

describe('T27: a worker that is killed between the answer of a runner and its record', () => {
  it.each([
    ['file-read', { path: 'a' }],
    ['directory-list', { path: '.' }],
  ])(
    'leaves the answer to the next worker, for a single call of %s',
    async (tool, given) => {
      const asks = { tool, arguments: given, environment: 'staging' };
      const { id } = expectStatus(await world.agent.post('/v1/tool-calls', asks), 201).body as { id: string };
      await answeredAndNotRecorded('tool_call', id, { [tool]: true });
      const call = await ended(id);
      expect(call).toMatchObject({ outcome: 'succeeded', execution: { attempt: 1, result: { [tool]: true } } });
      expect(await offersOf(id)).toMatchObject([{ state: 'answered', attempt: 1 }]);
    },
    90_000,
  );

  it('leaves the answer to the next worker, for the step of a run', async () => {
    const run = await world.run({ tool: 'test-run', arguments: { script: 'test' } });
    await answeredAndNotRecorded('run', run, { passed: true });
    const done = await world.until(run, (body) => body.state !== 'executing' && body.state !== 'queued');
    expect(done).toMatchObject({ state: 'completed' });
    expect(await offersOf(run)).toMatchObject([{ state: 'answered', attempt: 1 }]);
  }, 90_000);
});

describe('T27: a worker that is killed before the answer of a runner', () => {
  it('leaves the answer to the next worker, before the lease of the call ends', async () => {
    const asks = { tool: 'file-read', arguments: { path: 'a' }, environment: 'staging' };
    const { id } = expectStatus(await world.agent.post('/v1/tool-calls', asks), 201).body as { id: string };
    const call = await runner.take();
    await world.replaceWorker();
    await runner.plane.result(call?.id ?? '', { ok: true, result: { text: 'late' } });
    expect(await ended(id)).toMatchObject({
      outcome: 'succeeded',
      execution: { attempt: 1, result: { text: 'late' } },
    });
    expect(await offersOf(id)).toMatchObject([{ state: 'answered', attempt: 1 }]);
  }, 90_000);
});

describe('the output of a call on a runner', () => {
  it('reaches the socket of its session as it arrives, and not with the next look', async () => {
    const opened = await world.agent.post('/v1/sessions', { environment: 'staging' });
    const session = expectStatus(opened, 201).body.id as string;
    const address = `${world.url}/v1/sessions/${session}/ws`;
    const client = await SocketClient.open(address, { authorization: `Bearer ${world.agentToken}` });
    const asks = { tool: 'git-status', arguments: {} };
    const asked = await world.agent.post(`/v1/sessions/${session}/tool-calls`, asks);
    const toolCallId = expectStatus(asked, 201).body.id as string;
    const call = await runner.take();
    if (call === null) throw new Error('no call came');
    await client.next('audit_entry');
    const began = performance.now();
    for (let seq = 1; seq <= CHUNKS; seq += 1) {
      const chunk = { stream: 'stdout', text: `line ${String(seq)}` } as const;
      await runner.plane.output(call.id, seq, [chunk]);
      expect(await client.next('output')).toMatchObject({ toolCallId, seq, ...chunk });
    }
    // A look of its own comes five seconds after the one before.
    expect(performance.now() - began).toBeLessThan(CHUNKS * 2_500);
    await runner.plane.result(call.id, { ok: true, result: {} });
    client.close();
    expect(await ended(toolCallId)).toMatchObject({ outcome: 'succeeded' });
  }, 60_000);
});

describe('the prompt about a command line', () => {
  const impactOf = async (command: string): Promise<unknown> => {
    const call = { environment: 'staging', tool: 'terminal-run', arguments: { command } };
    const asked = expectStatus(await world.agent.post('/v1/tool-calls', call), 201).body;
    expect(asked).toMatchObject({ outcome: 'pending', reasons: [{ code: 'shell.asks' }] });
    const request = await world.admin.get(`/v1/approval-requests/${String(asked.request_id)}`);
    return (expectStatus(request, 200).body.call as { impact: string }).impact;
  };

  it('says first that there is no way back, if the folder of a runner is larger than a snapshot', async () => {
    expect(await impactOf('touch before')).not.toContain('No way back');
    const { id, token } = await world.added('large');
    const folder = world.folder();
    writeFileSync(folder.tokenFile, token);
    // Without content, and with the size of one byte more than a snapshot holds.
    writeFileSync(join(folder.root, 'large'), '');
    truncateSync(join(folder.root, 'large'), 200_000_001);
    await world.start(folder);
    await world.untilRunner(id, 'online');
    expect(await impactOf('touch after')).toMatch(/^No way back \(there are more than 200000000 bytes\)\. /);
    await world.stopRunners();
  }, 60_000);
});
