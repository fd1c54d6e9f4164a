import type { AutonomyReader } from '#lib/autonomy';
import type { ExecutorKinds, ToolDispatcher } from '#lib/dispatch';
import type { HaltReader } from '#lib/halt';
import type { AuditSink, JobQueue, RowSeals, UnitOfWork } from '#lib/kernel';
import type { SqlPlanContents, Plans } from '#lib/plan';
import type { Policy } from '#lib/policy';
import type { EnvironmentReader, Tasks } from '#lib/task';
import type { ToolRegistry } from '#lib/tool';
import { SqlStartFacts } from './adapters/sql-start-facts.js';
import { SqlSimulationOutcomeRepository } from './adapters/sql-simulation-outcome.repository.js';
import { SqlSimulationRepository } from './adapters/sql-simulation.repository.js';
import { ExecuteSimulation } from './application/execute-simulation.js';
import { CallPreparation } from './application/prepare-calls.js';
import { GetSimulation, ListSimulations, ReadAccuracy } from './application/read-simulations.js';
import { RecordOutcome } from './application/record-outcome.js';
import { SimulationEvidence } from './application/simulation-evidence.js';
import { SimulationFreshness } from './application/simulation-freshness.js';
import type { SimulationOutcomeRepository, SimulationRepository } from './application/simulation.ports.js';
import type { StartFactsReader } from './application/start-facts.js';
import { StartSimulation } from './application/start-simulation.js';

/** The stored simulations with their outcomes, and the facts that a start is judged by. */
export interface SimulationRows {
  readonly simulations: SimulationRepository;
  readonly outcomes: SimulationOutcomeRepository;
  readonly facts: StartFactsReader;
}

/** The ports of this library that keep rows, over PostgreSQL. @param contents the parsed revisions of plans. */
export const createSimulationStore = (seals: RowSeals, contents: SqlPlanContents): SimulationRows => ({
  simulations: new SqlSimulationRepository(),
  outcomes: new SqlSimulationOutcomeRepository(),
  facts: new SqlStartFacts(seals, contents),
});

export interface SimulationDeps {
  readonly uow: UnitOfWork;
  readonly rows: SimulationRows;
  readonly audit: AuditSink;
  readonly jobs: JobQueue;
  readonly task: Pick<Tasks, 'tasks'>;
  readonly environments: EnvironmentReader;
  readonly plan: Pick<Plans, 'plans' | 'resolver'>;
  readonly tools: ToolRegistry;
  readonly executorKinds: ExecutorKinds;
  readonly autonomy: AutonomyReader;
  readonly halts: HaltReader;
  readonly policy: Pick<Policy, 'decisionPoint' | 'decisions'>;
  readonly dispatcher: ToolDispatcher;
}

/** Simulations. */
export type Simulations = ReturnType<typeof createSimulations>;

export function createSimulations(deps: SimulationDeps) {
  const { uow, audit, environments, autonomy, halts, jobs, policy } = deps;
  const { tasks } = deps.task;
  const { plans, resolver } = deps.plan;
  const { simulations, outcomes, facts } = deps.rows;
  const shared = { uow, tasks, environments, plans, resolver, autonomy, halts, simulations, audit };
  return {
    simulations,
    executeSimulation: new ExecuteSimulation({
      ...shared,
      preparation: new CallPreparation(deps.tools, resolver, deps.executorKinds),
      dispatcher: deps.dispatcher,
    }),
    startSimulation: new StartSimulation({
      uow,
      facts,
      halts,
      policy: policy.decisionPoint,
      simulations,
      jobs,
      audit,
    }),
    freshness: new SimulationFreshness(simulations, audit),
    recordOutcome: new RecordOutcome(simulations, outcomes),
    getSimulation: new GetSimulation(uow, simulations, policy.decisions),
    listSimulations: new ListSimulations(uow, plans, simulations),
    readAccuracy: new ReadAccuracy(uow, outcomes),
    simulationEvidence: new SimulationEvidence(simulations),
  };
}
