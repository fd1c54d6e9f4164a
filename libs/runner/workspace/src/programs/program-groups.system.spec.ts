import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../../test/support/until.js';
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
async function program(script: string, home: string | null = base) {
  const file = join(base, 'child');
  const env = { PATH: process.env.PATH ?? '', HOME: home ?? '/tmp' };
  const options = { detached: true, stdio: 'ignore', env } as const;
  const { child: shell, ended } = new ProgramGroups(folder).noted(home, () =>
    spawn('/bin/sh', ['-c', `sleep 90 & echo $! > '${file}'; ${script}`], options),
  );
  await until(() => textOf(file).endsWith('\n'));
  const [leader, child] = [shell.pid ?? 0, Number(textOf(file))];
  started.push(leader, child);
  return { leader, child, ended };
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

/** The ends that the next process brings. */
const endLeft = (): Promise<readonly number[]> => new ProgramGroups(folder).endLeft();

/** Changes the only note, as if it were of another time. */
function changeNote(changes: object): void {
  const [name = ''] = readdirSync(folder);
  const note = JSON.parse(textOf(join(folder, name))) as object;
  writeFileSync(join(folder, name), JSON.stringify({ ...note, ...changes }));
}

/** Whether each has ended. */
const gone = (...pids: readonly number[]): boolean[] => pids.map((pid) => !lives(pid));

describe('the programs that a killed process leaves', () => {
  it('end with all members of their group, and their notes are gone', async () => {
    const { leader, child } = await program('wait', null);
    expect(new Set(await endLeft())).toEqual(new Set([leader, child]));
    expect(gone(leader, child)).toEqual([true, true]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await endLeft()).toEqual([]);
  });

  it('end, too, if their leader has ended, by their home', async () => {
    const { leader, child } = await program('exit');
    await until(() => textOf(`/proc/${String(leader)}/stat`) === '');
    expect(lives(child)).toBe(true);
    expect(await endLeft()).toEqual([child]);
    expect(lives(child)).toBe(false);
  });

  it('end, too, if they left their group, by their home', async () => {
    const { leader, child } = await program(`setsid sleep 90 & echo $! > '${join(base, 'away')}'; wait`);
    await until(() => textOf(join(base, 'away')).endsWith('\n'));
    const away = Number(textOf(join(base, 'away')));
    started.push(away);
    expect(new Set(await endLeft())).toEqual(new Set([leader, child, away]));
    expect(gone(leader, child, away)).toEqual([true, true, true]);
  });

  it('end, too, if the process died before it knew their group', async () => {
    const { leader, child } = await program('wait');
    changeNote({ group: null, started: '' });
    expect(new Set(await endLeft())).toEqual(new Set([leader, child]));
    expect(gone(leader, child)).toEqual([true, true]);
  });

  it.each<[string, object]>([
    ['the leader of that number started at another time', { started: '1', home: null }],
    ['the note is of another boot of the machine', { boot: 'another' }],
    ['their group is not known, and their home is another', { group: null, home: '/elsewhere' }],
    ['their group is not known, and others have the same home', { group: null, home: null }],
  ])('are left alone if %s', async (_what, changes) => {
    const { leader, child } = await program('wait');
    changeNote(changes);
    expect(await endLeft()).toEqual([]);
    expect(gone(leader, child)).toEqual([false, false]);
  });

  it('are left alone without a leader if their home is another', async () => {
    const { leader, child } = await program('exit');
    await until(() => textOf(`/proc/${String(leader)}/stat`) === '');
    changeNote({ home: '/elsewhere' });
    expect(await endLeft()).toEqual([]);
    expect(lives(child)).toBe(true);
  });

  it('have no note once they have ended or did not start, and a note that was cut off is dropped', async () => {
    const { child, ended } = await program('wait');
    ended();
    const failing = () =>
      new ProgramGroups(folder).noted(base, () => {
        throw new Error('no more processes');
      });
    expect(failing).toThrow('no more processes');
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, '7.json'), '{"group":');
    expect(await endLeft()).toEqual([]);
    expect(lives(child)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });
});
