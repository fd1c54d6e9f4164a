import type { PlanDocument } from '#lib/contracts';
import type { DispatchOutcome } from '#lib/dispatch';
import type { RunId, RunStepId } from '#lib/kernel';
import { runWorld, type RunWorld } from './run-world.js';

type Phase = PlanDocument['phases'][number];
type Step = Phase['steps'][number];

export const batchTargets = { targets: { $batch: 'targets' } };
export const undo = { tool: 'undeploy', arguments: batchTargets };
export const healthCheck = { name: 'web', tool: 'check', arguments: batchTargets };

export const step = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  tool: 'deploy',
  arguments: batchTargets,
  on_failure: 'pause',
  ...more,
});

export const phase = (
  name: string,
  targets: readonly string[],
  steps: readonly Step[],
  more: Partial<Phase> = {},
): Phase => ({
  name,
  canary: false,
  targets: [...targets],
  batch_percent: 100,
  wait_seconds: 0,
  health_checks: [],
  steps: [...steps],
  ...more,
});

export const failed = (effect: 'not_started' | 'done'): DispatchOutcome => ({
  kind: 'failed',
  effect,
  error: { code: 'tool.broken', message: 'broken' },
});
export const lost: DispatchOutcome = { kind: 'unknown', error: { code: 'dispatch.timeout', message: 'no answer' } };
export const fine: DispatchOutcome = { kind: 'succeeded', result: { ok: true } };

/** A world for the tests of one file; before each of them its tool server forgets its calls and answers well. */
export function worldOfFile(): () => RunWorld {
  let world: RunWorld;
  beforeAll(async () => {
    world = await runWorld();
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(() => {
    world.calls.length = 0;
    world.behave(() => fine);
  });
  return () => world;
}

let host = 0;
/** A target that no other test of the file touches. */
export const newHost = (): string => `host-${String((host += 1))}`;

/** The calls that left, each as its tool and targets. */
export const called = ({ calls }: RunWorld): readonly string[] =>
  calls.map((call) => `${call.tool.name} ${JSON.stringify(call.arguments.targets ?? [])}`);

export async function stepIdOf(world: RunWorld, runId: RunId, name: string): Promise<RunStepId> {
  const found = (await world.tx((tx) => world.runs.steps(tx, runId))).find((candidate) => candidate.stepId === name);
  if (found === undefined) throw new Error(`no step ${name}`);
  return found.id;
}
