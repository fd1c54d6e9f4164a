import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectStatus } from '../support/api.js';
import { putCurrent } from '../support/put-current.js';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

let world: RunnerWorld;
let programs: string;
let runner: Awaited<ReturnType<RunnerWorld['started']>>;
let settings: Readonly<Record<string, string>>;

const starts = (): number => (existsSync(join(programs, 'starts')) ? readFileSync(join(programs, 'starts')).length : 0);

const execution = async (hook: string): Promise<Record<string, unknown> | undefined> =>
  (
    expectStatus(await world.admin.get(`/v1/lifecycle-hooks/executions?hook=${hook}`), 200).body.items as Record<
      string,
      unknown
    >[]
  )[0];

async function raised(hook: string): Promise<void> {
  const source = `hooks:
  - name: ${hook}
    event: agent.error
    action: {type: command, command: slow, runner: {pool: builders, environment: staging}}
`;
  expectStatus(await putCurrent(world.admin, '/v1/lifecycle-hooks', { source }), 200);
  expectStatus(await world.agent.post('/v1/agent-errors', { error: 'lost' }), 204);
}

beforeAll(async () => {
  world = await runnerWorld({ workerProcess: true });
  programs = join(dirname(world.folder().root), 'programs');
  mkdirSync(programs, { recursive: true });
  const slow = join(programs, 'slow.sh');
  const [started, go] = [join(programs, 'starts'), join(programs, 'go')];
  writeFileSync(
    slow,
    `#!/bin/sh\nprintf x >> ${started}\nfor i in $(seq 200); do [ -e ${go} ] && exit 0; sleep 0.1; done\nexit 1\n`,
  );
  chmodSync(slow, 0o755);
  settings = { COUNTERSIGN_RUNNER_HOOKS: `slow=${slow}` };
  runner = await world.started('hooks-02', settings);
}, 120_000);
afterAll(() => world.close());

describe('T27: between the dispatch of a hook and its result', () => {
  it('a worker that is killed leaves the answer to the next one', async () => {
    await raised('worker-dies');
    await until(() => starts() === 1);
    await world.replaceWorker();
    writeFileSync(join(programs, 'go'), '');
    await until(async () => (await execution('worker-dies'))?.state === 'succeeded');
    expect(await execution('worker-dies')).toMatchObject({ attempts: 1, exit_status: 0 });
    expect(starts()).toBe(1);
  });

  it('a runner that is killed never starts the program again: its effect is unknown', async () => {
    writeFileSync(join(programs, 'starts'), '');
    rmSync(join(programs, 'go'));
    await raised('runner-dies');
    await until(() => starts() === 1);
    await runner.process.kill();
    await world.start(runner.folder, settings);
    await until(async () => (await execution('runner-dies'))?.state === 'failed');
    expect(await execution('runner-dies')).toMatchObject({ attempts: 1, fault: { code: 'runner.died' } });
    expect(starts()).toBe(1);
  });
});
