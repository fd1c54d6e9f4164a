import pc from 'picocolors';
import type { RunDetailView, RunEventView, RunView } from '#lib/api-schemas';
import { shortenedInWords } from '#lib/words';
import { counted, duration, fields, indented, moment, oneLine, state, table } from '../output.js';
import { decisionLines } from './decision-view.js';
import { namesText } from './names.js';

type Step = RunDetailView['steps'][number];

export const runTable = (runs: readonly RunView[]): string[] =>
  table(
    ['run', 'state', 'executes', 'started', 'what is done'],
    runs.map((run) => [
      run.id,
      run.state,
      run.incident_id === null ? run.scope : `${run.scope}, break-glass`,
      moment(run.started_at ?? run.created_at),
      run.headline ?? '',
    ]),
    [1],
  );

/** The state of a run, in one line, with its reason if there is one. */
export function standingLines(run: RunView): string[] {
  const asked = run.requested === null ? '' : ` (asked to ${run.requested.replace('_', ' ')} after what is under way)`;
  const { waiting_on: waiting, reason } = run;
  return [
    `${pc.bold('run')} ${run.id} is ${state(run.state)}${asked}`,
    ...(waiting === null ? [] : [`waits for ${oneLine(waiting.target)}, which run ${waiting.run_id} holds`]),
    ...(run.state === 'executing' && run.wait_until !== null ? [`waits until ${moment(run.wait_until)}`] : []),
    ...(reason === null ? [] : [`${oneLine(reason.message)} ${pc.dim(oneLine(reason.code))}`]),
  ];
}

export function runLines(run: RunDetailView): string[] {
  const { outcome, predicted, explanation } = run;
  return [
    ...standingLines(run),
    ...(run.headline === null ? [] : [pc.bold(oneLine(run.headline))]),
    ...fields([
      ...(run.incident_id === null ? [] : [['break-glass', pc.red(`incident ${run.incident_id}`)] as const]),
      ['environment', oneLine(run.environment)],
      ['plan', run.plan_id],
      ['executes', run.scope === 'all' ? 'the whole plan' : `its ${run.scope}`],
      ...(run.approval_request_id === null ? [] : [['approved by', `request ${run.approval_request_id}`] as const]),
      ['started by', `${run.started_by.kind} ${oneLine(run.started_by.display_name)}`],
      ...(predicted === null
        ? []
        : [
            [
              'predicted',
              `${counted(predicted.affected_assets, 'asset')}, ${duration(predicted.estimated_duration_minutes * 60)}`,
            ] as const,
          ]),
      ...(outcome === null
        ? []
        : [
            [
              'came to',
              `${counted(outcome.affected_assets, 'asset')}, ${duration(outcome.duration_minutes * 60)}`,
            ] as const,
          ]),
    ]),
    ...(explanation === null
      ? []
      : [
          '',
          pc.bold('policy at its start'),
          ...indented(decisionLines(explanation.decision, explanation.autonomy_line)),
        ]),
    '',
    ...table(
      ['step', 'phase', 'batch', 'tool', 'state', 'targets', ''],
      run.steps.map((step) => [
        step.kind === 'call' ? step.step_id : `check ${step.step_id}`,
        String(step.phase_index + 1),
        String(step.batch_index + 1),
        step.tool,
        step.state,
        namesText(step.attempts.at(-1)?.targets ?? []),
        step.error?.message ?? '',
      ]),
      [4],
    ),
    ...(outcome?.not_undone ?? []).map((left) =>
      pc.red(`not undone: ${oneLine(left.step_id)} (${oneLine(left.tool)}), ${left.why.replaceAll('_', ' ')}`),
    ),
    ...unknownLines(run),
  ];
}

/** A step with an unknown effect, and the statements that resolve it. */
export function unknownLines(run: RunDetailView): string[] {
  const unknown = run.steps.filter((step) => step.state === 'unknown');
  if (unknown.length === 0) return [];
  return [
    '',
    pc.red('Nobody knows whether this took effect. See for yourself, then say so:'),
    ...indented(
      unknown.flatMap((step) => [
        unknownText(step),
        `countersign run resolve ${run.id} ${step.id} --happened --note "..."`,
      ]),
    ),
  ];
}

const unknownText = (step: Step): string =>
  `${oneLine(step.step_id)}: ${oneLine(step.tool)} on ${namesText(step.attempts.at(-1)?.targets ?? [])} (or --did-not${step.idempotent ? ', --retry' : ''})`;

const textOf = (value: unknown): string => (typeof value === 'string' ? oneLine(value) : '');
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
// Any object may be read by name: an absent member is undefined.
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** One thing that happened, in one line. */
export function eventLine({ at, type, actor, data }: RunEventView): string {
  const name = type.replace(/^run\./, '');
  const who = actor.kind === 'system' ? '' : pc.dim(` by ${oneLine(actor.display_name)}`);
  return `${pc.dim(moment(at))}  ${painted(name)(name.replaceAll('_', ' '))}${factsText(data)}${who}`;
}

function factsText(data: RunEventView['data']): string {
  const targets = listOf(data.targets);
  const seconds = typeof data.wait_ms === 'number' ? Math.round(data.wait_ms / 1_000) : null;
  const scale = data.shortened_for_demonstration_by;
  const facts = [
    [textOf(data.step_id), textOf(data.tool)].filter((text) => text !== '').join(' '),
    namesText(targets),
    batchText(data),
    textOf(data.explanation),
    textOf(memberOf(data.reason, 'message')),
    textOf(memberOf(data.error, 'message')),
    textOf(data.note),
    seconds === null ? '' : `until ${moment(textOf(data.until))} (${duration(seconds)})`,
    typeof scale === 'number' ? shortenedInWords(scale) : '',
  ].filter((text) => text !== '');
  return facts.length === 0 ? '' : `  ${facts.join(pc.dim(' · '))}`;
}

function batchText(data: RunEventView['data']): string {
  const { phase_index: phase, batch_index: batch } = data;
  if (typeof phase !== 'number' || typeof batch !== 'number') return '';
  return pc.dim(`phase ${String(phase + 1)}, batch ${String(batch + 1)}`);
}

function painted(name: string): (text: string) => string {
  if (/succeeded|completed/.test(name)) return pc.green;
  return /failed|unknown|lost|rolled_back|rolling_back|cancelled|given_up/.test(name) ? pc.red : pc.bold;
}
