import pc from 'picocolors';
import type { AutonomyChange, ConfigurationChange, ToolChangePlan } from '#lib/api-schemas';
import type { MayWait } from '#lib/sdk';
import { counted, oneLine, safe, table } from '../output.js';
import { guardedLines, waitingLines } from './change-view.js';

/** The document names tools of a catalog that waits: its effect is known once they are there. */
export interface AwaitingTools {
  readonly awaiting_tools: readonly string[];
  readonly guarded?: undefined;
  readonly guardrail_warning?: undefined;
  readonly role_warnings?: undefined;
}

/** The changes of each part of a configuration, made or planned. */
export interface Applied {
  readonly environments: readonly ConfigurationChange[];
  readonly tools: MayWait<ToolChangePlan> | null;
  readonly executors: readonly ConfigurationChange[];
  readonly autonomy: MayWait<AutonomyChange | AwaitingTools> | null;
}

export const appliedLines = ({ environments, tools, executors, autonomy }: Applied): string[] => [
  ...partLines('environments', environments),
  ...(tools === null ? [] : guardedLines(tools, toolLines)),
  ...partLines('executors', executors),
  ...(autonomy === null ? [] : guardedLines(autonomy, autonomyLines)),
];

/** The changes that a second person would have to confirm. */
export const loosensLines = (loosens: readonly string[]): string[] =>
  loosens.length === 0
    ? []
    : [
        pc.yellow('A second admin, if there is one, would have to confirm:'),
        ...loosens.map((what) => `  ${pc.yellow('LOOSENS')} ${oneLine(what)}`),
      ];

function partLines(noun: string, changes: readonly ConfigurationChange[]): string[] {
  const changed = changes.filter(({ change }) => change !== 'unchanged');
  if (changed.length === 0) return changes.length === 0 ? [] : [`${noun}: ${String(changes.length)} as they were`];
  const rows = changed.map(({ change, name, what }) => [change, name, oneLine(what)]);
  return [
    pc.bold(`${noun}: ${String(changed.length)} of ${String(changes.length)} change`),
    ...table(['change', '', ''], rows),
    ...changed.flatMap(({ waits, guardrail_warning: warning }) => [
      ...(waits === undefined ? [] : waitingLines(waits)),
      ...(warning === undefined ? [] : [pc.yellow(`warning: ${oneLine(warning)}`)]),
    ]),
  ];
}

/** A tool in use is neither removed nor loosened. Any other change of it alters approved plans. */
function heldText({ change, loosens, live_plans: held }: ToolChangePlan['changes'][number]): string {
  if (held.length === 0) return '';
  const plans = counted(held.length, 'plan');
  return loosens.length > 0 || change === 'remove'
    ? `REFUSED while ${plans} that hold it are alive: ${held.join(', ')}`
    : `voids approvals of ${plans}`;
}

function toolLines(plan: ToolChangePlan): string[] {
  const changed = plan.changes.filter((change) => change.change !== 'unchanged');
  if (changed.length === 0) return [`tools: ${String(plan.changes.length)} as they were`];
  const rows = changed.map((change) => [
    change.change,
    change.name,
    change.change === 'update' ? change.fields.join(', ') : '',
    change.loosens.length === 0 ? '' : `LOOSENS: ${change.loosens.join('; ')}`,
    heldText(change),
  ]);
  return [
    pc.bold(`tools: ${String(changed.length)} of ${String(plan.changes.length)} change`),
    ...table(['change', 'tool', 'keys', '', ''], rows),
    ...plan.warnings.map((warning) => pc.yellow(`warning: ${oneLine(warning.pointer)}: ${oneLine(warning.message)}`)),
  ];
}

function autonomyLines(plan: AutonomyChange | AwaitingTools): string[] {
  if ('awaiting_tools' in plan) {
    return [
      pc.bold('autonomy: waits for the tools'),
      `  it names ${plan.awaiting_tools.map(oneLine).join(', ')}, which the catalog that waits would create`,
    ];
  }
  if (!plan.changed) return ['autonomy: as it was'];
  const cells = plan.cells.map((cell) => [cell.change, cell.tool, cell.environment, cell.what.join('; ')]);
  return [
    pc.bold(`autonomy: loosens ${String(plan.loosens)} and tightens ${String(plan.tightens)} cells of the matrix`),
    ...plan.diff.trimEnd().split('\n').map(diffLine),
    ...(cells.length === 0 ? [] : table(['cell', 'tool', 'environment', 'what'], cells)),
    ...plan.warnings.map((warning) =>
      pc.yellow(`warning: line ${String(warning.line ?? 1)}: ${oneLine(warning.message)}`),
    ),
  ];
}

function diffLine(line: string): string {
  if (line.startsWith('+')) return pc.green(safe(line));
  return line.startsWith('-') ? pc.red(safe(line)) : safe(line);
}
