import { Global, Module } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import {
  ApprovalDemand,
  AUTONOMY_READER,
  Matrix,
  PlaceDecisions,
  PutAutonomy,
  ReadAutonomy,
  SqlNotifiedDestinations,
  TypeormAutonomyRepository,
  TypeormEnvironmentList,
  TypeormRoleCensus,
  type AutonomyReader,
  type AutonomyRepository,
} from '#lib/autonomy';
import { GUARDRAIL, ROW_SEALS, type AuditSink, type Guardrail, type RowSeals, type UnitOfWork } from '#lib/kernel';
import { isLooser, PolicyDecisionPoint } from '#lib/policy';
import { TOOL_REGISTRY, type ToolRegistry } from '#lib/tool';

const REVISIONS = Symbol('autonomy revisions');
const environments = new TypeormEnvironmentList();
const census = new TypeormRoleCensus();
const destinations = new SqlNotifiedDestinations();

/** Autonomy documents. Needs the database's, audit's, policy's, tool's and guardrail's modules, which are global. */
@Global()
@Module({
  providers: [
    { provide: REVISIONS, inject: [ROW_SEALS], useFactory: (seals: RowSeals) => new TypeormAutonomyRepository(seals) },
    { provide: AUTONOMY_READER, useExisting: REVISIONS },
    { provide: Matrix, inject: [PolicyDecisionPoint], useFactory: (policy: PolicyDecisionPoint) => new Matrix(policy) },
    {
      provide: ApprovalDemand,
      inject: [Matrix, AUTONOMY_READER],
      useFactory: (matrix: Matrix, autonomy: AutonomyReader) => new ApprovalDemand(matrix, autonomy, environments),
    },
    {
      provide: PlaceDecisions,
      inject: [UNIT_OF_WORK, REVISIONS],
      useFactory: (uow: UnitOfWork, revisions: AutonomyRepository) => new PlaceDecisions(uow, revisions),
    },
    {
      provide: PutAutonomy,
      inject: [UNIT_OF_WORK, REVISIONS, TOOL_REGISTRY, Matrix, GUARDRAIL, AUDIT_SINK],
      useFactory: (
        uow: UnitOfWork,
        revisions: AutonomyRepository,
        tools: ToolRegistry,
        matrix: Matrix,
        guardrail: Guardrail,
        audit: AuditSink,
      ) =>
        new PutAutonomy(uow, revisions, tools, environments, census, destinations, matrix, isLooser, guardrail, audit),
    },
    {
      provide: ReadAutonomy,
      inject: [UNIT_OF_WORK, REVISIONS, TOOL_REGISTRY, Matrix],
      useFactory: (uow: UnitOfWork, revisions: AutonomyRepository, tools: ToolRegistry, matrix: Matrix) =>
        new ReadAutonomy(uow, revisions, tools, environments, matrix),
    },
  ],
  exports: [ApprovalDemand, AUTONOMY_READER, PlaceDecisions, PutAutonomy, ReadAutonomy],
})
export class AutonomyModule {}
