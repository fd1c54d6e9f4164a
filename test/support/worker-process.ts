import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledPackage } from './compiled-package.js';

const STARTED_WITHIN_MS = 60_000;

/** A real worker in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** Where it serves health and figures. */
  readonly port: number;
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
  folder = compiledPackage(),
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(folder, 'dist', 'apps', 'worker', 'src', `${program}.js`)], {
    cwd: folder,
    env: { ...withoutCountersign(process.env), COUNTERSIGN_WORKER_PORT: '0', ...environment },
  });
}

async function workerOf(child: ChildProcessWithoutNullStreams): Promise<WorkerProcess> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const port = await portOf(child, exited);
  return {
    pid: child.pid ?? 0,
    port,
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
async function portOf(child: ChildProcessWithoutNullStreams, exited: Promise<unknown>): Promise<number> {
  let output = '';
  const listening = new Promise<number>((resolve) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /"port":(\d+),"msg":"the worker is at work"/.exec(output)?.[1];
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
  throw new Error(`the worker did not start: ${output.slice(-4_000)}`);
}

const withoutCountersign = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('COUNTERSIGN_') && name !== 'NODE_OPTIONS'),
  );
