import pc from 'picocolors';
import type { ExpandedCall, ExpandedInvocation, ExpandedPhase, ExpandedPlan } from '#lib/contracts';
import { counted, duration, indented, oneLine } from '../output.js';
import { namesLines, namesText } from './names.js';

/** What is known of a tool beyond its name. */
export type ToolNotes = ReadonlyMap<string, string>;

/** Calls of one step that differ in nothing but their targets. */
interface CallGroup {
  readonly heading: readonly string[];
  readonly batches: Map<number, string[]>;
}

/**
 * What would be done, from the expanded plan alone: by phase and step, the arguments that all its calls share, and each
 * batch's targets.
 *
 * @param only the calls to show, where not all of the plan would be executed.
 */
export function planLines(plan: ExpandedPlan, notes: ToolNotes = new Map(), only?: ReadonlySet<number>): string[] {
  return plan.phases.flatMap((phase) => {
    const lines = phaseLines(phase, notes, only);
    return lines.length === 0 ? [] : ['', ...lines];
  });
}

function phaseLines(phase: ExpandedPhase, notes: ToolNotes, only: ReadonlySet<number> | undefined): string[] {
  const groups = new Map<string, CallGroup>();
  const targets = new Set<string>();
  const batches = new Set<number>();
  for (const batch of phase.batches) {
    for (const call of batch.calls) {
      if (only?.has(call.seq) === false) continue;
      batches.add(batch.index);
      const heading = callHeading(call, notes);
      const key = heading.join('\n');
      const group = groups.get(key) ?? { heading, batches: new Map<number, string[]>() };
      groups.set(key, group);
      group.batches.set(batch.index, [...(group.batches.get(batch.index) ?? []), ...call.invocation.targets]);
      for (const target of call.invocation.targets) targets.add(target);
    }
  }
  if (groups.size === 0) return [];
  const size = [counted(targets.size, 'target'), counted(batches.size, 'batch', 'batches')].join(' in ');
  return [
    `${pc.bold(`phase ${oneLine(phase.name)}`)}${phase.canary ? pc.cyan(' (canary)') : ''}: ${size}`,
    ...indented([...[...groups.values()].flatMap(groupLines), ...afterwards(phase)]),
  ];
}

function groupLines({ heading, batches }: CallGroup): string[] {
  const lines = [...batches].flatMap(([index, names]) => {
    const [first = 'no target', ...more] = namesLines(names);
    const count = names.length > 1 ? ` ${pc.dim(`(${String(names.length)})`)}` : '';
    return more.length === 0
      ? [`batch ${String(index + 1)}  ${first}${count}`]
      : [`batch ${String(index + 1)}${count}`, ...indented([first, ...more])];
  });
  return [...heading, ...indented(lines)];
}

function callHeading(call: ExpandedCall, notes: ToolNotes): string[] {
  const { invocation, compensate_with: undo } = call;
  const note = notes.get(`${invocation.tool.name}@${String(invocation.tool.version)}`);
  return [
    `${oneLine(call.step_id)}: ${pc.bold(toolText(invocation))}${note === undefined ? '' : pc.dim(` ${note}`)}`,
    ...indented([
      ...argumentLines(invocation),
      `if it fails: ${call.on_failure}`,
      undo === null
        ? pc.yellow('cannot be undone')
        : `undone by ${toolText(undo)} ${argumentText(undo, invocation.targets)}`,
    ]),
  ];
}

function afterwards(phase: ExpandedPhase): string[] {
  const wait = phase.wait_seconds === 0 ? [] : [`wait ${duration(phase.wait_seconds)}`];
  const seen = new Set<string>();
  const checks = phase.batches
    .flatMap(({ targets, health_checks: checks }) => checks.map((check) => ({ ...check, targets })))
    .map(
      ({ name, invocation, targets }) =>
        `check ${oneLine(name)} with ${toolText(invocation)} ${argumentText(invocation, targets)}`,
    )
    .filter((text) => !seen.has(text) && seen.add(text));
  const rollback = phase.rollback_if === null ? [] : [`roll back if ${oneLine(phase.rollback_if)}`];
  const all = [...wait, ...checks, ...rollback];
  return all.length === 0 ? [] : [pc.dim('after each batch:'), ...indented(all)];
}

const toolText = ({ tool, executor }: ExpandedInvocation): string =>
  oneLine(`${tool.name}@${String(tool.version)} on ${executor.name}`);

const argumentLines = ({ arguments: given, targets }: ExpandedInvocation): string[] =>
  Object.entries(given).map(([name, value]) => `${oneLine(name)} = ${valueText(value, targets)}`);

const argumentText = ({ arguments: given }: ExpandedInvocation, targets: readonly string[]): string =>
  `with ${valueText(given, targets)}`.replace(/^with \{\}$/, 'without arguments');

/** A value as JSON, the call's or batch's targets named as such; a text is always in quotation marks, and cannot pretend. */
function valueText(value: unknown, targets: readonly string[]): string {
  if (Array.isArray(value)) {
    const own = value.length > 0 && value.length === targets.length && value.every((item, at) => item === targets[at]);
    return own ? pc.cyan('<the targets>') : `[${value.map((item) => valueText(item, targets)).join(', ')}]`;
  }
  if (typeof value === 'string' && targets.length === 1 && value === targets[0]) return pc.cyan('<the target>');
  if (typeof value !== 'object' || value === null) return jsonText(value);
  const members = Object.entries(value).map(([name, member]) => `${jsonText(name)}: ${valueText(member, targets)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Any value on one line. */
export const jsonText = (value: unknown): string => (value === undefined ? 'nothing' : oneLine(JSON.stringify(value)));

/** Targets as a list of changes would name them. */
export const targetsText = (targets: readonly string[]): string =>
  targets.length === 0 ? '' : ` on ${namesText(targets)}`;
