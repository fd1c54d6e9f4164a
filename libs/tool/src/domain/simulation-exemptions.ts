import type { ToolDefinition } from '#lib/contracts';

/**
 * What the platform exempts from simulation, with the reason that approvers read. An exemption holds only while the tool
 * keeps within what it was given for: one asset, no destruction, safe to repeat.
 */
const EXEMPTIONS: ReadonlyMap<string, string> = new Map([
  ['acknowledge_alert', 'Acknowledging an alert changes the alert alone, so that there is nothing to predict.'],
]);

/** Whether the platform says that there is nothing to simulate. */
export const isSimulationExempt = (tool: Pick<ToolDefinition, 'name' | 'scope' | 'effect' | 'idempotent'>): boolean =>
  EXEMPTIONS.has(tool.name) && tool.scope === 'asset' && tool.effect === 'modify' && tool.idempotent;
