import { canEverFill, compareCells, type RoleHolders } from '#lib/autonomy';
import { AUTONOMY_MODES, type AutonomyDocument, type AutonomyMode } from '#lib/formats';
import { isLooser } from '#lib/policy';
import type { Decision, Outcome } from '#lib/policy-inputs';

/** The properties that a cell can gain by a change. */
export const CELL_GAINS = ['looser', 'never_satisfiable', 'always_allowed'] as const;
export type CellGain = (typeof CELL_GAINS)[number];

/** A cell of the lattice that a change makes looser, impossible to approve, or allowed without asking anybody. */
export interface LatticeCell {
  readonly environment: string;
  readonly tool: string;
  readonly mode: AutonomyMode;
  /** True if the environment has this mode after the change; else the cell says how it would be in this mode. */
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
  const own = Object.hasOwn(environments, environment) ? environments[environment] : undefined;
  return own?.mode ?? document.autonomy.mode;
};

/** A document with another mode in one environment. Overrides of tools stay: they tighten in every mode. */
export function inMode(document: AutonomyDocument | null, environment: string, mode: AutonomyMode) {
  if (document === null) return null;
  const { environments = {} } = document.autonomy;
  const own = Object.hasOwn(environments, environment) ? environments[environment] : undefined;
  // An environment that the document does not name has no approvers. It keeps none.
  if (own === undefined) return { ...document, autonomy: { ...document.autonomy, mode } };
  return {
    ...document,
    autonomy: { ...document.autonomy, environments: { ...environments, [environment]: { ...own, mode } } },
  };
}

export const MODES: readonly AutonomyMode[] = AUTONOMY_MODES;

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

/** True if the cell asks for an approval that no people of the tenant can give together, one of them left out as the requester. */
function neverSatisfiable(decision: Decision, holders: readonly RoleHolders[]): boolean {
  if (decision.outcome === 'deny') return decision.reasons.some(({ code }) => code === 'approval.no_approvers');
  return decision.outcome === 'require_approval' && !canEverFill(decision.obligations.approvals, holders);
}
