import type { ToolDefinition, ToolEffect, ToolLevel, ToolRisk, ToolScope, ToolSurface } from '#lib/formats';

/** The members that a level is derived from. */
export type Classification = Pick<ToolDefinition, 'risk' | 'effect' | 'surface' | 'scope'>;

interface Row {
  readonly risk: readonly ToolRisk[];
  readonly effect: readonly ToolEffect[];
  readonly surface?: readonly ToolSurface[];
  readonly scope?: readonly ToolScope[];
  readonly level: ToolLevel;
}

const harmless: readonly ToolRisk[] = ['read_only', 'plan_only'];
const nonprod: readonly ToolRisk[] = ['state_change_nonprod'];
const prod: readonly ToolRisk[] = ['state_change_prod'];

/**
 * The one table: the first row that fits decides; a key left out fits everything. A tool that no row fits contradicts
 * itself (a read_only tool that destroys) and is critical.
 */
const LEVEL_TABLE: readonly Row[] = [
  { risk: harmless, effect: ['read'], surface: ['network'], level: 'medium' },
  { risk: harmless, effect: ['read'], level: 'low' },
  { risk: nonprod, effect: ['modify'], scope: ['organization'], level: 'high' },
  { risk: nonprod, effect: ['modify'], surface: ['git', 'terminal'], level: 'high' },
  { risk: nonprod, effect: ['modify'], level: 'medium' },
  { risk: nonprod, effect: ['destructive'], scope: ['organization'], level: 'critical' },
  { risk: nonprod, effect: ['destructive'], level: 'high' },
  { risk: prod, effect: ['modify'], scope: ['asset'], level: 'high' },
  { risk: prod, effect: ['modify', 'destructive'], level: 'critical' },
];

/** How much is at stake when a tool is called; derived, never declared. */
export function level(tool: Classification): ToolLevel {
  const row = LEVEL_TABLE.find(
    (candidate) =>
      candidate.risk.includes(tool.risk) &&
      candidate.effect.includes(tool.effect) &&
      (candidate.surface?.includes(tool.surface) ?? true) &&
      (candidate.scope?.includes(tool.scope) ?? true),
  );
  return row?.level ?? 'critical';
}
