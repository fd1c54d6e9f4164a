import { TOOL_LEVELS, type ToolLevel } from '#lib/formats';

/** Levels as they are ordered: 0 is low. */
export const rankOfLevel = (risk: ToolLevel): number => TOOL_LEVELS.indexOf(risk);

/** A rank without a level is critical. */
export const levelOfRank = (rank: number): ToolLevel => TOOL_LEVELS[rank] ?? 'critical';
