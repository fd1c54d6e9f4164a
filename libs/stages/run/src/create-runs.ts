import { type AuthorizeStart, type People, type PlanSubjects, ReviewedRequests } from '#lib/approval';
import type { ExecutorKinds, IssueGrant, KeptAnswers, ToolDispatcher } from '#lib/dispatch';
import type { HaltReader } from '#lib/halt';
import type { AuditSink, JobQueue, Outbox, RowSeals, UnitOfWork } from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import type { DecisionLog, PolicyDecisionPoint } from '#lib/policy';
import type { RecordOutcome, SimulationFreshness, SimulationRepository } from '#lib/simulation';
import type { EnvironmentReader, TaskAccess, TaskLifecycle, TaskRepository } from '#lib/task';
import type { ExecutorDirectory, ToolRegistry } from '#lib/tool';
import { TypeormRunTrace } from './adapters/typeorm-run-trace.js';
import { type BoundRecordSources, SqlBoundRecords } from './adapters/sql-bound-records.js';
import { SqlRunRepository } from './adapters/sql-run.repository.js';
import type { BoundRecords } from './application/bound-records.port.js';
import { AgentWork } from './application/agent-work.js';
import { AdvanceRun } from './application/advance-run.js';
import { ControlRun } from './application/control-run.js';
import { CreateRun } from './application/create-run.js';
import { DispatchStep } from './application/dispatch-step.js';
import { EvaluateHealth } from './application/evaluate-health.js';
import { LockRunContext } from './application/lock-run-context.js';
import { MoveRun } from './application/move-run.js';
import { PauseForHalt } from './application/pause-for-halt.js';
import { PauseForRestore } from './application/pause-for-restore.js';
import { ReadRuns } from './application/read-runs.js';
import { RecordAnswer } from './application/record-answer.js';
import { RecordKeptAnswer } from './application/record-kept-answer.js';
import { RecoverAnswer } from './application/recover-answer.js';
import { ReportAttempt } from './application/report-attempt.js';
import { ResolveStep } from './application/resolve-step.js';
import { ResumeRun } from './application/resume-run.js';
import { RunAccess } from './application/run-access.js';
import { RunEvidence } from './application/run-evidence.js';
import { RunJournal } from './application/run-journal.js';
import type { RunMovedListener, RunSettings } from './application/run.ports.js';
import type { RunRepository } from './application/run.repository.js';
import { StartQueuedRun } from './application/start-queued-run.js';
import { StartRun } from './application/start-run.js';
import { TakeAction } from './application/take-action.js';
import { TakeStep } from './application/take-step.js';

/** The ports of runs: those of the earlier stages, and those that all libraries share. */
export interface RunDeps {
  readonly uow: UnitOfWork;
  readonly audit: AuditSink;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly runs: RunRepository;
  readonly policy: Pick<PolicyDecisionPoint, 'decide'>;
  readonly decisions: Pick<DecisionLog, 'find'>;
  readonly halts: HaltReader;
  readonly tools: ToolRegistry;
  readonly executors: ExecutorDirectory;
  readonly executorKinds: ExecutorKinds;
  readonly environments: Pick<EnvironmentReader, 'byId'>;
  readonly tasks: TaskRepository;
  readonly taskAccess: TaskAccess;
  readonly taskLifecycle: TaskLifecycle;
  readonly plans: Pick<PlanRepository, 'find'>;
  readonly simulations: Pick<SimulationRepository, 'find'>;
  readonly freshness: SimulationFreshness;
  readonly predictions: RecordOutcome;
  readonly subjects: Pick<PlanSubjects, 'read'>;
  readonly bound: BoundRecords;
  readonly people: Pick<People, 'standing'>;
  readonly authority: AuthorizeStart;
  readonly dispatcher: ToolDispatcher;
  readonly keptAnswers: KeptAnswers;
  readonly grants: Pick<IssueGrant, 'ahead' | 'fetch' | 'wasIssued'>;
  /** Told of every move of a run. */
  readonly listeners: readonly RunMovedListener[];
  readonly settings: RunSettings;
}

/** Every use case of a run. */
export interface Runs {
  /** For a caller that holds the authority to execute. */
  readonly create: CreateRun;
  readonly start: StartRun;
  readonly advance: AdvanceRun;
  readonly control: ControlRun;
  readonly resume: ResumeRun;
  readonly resolve: ResolveStep;
  readonly read: ReadRuns;
  readonly restore: PauseForRestore;
  readonly work: AgentWork;
  readonly report: ReportAttempt;
  readonly recordKept: RecordKeptAnswer;
  readonly evidence: RunEvidence;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export function createRunStore({ uow, seals }: { readonly uow: UnitOfWork; readonly seals: RowSeals }) {
  const runs: RunRepository = new SqlRunRepository(seals);
  return {
    runs,
    runTrace: new TypeormRunTrace(uow),
    bound: (sources: Omit<BoundRecordSources, 'seals' | 'requests'>): BoundRecords =>
      new SqlBoundRecords({ ...sources, seals, requests: new ReviewedRequests(seals) }),
  };
}

/** The pauses of runs: halts need them before the stages of a run are there. */
export const createRunPauses = ({ runs, audit, jobs }: Pick<RunDeps, 'runs' | 'audit' | 'jobs'>): PauseForHalt =>
  new PauseForHalt(runs, new RunJournal(runs, audit), jobs);

export function createRuns(needs: RunDeps): Runs {
  const { uow, runs, jobs, audit, settings } = needs;
  const journal = new RunJournal(runs, audit);
  const access = new RunAccess(needs.plans, needs.tasks, needs.taskAccess);
  const context = new LockRunContext(needs.bound);
  const moves = new MoveRun({
    runs,
    journal,
    tasks: needs.taskLifecycle,
    predictions: needs.predictions,
    jobs,
    outbox: needs.outbox,
    listeners: needs.listeners,
  });
  const starting = new StartQueuedRun(runs, needs.taskLifecycle, needs.simulations, needs.freshness, moves, journal);
  const dispatching = new DispatchStep({
    runs,
    people: needs.people,
    policy: needs.policy,
    halts: needs.halts,
    tools: needs.tools,
    executors: needs.executors,
    executorKinds: needs.executorKinds,
    grants: needs.grants,
    journal,
    settings,
  });
  const answers = new RecordAnswer(uow, runs, journal);
  const recovering = new RecoverAnswer(runs, answers, needs.keptAnswers);
  const stepping = new TakeStep(runs, dispatching, recovering, moves, journal, settings);
  const health = new EvaluateHealth(runs, journal, moves);
  const creating = new CreateRun(runs, needs.authority, journal, jobs);
  return {
    create: creating,
    start: new StartRun(uow, needs.authority, access, creating, audit),
    advance: new AdvanceRun({
      uow,
      runs,
      plans: needs.plans,
      context,
      actions: new TakeAction({ runs, starting, stepping, health, moves, journal, settings }),
      answers,
      dispatcher: needs.dispatcher,
      settings,
    }),
    control: new ControlRun(uow, runs, access, journal, jobs),
    resume: new ResumeRun(uow, runs, context, moves, needs.halts, jobs),
    resolve: new ResolveStep(uow, runs, journal, jobs),
    read: new ReadRuns({
      uow,
      runs,
      environments: needs.environments,
      decisions: needs.decisions,
      simulations: needs.simulations,
      subjects: needs.subjects,
      halts: needs.halts,
    }),
    restore: new PauseForRestore(runs, context, moves, journal),
    work: new AgentWork(uow, runs, context, dispatching, needs.executors, needs.grants),
    report: new ReportAttempt(uow, runs, answers, needs.grants, jobs),
    recordKept: new RecordKeptAnswer(runs, recovering),
    evidence: new RunEvidence(runs),
  };
}
