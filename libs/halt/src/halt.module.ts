import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import { GRANT_REVOKER, type GrantRevoker } from '#lib/dispatch';
import {
  HALT_READER,
  HALTED_RUNS,
  LiftHalt,
  ReadHalts,
  RegistryHaltTargets,
  SetHalt,
  TypeormHaltRepository,
  type InFlightReader,
  type RunPauser,
} from '#lib/halt';
import { PostgresAgentRepository } from '#lib/identity';
import type { AuditSink, UnitOfWork } from '#lib/kernel';
import { TypeormEnvironmentRepository } from '#lib/tenancy';
import { TypeormToolRepository } from '#lib/tool';

const halts = new TypeormHaltRepository();
const targets = new RegistryHaltTargets(
  new TypeormEnvironmentRepository(),
  new PostgresAgentRepository(),
  new TypeormToolRepository(),
);

const providers: FactoryProvider[] = [
  { provide: HALT_READER, useFactory: () => halts },
  {
    provide: SetHalt,
    inject: [UNIT_OF_WORK, HALTED_RUNS, GRANT_REVOKER, AUDIT_SINK],
    useFactory: (uow: UnitOfWork, runs: RunPauser & InFlightReader, grants: GrantRevoker, audit: AuditSink) =>
      new SetHalt(uow, halts, targets, runs, runs, grants, audit),
  },
  {
    provide: LiftHalt,
    inject: [UNIT_OF_WORK, AUDIT_SINK],
    useFactory: (uow: UnitOfWork, audit: AuditSink) => new LiftHalt(uow, halts, audit),
  },
  { provide: ReadHalts, inject: [UNIT_OF_WORK], useFactory: (uow: UnitOfWork) => new ReadHalts(uow, halts) },
];

/** Halts. Needs HALTED_RUNS of the run engine and GRANT_REVOKER of dispatch, both global. */
@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class HaltModule {}
