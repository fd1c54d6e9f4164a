import type { BoundSubject } from '#lib/approval';
import { compareBindings, currentBinding } from '#lib/approval';
import { activeFreezes } from '#lib/autonomy';
import type { ApprovalBinding } from '#lib/formats';
import type { ApprovalFacts, HaltFacts, RunStepInput, ShellFacts } from '#lib/policy-inputs';
import type { TenantId } from '#lib/kernel';
import { expansionDigest, toolKeyOf } from '#lib/plan';
import type { Run } from './run.js';
import type { RunStep } from './run-step.js';
import { stepPlanFacts } from './step-plan-facts.js';

/**
 * Compares each record that the run's authority is bound to with the record now. The digest of the plan is computed from the
 * content that would be executed: the stored digest proves nothing (T02).
 */
function bindingsOf(subject: BoundSubject, binding: ApprovalBinding, run: Run): RunStepInput['bindings'] {
  const changed = new Set(compareBindings(binding, currentBinding(subject)).map(({ member }) => member));
  // A newer prediction of the same plan changes nothing about the one that was approved.
  if (subject.simulation?.id !== run.simulationId) changed.delete('simulation');
  return {
    task: !changed.has('task'),
    environment: !changed.has('environment'),
    plan: !changed.has('plan') && expansionDigest(subject.plan.expanded) === run.planDigest,
    tools: !changed.has('tools'),
    executors: !changed.has('executors'),
    simulation: !changed.has('simulation'),
  };
}

/** The person who broke the glass started the run. */
function breakGlassFacts({
  subject,
  starterRoles,
}: {
  readonly subject: Pick<BoundSubject, 'autonomy'>;
  readonly starterRoles: readonly string[];
}): RunStepInput['break_glass'] {
  const override = subject.autonomy.emergencyOverride;
  return {
    enabled: override?.enabled === true,
    allowed_roles: [...(override?.allowed_roles ?? [])],
    invoker_roles: [...starterRoles],
  };
}

/**
 * The question to policy just before a step is dispatched.
 *
 * @param shell the verdict on the call's command line, judged now; null if its tool takes none
 */
export function runStepInput(
  facts: {
    readonly tenantId: TenantId;
    readonly now: number;
    readonly subject: BoundSubject;
    readonly starterRoles: readonly string[];
    readonly approval: ApprovalFacts | null;
    readonly binding: ApprovalBinding;
    readonly halts: readonly HaltFacts[];
  },
  run: Run,
  step: RunStep,
  purpose: 'call' | 'compensation',
  {
    tool,
    shell,
  }: { readonly tool: { readonly name: string; readonly version: number }; readonly shell: ShellFacts | null },
): RunStepInput {
  const { subject } = facts;
  return {
    now: facts.now,
    tenant_id: facts.tenantId,
    autonomy: subject.autonomy.facts,
    actor: { kind: 'system', id: 'run-executor', scopes: [] },
    run: { id: run.id, state: run.state, scope: run.phases === 'canary' ? 'canary' : 'all' },
    step: {
      seq: step.seq,
      tool: toolKeyOf(tool),
      phase_index: step.phaseIndex,
      kind: purpose === 'compensation' ? 'compensation' : step.kind,
      shell,
    },
    task: subject.facts.task,
    environment: { ...subject.environment },
    tools: { ...subject.facts.tools },
    plan: stepPlanFacts(subject.facts.plan, subject.facts.tools, step),
    approved: run.approvedTerms,
    approval: facts.approval,
    break_glass: run.authority.kind === 'break_glass' ? breakGlassFacts(facts) : null,
    bindings: bindingsOf(subject, facts.binding, run),
    freeze: {
      active: activeFreezes(subject.autonomy.document, facts.now),
      starter_roles: [...facts.starterRoles],
    },
    halts: [...facts.halts],
  };
}
