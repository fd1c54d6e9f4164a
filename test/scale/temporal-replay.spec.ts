import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { WORKFLOW_FILE } from '#lib/dispatcher-temporal';
import { packageWithTemporal, startTemporal, temporalParts } from '../support/temporal-server.js';
import { NO_LOOK, ofType, temporalWorld, withWait } from '../support/temporal-world.js';
import { BUILT_WITHIN_MS } from '../support/through-temporal.js';
import { until } from '../support/until.js';

/** The real server made it, of a run that waited, was woken, and failed in two turns. */
const RECORDED = join(packageRoot(), 'test/scale/temporal/history.json');
const folder = mkdtempSync(join(tmpdir(), 'countersign-replay-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Plays the history with the program of today. @returns its complaint; nothing if both agree. */
function replayed(history: string): string {
  const home = packageWithTemporal(temporalParts());
  cpSync(join(packageRoot(), 'test/scale/temporal/replay.mjs'), join(home, 'replay.mjs'));
  const path = join(folder, 'history.json');
  writeFileSync(path, history);
  const { status, stderr } = spawnSync(process.execPath, [join(home, 'replay.mjs'), join(home, WORKFLOW_FILE), path], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : stderr;
}

async function record(): Promise<void> {
  const temporal = await startTemporal();
  const at = await temporalWorld(temporal);
  const { world } = at;
  const worker = await at.work('temporal', NO_LOOK);
  const { id } = await world.queued(withWait(3_000));
  const workflow = at.workflowOf(id);
  const timers = (count: number) =>
    until(async () => ofType(await temporal.history(workflow).catch(() => []), 'TIMER_STARTED') >= count);
  await timers(1);
  await temporal.wake(workflow);
  await timers(2);
  await world.db.owner.query('alter table plan rename to plan_elsewhere');
  await temporal.wake(workflow);
  await timers(4);
  await world.db.owner.query('alter table plan_elsewhere rename to plan');
  await until(async () => {
    await world.passTime(3_001);
    await temporal.wake(workflow);
    return (await world.run(id)).state === 'completed';
  });
  await until(async () => (await temporal.workflow(workflow))?.status === 'WORKFLOW_EXECUTION_STATUS_COMPLETED');
  writeFileSync(RECORDED, `${JSON.stringify(await temporal.recorded(workflow), null, 1)}\n`);
  await worker.kill();
  await temporal.stop();
  await at.close();
}

describe('the history of a run that Temporal keeps', () => {
  // COUNTERSIGN_RECORD_HISTORY=1 records another, after a change of the workflow that no history has to survive.
  if (process.env.COUNTERSIGN_RECORD_HISTORY === '1') beforeAll(record, BUILT_WITHIN_MS);

  it(
    'is played again by the workflow of today',
    () => {
      expect(replayed(readFileSync(RECORDED, 'utf8'))).toBe('');
    },
    BUILT_WITHIN_MS,
  );

  it(
    'is refused if the workflow did something else then',
    () => {
      const other = readFileSync(RECORDED, 'utf8').replaceAll('"name": "advance"', '"name": "another"');
      expect(replayed(other)).toContain('Nondeterminism');
    },
    BUILT_WITHIN_MS,
  );
});
