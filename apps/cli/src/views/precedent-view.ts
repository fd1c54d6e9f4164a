import pc from 'picocolors';
import type { PrecedentListView, PrecedentView } from '#lib/api-schemas';
import { indented, moment, oneLine, quoted } from '../output.js';

const ENDED = { good: pc.green, bad: pc.red, refused: pc.yellow, lapsed: pc.dim } as const;

/** Precedents as the command line shows them: the line about the past, then each with its reasons. */
export function precedentLines({ items, line, searched_by: by }: PrecedentListView): string[] {
  const past = line === null ? [] : [line];
  if (items.length === 0) return [...past, `Nothing like it was found, by ${by}.`];
  return [
    ...past,
    ...items.flatMap(ofOne),
    pc.dim(`Found by ${by}. A precedent is history: nothing is approved by it.`),
  ];
}

/** An agent gets no id of others. */
function idOf({ request_id: request, run_id: run }: PrecedentView): string {
  if (request !== null) return `request ${request}`;
  return run === null ? 'by another' : `run ${run}`;
}

function ofOne(one: PrecedentView): string[] {
  const title = oneLine(one.headline ?? `${one.tools.join(', ')} in ${one.environment.name}`);
  const approvers = one.approved_by.map(({ display_name: name }) => oneLine(name)).join(' and ');
  const approved = approvers === '' ? '' : `, approved by ${approvers}`;
  return [
    '',
    `${ENDED[one.ending](one.ended_as.replaceAll('_', ' '))}  ${pc.bold(title)}`,
    ...indented([
      `${moment(one.ended_at)}${approved}  ${pc.dim(idOf(one))}`,
      ...(one.unknown_effects > 0 ? [`${String(one.unknown_effects)} calls with an unknown effect`] : []),
      ...(one.goal === null ? [] : quoted(one.goal)),
      ...(one.erased ? [pc.dim('Its words were erased under the retention rule.')] : []),
      ...(one.because === null ? [] : [`why: ${oneLine(one.because)}`]),
      ...(one.equal.length === 0 ? [] : [`equal: ${oneLine(one.equal.join('; '))}`]),
      ...(one.different.length === 0 ? [] : [`differs: ${oneLine(one.different.join('; '))}`]),
    ]),
  ];
}
