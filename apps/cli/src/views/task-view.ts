import pc from 'picocolors';
import type { PlanSummaryView, PlanView, TaskView } from '#lib/contracts';
import { fields, indented, moment, oneLine, quoted, state, table } from '../output.js';
import { planLines } from './calls-view.js';
import { decisionLines } from './decision-view.js';
import { namesText } from './names.js';

/** Says whose words follow; they decide nothing. */
const wordsOf = (kind: string): string => pc.dim(`in the ${kind === 'agent' ? "agent's" : "submitter's"} own words:`);

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
    wordsOf(task.submitted_by.kind),
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
    ...(plans.length === 0 ? [] : ['', ...table(['plan', 'revision', 'status', 'submitted'], plans.map(planRow), [2])]),
  ];
}

const planRow = (plan: PlanSummaryView): string[] => [
  plan.id,
  String(plan.revision),
  plan.status,
  moment(plan.created_at),
];

export const taskTable = (tasks: readonly TaskView[]): string[] =>
  table(
    ['task', 'state', 'environment', 'type', 'submitted', 'goal (in the words of who submitted it)'],
    tasks.map(({ id, state: is, spec, created_at: at }) => [
      id,
      is,
      spec.environment,
      spec.task_type,
      moment(at),
      shortened(spec.goal),
    ]),
    [1],
  );

export const planTable = (plans: readonly PlanSummaryView[]): string[] =>
  table(
    ['plan', 'revision', 'status', 'submitted', 'task'],
    plans.map((plan) => [...planRow(plan), plan.task_id]),
    [2],
  );

const LONGEST_GOAL = 60;

/** The beginning of a text, for a column. */
export const shortened = (text: string): string =>
  text.length <= LONGEST_GOAL ? text : `${text.slice(0, LONGEST_GOAL - 1)}…`;

/** @param submitter who submitted it, by name. */
export function planDetailLines(plan: PlanView, submitter: string): string[] {
  return [
    `${pc.bold('plan')} ${plan.id} is ${state(plan.status)}`,
    ...(plan.document.summary === undefined
      ? []
      : [wordsOf(plan.submitted_by.kind), ...indented(quoted(plan.document.summary))]),
    ...fields([
      ['task', plan.task_id],
      ['revision', String(plan.revision)],
      ['digest', plan.digest ?? 'none: it could not be expanded'],
      ['submitted by', submitter],
      ['submitted', moment(plan.created_at)],
    ]),
    ...(plan.explanation === null
      ? []
      : ['', pc.bold('policy'), ...indented(decisionLines(plan.explanation.decision, plan.explanation.autonomy_line))]),
    ...(plan.errors.length === 0 ? [] : ['', pc.bold('what is wrong'), ...indented(plan.errors.map(errorLine))]),
    ...(plan.expanded === null
      ? []
      : ['', pc.bold('what would be done'), ...indented(planLines(plan.expanded).slice(1))]),
  ];
}

const errorLine = ({ pointer, message, code }: PlanView['errors'][number]): string =>
  `${oneLine(pointer)}: ${oneLine(message)} ${pc.dim(code)}`;
