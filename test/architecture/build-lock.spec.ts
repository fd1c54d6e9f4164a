import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeOnce, removeLock } from '../support/build-lock.js';

describe('a folder that one of several processes makes', () => {
  let folder: string;
  let target: string;
  let lock: string;
  let made: number;
  const make = (): void => {
    made += 1;
    mkdirSync(target);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-build-lock-'));
    target = join(folder, 'built');
    lock = `${target}.lock`;
    made = 0;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is made once, and leaves no lock', () => {
    madeOnce(target, make);
    madeOnce(target, make);
    expect([made, readdirSync(folder)]).toEqual([1, ['built']]);
  });

  it('leaves no lock if it cannot be made', () => {
    const fails = (): void => {
      throw new Error('a wrong source');
    };
    expect(() => {
      madeOnce(target, fails);
    }).toThrow('a wrong source');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is made in place of a process that was killed', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(lock, `${String(pid)} of-before`);
    madeOnce(target, make);
    expect([made, readdirSync(folder)]).toEqual([1, ['built']]);
  });

  it('ends the wait with an error that names the lock, if a process of that number runs for ever', () => {
    writeFileSync(lock, `${String(process.pid)} of-before`);
    expect(() => {
      madeOnce(target, make, 100);
    }).toThrow(`The file ${lock} has kept this test waiting for 0.1 s.`);
    expect([made, existsSync(lock)]).toEqual([0, true]);
  });

  it('keeps the lock of a process that took it after another looked', () => {
    writeFileSync(lock, '1 of-after');
    removeLock(lock, '1 of-before');
    expect([readdirSync(folder), readFileSync(lock, 'utf8')]).toEqual([['built.lock'], '1 of-after']);
    removeLock(lock, '1 of-after');
    expect(readdirSync(folder)).toEqual([]);
  });
});
