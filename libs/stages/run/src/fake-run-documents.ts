import { planPhaseSchema, type PlanDocument, type ToolDefinition } from '#lib/formats';
import type { DispatchOrder, DispatchOutcome } from '#lib/dispatch';
import { digestOf, type Result, type RunId, type Tx } from '#lib/kernel';
import type { RunRepository } from './application/run.repository.js';
import type { RunStepId } from './domain/ids.js';

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

/** The members that a document may leave out, with the values that it then has. */
const DEFAULTS = planPhaseSchema.parse({ name: 'phase', targets: [], steps: [step('step')] });

export const phase = (
  name: string,
  targets: readonly string[],
  steps: readonly Step[],
  more: Partial<Phase> = {},
): Phase => ({ ...DEFAULTS, name, targets: [...targets], steps: [...steps], ...more });

export const failed = (effect: 'not_started' | 'done'): DispatchOutcome => ({
  kind: 'failed',
  effect,
  error: { code: 'tool.broken', message: 'broken' },
});
export const lost: DispatchOutcome = { kind: 'unknown', error: { code: 'dispatch.timeout', message: 'no answer' } };
export const fine: DispatchOutcome = { kind: 'succeeded', result: { ok: true } };

let host = 0;
/** A target that no other test of the file touches. */
export const newHost = (): string => `host-${String((host += 1))}`;

/** A worker that dies after the call has left: it never writes the answer. */
export class Died extends Error {}
export const dieAfterSending = (): never => {
  throw new Died('the worker was killed');
};

/** The calls that left, each as its tool and targets. */
export const called = ({ calls }: { readonly calls: readonly DispatchOrder[] }): readonly string[] =>
  calls.map((call) => `${call.tool.name} ${JSON.stringify(call.arguments.targets ?? [])}`);

/** The repositories from which runs can be read. */
export interface ReadableRuns {
  readonly runs: Pick<RunRepository, 'steps'>;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export async function stepIdOf(world: ReadableRuns, runId: RunId, name: string): Promise<RunStepId> {
  const found = (await world.tx((tx) => world.runs.steps(tx, runId))).find((candidate) => candidate.stepId === name);
  if (found === undefined) throw new Error(`no step ${name}`);
  return found.id;
}

/** The value, or an error that shows the refusal. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.error)}`);
}

/** The code of a refusal; `ok` for none. */
export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

/** Resolves once the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const identified: ToolDefinition['parameters'] = {
  type: 'object',
  properties: { targets: { type: 'array', items: { type: 'string' } }, amount: { type: 'integer' } },
  required: ['targets'],
  additionalProperties: false,
};

const tool = (name: string, changes: Partial<ToolDefinition>): ToolDefinition => ({
  name,
  description: name,
  risk: 'state_change_nonprod',
  idempotent: false,
  scope: 'asset',
  effect: 'modify',
  surface: 'asset',
  parameters: identified,
  requires_plan: true,
  requires_hitl: 'configurable',
  simulated_by: null,
  simulation: 'not_applicable',
  canary: true,
  identity_fields: ['/targets'],
  executor: 'fleet',
  time_limit_seconds: 30,
  ...changes,
});

/** `deploy` may not be repeated, `restart` may; `undeploy` undoes, and `undeploy_once` only once; `release` is for production; `check` reads. */
export const RUN_TOOLS: readonly ToolDefinition[] = [
  tool('deploy', {}),
  tool('restart', { idempotent: true }),
  tool('undeploy', { idempotent: true }),
  tool('undeploy_once', {}),
  tool('release', { risk: 'state_change_prod' }),
  tool('check', { risk: 'read_only', idempotent: true, effect: 'read', requires_plan: false, requires_hitl: 'never' }),
  tool('reindex', {
    identity_fields: [],
    scope: 'environment',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  }),
];

/** Ways to swap the arguments of an expanded plan, each with the code that stops its call (T02). */
export const SWAPPED_ARGUMENTS: readonly (readonly [
  how: string,
  code: string,
  swap: (text: string, target: string) => string,
])[] = [
  ['alone', 'run.arguments_altered', (text) => text.replace('"amount":1', '"amount":1000')],
  [
    'with their digest',
    'run.not_allowed',
    (text, target) =>
      text
        .replace('"amount":1', '"amount":1000')
        .replace(
          /"arguments_digest":"sha256:[0-9a-f]+"/,
          `"arguments_digest":"${digestOf('arguments', { amount: 1_000, targets: [target] })}"`,
        ),
  ],
];
