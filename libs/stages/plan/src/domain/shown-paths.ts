import type { ExpandedInvocation } from '#lib/formats';
import { judgePaths } from '#lib/shell-safety';
import { liftsRisk, stringsAt } from '#lib/tool';
import type { ShownPaths } from './plan-description.js';

/**
 * The paths of a call for people: as the plan holds their verdict, with reasons that are made now.
 *
 * @returns null if the paths are ordinary, or the tool names none
 */
export function shownPaths({ paths, arguments: given }: ExpandedInvocation): ShownPaths | null {
  if (paths === undefined || !liftsRisk(paths)) return null;
  const at = (pointer: string): string[] => stringsAt(given, pointer);
  const { reasons } = judgePaths({ reads: paths.reads.flatMap(at), writes: paths.writes.flatMap(at) });
  return { tier: paths.tier, class: paths.class, reasons: reasons.map((reason) => ({ ...reason })) };
}
