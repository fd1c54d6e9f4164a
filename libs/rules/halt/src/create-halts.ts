import type { AgentRepository } from '#lib/identity';
import type { AuditSink, UnitOfWork } from '#lib/kernel';
import type { EnvironmentRepository } from '#lib/tenancy';
import type { ToolRepository } from '#lib/tool';
import { RegistryHaltTargets } from './adapters/registry-halt-targets.js';
import { SqlHaltRepository } from './adapters/sql-halt.repository.js';
import type { CallStopper, GrantRevoker, HaltRepository, InFlightReader, RunPauser } from './application/halt.ports.js';
import { LiftHalt } from './application/lift-halt.js';
import { ReadHalts } from './application/read-halts.js';
import { SetHalt } from './application/set-halt.js';

/** The stored halts, over PostgreSQL. */
export const createHaltStore = (): HaltRepository => new SqlHaltRepository();

export interface HaltDeps {
  readonly uow: UnitOfWork;
  readonly halts: HaltRepository;
  readonly audit: AuditSink;
  readonly environments: Pick<EnvironmentRepository, 'byName'>;
  readonly agents: Pick<AgentRepository, 'find'>;
  readonly tools: Pick<ToolRepository, 'history'>;
  /** The runs that a halt covers. */
  readonly runs: RunPauser & InFlightReader;
  /** The single calls that a halt covers. */
  readonly calls: CallStopper;
  readonly grants: GrantRevoker;
}

export function createHalts({ uow, halts, audit, environments, agents, tools, runs, calls, grants }: HaltDeps) {
  const targets = new RegistryHaltTargets(environments, agents, tools);
  return {
    halts,
    setHalt: new SetHalt({ uow, halts, targets, runs, inFlight: runs, calls, grants, audit }),
    liftHalt: new LiftHalt(uow, halts, audit),
    readHalts: new ReadHalts(uow, halts),
  };
}
