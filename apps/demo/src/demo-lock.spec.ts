import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDemo, DemoIsRunning } from './demo-lock.js';

describe('the claim on the data of the demo', () => {
  let folder: string;
  let file: string;
  let other: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
    file = join(folder, 'kept', 'demo.lock');
  });
  afterEach(() => {
    other?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('is given back, and can be made again', () => {
    claimDemo(file)();
    expect(existsSync(file)).toBe(false);
    claimDemo(file)();
  });

  it('is refused while another process holds it, and taken over once that has died', async () => {
    other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const pid = other.pid ?? 0;
    claimDemo(file, pid);
    expect(() => claimDemo(file)).toThrow(DemoIsRunning);
    expect(() => claimDemo(file)).toThrow(`process ${String(pid)}`);
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
    const release = claimDemo(file);
    expect(readFileSync(file, 'utf8')).toBe(`${String(process.pid)}\n`);
    release();
  });

  it('counts for nothing if it names no process', () => {
    claimDemo(file)();
    writeFileSync(file, 'nonsense');
    claimDemo(file)();
  });
});
