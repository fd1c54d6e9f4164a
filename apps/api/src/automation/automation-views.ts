import type { SafeListEntryView, SafeToolsView } from '#lib/api-schemas';
import type { ListedSafeTool, TieredTool } from '#lib/automation';
import { toTimestamp } from '#lib/kernel';

export const tieredToolView = ({ tool, decision }: TieredTool): SafeToolsView['items'][number] => ({
  tool: tool.name,
  version: tool.version,
  tier: tool.definition.effect,
  risk: tool.definition.risk,
  safe: decision.outcome === 'allow',
  reasons: decision.outcome === 'allow' ? [] : decision.reasons.map(({ code, message }) => ({ code, message })),
});

export const safeListEntryView = ({ entry, counts }: ListedSafeTool): SafeListEntryView => ({
  id: entry.id,
  tool: entry.tool,
  version: entry.version,
  digest: entry.digest,
  effect: entry.effect,
  risk: entry.risk,
  counts,
  added_by: entry.addedBy,
  added_at: toTimestamp(entry.addedAt),
});
