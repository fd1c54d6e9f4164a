import { canEverFill, compareCells, type RoleHolders } from '#lib/autonomy';
import { ownMember } from '#lib/canonical';
import { AUTONOMY_MODES, type AutonomyDocument, type AutonomyMode, type Decision, type Outcome } from '#lib/formats';
import { isLooser } from '#lib/policy';

/** A pair of a tool and an environment. */
export interface LatticePair {
  readonly tool: string;
  readonly environment: string;
}

/** The properties that a cell can gain by a change. */
export const CELL_GAINS = ['looser', 'never_satisfiable', 'always_allowed'] as const;
export type CellGain = (typeof CELL_GAINS)[number];

/** A cell of the lattice that a change makes looser, impossible to approve, or allowed without asking anybody. */
export interface LatticeCell {
  readonly environment: string;
  readonly tool: string;
  readonly mode: AutonomyMode;
  /** True if the environment has this mode after the change. Otherwise the cell says how it would be in this mode. */
  readonly inForce: boolean;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly gains: readonly CellGain[];
  /** In words, the parts that differ. */
  readonly what: readonly string[];
}

/** The mode of an environment in a document. */
export const modeOf = (document: AutonomyDocument | null, environment: string): AutonomyMode => {
  if (document === null) return 'plan_only';
  const { environments = {} } = document.autonomy;
  const own = ownMember(environments, environment);
  return own?.mode ?? document.autonomy.mode;
};

/** A document with another mode in one environment. Overrides of tools stay: they tighten in every mode. */
export function inMode(document: AutonomyDocument | null, environment: string, mode: AutonomyMode) {
  if (document === null) return null;
  const { environments = {} } = document.autonomy;
  const own = ownMember(environments, environment);
  // An environment that the document does not name has no approvers. It keeps none.
  if (own === undefined) return { ...document, autonomy: { ...document.autonomy, mode } };
  return {
    ...document,
    autonomy: { ...document.autonomy, environments: { ...environments, [environment]: { ...own, mode } } },
  };
}

export const MODES: readonly AutonomyMode[] = AUTONOMY_MODES;

/** The order of pairs: by tool, then by environment, by code units. */
const isAfter = (pair: LatticePair, other: LatticePair): boolean =>
  pair.tool === other.tool ? pair.environment > other.environment : pair.tool > other.tool;

/**
 * The next pairs of tools and environments after one, in their order. Names that come or go meanwhile shift no other pair, so none
 * is left out and none comes twice.
 */
export function nextPairs(
  { tools, environments }: { readonly tools: readonly string[]; readonly environments: readonly string[] },
  after: LatticePair | null,
  limit: number,
  isTouched: (pair: LatticePair) => boolean,
): readonly LatticePair[] {
  const names = { tools: [...new Set(tools)].sort(), environments: [...new Set(environments)].sort() };
  const found: LatticePair[] = [];
  for (const tool of names.tools) {
    if (after !== null && tool < after.tool) continue;
    for (const environment of names.environments) {
      const pair = { tool, environment };
      if ((after !== null && !isAfter(pair, after)) || !isTouched(pair)) continue;
      found.push(pair);
      if (found.length === limit) return found;
    }
  }
  return found;
}

/** Compares a cell before and after. Null if it gains none of the three properties. */
export function compareCell(
  cell: Pick<LatticeCell, 'environment' | 'tool' | 'mode' | 'inForce'>,
  before: Decision,
  after: Decision,
  holders: readonly RoleHolders[],
): LatticeCell | null {
  const change = compareCells(before, after, isLooser);
  const gains: CellGain[] = [];
  if (change !== null && change.change !== 'tightens') gains.push('looser');
  if (neverSatisfiable(after, holders) && !neverSatisfiable(before, holders)) gains.push('never_satisfiable');
  if (after.outcome === 'allow' && before.outcome !== 'allow') gains.push('always_allowed');
  if (gains.length === 0) return null;
  return { ...cell, from: before.outcome, to: after.outcome, gains, what: change?.what ?? [] };
}

/**
 * True if the cell asks for an approval that the people of the tenant cannot give together. One of them is left out as
 * the requester.
 */
function neverSatisfiable(decision: Decision, holders: readonly RoleHolders[]): boolean {
  if (decision.outcome === 'deny') return decision.reasons.some(({ code }) => code === 'approval.no_approvers');
  return decision.outcome === 'require_approval' && !canEverFill(decision.obligations.approvals, holders);
}
