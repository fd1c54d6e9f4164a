import type { AgentPrincipal, PersonPrincipal, RunId, Tx } from '#lib/kernel';
import type { ContractWorld, SampleEnvironment } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { QueuedRun, Run, RunFacts } from '../domain/run.js';
import type { PendingStep } from '../domain/run-step.js';
import type { RunBasis } from './fake-run-samples.js';
import type { RunRepository } from './run.repository.js';

/** The parts of a sample plan. By default the tenant's agent calls `deploy` on `host-1` in staging. */
export interface PlanSample {
  readonly environment?: SampleEnvironment;
  readonly submitter?: AgentPrincipal | PersonPrincipal;
  /** The submitter of its task; that of the plan if left out. */
  readonly taskSubmitter?: AgentPrincipal | PersonPrincipal;
  readonly tool?: string;
  readonly target?: string;
}

/** The world in which the contract is held. */
export interface RunContractWorld extends ContractWorld {
  readonly runs: RunRepository;
  /** A plan of a new task of the home tenant, and its decision. */
  readonly plan: (sample?: PlanSample) => Promise<RunBasis>;
  /** Makes the run one that Countersign did not write. */
  readonly forge: (id: RunId) => Promise<void>;
}

/** The world of each test of a repository of runs. */
export interface RunContract extends RunContractWorld {
  readonly tx: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** A queued run of a new plan, with these steps. */
  readonly queued: (changes?: Partial<RunFacts>, steps?: (run: Run) => readonly PendingStep[]) => Promise<QueuedRun>;
  /** Saves the run as it goes from state to state. */
  readonly goes: (run: Run, ...states: readonly Run['state'][]) => Promise<Run>;
  readonly found: (id: RunId) => Promise<Run | null>;
}
