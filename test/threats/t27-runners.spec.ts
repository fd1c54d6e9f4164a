import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../support/api.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';
import { untilThere } from '../support/until-there.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await runnerWorld();
}, 120_000);
afterEach(() => world.stopRunners());
afterAll(() => world.close());

/** The processes that sleep in this folder. */
const sleepingIn = (root: string): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return (
        readlinkSync(`/proc/${name}/cwd`) === root && readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('sleep')
      );
    } catch {
      return false;
    }
  });

async function untilSo(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 50_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it did not come to that in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('T27: a runner that is killed, and runners beside each other', () => {
  it('never starts a call again that had started: it reports the effect as unknown, and a person resolves it', async () => {
    const { folder, process } = await world.started('dies');
    const started = join(folder.root, 'started');
    const scripts = { slow: 'echo once >> started && sleep 90' };
    writeFileSync(join(folder.root, 'package.json'), JSON.stringify({ scripts }));
    const run = await world.run({ tool: 'test-run', arguments: { script: 'slow' } });
    await untilThere(started);
    await process.kill();
    const again = await world.start(folder);
    const paused = await world.until(run, (body) => body.state === 'paused');
    expect(paused).toMatchObject({ reason: { code: 'run.effect_unknown' } });
    expect(JSON.stringify(paused)).toContain('runner.died');
    expect(readFileSync(started, 'utf8')).toBe('once\n');
    await again.terminate();
  }, 120_000);

  it.each([
    ['test-run', { script: 'sleeps' }],
    ['terminal-run', { command: 'sleep 4711' }],
  ])(
    'leaves no program of %s alive after its next start, without a sandbox',
    async (tool, given) => {
      const unsandboxed = { COUNTERSIGN_RUNNER_SANDBOX: 'off' };
      const { folder, process } = await world.started(`leaves-${tool}`, unsandboxed);
      writeFileSync(join(folder.root, 'package.json'), JSON.stringify({ scripts: { sleeps: 'sleep 4711' } }));
      const run = await world.run({ tool, arguments: given });
      await untilSo(() => sleepingIn(folder.root).length > 0);
      await process.kill();
      expect(sleepingIn(folder.root)).not.toEqual([]);
      const again = await world.start(folder, unsandboxed);
      expect(sleepingIn(folder.root)).toEqual([]);
      expect(again.output()).toContain('ended programs that a process before left behind');
      const paused = await world.until(run, (body) => body.state === 'paused');
      expect(paused).toMatchObject({ reason: { code: 'run.effect_unknown' } });
      await again.terminate();
      expect(readdirSync(join(folder.data, 'programs'))).toEqual([]);
    },
    120_000,
  );

  it('start each call once between them', async () => {
    const two = await Promise.all([world.started('one'), world.started('two')]);
    const calls = Array.from({ length: 12 }, (_each, index) => `file-${String(index)}`);
    const ends = await Promise.all(calls.map((path) => world.dispatched('file-write', { path, content: path })));
    expect(ends.map(({ kind }) => kind)).toEqual(calls.map(() => 'succeeded'));
    const written = calls.map((path) => two.filter(({ folder }) => existsSync(join(folder.root, path))).length);
    expect(written).toEqual(calls.map(() => 1));
    const took = two.map(({ process }) => process.output().split('"msg":"took a call"').length - 1);
    expect(took.reduce((all, one) => all + one)).toBe(12);
    await Promise.all(two.map(({ process }) => process.terminate()));
  }, 120_000);

  it('refuses a call of an environment that it does not work in, also if Countersign sends one', async () => {
    const { id, process, folder } = await world.started('elsewhere', { COUNTERSIGN_RUNNER_ENVIRONMENTS: 'production' });
    await untilSo(() => process.output().includes('COUNTERSIGN_RUNNER_ENVIRONMENTS does not name'));
    // Others that work in it are offline: they may be back.
    const another = await world.started('back');
    await another.process.terminate();
    const untaken = await world.dispatched('file-write', { path: 'a', content: 'a' }, { seconds: 1 });
    expect(untaken).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.not_taken' } });
    const { items } = expectStatus(await world.admin.get('/v1/runners'), 200).body as {
      items: readonly { readonly id: string; readonly state: string }[];
    };
    for (const other of items.filter(({ state }) => state === 'offline'))
      expectStatus(await world.admin.post(`/v1/runners/${other.id}/revoke`), 200);
    const unsent = await world.dispatched('file-write', { path: 'a', content: 'a' });
    expect(unsent).toMatchObject({ effect: 'not_started', error: { code: 'dispatch.unreachable' } });
    expect(JSON.stringify(unsent)).toContain('do not work in staging');
    // As a Countersign would that does not look at the word of the runner.
    await world.api.db.owner.query(`update runner set works_in = '{staging}' where id = $1`, [id]);
    const error = { code: 'grant.wrong_environment' };
    const end = await world.dispatched('file-write', { path: 'a', content: 'a' });
    expect(end).toMatchObject({ kind: 'failed', effect: 'not_started', error });
    expect(existsSync(join(folder.root, 'a'))).toBe(false);
    await process.terminate();
  }, 60_000);
});
