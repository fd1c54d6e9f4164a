import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanDocument } from '#lib/formats';
import type { RunId } from '#lib/kernel';
import type { Run } from '#lib/run';
import { installationName } from '../../apps/worker/src/installation-name.js';
import { newHost, phase, step } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld, type RunWorld } from './run-world.js';
import { keepTestKeyring } from './seals.js';
import { packageWithTemporal, type TemporalEvent, type TemporalServer } from './temporal-server.js';
import { toolServer, type ToolServer } from './tool-server.js';
import { until } from './until.js';
import { startWorkerProcess, type WorkerProcess } from './worker-process.js';

type Settings = Readonly<Record<string, string>>;

/** No look helps within a test: what happens, a signal did. */
export const NO_LOOK = { COUNTERSIGN_LOOK_MS: '60000' };
export const OFTEN = { COUNTERSIGN_LOOK_MS: '200' };

/** Runs of an installation of its own, and its workers. */
export interface TemporalWorld {
  readonly world: RunWorld;
  readonly tools: ToolServer;
  /** As Temporal knows it. */
  readonly installation: string;
  /** Has the tools take so long for an answer. */
  answerAfter(ms: number): void;
  /** The settings of a worker, with the embedded dispatcher unless `more` says otherwise. */
  settings(more?: Settings): Settings;
  /** Starts a worker. */
  work(kind: 'embedded' | 'temporal', more?: Settings): Promise<WorkerProcess>;
  /** The id of a run's workflow. */
  workflowOf(id: RunId): string;
  inState(id: RunId, state: Run['state']): Promise<true>;
  /** Asserts that each step of the run succeeded, and that its call arrived once. */
  expectEachOnce(id: RunId): Promise<void>;
  close(): Promise<void>;
}

export async function temporalWorld(temporal: TemporalServer): Promise<TemporalWorld> {
  const data = mkdtempSync(join(tmpdir(), 'countersign-temporal-runs-'));
  let answerAfterMs = 0;
  const tools = await toolServer({
    before: async () => {
      await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
      return true;
    },
  });
  keepTestKeyring(data);
  const world = await runWorld({ toolServer: tools.url, timeLimitSeconds: 2, hints: true });
  const installation = await installationName(world.db.systemQuery);
  const settings = (more: Settings = OFTEN): Settings => ({
    DATABASE_URL: world.db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(tools.url).host,
    COUNTERSIGN_LEASE_MARGIN_MS: '100',
    ...more,
  });
  return {
    world,
    tools,
    installation,
    settings,
    answerAfter: (ms) => {
      answerAfterMs = ms;
    },
    work: (kind, more) =>
      kind === 'embedded'
        ? startWorkerProcess(settings(more))
        : startWorkerProcess({ ...temporal.settings, ...settings(more) }, packageWithTemporal(temporal)),
    workflowOf: (id) => `${id}.${installation}`,
    inState: (id, state) => until(async () => (await world.run(id)).state === state || null),
    expectEachOnce: async (id) => {
      const steps = await world.tx((tx) => world.runs.steps(tx, id));
      const arrived = steps.map(({ id: key }) => tools.ledger.filter((call) => call.key === key).length);
      expect({ states: new Set(steps.map(({ state }) => state)), arrived: new Set(arrived) }).toEqual({
        states: new Set(['succeeded']),
        arrived: new Set([1]),
      });
    },
    close: async () => {
      await tools.close();
      await world.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Steps that may not be repeated, one after the other. */
export const oneByOne = (count: number): PlanDocument => ({
  phases: [
    phase(
      'all',
      [newHost()],
      Array.from({ length: count }, (_, nth) => step(`deploy_${String(nth)}`)),
    ),
  ],
});

/** Two batches, and so many seconds between them. */
export const withWait = (seconds: number): PlanDocument => ({
  phases: [phase('all', [newHost(), newHost()], [step('deploy')], { batch_percent: 50, wait_seconds: seconds })],
});

export const ofType = (events: readonly TemporalEvent[], type: string): number =>
  events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`).length;
