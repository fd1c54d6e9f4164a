import type { AuditSink, TwoPersonRule, RowSeals, UnitOfWork } from '#lib/kernel';
import { isLooser, type PolicyDecisionPoint } from '#lib/policy';
import type { ToolRegistry } from '#lib/tool';
import { SqlNotifiedDestinations } from './adapters/sql-notified-destinations.js';
import { SqlRoleCensus } from './adapters/sql-role-census.js';
import { SqlAutonomyRepository } from './adapters/sql-autonomy-repository.js';
import { TypeormEnvironmentList } from './adapters/typeorm-environment-list.js';
import { ApprovalDemand } from './application/approval-demand.js';
import type {
  AutonomyRepository,
  EnvironmentList,
  NotifiedDestinations,
  RoleCensus,
} from './application/autonomy.ports.js';
import { Matrix } from './application/matrix.js';
import { LocateAutonomyLine } from './application/locate-autonomy-line.js';
import { PutAutonomy } from './application/put-autonomy.js';
import { ReadAutonomy } from './application/read-autonomy.js';

/** The stored documents, and the rows that they are judged by. */
export interface AutonomyRows {
  readonly revisions: AutonomyRepository;
  readonly environments: EnvironmentList;
  readonly census: RoleCensus;
  readonly destinations: NotifiedDestinations;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createAutonomyStore = (seals: RowSeals): AutonomyRows => ({
  revisions: new SqlAutonomyRepository(seals),
  environments: new TypeormEnvironmentList(),
  census: new SqlRoleCensus(),
  destinations: new SqlNotifiedDestinations(),
});

export interface AutonomyDeps {
  readonly uow: UnitOfWork;
  readonly rows: AutonomyRows;
  readonly policy: PolicyDecisionPoint;
  readonly tools: ToolRegistry;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** Autonomy documents. */
export type Autonomy = ReturnType<typeof createAutonomy>;

export function createAutonomy({ uow, rows, policy, tools, twoPersonRule, audit }: AutonomyDeps) {
  const { revisions, environments, census, destinations } = rows;
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
      destinations,
      matrix,
      isLooser,
      twoPersonRule,
      audit,
    }),
    readAutonomy: new ReadAutonomy(uow, revisions, tools, environments, matrix),
  };
}
