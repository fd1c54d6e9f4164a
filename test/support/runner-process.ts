import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledPackage } from './compiled-package.js';

const STARTED_WITHIN_MS = 60_000;

/** A real runner in a process of its own. */
export interface RunnerProcess {
  readonly pid: number;
  /** All that it wrote so far. */
  output(): string;
  /** SIGKILL, and until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and until it has ended by itself. Its exit code. */
  terminate(): Promise<number | null>;
  /** Until it has ended by itself. Its exit code. */
  ended: Promise<number | null>;
}

/** @param settings its environment variables, and no others of Countersign. */
export async function startRunnerProcess(settings: Readonly<Record<string, string>>): Promise<RunnerProcess> {
  const folder = compiledPackage();
  const child = spawn(process.execPath, [join(folder, 'dist', 'programs', 'runner', 'main.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ended = exited.then(([code]) => code);
  let output = '';
  let started: () => void = () => undefined;
  const atWork = new Promise<void>((resolve) => (started = resolve));
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    if (output.includes('"msg":"the runner is at work"')) started();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, STARTED_WITHIN_MS, 'late')));
  const outcome = await Promise.race([
    atWork.then(() => 'at work' as const),
    tooLate,
    ended.then(() => 'ended' as const),
  ]);
  clearTimeout(timer);
  if (outcome !== 'at work') {
    child.kill('SIGKILL');
    throw new Error(`the runner did not start: ${output.slice(-4_000)}`);
  }
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    terminate: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
