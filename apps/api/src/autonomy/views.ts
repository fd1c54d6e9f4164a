import type {
  AutonomyCell,
  AutonomyCellChange,
  AutonomyChange,
  AutonomyRevisionSummary,
  AutonomyRevisionView,
  FreezeView,
} from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type {
  AutonomyChangeResult,
  AutonomyRevision,
  ChangedCell,
  RevisionWithDiff,
  SourcedCell,
  SourcedFreeze,
} from '#lib/autonomy';
import { level } from '#lib/tool';
import { etagOf } from '../http/index.js';

export const revisionSummary = (revision: AutonomyRevision, inForce: boolean): AutonomyRevisionSummary => ({
  id: revision.revisionId,
  number: revision.number,
  digest: revision.digest,
  created_at: toTimestamp(revision.createdAt),
  created_by: { id: revision.createdBy, display_name: revision.createdByName },
  in_force: inForce,
});

export const revisionView = ({ revision, diff, inForce }: RevisionWithDiff): AutonomyRevisionView => ({
  ...revisionSummary(revision, inForce),
  source: revision.source,
  diff,
  etag: etagOf(revision.sourceSha256),
});

export const cellView = (cell: SourcedCell): AutonomyCell => ({
  tool: cell.tool.name,
  tool_version: cell.tool.version,
  risk: cell.tool.definition.risk,
  level: level(cell.tool.definition),
  environment: cell.environment.name,
  production: cell.environment.production,
  decision: cell.decision,
  source: cell.source,
});

const cellChangeView = (cell: ChangedCell): AutonomyCellChange => ({
  tool: cell.after.tool.name,
  environment: cell.after.environment.name,
  change: cell.change,
  what: [...cell.what],
  before: cell.before.decision,
  after: cell.after.decision,
});

export const changeView = (result: AutonomyChangeResult, dryRun: boolean): AutonomyChange => ({
  dry_run: dryRun,
  changed: result.changed,
  revision: dryRun ? null : (result.revision?.number ?? null),
  diff: result.diff,
  cells: result.cells.map(cellChangeView),
  loosens: result.cells.filter(({ change }) => change !== 'tightens').length,
  tightens: result.cells.filter(({ change }) => change === 'tightens').length,
  loosening: [...result.loosens],
  warnings: result.warnings.map(({ pointer, code, message, line, column, suggestion }) => ({
    pointer,
    code,
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(suggestion === undefined ? {} : { suggestion }),
  })),
});

export const freezeView = ({ freeze, stretch, active, source }: SourcedFreeze): FreezeView => ({
  name: freeze.name,
  time_zone: freeze.time_zone,
  environments: freeze.environments ?? null,
  tools: freeze.tools ?? null,
  may_pass: freeze.may_pass ?? [],
  active,
  from: toTimestampOrNull(stretch?.from ?? null),
  until: toTimestampOrNull(stretch?.until ?? null),
  source,
});
