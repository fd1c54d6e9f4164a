import type { AuditSink, TwoPersonRule, RowSeals, UnitOfWork } from '#lib/kernel';
import { isLooser, type PolicyDecisionPoint } from '#lib/policy';
import type { ToolRegistry } from '#lib/tool';
import { SqlNotifiedDestinations } from './adapters/sql-notified-destinations.js';
import { SqlRoleCensus } from './adapters/sql-role-census.js';
import { SqlAutonomyRepository } from './adapters/sql-autonomy-repository.js';
import { TypeormEnvironmentList } from './adapters/typeorm-environment-list.js';
import { ApprovalDemand } from './application/approval-demand.js';
import type { AutonomyRepository, RoleCensus } from './application/autonomy.ports.js';
import { Matrix } from './application/matrix.js';
import { LocateAutonomyLine } from './application/locate-autonomy-line.js';
import { PutAutonomy } from './application/put-autonomy.js';
import { ReadAutonomy } from './application/read-autonomy.js';

export interface AutonomyDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly policy: PolicyDecisionPoint;
  readonly tools: ToolRegistry;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** Autonomy documents. */
export type Autonomy = ReturnType<typeof createAutonomy>;

export function createAutonomy({ uow, seals, policy, tools, twoPersonRule, audit }: AutonomyDeps) {
  const revisions: AutonomyRepository = new SqlAutonomyRepository(seals);
  const environments = new TypeormEnvironmentList();
  const census: RoleCensus = new SqlRoleCensus();
  const matrix = new Matrix(policy);
  return {
    revisions,
    census,
    approvalDemand: new ApprovalDemand(matrix, revisions, environments),
    locateAutonomyLine: new LocateAutonomyLine(uow, revisions),
    putAutonomy: new PutAutonomy({
      uow,
      revisions,
      tools,
      environments,
      census,
      destinations: new SqlNotifiedDestinations(),
      matrix,
      isLooser,
      twoPersonRule,
      audit,
    }),
    readAutonomy: new ReadAutonomy(uow, revisions, tools, environments, matrix),
  };
}
