import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { makeFolderSync } from '#lib/folders';

/** How long an ended group may take to be gone. */
const GONE_WITHIN_MS = 5_000;

/**
 * A program, before its start and afterwards. A number may belong to another group later, so the start of the leader tells it apart.
 * A home folder of the runner's own tells its processes apart in any group. Null if others have the same one.
 */
const noteSchema = z.strictObject({
  /** Null before the start. */
  group: z.int().min(2).nullable(),
  /** Of the leader, in clock ticks of this boot of the machine. */
  started: z.string(),
  boot: z.string(),
  home: z.string().nullable(),
});
type Note = z.infer<typeof noteSchema>;

/**
 * Notes of the programs under way, one file each. A runner that was killed (SIGKILL) leaves its programs behind if no sandbox ends
 * them: its next start ends those of the notes. Only a crash of the machine loses a note, and it ends the programs, too.
 */
export class ProgramGroups {
  constructor(private readonly folder: string) {
    makeFolderSync(folder);
  }

  /**
   * Starts a program as the leader of a group of its own. It is noted before it starts, and as its group at once afterwards.
   *
   * @param home its HOME if no other program of the machine has the same one.
   * @returns with the program a function that removes the note, to be called once the group has no member.
   */
  noted<Child extends { readonly pid?: number | undefined }>(
    home: string | null,
    start: () => Child,
  ): { readonly child: Child; readonly ended: () => void } {
    const path = join(this.folder, `${randomUUID()}.json`);
    const write = (note: Pick<Note, 'group' | 'started'>): void => {
      writeFileSync(path, JSON.stringify({ ...note, boot: bootId(), home }), { mode: 0o600 });
    };
    const ended = (): void => {
      rmSync(path, { force: true });
    };
    write({ group: null, started: '' });
    try {
      const child = start();
      const leader = child.pid === undefined ? null : processOf(child.pid);
      if (child.pid !== undefined && leader !== null) write({ group: child.pid, started: leader.started });
      return { child, ended };
    } catch (error) {
      ended();
      throw error;
    }
  }

  /** Ends all processes with a HOME that no other program of the machine has, also those that left their group. */
  async endOf(home: string): Promise<void> {
    await endAll({ group: null, started: '', boot: bootId(), home });
  }

  /** Ends the programs that a process before left. @returns the numbers of their processes. */
  async endLeft(): Promise<readonly number[]> {
    const left = new Set<number>();
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const note = noteIn(path);
      if (note?.boot === bootId()) for (const pid of await endAll(note)) left.add(pid);
      rmSync(path, { force: true });
    }
    return [...left];
  }
}

function noteIn(path: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // A note that was not written to its end.
    return null;
  }
}

async function endAll(note: Note): Promise<ReadonlySet<number>> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  const ended = new Set<number>();
  for (;;) {
    const members = membersOf(note);
    if (members.length === 0 || performance.now() > deadline) return ended;
    for (const pid of members) {
      kill(pid);
      ended.add(pid);
    }
    await delay(10);
  }
}

/** The living processes of a note. They are the group under its leader, and those of its home that may have left the group. */
function membersOf({ group, started, home }: Note): readonly number[] {
  const isLed = group !== null && processOf(group)?.started === started;
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const found = processOf(pid);
      if (found?.lives !== true) return false;
      return (isLed && found.group === group) || (home !== null && homeOf(pid) === home);
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
