import type { Command } from 'commander';
import pc from 'picocolors';
import type { ApprovalRequestView, PlanView, SimulationView } from '#lib/api-schemas';
import type { PlanDocument, TaskSpec } from '#lib/formats';
import { readDocument, withPositions } from '../documents.js';
import { Ended, EXIT } from '../exit-codes.js';
import { simulated } from '../follow.js';
import { counted, indented, state } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { decisionLines } from '../views/decision-view.js';
import { openedLines } from '../views/request-view.js';
import { shortageOf } from '../shortage-of.js';
import { simulationLines } from '../views/simulation-view.js';
import { startOption, type StartWhen } from './start-option.js';

const taskHelp = `
A task, YAML or JSON; - reads standard input:
  goal: Remediate drift on 47 production web servers
  task_type: drift_remediation
  environment: production
  timeout_minutes: 60                      # how long approvers have
  constraints: { max_batch_percent: 20 }   # they only tighten

Examples:
  countersign submit task task.yaml
  countersign --json submit task - < task.json
`;

const planHelp = `
A plan, YAML or JSON; - reads standard input:
  summary: The golden image for the web servers
  phases:
    - name: canary                           # in production: 20 percent at most
      canary: true
      targets: [web-01]
      wait_seconds: 300
      health_checks:
        - { name: web, tool: query_alerts, arguments: { targets: { $batch: targets } } }
      rollback_if: web.error_rate > 0.05
      steps:
        - id: first
          tool: execute_rollout_prod
          arguments: { targets: { $batch: targets }, image: web-2026.11 }
          on_failure: rollback
    - name: rest
      targets: [web-02, web-03, web-04, web-05]
      batch_percent: 20
      health_checks:
        - { name: web, tool: query_alerts, arguments: { targets: { $batch: targets } } }
      rollback_if: web.error_rate > 0.05
      steps:
        - id: rollout
          tool: execute_rollout_prod
          arguments: { targets: { $batch: targets }, image: web-2026.11 }
          on_failure: rollback

Examples:
  countersign submit plan TASK plan.yaml
  countersign submit plan TASK plan.yaml --simulate --ask
  countersign submit plan TASK plan.yaml --simulate --ask --start manual
`;

interface PlanOptions {
  readonly simulate?: boolean;
  readonly ask?: boolean;
  readonly start?: StartWhen;
}

/** `countersign submit`: a task and its plan. */
export function addSubmit(program: Command, context: () => CommandContext): void {
  const submit = program.command('submit').description('submit a task, or a plan for one');

  submit
    .command('task')
    .description('submit a task')
    .argument('<file>', 'the task, YAML or JSON')
    .addHelpText('after', taskHelp)
    .action(async (file: string) => {
      const { client, output, io } = context();
      const document = await readDocument(file, io);
      // The server checks the document, and names the position of a mistake.
      const task = await withPositions(document, client().post('/v1/tasks', { body: document.value as TaskSpec }));
      output.result(task, [
        `${pc.bold('task')} ${task.id} is ${state(task.state)}`,
        `next: countersign submit plan ${task.id} plan.yaml --simulate --ask`,
      ]);
    });

  submit
    .command('plan')
    .description('submit a plan for a task; it replaces an earlier plan of the task, and voids its approval')
    .argument('<task>', 'the task')
    .argument('<file>', 'the plan, YAML or JSON')
    .option('--simulate', 'simulate it, and wait for the prediction')
    .option('--ask', 'ask for approval')
    .addOption(startOption())
    .addHelpText('after', planHelp)
    .action(async (task: string, file: string, options: PlanOptions) => {
      const { client, output, io } = context();
      const api = client();
      const document = await readDocument(file, io);
      const plan = await withPositions(
        document,
        // The server checks the document, and names the position of a mistake.
        api.post('/v1/tasks/{id}/plans', { path: { id: task }, body: document.value as PlanDocument }),
      );
      output.note(planLines(plan).join('\n'));
      const simulation = options.simulate === true ? await simulated(api, plan.id, output.note) : null;
      if (simulation !== null && simulation.state !== 'succeeded') {
        output.result({ plan, simulation, request: null }, simulationLines(simulation));
        throw new Ended(EXIT.endedBadly);
      }
      const request =
        options.ask === true
          ? await api.post('/v1/plans/{id}/approval-requests', { path: { id: plan.id }, body: options.start ?? {} })
          : null;
      const warnings = request === null ? [] : await shortageOf(api, request.id);
      output.result({ plan, simulation, request, ...(warnings.length === 0 ? {} : { warnings }) }, [
        ...(simulation === null ? [] : simulationLines(simulation)),
        ...(request === null ? [] : openedLines(plan.id, request, warnings)),
        `next: ${nextStep(plan, simulation, request)}`,
      ]);
    });
}

function planLines(plan: PlanView): string[] {
  const calls = plan.expanded?.phases.flatMap((phase) => phase.batches.flatMap((batch) => batch.calls)) ?? [];
  const size = `${counted(calls.length, 'call')} on ${counted(plan.expanded?.distinct_targets.length ?? 0, 'target')}`;
  return [
    `${pc.bold('plan')} ${plan.id}, revision ${String(plan.revision)}, is ${state(plan.status)}: ${size}`,
    ...(plan.explanation === null
      ? []
      : indented(decisionLines(plan.explanation.decision, plan.explanation.autonomy_line))),
  ];
}

/** At the stage validate no person is asked yet. The obligations name the later reviewers, and a step that changes nothing. */
function nextStep(plan: PlanView, simulation: SimulationView | null, request: ApprovalRequestView | null): string {
  if (request !== null) return `countersign watch ${request.id}`;
  const obligations = plan.explanation?.decision.obligations;
  const asked = obligations?.approvals.length !== 0;
  const then = asked ? `countersign ask ${plan.id}` : `countersign run start ${plan.id}`;
  const changesNothing = obligations?.audit_level === 'basic' || obligations?.audit_level === 'detailed';
  return simulation !== null || changesNothing ? then : `countersign simulate ${plan.id}, then ${then}`;
}
