import type { ExpandedInvocation } from '#lib/formats';
import { judgePathsOf } from '#lib/plan';
import { isWorse, type ToolVersion } from '#lib/tool';

/**
 * Judges the paths of a call again just before its dispatch (T52). Countersign may know more names of code and secrets
 * than at the approval. @returns false if the verdict is worse now, is about other arguments, or exists for only one of
 * the two.
 */
export function pathsAsApproved(
  tool: ToolVersion,
  { arguments: given, paths: approved }: ExpandedInvocation,
  production: boolean,
): boolean {
  const now = judgePathsOf(tool, given, production);
  if (now === null || approved === undefined) return now === null && approved === undefined;
  return isSame(now.reads, approved.reads) && isSame(now.writes, approved.writes) && !isWorse(now, approved);
}

/** By length and element: a pointer may hold a comma. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((pointer, index) => pointer === other[index]);
}
