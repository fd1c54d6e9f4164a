import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { AUTONOMY_READER, type AutonomyReader } from '#lib/autonomy';
import { JOB_QUEUE, UNIT_OF_WORK } from '#lib/database';
import { TOOL_DISPATCHER, type ToolDispatcher } from '#lib/dispatch';
import { HALT_READER, type HaltReader } from '#lib/halt';
import type { AuditSink, JobQueue, UnitOfWork } from '#lib/kernel';
import { PLAN_REPOSITORY, PlanResolver, type PlanRepository } from '#lib/plan';
import { DECISION_LOG, PolicyDecisionPoint, type DecisionLog } from '#lib/policy';
import {
  CallPreparation,
  ExecuteSimulation,
  GetSimulation,
  ListSimulations,
  ReadAccuracy,
  RecordOutcome,
  SIMULATION_OUTCOMES,
  SIMULATION_REPOSITORY,
  SimulationEvidence,
  SimulationFreshness,
  StartSimulation,
  TypeormSimulationOutcomeRepository,
  TypeormSimulationRepository,
  type SimulationOutcomeRepository,
  type SimulationRepository,
} from '#lib/simulation';
import { TASK_REPOSITORY, TaskAccess, type TaskRepository } from '#lib/task';
import { ENVIRONMENT_REPOSITORY, type EnvironmentRepository } from '#lib/tenancy';
import { TOOL_REGISTRY, type ToolRegistry } from '#lib/tool';

const providers: FactoryProvider[] = [
  { provide: SIMULATION_REPOSITORY, useFactory: () => new TypeormSimulationRepository() },
  { provide: SIMULATION_OUTCOMES, useFactory: () => new TypeormSimulationOutcomeRepository() },
  {
    provide: StartSimulation,
    inject: [
      UNIT_OF_WORK,
      TASK_REPOSITORY,
      TaskAccess,
      ENVIRONMENT_REPOSITORY,
      PLAN_REPOSITORY,
      PlanResolver,
      AUTONOMY_READER,
      HALT_READER,
      PolicyDecisionPoint,
      SIMULATION_REPOSITORY,
      JOB_QUEUE,
      AUDIT_SINK,
    ],
    useFactory: (
      unitOfWork: UnitOfWork,
      tasks: TaskRepository,
      access: TaskAccess,
      environments: EnvironmentRepository,
      plans: PlanRepository,
      resolver: PlanResolver,
      autonomy: AutonomyReader,
      halts: HaltReader,
      policy: PolicyDecisionPoint,
      simulations: SimulationRepository,
      jobs: JobQueue,
      audit: AuditSink,
    ) =>
      new StartSimulation({
        unitOfWork,
        tasks,
        access,
        environments,
        plans,
        resolver,
        autonomy,
        halts,
        policy,
        simulations,
        jobs,
        audit,
      }),
  },
  {
    provide: ExecuteSimulation,
    inject: [
      UNIT_OF_WORK,
      SIMULATION_REPOSITORY,
      PLAN_REPOSITORY,
      TASK_REPOSITORY,
      ENVIRONMENT_REPOSITORY,
      PlanResolver,
      TOOL_REGISTRY,
      AUTONOMY_READER,
      HALT_READER,
      TOOL_DISPATCHER,
      AUDIT_SINK,
    ],
    useFactory: (
      unitOfWork: UnitOfWork,
      simulations: SimulationRepository,
      plans: PlanRepository,
      tasks: TaskRepository,
      environments: EnvironmentRepository,
      resolver: PlanResolver,
      registry: ToolRegistry,
      autonomy: AutonomyReader,
      halts: HaltReader,
      dispatcher: ToolDispatcher,
      audit: AuditSink,
    ) =>
      new ExecuteSimulation({
        unitOfWork,
        simulations,
        plans,
        tasks,
        environments,
        resolver,
        preparation: new CallPreparation(registry, resolver),
        autonomy,
        halts,
        dispatcher,
        audit,
      }),
  },
  {
    provide: SimulationFreshness,
    inject: [SIMULATION_REPOSITORY, AUDIT_SINK],
    useFactory: (simulations: SimulationRepository, audit: AuditSink) => new SimulationFreshness(simulations, audit),
  },
  {
    provide: RecordOutcome,
    inject: [SIMULATION_REPOSITORY, SIMULATION_OUTCOMES],
    useFactory: (simulations: SimulationRepository, outcomes: SimulationOutcomeRepository) =>
      new RecordOutcome(simulations, outcomes),
  },
  {
    provide: GetSimulation,
    inject: [UNIT_OF_WORK, SIMULATION_REPOSITORY, DECISION_LOG],
    useFactory: (uow: UnitOfWork, simulations: SimulationRepository, decisions: DecisionLog) =>
      new GetSimulation(uow, simulations, decisions),
  },
  {
    provide: ListSimulations,
    inject: [UNIT_OF_WORK, PLAN_REPOSITORY, SIMULATION_REPOSITORY],
    useFactory: (uow: UnitOfWork, plans: PlanRepository, simulations: SimulationRepository) =>
      new ListSimulations(uow, plans, simulations),
  },
  {
    provide: ReadAccuracy,
    inject: [UNIT_OF_WORK, SIMULATION_OUTCOMES],
    useFactory: (uow: UnitOfWork, outcomes: SimulationOutcomeRepository) => new ReadAccuracy(uow, outcomes),
  },
  {
    provide: SimulationEvidence,
    inject: [SIMULATION_REPOSITORY],
    useFactory: (simulations: SimulationRepository) => new SimulationEvidence(simulations),
  },
];

/** Simulations. Needs the modules of tasks, plans, tools, autonomy, policy, halts, dispatch and audit, all global. */
@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class SimulationModule {}
