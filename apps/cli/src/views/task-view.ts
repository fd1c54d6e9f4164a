import pc from 'picocolors';
import type { PlanSummaryView, PlanView, TaskView } from '#lib/api-schemas';
import { fields, indented, moment, oneLine, quoted, state, table } from '../output.js';
import { doneLines } from './calls-view.js';
import { decisionLines } from './decision-view.js';
import { namesText } from './names.js';
import { riskText } from './simulation-view.js';

/** Names the author of the next words; they decide nothing. */
const wordsOf = (submitter: string): string => pc.dim(`written by ${submitter}; not verified:`);

/** @param submitter who submitted it, by name. */
export function taskLines(task: TaskView, plans: readonly PlanSummaryView[], submitter: string): string[] {
  const { spec } = task;
  const { canary_required: canary, max_batch_percent: batch, rollback_trigger: trigger } = spec.constraints ?? {};
  const limits = [
    ...(canary === true ? ['a canary first'] : []),
    ...(batch === undefined ? [] : [`batches of at most ${String(batch)} percent`]),
    ...(trigger === undefined ? [] : [`roll back if ${oneLine(trigger)}`]),
  ];
  return [
    `${pc.bold('task')} ${task.id} is ${state(task.state)}`,
    pc.bold(oneLine(task.headline ?? 'no valid plan yet')),
    wordsOf(submitter),
    ...indented([
      ...quoted(spec.goal),
      ...(spec.scope?.description === undefined ? [] : quoted(spec.scope.description)),
    ]),
    ...fields([
      ['type', oneLine(spec.task_type)],
      ['environment', oneLine(spec.environment)],
      ...(spec.scope?.targets === undefined ? [] : [['targets', namesText(spec.scope.targets)] as const]),
      ...(limits.length === 0 ? [] : [['limits', limits.join(', ')] as const]),
      ['decide within', `${String(spec.timeout_minutes)} min of asking`],
      ...(spec.agent === undefined ? [] : [['model', oneLine(`${spec.agent.model} ${spec.agent.version}`)] as const]),
      ['submitted by', submitter],
      ['submitted', moment(task.created_at)],
    ]),
    ...(plans.length === 0
      ? []
      : ['', ...table(['plan', 'status', 'risk', 'submitted', 'what is done'], plans.map(planRow), [1])]),
  ];
}

const planRow = (plan: PlanSummaryView): string[] => [
  plan.id,
  plan.status,
  plan.plan_risk ?? '',
  moment(plan.created_at),
  plan.headline ?? `revision ${String(plan.revision)}, which is not valid`,
];

export const taskTable = (tasks: readonly TaskView[]): string[] =>
  table(
    ['task', 'state', 'environment', 'type', 'submitted', 'what is done'],
    tasks.map(({ id, state: is, spec, headline, created_at: at }) => [
      id,
      is,
      spec.environment,
      spec.task_type,
      moment(at),
      headline ?? 'no valid plan yet',
    ]),
    [1],
  );

export const planTable = (plans: readonly PlanSummaryView[]): string[] =>
  table(['plan', 'status', 'risk', 'submitted', 'what is done'], plans.map(planRow), [1]);

/** @param submitter who submitted it, by name. */
export function planDetailLines(plan: PlanView, submitter: string): string[] {
  return [
    `${pc.bold('plan')} ${plan.id} is ${state(plan.status)}`,
    ...(plan.description === null ? [] : [pc.bold(oneLine(plan.description.headline))]),
    ...fields([
      ['task', plan.task_id],
      ['revision', String(plan.revision)],
      ...(plan.description === null ? [] : [['risk', riskText(plan.description.risk)] as const]),
      ['digest', plan.digest ?? 'none: it could not be expanded'],
      ['submitted by', submitter],
      ['submitted', moment(plan.created_at)],
    ]),
    ...(plan.explanation === null
      ? []
      : ['', pc.bold('policy'), ...indented(decisionLines(plan.explanation.decision, plan.explanation.autonomy_line))]),
    ...(plan.errors.length === 0 ? [] : ['', pc.bold('what is wrong'), ...indented(plan.errors.map(errorLine))]),
    ...(plan.description === null ? [] : ['', pc.bold('what is done'), ...indented(doneLines(plan.description))]),
    ...(plan.words.length === 0 ? [] : ['', wordsOf(submitter), ...indented(plan.words.flatMap(quoted))]),
  ];
}

const errorLine = ({ pointer, message, code }: PlanView['errors'][number]): string =>
  `${oneLine(pointer)}: ${oneLine(message)} ${pc.dim(code)}`;
