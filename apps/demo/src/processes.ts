import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 15_000;
const LOG_TAIL_LINES = 30;

/** One process of the demo, its output in a file. */
export interface RunningProcess {
  readonly name: string;
  readonly logFile: string;
  readonly child: ChildProcess;
}

/** Processes that are started in order and stopped in the opposite one, however the demo ends. */
export class Processes {
  readonly #running: RunningProcess[] = [];
  #stopping = false;
  #lose: (reason: Error) => void = () => undefined;
  /** Rejects once a process ends that was not stopped from here. */
  readonly lost = new Promise<never>((_, reject) => {
    this.#lose = reject;
  });

  constructor(
    private readonly root: string,
    private readonly logDirectory: string,
  ) {}

  /** Starts a process that is to run until it is stopped. */
  start(
    name: string,
    script: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): RunningProcess {
    const running = this.#spawn(name, script, args, environment);
    running.child.once('exit', () => {
      if (!this.#stopping)
        this.#lose(new Error(`The ${name} has ended. The end of ${running.logFile}:\n${tailOf(running.logFile)}`));
    });
    return running;
  }

  #spawn(
    name: string,
    script: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): RunningProcess {
    const logFile = join(this.logDirectory, `${name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [join(this.root, script), ...args], {
      cwd: this.root,
      env: { ...process.env, ...environment },
      // Interrupts typed at the terminal are for the demo, which then stops these in order.
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const running = { name, logFile, child };
    this.#running.push(running);
    return running;
  }

  /** Runs a command to its end. */
  async run(
    name: string,
    script: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { child, logFile } = this.#spawn(name, script, args, environment);
    const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)));
    if (code !== 0) throw new Error(`${name} failed; ${logFile} says why.`);
  }

  /** Waits until `url` answers 200; fails at once when the process ends before. */
  async ready(running: RunningProcess, url: string): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline) {
      if (running.child.exitCode !== null || running.child.signalCode !== null) break;
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      if (answer?.ok === true) return;
      await delay(50);
    }
    throw new Error(`The ${running.name} did not start. The end of ${running.logFile}:\n${tailOf(running.logFile)}`);
  }

  async stopAll(): Promise<void> {
    this.#stopping = true;
    for (let last = this.#running.at(-1); last !== undefined; last = this.#running.at(-1)) {
      await stop(last.child);
      // Only now: until it has ended, killAll has to know it.
      this.#running.splice(this.#running.indexOf(last), 1);
    }
  }

  /** For when there is no time to wait. */
  killAll(): void {
    this.#stopping = true;
    for (const { child } of this.#running) child.kill('SIGKILL');
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

/** Ports on 127.0.0.1 that are free just now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))));
  // Each listens at a port.
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const tailOf = (file: string): string =>
  readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
