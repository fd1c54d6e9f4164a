import pc from 'picocolors';
import type { PlanDiffView } from '#lib/api-schemas';
import { oneLine } from '../output.js';

type Changes = Pick<PlanDiffView, 'in_words' | 'targets'>;

/** The differences between two plans, each once. */
export function diffLines({ in_words: inWords, targets }: Changes): string[] {
  const same = targets.added.length + targets.removed.length === 0;
  if (inWords.length === 0 && same) return ['nothing differs'];
  return [
    ...(same ? [pc.dim('the same targets')] : []),
    ...inWords.map(({ where, what, before, after }) =>
      [
        `${where === '' ? '' : `${oneLine(where)}: `}${oneLine(what)}`,
        ...(before === null ? [] : [pc.red(`- ${oneLine(before)}`)]),
        ...(before === null || after === null ? [] : ['→']),
        ...(after === null ? [] : [pc.green(`+ ${oneLine(after)}`)]),
      ].join(' '),
    ),
  ];
}
