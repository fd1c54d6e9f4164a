import type { Effect } from './effect.js';
import { worseClass } from './class-rank.js';
import type { Part, Reason, ShellClass, Tier } from './verdict.js';

/** A part to which effects are added one by one: it is as bad as the worst of them. */
export class JudgedPart implements Part {
  tier: Tier = 1;
  class: ShellClass = 'READ_ONLY';
  readonly reasons: Reason[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
    readonly program: string | null,
  ) {}

  add({ class: shellClass, tier, code, message, start, end }: Effect): void {
    this.note(shellClass, tier, code, message, start, end);
  }

  /** As {@link add}, without an object for the effect. */
  note(shellClass: ShellClass, tier: Tier, code: string, message: string, start: number, end: number): void {
    this.reasons.push({ code, message, start, end });
    if (tier > this.tier) this.tier = tier;
    if (shellClass !== 'READ_ONLY') this.class = worseClass(this.class, shellClass);
  }
}
