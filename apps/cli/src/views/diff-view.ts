import pc from 'picocolors';
import type { PlanDiffView } from '#lib/contracts';
import { indented, oneLine } from '../output.js';
import { jsonText, targetsText } from './calls-view.js';
import { namesText } from './names.js';

type Changes = Pick<PlanDiffView, 'document' | 'calls' | 'targets'>;
type ValueChange = PlanDiffView['document'][number];

/** What differs between two plans: in what would be done first, then in how it is written. */
export function diffLines({ calls, document, targets }: Changes): string[] {
  const lines = [
    ...(targets.added.length === 0 ? [] : [pc.green(`+ targets ${namesText(targets.added)}`)]),
    ...(targets.removed.length === 0 ? [] : [pc.red(`- targets ${namesText(targets.removed)}`)]),
    ...(calls === null ? ['What would be done cannot be compared: one of the two could not be expanded.'] : []),
    ...(calls ?? []).flatMap((call) => [
      `${sign(call.kind)} call ${oneLine(call.step_id)} in ${oneLine(call.phase)}${targetsText(call.targets)}`,
      ...indented(call.changes.flatMap(changeLines)),
    ]),
    ...(document.length === 0 ? [] : [pc.bold('as it is written')]),
    ...indented(document.flatMap(changeLines)),
  ];
  return lines.length === 0 ? ['nothing differs'] : lines;
}

function changeLines({ pointer, kind, before, after }: ValueChange): string[] {
  return [
    `${sign(kind)} ${oneLine(pointer)}`,
    ...(kind === 'added' ? [] : [pc.red(`    - ${jsonText(before)}`)]),
    ...(kind === 'removed' ? [] : [pc.green(`    + ${jsonText(after)}`)]),
  ];
}

function sign(kind: ValueChange['kind']): string {
  if (kind === 'added') return pc.green('+');
  return kind === 'removed' ? pc.red('-') : pc.yellow('~');
}
