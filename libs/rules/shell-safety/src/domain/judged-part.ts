import type { Effect } from './effect.js';
import { worseClass } from './class-rank.js';
import type { Part, Reason, ShellClass, Tier } from './verdict.js';

/** A part to which effects are added one by one: it is as bad as the worst of them. Canonical JSON takes no instance of a class. */
export interface JudgedPart extends Part {
  tier: Tier;
  class: ShellClass;
  readonly reasons: Reason[];
}

/** A part without effects. */
export const partAt = (start: number, end: number, program: string | null): JudgedPart => ({
  start,
  end,
  program,
  tier: 1,
  class: 'READ_ONLY',
  reasons: [],
});

export function addEffect(part: JudgedPart, { class: shellClass, tier, code, message, start, end }: Effect): void {
  addReason(part, shellClass, tier, code, message, start, end);
}

/** As {@link addEffect}, without an object for the effect. */
export function addReason(
  part: JudgedPart,
  shellClass: ShellClass,
  tier: Tier,
  code: string,
  message: string,
  start: number,
  end: number,
): void {
  part.reasons.push({ code, message, start, end });
  if (tier > part.tier) part.tier = tier;
  if (shellClass !== 'READ_ONLY') part.class = worseClass(part.class, shellClass);
}
