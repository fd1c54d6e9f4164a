import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgramGroups } from '#lib/workspace';
import { errorCode } from '#lib/kernel';
import { CommandFailure } from '../domain/stop.js';
import { errorText } from './error-text.js';
import { withFileMode } from './with-file-mode.js';

/** A program, ready to start. */
export interface Start {
  readonly path: string;
  readonly name: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An opened folder. */
  readonly folder: number;
  /** The runner's descriptor for each of the program's. */
  readonly descriptors: ReadonlyMap<number, number>;
}

/**
 * The programs of one line. Each is started without a shell, as the leader of a process group of its own, without a terminal.
 * A program that leaves its group (setsid) is ended with it only in a sandbox. All processes of a sandbox end together.
 */
export class Processes {
  readonly #running = new Set<Promise<unknown>>();
  /** The groups that may have members left. */
  readonly #groups = new Set<number>();
  /** Remove the notes of groups. */
  readonly #ended: (() => void)[] = [];

  /** @param note `home` is the folder that the line has for itself, also if a command of it sets HOME. */
  constructor(private readonly note?: { readonly groups: ProgramGroups; readonly home: string }) {}

  /** Starts a program. The answer resolves to its exit status, 128 + n after signal n. @throws CommandFailure */
  start({ path, name, arguments: words, environment, folder, descriptors }: Start): Promise<number> {
    const stdio = Array.from(
      { length: Math.max(...descriptors.keys()) + 1 },
      (_, at) => descriptors.get(at) ?? 'ignore',
    );
    const program = (): ChildProcess =>
      withFileMode(() =>
        spawn(path, words, {
          argv0: name,
          // The opened folder itself: its path may lead elsewhere by now.
          cwd: `/proc/${String(process.pid)}/fd/${String(folder)}`,
          env: environment,
          stdio,
          detached: true,
        }),
      );
    let child: ChildProcess;
    try {
      child = this.#noted(program);
    } catch (error) {
      throw new CommandFailure(126, errorText(error));
    }
    const { pid } = child;
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', (error) => {
        reject(new CommandFailure(errorCode(error) === 'ENOENT' ? 127 : 126, errorText(error)));
      });
      child.once('exit', (status, signal) => {
        resolve(signal === null ? (status ?? 0) : 128 + constants.signals[signal]);
      });
    });
    if (pid === undefined) return ended;
    this.#groups.add(pid);
    const running: Promise<unknown> = ended.then(
      () => {
        this.#running.delete(running);
        // From now on the number of an empty group can become another's.
        this.#signal(pid, 0);
      },
      () => {
        this.#running.delete(running);
      },
    );
    this.#running.add(running);
    return ended;
  }

  /** Ends every process group: politely, and after the grace for good. Resolves once the programs that were started are gone. */
  async end(graceMs: number): Promise<void> {
    this.#signalAll('SIGTERM');
    const deadline = performance.now() + graceMs;
    while (this.#anyLives() && performance.now() < deadline) await delay(10);
    this.#signalAll('SIGKILL');
    await Promise.all(this.#running);
    for (const ended of this.#ended.splice(0)) ended();
  }

  #noted(program: () => ChildProcess): ChildProcess {
    if (this.note === undefined) return program();
    const { child, ended } = this.note.groups.noted(this.note.home, program);
    this.#ended.push(ended);
    return child;
  }

  #anyLives(): boolean {
    if (this.#groups.size === 0) return false;
    const living = livingGroups();
    for (const group of this.#groups) if (!living.has(group)) this.#groups.delete(group);
    return this.#groups.size > 0;
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const group of this.#groups) this.#signal(group, signal);
  }

  #signal(group: number, signal: NodeJS.Signals | 0): void {
    try {
      process.kill(-group, signal);
    } catch {
      this.#groups.delete(group);
    }
  }
}

/** The process groups that have a member besides zombies, which a signal would find too. */
function livingGroups(): ReadonlySet<number> {
  const groups = new Set<number>();
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      // pid (name) state ppid pgrp: the name can hold anything, also parentheses.
      const [, state, group] = /\) (\S) \S+ (\S+) [^)]*$/.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? [];
      if (state !== 'Z' && state !== 'X') groups.add(Number(group));
    } catch {
      // The process ended in the meantime.
    }
  }
  return groups;
}
