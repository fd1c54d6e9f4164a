import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProgramGroups } from './program-groups.js';

let base: string;
let folder: string;
const started: number[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'countersign-groups-'));
  folder = join(base, 'programs');
});
afterEach(() => {
  for (const pid of started.splice(0)) if (lives(pid)) process.kill(pid, 'SIGKILL');
  rmSync(base, { recursive: true });
});

/** A program in a group of its own, which writes the number of its child. */
async function program(script: string, home = base): Promise<{ readonly leader: number; readonly child: number }> {
  const file = join(base, 'child');
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const options = { detached: true, stdio: 'ignore', env } as const;
  const { pid: leader = 0 } = spawn('/bin/sh', ['-c', `sleep 90 & echo $! > '${file}'; ${script}`], options);
  new ProgramGroups(folder).started(leader, home);
  await until(() => textOf(file).endsWith('\n'));
  const child = Number(textOf(file));
  started.push(leader, child);
  return { leader, child };
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

function lives(pid: number): boolean {
  const stat = textOf(`/proc/${String(pid)}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it did not come to that in time');
    await delay(5);
  }
}

/** The ends that the next process brings. */
const endLeft = (): Promise<readonly number[]> => new ProgramGroups(folder).endLeft();

/** Changes the only note, as if it were of another time. */
function changeNote(changes: object): void {
  const [name = ''] = readdirSync(folder);
  const note = JSON.parse(textOf(join(folder, name))) as object;
  writeFileSync(join(folder, name), JSON.stringify({ ...note, ...changes }));
}

describe('the process groups that a killed process leaves', () => {
  it('end with all their members, and their notes are gone', async () => {
    const { leader, child } = await program('wait');
    expect(await endLeft()).toEqual([leader]);
    expect([lives(leader), lives(child)]).toEqual([false, false]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await endLeft()).toEqual([]);
  });

  it('end, too, if their leader has ended', async () => {
    const { leader, child } = await program('exit');
    await until(() => !lives(leader));
    expect(lives(child)).toBe(true);
    expect(await endLeft()).toEqual([leader]);
    expect(lives(child)).toBe(false);
  });

  it.each([
    ['started at another time', { started: '1' }],
    ['is of another boot of the machine', { boot: 'another' }],
  ])('are left alone if the leader of that number %s', async (_what, changes) => {
    const { leader, child } = await program('wait');
    changeNote(changes);
    expect(await endLeft()).toEqual([]);
    expect([lives(leader), lives(child)]).toEqual([true, true]);
  });

  it('are left alone without a leader if their home is another', async () => {
    const { leader, child } = await program('exit');
    await until(() => textOf(`/proc/${String(leader)}/stat`) === '');
    changeNote({ home: '/elsewhere' });
    expect(await endLeft()).toEqual([]);
    expect(lives(child)).toBe(true);
  });

  it('have no note once they have ended, nor if a note was cut off', async () => {
    const { leader, child } = await program('wait');
    new ProgramGroups(folder).ended(leader);
    writeFileSync(join(folder, '7.json'), '{"group":');
    expect(await endLeft()).toEqual([]);
    expect(lives(child)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });
});
