import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApi } from './api.js';
import { compiledPackage } from './compiled-package.js';
import { until } from './until.js';

const STARTED_WITHIN_MS = 60_000;

/** A real worker in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** The address of its health and metrics. */
  readonly port: number;
  /** Everything that it has written. */
  written(): string;
  /** SIGKILL, and until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and until it has ended by itself. Its exit code. */
  terminate(): Promise<number | null>;
}

/** A worker that has loaded its program, and does nothing yet. */
export interface PreparedWorker {
  start(): Promise<WorkerProcess>;
  /** SIGKILL, and until it is gone. */
  kill(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** The way in which all workers of a file advance runs, if it is not the default. */
export interface WorkersOfFile {
  readonly settings: Environment;
  /** The package of the workers. */
  readonly folder: string;
}

/** Its name in the environment, where a file of test/scale sets it before the suites that it imports. */
export const WORKERS_OF_FILE = 'COUNTERSIGN_TEST_WORKERS';

function workersOfFile(): WorkersOfFile | null {
  const given = process.env[WORKERS_OF_FILE];
  return given === undefined ? null : (JSON.parse(given) as WorkersOfFile);
}

/**
 * A worker beside an api, if a file of test/scale has workers of its own; otherwise the suite needs none.
 *
 * @returns a function that ends it.
 */
export async function workerBeside({ db, config, keyDirectory }: TestApi): Promise<() => Promise<void>> {
  if (workersOfFile() === null) return () => Promise.resolve();
  const data = mkdtempSync(join(tmpdir(), 'countersign-beside-'));
  symlinkSync(keyDirectory, join(data, 'keys'));
  const worker = await startWorkerProcess({
    DATABASE_URL: db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PUBLIC_URL: config.publicUrl,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: config.allowedPrivateHosts.join(','),
    COUNTERSIGN_LOOK_MS: '200',
  });
  return async () => {
    await worker.terminate();
    rmSync(data, { recursive: true });
  };
}

/**
 * Has a worker advance the runs of an api until none is due. It does nothing unless a file of test/scale has workers of its own.
 */
export async function advanceRuns(api: TestApi): Promise<void> {
  if (workersOfFile() === null) return;
  const end = await workerBeside(api);
  await until(async () => {
    const { rowCount } = await api.db.owner.query(`select from run_advance_due(clock_timestamp(), 1, '{}', '{}')`);
    return rowCount === 0;
  });
  await end();
}

/** @param folder of a package, if it is not the compiled one. */
export const startWorkerProcess = (environment: Environment, folder?: string): Promise<WorkerProcess> =>
  workerOf(spawnWorker('main', environment, folder));

/** Most of the time of a start is that of loading code, which this does ahead. */
export function prepareWorkerProcess(environment: Environment, folder?: string): PreparedWorker {
  const child = spawnWorker('prepared', environment, folder);
  return {
    start: () => {
      child.stdin.end('go');
      return workerOf(child);
    },
    kill: async () => {
      const exited = once(child, 'exit');
      if (child.kill('SIGKILL')) await exited;
    },
  };
}

function spawnWorker(
  program: 'main' | 'prepared',
  environment: Environment,
  otherFolder?: string,
): ChildProcessWithoutNullStreams {
  const ofFile = workersOfFile();
  const folder = otherFolder ?? ofFile?.folder ?? compiledPackage();
  return spawn(process.execPath, [join(folder, 'dist', 'programs', 'worker', `${program}.js`)], {
    cwd: folder,
    env: { ...withoutCountersign(process.env), COUNTERSIGN_WORKER_PORT: '0', ...ofFile?.settings, ...environment },
  });
}

async function workerOf(child: ChildProcessWithoutNullStreams): Promise<WorkerProcess> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const written = (): string => output;
  const port = await portOf(child, exited, written);
  return {
    pid: child.pid ?? 0,
    port,
    written,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    terminate: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

/** From the line that the worker logs when it is at work. */
async function portOf(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<unknown>,
  written: () => string,
): Promise<number> {
  const listening = new Promise<number>((resolve) => {
    const read = (): void => {
      const found = /"port":(\d+),"msg":"the worker is at work"/.exec(written())?.[1];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => (timer = setTimeout(resolve, STARTED_WITHIN_MS, null)));
  const port = await Promise.race([listening, tooLate, exited.then(() => null)]);
  clearTimeout(timer);
  if (port !== null) return port;
  child.kill('SIGKILL');
  throw new Error(`the worker did not start: ${written().slice(-4_000)}`);
}

const withoutCountersign = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('COUNTERSIGN_') && name !== 'NODE_OPTIONS'),
  );
