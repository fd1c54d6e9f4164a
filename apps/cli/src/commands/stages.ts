import type { Command } from 'commander';
import pc from 'picocolors';
import { Ended, EXIT } from '../exit-codes.js';
import { simulated } from '../follow.js';
import { state } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { openedLines } from '../views/request-view.js';
import { simulationLines } from '../views/simulation-view.js';
import { shortageOf } from '../shortage-of.js';
import { startOption, type StartWhen } from './start-option.js';

/** Commands that bring a plan that is there already a stage further, or end it. */
export function addStages(program: Command, context: () => CommandContext): void {
  program
    .command('simulate')
    .description('simulate a plan, and wait for the prediction')
    .argument('<plan>', 'the plan')
    .addHelpText('after', '\nExample:\n  countersign simulate PLAN\n')
    .action(async (plan: string) => {
      const { client, output } = context();
      const last = await simulated(client(), plan, output.note);
      output.result(last, simulationLines(last));
      if (last.state !== 'succeeded') throw new Ended(EXIT.endedBadly);
    });

  program
    .command('ask')
    .description('ask for the approval of a plan')
    .argument('<plan>', 'the plan')
    .addOption(startOption())
    .addHelpText(
      'after',
      '\nExamples:\n  countersign ask PLAN\n  countersign ask PLAN --start manual\n  countersign ask PLAN --start 2026-11-20T22:00Z\n',
    )
    .action(async (plan: string, options: { start?: StartWhen }) => {
      const { client, output } = context();
      const api = client();
      const request = await api.post('/v1/plans/{id}/approval-requests', {
        path: { id: plan },
        body: options.start ?? {},
      });
      const warnings = await shortageOf(api, request.id);
      output.result({ ...request, ...(warnings.length === 0 ? {} : { warnings }) }, [
        ...openedLines(plan, request, warnings),
        `next: countersign watch ${request.id}`,
      ]);
    });

  const withdraw = program.command('withdraw').description('take a plan or an approval request back');
  withdraw
    .command('plan')
    .argument('<plan>', 'the plan')
    .description('take a plan back; an approval of it is void')
    .addHelpText('after', '\nExample:\n  countersign withdraw plan PLAN\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const plan = await client().post('/v1/plans/{id}/withdraw', { path: { id } });
      output.result(plan, [`${pc.bold('plan')} ${plan.id} is ${state(plan.status)}`]);
    });
  withdraw
    .command('request')
    .argument('<request>', 'the approval request')
    .description('take an approval request back')
    .addHelpText('after', '\nExample:\n  countersign withdraw request REQUEST\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const request = await client().post('/v1/approval-requests/{id}/withdraw', { path: { id } });
      output.result(request, [`${pc.bold('approval request')} ${request.id} is ${state(request.state)}`]);
    });

  program
    .command('cancel')
    .argument('<task>', 'the task')
    .description('cancel a task; its plan is withdrawn')
    .addHelpText('after', '\nExample:\n  countersign cancel TASK\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const task = await client().post('/v1/tasks/{id}/cancel', { path: { id } });
      output.result(task, [`${pc.bold('task')} ${task.id} is ${state(task.state)}`]);
    });
}
