import { TOOL_LEVELS, type ToolFacts, type ToolLevel } from '#lib/contracts';
import { level } from '#lib/tool';

/** How much is at stake with a plan: the level of its riskiest tool. One without tools would be a fault, and is critical. */
export function requestRisk(tools: Readonly<Record<string, ToolFacts>>): ToolLevel {
  const ranks = Object.values(tools).map((tool) => TOOL_LEVELS.indexOf(level(tool)));
  return levelOfRank(ranks.length === 0 ? TOOL_LEVELS.length : Math.max(...ranks));
}

/** Levels as they are ordered: 0 is low. */
export const rankOfLevel = (risk: ToolLevel): number => TOOL_LEVELS.indexOf(risk);

/** What has no level is critical. */
export const levelOfRank = (rank: number): ToolLevel => TOOL_LEVELS[rank] ?? 'critical';
