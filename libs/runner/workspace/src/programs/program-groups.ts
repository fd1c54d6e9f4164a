import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** How long an ended group may take to be gone. */
const GONE_WITHIN_MS = 5_000;

/**
 * One group of processes. A number may belong to another group later, so the start of the leader tells it apart, and the home
 * folder tells apart the processes that a leader left behind.
 */
const noteSchema = z.strictObject({
  group: z.int().min(2),
  /** Of this boot of the machine, in clock ticks. */
  started: z.string(),
  boot: z.string(),
  home: z.string(),
});
type Note = z.infer<typeof noteSchema>;

/**
 * The process groups of programs under way, one file each. A runner that was killed (SIGKILL) leaves its programs behind if no
 * sandbox ends them: its next start ends those of the notes. Only a crash of the machine loses a note, and it ends the programs, too.
 */
export class ProgramGroups {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** To be called with the start of the program, before anything else happens. @param home its HOME. */
  started(group: number, home: string): void {
    const leader = processOf(group);
    if (leader === null) return;
    const note: Note = { group, started: leader.started, boot: bootId(), home };
    writeFileSync(this.#fileOf(group), JSON.stringify(note), { mode: 0o600 });
  }

  /** The group has no member any more. */
  ended(group: number): void {
    rmSync(this.#fileOf(group), { force: true });
  }

  /** Ends the groups of a process before. @returns those that still had members. */
  async endLeft(): Promise<readonly number[]> {
    const left: number[] = [];
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const note = noteIn(path);
      if (note !== null && note.boot === bootId() && (await endGroup(note))) left.push(note.group);
      rmSync(path, { force: true });
    }
    return left;
  }

  readonly #fileOf = (group: number): string => join(this.folder, `${String(group)}.json`);
}

function noteIn(path: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // A note that was not written to its end.
    return null;
  }
}

/** @returns whether the group had members. */
async function endGroup(note: Note): Promise<boolean> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (let found = false; ; found = true) {
    const members = membersOf(note);
    if (members.length === 0) return found;
    for (const pid of members) kill(pid);
    if (performance.now() > deadline) return true;
    await delay(10);
  }
}

/** The living processes of the group: all of them under the leader of the note, and those of its home without a leader. */
function membersOf({ group, started, home }: Note): readonly number[] {
  const leader = processOf(group);
  if (leader !== null && leader.started !== started) return [];
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const found = processOf(pid);
      return found?.lives === true && found.group === group && (leader !== null || homeOf(pid) === home);
    });
}

interface FoundProcess {
  readonly group: number;
  readonly started: string;
  /** False for a zombie. */
  readonly lives: boolean;
}

function processOf(pid: number): FoundProcess | null {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    // pid (name) state ppid pgrp … and the start as the 22nd: the name can hold anything, also parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', , group] = fields;
    return { group: Number(group), started: fields[19] ?? '', lives: state !== 'Z' && state !== 'X' };
  } catch {
    return null;
  }
}

function homeOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0');
    return variables.find((each) => each.startsWith('HOME='))?.slice('HOME='.length);
  } catch {
    // It ended, or belongs to another user.
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
