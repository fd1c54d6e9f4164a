import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../test/support/until.js';
import { Processes } from './processes.js';

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the processes of the demo', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
    writeFileSync(
      join(folder, 'polite.js'),
      `process.on('SIGTERM', () => setTimeout(() => process.exit(0), 50));
      setInterval(() => {}, 1000);`,
    );
    writeFileSync(join(folder, 'plain.js'), 'setInterval(() => {}, 1000);');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (processes: Processes): number[] =>
    ['polite.js', 'plain.js', 'plain.js'].map((script) => processes.start(script, script, [], {}).child.pid ?? 0);

  it('have all ended once the demo has stopped them', async () => {
    const processes = new Processes(folder, folder);
    const pids = start(processes);
    expect(pids.map(runs)).toEqual([true, true, true]);
    await processes.stopAll();
    expect(pids.map(runs)).toEqual([false, false, false]);
  });

  it('end with the demo also if it has no time to wait, even in the midst of stopping them', async () => {
    const processes = new Processes(folder, folder);
    writeFileSync(join(folder, 'polite.js'), `process.on('SIGTERM', () => undefined); setInterval(() => {}, 1000);`);
    const pids = start(processes);
    const stopping = processes.stopAll();
    processes.killAll();
    await until(() => !pids.some(runs));
    await stopping;
  });

  it('are missed if one ends by itself, and not if it was stopped or is a command', async () => {
    const processes = new Processes(folder, folder);
    const missed = jest.fn<undefined, [unknown]>();
    const lost = processes.lost.catch(missed);
    writeFileSync(join(folder, 'command.js'), '');
    await processes.run('command', 'command.js', [], {});
    start(processes);
    writeFileSync(join(folder, 'brief.js'), `console.log('the disk is full'); process.exitCode = 1;`);
    expect(missed).not.toHaveBeenCalled();
    processes.start('api', 'brief.js', [], {});
    await lost;
    expect(missed).toHaveBeenCalledWith(
      expect.objectContaining({
        message: expect.stringMatching(/^The api has ended\. The end of .*api\.log:\nthe disk is full$/) as string,
      }),
    );
    await processes.stopAll();

    const stopped = new Processes(folder, folder);
    void stopped.lost.catch(missed);
    start(stopped);
    await stopped.stopAll();
    expect(missed).toHaveBeenCalledTimes(1);
  });
});
