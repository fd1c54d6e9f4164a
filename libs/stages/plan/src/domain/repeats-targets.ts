import { canonicalJson, type Json, ownMember } from '#lib/canonical';
import type { ExpandedInvocation } from '#lib/formats';

/** Whether two values say the same. */
export const same = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other));

/** Whether an argument holds exactly the names of the targets that the call touches, in their order. */
export function repeatsTargets({ arguments: given, targets }: ExpandedInvocation, name: string): boolean {
  const value = ownMember(given, name);
  if (typeof value === 'string') return targets.length === 1 && targets[0] === value;
  return Array.isArray(value) && value.length > 0 && same(value, targets);
}
