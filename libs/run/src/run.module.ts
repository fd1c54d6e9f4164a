import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import {
  APPROVAL_GRANTED_LISTENER,
  APPROVAL_REPOSITORY,
  PLAN_SUBJECTS,
  AuthorizeStart,
  CANARY_HISTORY,
  ReadStanding,
  type ApprovalRepository,
  type PlanSubjects,
} from '#lib/approval';
import { AUDIT_SINK } from '#lib/audit';
import { JOB_QUEUE, UNIT_OF_WORK } from '#lib/database';
import { IssueGrant, TOOL_DISPATCHER, type ToolDispatcher } from '#lib/dispatch';
import { HALT_READER, HALTED_RUNS, type HaltReader } from '#lib/halt';
import {
  OUTBOX,
  ROW_SEALS,
  type AuditSink,
  type JobQueue,
  type Outbox,
  type RowSeals,
  type UnitOfWork,
} from '#lib/kernel';
import { PLAN_REPOSITORY, type PlanRepository } from '#lib/plan';
import { DECISION_LOG, PolicyDecisionPoint, type DecisionLog } from '#lib/policy';
import {
  AdvanceRun,
  AgentWork,
  ControlRun,
  CreateRun,
  PauseForHalt,
  PauseForRestore,
  ReadRuns,
  ReportAttempt,
  ResolveStep,
  ResumeRun,
  RUN_MOVED_LISTENERS,
  RUN_REPOSITORY,
  RunCanaryHistory,
  RunEvidence,
  RunJournal,
  runParts,
  RunTrace,
  StartRun,
  TypeormRunRepository,
  type RunMovedListener,
  type RunParts,
  type RunRepository,
  type RunSettings,
} from '#lib/run';
import { RecordOutcome, SIMULATION_REPOSITORY, SimulationFreshness, type SimulationRepository } from '#lib/simulation';
import { TASK_REPOSITORY, TaskAccess, TaskLifecycle, type TaskRepository } from '#lib/task';
import { ENVIRONMENT_REPOSITORY, type EnvironmentRepository } from '#lib/tenancy';
import { EXECUTOR_DIRECTORY, TOOL_REGISTRY, type ExecutorDirectory, type ToolRegistry } from '#lib/tool';

const PARTS = Symbol('run parts');

const part = (token: FactoryProvider['provide'], pick: (parts: RunParts) => unknown): FactoryProvider => ({
  provide: token,
  inject: [PARTS],
  useFactory: pick,
});

/** Runs. Needs the modules of every earlier stage, of halts, dispatch, policy and audit, all global. */
@Module({})
export class RunModule {
  static of(settings: RunSettings): DynamicModule {
    const provideParts: FactoryProvider<RunParts> = {
      provide: PARTS,
      inject: [
        UNIT_OF_WORK,
        AUDIT_SINK,
        JOB_QUEUE,
        OUTBOX,
        RUN_REPOSITORY,
        PolicyDecisionPoint,
        DECISION_LOG,
        HALT_READER,
        TOOL_REGISTRY,
        EXECUTOR_DIRECTORY,
        ENVIRONMENT_REPOSITORY,
        TASK_REPOSITORY,
        TaskAccess,
        TaskLifecycle,
        PLAN_REPOSITORY,
        SIMULATION_REPOSITORY,
        SimulationFreshness,
        RecordOutcome,
        PLAN_SUBJECTS,
        APPROVAL_REPOSITORY,
        ReadStanding,
        AuthorizeStart,
        TOOL_DISPATCHER,
        IssueGrant,
        RUN_MOVED_LISTENERS,
      ],
      useFactory: (
        uow: UnitOfWork,
        audit: AuditSink,
        jobs: JobQueue,
        outbox: Outbox,
        runs: RunRepository,
        policy: PolicyDecisionPoint,
        decisions: DecisionLog,
        halts: HaltReader,
        tools: ToolRegistry,
        executors: ExecutorDirectory,
        environments: EnvironmentRepository,
        tasks: TaskRepository,
        taskAccess: TaskAccess,
        taskLifecycle: TaskLifecycle,
        plans: PlanRepository,
        simulations: SimulationRepository,
        freshness: SimulationFreshness,
        predictions: RecordOutcome,
        subjects: PlanSubjects,
        requests: ApprovalRepository,
        standing: ReadStanding,
        authority: AuthorizeStart,
        dispatcher: ToolDispatcher,
        grants: IssueGrant,
        listeners: readonly RunMovedListener[],
      ) =>
        runParts({
          uow,
          audit,
          jobs,
          outbox,
          runs,
          policy,
          decisions,
          halts,
          tools,
          executors,
          environments,
          tasks,
          taskAccess,
          taskLifecycle,
          plans,
          simulations,
          freshness,
          predictions,
          subjects,
          requests,
          standing,
          authority,
          dispatcher,
          grants,
          listeners,
          settings,
        }),
    };
    const providers: FactoryProvider[] = [
      {
        provide: RUN_REPOSITORY,
        inject: [ROW_SEALS],
        useFactory: (seals: RowSeals) => new TypeormRunRepository(seals),
      },
      {
        provide: CANARY_HISTORY,
        inject: [RUN_REPOSITORY],
        useFactory: (runs: RunRepository) => new RunCanaryHistory(runs),
      },
      {
        provide: HALTED_RUNS,
        inject: [RUN_REPOSITORY, AUDIT_SINK, JOB_QUEUE],
        useFactory: (runs: RunRepository, audit: AuditSink, jobs: JobQueue) =>
          new PauseForHalt(runs, new RunJournal(runs, audit), jobs),
      },
      { provide: RunEvidence, inject: [RUN_REPOSITORY], useFactory: (runs: RunRepository) => new RunEvidence(runs) },
      { provide: RunTrace, inject: [UNIT_OF_WORK], useFactory: (uow: UnitOfWork) => new RunTrace(uow) },
      part(APPROVAL_GRANTED_LISTENER, ({ start }) => start),
      part(CreateRun, ({ create }) => create),
      part(StartRun, ({ start }) => start),
      part(AdvanceRun, ({ advance }) => advance),
      part(ControlRun, ({ control }) => control),
      part(ResumeRun, ({ resume }) => resume),
      part(ResolveStep, ({ resolve }) => resolve),
      part(ReadRuns, ({ read }) => read),
      part(AgentWork, ({ work }) => work),
      part(ReportAttempt, ({ report }) => report),
      part(PauseForRestore, ({ restore }) => restore),
    ];
    return {
      module: RunModule,
      global: true,
      providers: [provideParts, ...providers],
      exports: providers.map(({ provide }) => provide),
    };
  }
}
