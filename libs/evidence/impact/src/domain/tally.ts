import type { CellChange } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import type { Entrypoint, Outcome } from '#lib/policy-inputs';
import type { NotPut, Putting, RuleDifference, StoredDecision } from './put-decision.js';
import { asRecord, toolNames } from './put-input.js';

/** A stored decision with its place in the log. */
export interface PlacedDecision extends StoredDecision {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  readonly subject: { readonly type: string; readonly id: string };
  /** Outermost first. */
  readonly within: readonly { readonly type: string; readonly id: string }[];
}

/** A decision that a reader can follow. */
export interface Example {
  readonly decision: string;
  readonly at: number;
  readonly subject: { readonly type: string; readonly id: string };
  readonly within: readonly { readonly type: string; readonly id: string }[];
}

/** Decisions that come out otherwise in the same way. */
export interface ImpactGroup {
  readonly entrypoint: Entrypoint;
  /** Of a plan, the stage at which it was decided; else null. */
  readonly stage: string | null;
  readonly environment: string | null;
  readonly tools: readonly string[];
  /** The agent that asked; null if a person or the system did. */
  readonly agent: string | null;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly change: CellChange['change'];
  /** In words, the parts that differ. */
  readonly what: readonly string[];
  readonly rules: RuleDifference;
  readonly count: number;
  /** How many the whole period has, as the sample says. */
  readonly estimate: number;
  /** The first ones, the oldest first. */
  readonly examples: readonly Example[];
}

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
  /** Decisions that come out otherwise and fit into no group any more. */
  readonly ungrouped: number;
}

/** The running result of a report. Plain JSON, so that a worker can stop at any batch and another can go on. */
export interface Tally extends Results {
  /** Decisions looked at so far. */
  readonly looked: number;
  /** The same of the whole period, as the sample says. */
  readonly estimates: Results;
  readonly groups: readonly ImpactGroup[];
  readonly notPut: readonly NotPutGroup[];
}

const NONE: Results = { untouched: 0, same: 0, changed: 0, looser: 0, otherwiseToday: 0, ungrouped: 0 };

export const NOTHING_YET: Tally = { ...NONE, looked: 0, estimates: NONE, groups: [], notPut: [] };

const MAX_EXAMPLES = 5;
/** A report stays readable, and its row small. Further kinds of differences are counted together. */
const MAX_GROUPS = 500;

/** @param weight how many decisions of the period this one stands for: 1 without a sample. */
export function addTo(tally: Tally, stored: PlacedDecision, putting: Putting, weight = 1): Tally {
  const next = { ...tally, looked: tally.looked + 1 };
  if (putting.result === 'untouched') return counted(next, ['untouched'], weight);
  if (putting.result === 'not_put') return { ...next, notPut: withNotPut(tally.notPut, stored, putting.why, weight) };
  const today = putting.otherwiseToday ? (['otherwiseToday'] as const) : [];
  if (putting.change === null) return counted(next, ['same', ...today], weight);
  const looser = putting.change.change === 'tightens' ? [] : (['looser'] as const);
  const grouped = withGroup(tally.groups, groupOf(stored, { ...putting, change: putting.change }, weight));
  const ungrouped = grouped === null ? (['ungrouped'] as const) : [];
  return counted({ ...next, groups: grouped ?? tally.groups }, ['changed', ...looser, ...today, ...ungrouped], weight);
}

function counted(tally: Tally, results: readonly (keyof Results)[], weight: number): Tally {
  const more = <T extends Results>(counts: T, by: number): T => ({
    ...counts,
    ...Object.fromEntries(results.map((result) => [result, counts[result] + by])),
  });
  return { ...more(tally, 1), estimates: more(tally.estimates, weight) };
}

type Changed = Extract<Putting, { result: 'put' }> & { readonly change: CellChange };

function groupOf(stored: PlacedDecision, { before, after, change, rules }: Changed, estimate: number): ImpactGroup {
  const { stage, environment, actor } = stored.input;
  const { name } = asRecord(environment);
  const { kind, id } = asRecord(actor);
  return {
    entrypoint: stored.entrypoint,
    stage: stored.entrypoint === 'plan' && typeof stage === 'string' ? stage : null,
    environment: typeof name === 'string' ? name : null,
    tools: toolNames(stored.input),
    agent: kind === 'agent' && typeof id === 'string' ? id : null,
    from: before.outcome,
    to: after.outcome,
    change: change.change,
    what: change.what,
    rules,
    count: 1,
    estimate,
    examples: [exampleOf(stored)],
  };
}

const exampleOf = ({ id, decidedAt, subject, within }: PlacedDecision): Example => ({
  decision: id,
  at: decidedAt,
  subject: { ...subject },
  within: within.map((thing) => ({ ...thing })),
});

/** Of each group once: a decision is compared with all of them. */
const keys = new WeakMap<ImpactGroup, string>();

function keyOf(group: ImpactGroup): string {
  const known = keys.get(group);
  if (known !== undefined) return known;
  const { count: _count, estimate: _estimate, examples: _examples, ...kind } = group;
  // A group comes from stored JSON; its interface has no index signature.
  const key = canonicalJson(kind as unknown as Json);
  keys.set(group, key);
  return key;
}

/** Null if it is a group of its own and there are too many. */
function withGroup(groups: readonly ImpactGroup[], group: ImpactGroup): readonly ImpactGroup[] | null {
  const key = keyOf(group);
  const index = groups.findIndex((other) => keyOf(other) === key);
  const found = groups[index];
  if (found === undefined) return groups.length < MAX_GROUPS ? [...groups, group] : null;
  return groups.with(index, {
    ...found,
    count: found.count + 1,
    estimate: found.estimate + group.estimate,
    examples: [...found.examples, ...group.examples].slice(0, MAX_EXAMPLES),
  });
}

function withNotPut(
  groups: readonly NotPutGroup[],
  stored: PlacedDecision,
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
