import { z } from 'zod';
import {
  executorKindSettingsSchema,
  type executorKindListSchema,
  type ExecutorView,
  type ToolChangePlan,
  type ToolView,
} from '#lib/api-schemas';
import type { ExecutorKind } from '#lib/dispatch';
import { type FieldError, type Principal, toTimestamp } from '#lib/kernel';
import { level, type CatalogChangeResult, type ExecutorInEnvironment, type RecordedToolVersion } from '#lib/tool';

export const toolView = (tool: RecordedToolVersion): ToolView => ({
  id: tool.id,
  name: tool.name,
  version: tool.version,
  digest: tool.digest,
  level: level(tool.definition),
  definition: tool.definition,
  created_at: toTimestamp(tool.createdAt),
  created_by: tool.createdBy,
});

export const changePlanView = (
  result: CatalogChangeResult,
  locate = (errors: readonly FieldError[]): readonly FieldError[] => errors,
): ToolChangePlan => ({
  dry_run: result.dryRun,
  changes: result.changes.map((change) => ({
    name: change.name,
    change: change.change,
    from_version: change.fromVersion,
    to_version: change.toVersion,
    fields: [...change.fields],
    loosens: [...change.loosens],
    live_plans: [...change.livePlans],
  })),
  warnings: [...locate(result.warnings)],
});

/** @param by agents do not read the names of secrets. */
export const executorView = (
  by: Principal,
  { environment, executor, destination }: ExecutorInEnvironment,
): ExecutorView => ({
  id: executor.id,
  environment,
  name: executor.name,
  kind: executor.kind,
  destination,
  url: executor.url,
  audience: executor.audience,
  shared_audience: executor.sharedAudience,
  secret: by.kind === 'person' ? executor.secret : null,
  settings: { ...executor.settings },
  version: executor.version,
  digest: executor.digest,
  updated_at: toTimestamp(executor.updatedAt),
});

export const executorKindView = ({
  name,
  title,
  answeredBy,
  settings,
}: ExecutorKind): z.infer<typeof executorKindListSchema>['items'][number] => ({
  kind: name,
  title,
  answered_by: answeredBy,
  settings: executorKindSettingsSchema.parse(z.toJSONSchema(settings, { target: 'draft-2020-12', io: 'input' })),
});
