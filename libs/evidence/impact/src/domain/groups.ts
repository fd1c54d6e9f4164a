import type { CellChange } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import type { Outcome } from '#lib/formats';
import type { Entrypoint } from '#lib/policy-inputs';
import { exampleOf, type Example, type LocatedDecision } from './located-decision.js';
import type { Putting, RuleDifference } from './put-decision.js';
import { asRecord, toolNames } from './put-input.js';

/** The things that decisions of one group have in common. */
export interface GroupKind {
  readonly entrypoint: Entrypoint;
  /** Of a plan, the stage at which it was decided; else null. */
  readonly stage: string | null;
  readonly environment: string | null;
  readonly tools: readonly string[];
  /** The agent that asked, or the agent of the plan, session or automation; null if none. */
  readonly agent: string | null;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly change: CellChange['change'];
  /** In words, the parts that differ. */
  readonly what: readonly string[];
  readonly rules: RuleDifference;
}

/** Decisions that come out otherwise in the same way. */
export interface ImpactGroup {
  readonly kind: GroupKind;
  readonly count: number;
  /** How many the whole period has, as the sample says. */
  readonly estimate: number;
  /** The first ones, the oldest first. */
  readonly examples: readonly Example[];
}

/** All decisions of one environment, one tool or one agent that come out otherwise. */
export interface ImpactPart {
  /** The name; of an agent, its id. */
  readonly name: string;
  readonly changed: number;
  /** A mixed change counts as looser. */
  readonly looser: number;
  readonly changedEstimate: number;
  readonly looserEstimate: number;
}

/** The parts of a report of one sort: the largest by their estimate, at most {@link MAX_PARTS}. */
export interface ImpactPartList {
  readonly listed: readonly ImpactPart[];
  /** How many there are. */
  readonly found: number;
}

/** The parts of a report. A decision about several tools counts for each of them. */
export type ImpactParts = Readonly<Record<'environment' | 'tool' | 'agent', ImpactPartList>>;

/** The decisions of some groups. */
export interface GroupSums {
  readonly count: number;
  readonly estimate: number;
  /** A mixed change counts as looser. */
  readonly looser: number;
  readonly looserEstimate: number;
}

/** The groups of a report, as its readers have them. */
export interface ImpactGroups {
  /** The largest ones, at most {@link MAX_LISTED}. */
  readonly listed: readonly ImpactGroup[];
  /** How many are kept. */
  readonly found: number;
  /** The decisions of all groups that are kept, looser ones among them. */
  readonly counted: GroupSums;
  /** Of all groups that are kept, also of those that are not listed. */
  readonly by: ImpactParts;
}

/**
 * A report keeps the first groups of so many kinds that tighten, and of so many others. However many tighten, those
 * that loosen are seen. Decisions of later kinds are counted in its tally alone.
 */
export const MAX_KEPT = 2_000;

/** A report stays readable. */
export const MAX_LISTED = 500;
export const MAX_PARTS = 100;

export const MAX_EXAMPLES = 5;

const NO_PARTS: ImpactPartList = { listed: [], found: 0 };

export const NO_GROUPS: ImpactGroups = {
  ...{ listed: [], found: 0, counted: { count: 0, estimate: 0, looser: 0, looserEstimate: 0 } },
  by: { environment: NO_PARTS, tool: NO_PARTS, agent: NO_PARTS },
};

/**
 * The group of one decision that comes out otherwise; null if it does not.
 *
 * @param weight how many decisions of the period it stands for: 1 without a sample.
 */
export function groupOf(stored: LocatedDecision, putting: Putting, weight: number): ImpactGroup | null {
  if (putting.result !== 'put' || putting.change === null) return null;
  const { before, after, change, rules } = putting;
  const { stage, environment } = stored.input;
  const { name } = asRecord(environment);
  return {
    kind: {
      entrypoint: stored.entrypoint,
      stage: stored.entrypoint === 'plan' && typeof stage === 'string' ? stage : null,
      environment: typeof name === 'string' ? name : null,
      tools: toolNames(stored.input),
      agent: stored.agent,
      from: before.outcome,
      to: after.outcome,
      change: change.change,
      what: change.what,
      rules,
    },
    count: 1,
    estimate: weight,
    examples: [exampleOf(stored)],
  };
}

/**
 * Groups of one kind become one.
 *
 * @returns the first {@link MAX_KEPT} kinds that loosen, and as many of those that tighten. Each side is in the order
 * in which its kinds come first.
 */
export function mergeGroups(groups: readonly ImpactGroup[]): readonly ImpactGroup[] {
  const merged = new Map<string, ImpactGroup>();
  for (const group of groups) {
    // A kind is plain JSON; its interface has no index signature.
    const key = canonicalJson(group.kind as unknown as Json);
    const { count = 0, estimate = 0, examples = [] } = merged.get(key) ?? {};
    merged.set(key, {
      kind: group.kind,
      count: count + group.count,
      estimate: estimate + group.estimate,
      examples: [...examples, ...group.examples].slice(0, MAX_EXAMPLES),
    });
  }
  const firstOf = (looser: boolean): readonly ImpactGroup[] =>
    [...merged.values()].filter(({ kind }) => isLooserKind(kind) === looser).slice(0, MAX_KEPT);
  return [...firstOf(true), ...firstOf(false)];
}

/** A mixed change counts as looser. */
const isLooserKind = ({ change }: GroupKind): boolean => change !== 'tightens';

/** Adds the decisions of groups up. */
export const sumsOf = (groups: readonly ImpactGroup[]): GroupSums =>
  groups.reduce(
    (sums, { kind, count, estimate }) => ({
      count: sums.count + count,
      estimate: sums.estimate + estimate,
      looser: sums.looser + (isLooserKind(kind) ? count : 0),
      looserEstimate: sums.looserEstimate + (isLooserKind(kind) ? estimate : 0),
    }),
    NO_GROUPS.counted,
  );

/** The ids of the agents that a reader is shown, each once. */
export const agentsIn = ({ listed, by }: ImpactGroups): readonly string[] => [
  ...new Set([
    ...listed.flatMap(({ kind: { agent } }) => (agent === null ? [] : [agent])),
    ...by.agent.listed.map(({ name }) => name),
  ]),
];

/** The groups as readers have them. @param groups each kind once. */
export const groupsForReaders = (groups: readonly ImpactGroup[]): ImpactGroups => ({
  listed: groups.toSorted((a, b) => b.estimate - a.estimate).slice(0, MAX_LISTED),
  found: groups.length,
  counted: sumsOf(groups),
  by: {
    environment: partsOf(groups, ({ environment }) => (environment === null ? [] : [environment])),
    tool: partsOf(groups, ({ tools }) => tools),
    agent: partsOf(groups, ({ agent }) => (agent === null ? [] : [agent])),
  },
});

function partsOf(groups: readonly ImpactGroup[], namesOf: (kind: GroupKind) => readonly string[]): ImpactPartList {
  const parts = new Map<string, ImpactPart>();
  for (const { kind, count, estimate } of groups) {
    const looser = isLooserKind(kind) ? 1 : 0;
    for (const name of namesOf(kind)) {
      const part = parts.get(name) ?? { name, changed: 0, looser: 0, changedEstimate: 0, looserEstimate: 0 };
      parts.set(name, {
        name,
        changed: part.changed + count,
        looser: part.looser + looser * count,
        changedEstimate: part.changedEstimate + estimate,
        looserEstimate: part.looserEstimate + looser * estimate,
      });
    }
  }
  const sorted = [...parts.values()].sort(
    (a, b) => b.changedEstimate - a.changedEstimate || (a.name < b.name ? -1 : 1),
  );
  return { listed: sorted.slice(0, MAX_PARTS), found: sorted.length };
}
