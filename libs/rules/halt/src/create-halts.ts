import type { AuditSink, UnitOfWork } from '#lib/kernel';
import { RegistryHaltTargets } from './adapters/registry-halt-targets.js';
import { SqlHaltRepository } from './adapters/sql-halt.repository.js';
import type {
  CallStopper,
  GrantRevoker,
  HaltRepository,
  HaltTargets,
  InFlightReader,
  RunPauser,
} from './application/halt.ports.js';
import { LiftHalt } from './application/lift-halt.js';
import { ReadHalts } from './application/read-halts.js';
import { SetHalt } from './application/set-halt.js';

/** The stored halts, over PostgreSQL. */
export const createHaltStore = (): HaltRepository => new SqlHaltRepository();

/** The targets of halts, in the libraries that own them. */
export const createHaltTargets = (...of: ConstructorParameters<typeof RegistryHaltTargets>): HaltTargets =>
  new RegistryHaltTargets(...of);

export interface HaltDeps {
  readonly uow: UnitOfWork;
  readonly halts: HaltRepository;
  readonly audit: AuditSink;
  readonly targets: HaltTargets;
  /** The runs that a halt covers. */
  readonly runs: RunPauser & InFlightReader;
  /** The single calls that a halt covers. */
  readonly calls: CallStopper;
  readonly grants: GrantRevoker;
}

export function createHalts({ uow, halts, audit, targets, runs, calls, grants }: HaltDeps) {
  return {
    halts,
    setHalt: new SetHalt({ uow, halts, targets, runs, inFlight: runs, calls, grants, audit }),
    liftHalt: new LiftHalt(uow, halts, audit),
    readHalts: new ReadHalts(uow, halts),
  };
}
