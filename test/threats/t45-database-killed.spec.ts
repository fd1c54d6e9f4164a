import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compiledPackage } from '../support/compiled-package.js';

const WITHIN_MS = 60_000;
let data: string;
let server: ChildProcess;
let output = '';

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'countersign-killed-'));
  await chmod(data, 0o755);
}, WITHIN_MS);
afterAll(async () => {
  if (server.exitCode === null) server.kill('SIGKILL');
  await rm(data, { recursive: true, force: true });
});

const START: readonly string[] = ['dist/programs/cli/main.js', 'start'];

const start = async (command = START, ready = /^worker +at work/m): Promise<void> => {
  output = '';
  server = spawn(process.execPath, command, {
    cwd: compiledPackage(),
    env: {
      PATH: process.env.PATH,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: '0',
      COUNTERSIGN_METRICS_PORT: '0',
      COUNTERSIGN_WORKER_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const deadline = Date.now() + WITHIN_MS;
  while (!ready.test(output)) {
    if (Date.now() > deadline || server.exitCode !== null) throw new Error(`it did not start: ${output}`);
    await delay(50);
  }
};

/** Kills PostgreSQL under the process. @returns how the process ended. */
const killDatabase = async (): Promise<unknown> => {
  const [pid = ''] = readFileSync(join(data, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
  const ended = once(server, 'exit');
  process.kill(Number(pid), 'SIGKILL');
  const [code] = (await ended) as [number | null];
  return [code, output.includes('database.embedded_ended')];
};

describe('T45: the embedded PostgreSQL is killed', () => {
  it(
    'start ends with a code and says why, and the next start recovers',
    async () => {
      await start();
      expect(await killDatabase()).toEqual([4, true]);

      await start();
      const stopped = once(server, 'exit');
      server.kill('SIGTERM');
      expect(((await stopped) as [number | null])[0]).toBe(0);
    },
    3 * WITHIN_MS,
  );

  it(
    'a worker that is started by its own main.js ends likewise',
    async () => {
      await start(['dist/programs/worker/main.js'], /the worker is at work/);
      expect(await killDatabase()).toEqual([4, true]);
    },
    2 * WITHIN_MS,
  );
});
