import type { BoundSubject } from '#lib/approval';
import { LIFTING_ROLES } from '#lib/formats';
import type { Halt, HaltReader } from '#lib/halt';
import type { Failure, HaltId, Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import { agentsOf } from './run.ports.js';

/**
 * The refusal of a run that a halt keeps from going on with its remaining steps; null if none does.
 *
 * Failure: `halt.active`.
 */
export async function haltAhead(
  tx: Tx,
  halts: Pick<HaltReader, 'active' | 'find'>,
  run: Pick<Run, 'environmentId'>,
  subject: BoundSubject,
  steps: readonly RunStep[],
): Promise<Failure | null> {
  const ahead = steps.filter((step) => step.state !== 'succeeded');
  const [first] = await halts.active(tx, {
    environmentId: run.environmentId,
    agentIds: agentsOf({ subject }),
    tools: [...new Set(ahead.map((step) => step.toolName))],
  });
  // The facts of a halt have its id.
  const halt = first === undefined ? null : await halts.find(tx, first.id as HaltId);
  return halt === null ? null : halted(halt);
}

const halted = ({ id, target, reason, createdBy }: Halt): Failure => ({
  kind: 'forbidden',
  code: 'halt.active',
  message: `A halt of ${whatIsHalted(target)} is in force, set by ${createdBy.display_name}: ${reason}`,
  action: `Have the halt lifted by ${LIFTING_ROLES.join(' or ')} and resume again, or roll the run back or cancel it.`,
  details: { halt_id: id, kind: target.kind, set_by: { kind: createdBy.kind, id: createdBy.id } },
});

function whatIsHalted(target: Halt['target']): string {
  switch (target.kind) {
    case 'tenant':
      return 'everything';
    case 'environment':
      return `the environment ${target.environment}`;
    case 'agent':
      return `the agent ${target.agentId}`;
    case 'tool':
      return `the tool ${target.tool}`;
  }
}
