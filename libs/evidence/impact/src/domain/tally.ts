import { MAX_EXAMPLES } from './groups.js';
import { exampleOf, type Example, type MalformedDecision, type LocatedDecision } from './located-decision.js';
import type { NotPut, Putting } from './put-decision.js';

/** Decisions that cannot be put again for one reason. */
export interface NotPutGroup {
  readonly why: NotPut;
  readonly count: number;
  /** How many the whole period has, as the sample says. */
  readonly estimate: number;
  readonly examples: readonly Example[];
}

/** Decisions by their result. */
export interface Results {
  readonly untouched: number;
  readonly same: number;
  readonly changed: number;
  /** Decisions that come out otherwise, looser among them. A mixed change counts as looser. */
  readonly looser: number;
  /** Decisions whose recorded outcome differs from that of today, without the change. */
  readonly otherwiseToday: number;
}

/**
 * The counts of a report so far. Plain JSON of a bounded size, so that a worker can stop at any batch and another can go on.
 * The groups, which are many more, are kept beside it.
 */
export interface Tally extends Results {
  /** Decisions looked at so far. */
  readonly looked: number;
  /** The same of the whole period, as the sample says. */
  readonly estimates: Results;
  readonly notPut: readonly NotPutGroup[];
}

const NONE: Results = { untouched: 0, same: 0, changed: 0, looser: 0, otherwiseToday: 0 };

export const NOTHING_YET: Tally = { ...NONE, looked: 0, estimates: NONE, notPut: [] };

/** @param weight how many decisions of the period this one stands for: 1 without a sample. */
export function addTo(tally: Tally, stored: LocatedDecision | MalformedDecision, putting: Putting, weight = 1): Tally {
  const next = { ...tally, looked: tally.looked + 1 };
  if (putting.result === 'untouched') return counted(next, ['untouched'], weight);
  if (putting.result === 'not_put') return { ...next, notPut: withNotPut(tally.notPut, stored, putting.why, weight) };
  const today = putting.otherwiseToday ? (['otherwiseToday'] as const) : [];
  if (putting.change === null) return counted(next, ['same', ...today], weight);
  const looser = putting.change.change === 'tightens' ? [] : (['looser'] as const);
  return counted(next, ['changed', ...looser, ...today], weight);
}

function counted(tally: Tally, results: readonly (keyof Results)[], weight: number): Tally {
  const more = <T extends Results>(counts: T, by: number): T => ({
    ...counts,
    ...Object.fromEntries(results.map((result) => [result, counts[result] + by])),
  });
  return { ...more(tally, 1), estimates: more(tally.estimates, weight) };
}

function withNotPut(
  groups: readonly NotPutGroup[],
  stored: LocatedDecision | MalformedDecision,
  why: NotPut,
  weight: number,
): readonly NotPutGroup[] {
  const found = groups.find((group) => group.why === why) ?? { why, count: 0, estimate: 0, examples: [] };
  const next = {
    ...found,
    count: found.count + 1,
    estimate: found.estimate + weight,
    examples: [...found.examples, exampleOf(stored)].slice(0, MAX_EXAMPLES),
  };
  return [...groups.filter((group) => group.why !== why), next];
}
