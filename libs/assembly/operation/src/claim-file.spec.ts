import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFile, ClaimedElsewhere } from './claim-file.js';

describe('a claim on data', () => {
  let folder: string;
  let file: string;
  let other: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-claim-'));
    file = join(folder, 'kept', 'process');
  });
  afterEach(() => {
    other?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('is given back, and can be made again', () => {
    claimFile(file)();
    expect(existsSync(file)).toBe(false);
    claimFile(file)();
  });

  it('is refused while another process holds it, and taken over once that has died', async () => {
    other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const pid = other.pid ?? 0;
    claimFile(file, pid);
    expect(() => claimFile(file)).toThrow(ClaimedElsewhere);
    expect(() => claimFile(file)).toThrow(`process ${String(pid)}`);
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
    const release = claimFile(file);
    expect(readFileSync(file, 'utf8')).toBe(`${String(process.pid)}\n`);
    release();
  });

  it('counts for nothing if it names no process', () => {
    claimFile(file)();
    writeFileSync(file, 'nonsense');
    claimFile(file)();
  });
});
