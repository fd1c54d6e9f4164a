import { Global, Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import {
  APPROVAL_GRANTED_LISTENER,
  APPROVAL_REPOSITORY,
  APPROVAL_SUBJECTS,
  ApprovalEvidence,
  ApprovalJournal,
  AskReview,
  AuthorizeStart,
  CANARY_HISTORY,
  ChangeAbsences,
  ClaimRequest,
  CountReviewers,
  ExpireDue,
  IdentityPeople,
  OpenRequest,
  PLAN_SUBJECTS,
  ReadQueue,
  ReadRequests,
  ReadReviewers,
  ReadStanding,
  ReadStatistics,
  ReadTaskHistory,
  SendReminders,
  SqlAbsences,
  SqlClaims,
  SqlFlood,
  SqlReminders,
  SqlReviewerCensus,
  SqlStatistics,
  StagePlanSimulations,
  StagePlanSubjects,
  StartScheduled,
  SubjectsByKind,
  SubmitReview,
  TypeormApprovalRepository,
  VoidRequests,
  WithdrawRequest,
  type ApprovalGrantedListener,
  type ApprovalRepository,
  type ApprovalSubjects,
  type CanaryHistory,
  type PlanSubjects,
} from '#lib/approval';
import { AUDIT_SINK } from '#lib/audit';
import { ApprovalDemand, AUTONOMY_READER, type AutonomyReader } from '#lib/autonomy';
import { UNIT_OF_WORK } from '#lib/database';
import { HALT_READER, type HaltReader } from '#lib/halt';
import {
  PostgresAgentRepository,
  PostgresCredentialRepository,
  PostgresPersonRepository,
  PostgresSeats,
} from '#lib/identity';
import {
  MFA_PROOFS,
  OUTBOX,
  ROW_SEALS,
  type AuditSink,
  type MfaProofs,
  type Outbox,
  type RowSeals,
  type UnitOfWork,
} from '#lib/kernel';
import { PLAN_REPOSITORY, type PlanRepository } from '#lib/plan';
import { PolicyDecisionPoint } from '#lib/policy';
import { SIMULATION_REPOSITORY, type SimulationRepository } from '#lib/simulation';
import { TASK_REPOSITORY, TaskAccess, type TaskRepository } from '#lib/task';
import { ENVIRONMENT_REPOSITORY, type EnvironmentRepository } from '#lib/tenancy';
import { EXECUTOR_DIRECTORY, TOOL_REGISTRY, type ExecutorDirectory, type ToolRegistry } from '#lib/tool';

const agents = new PostgresAgentRepository();
const claims = new SqlClaims();
const reminders = new SqlReminders();

const plans: FactoryProvider<PlanSubjects> = {
  provide: PLAN_SUBJECTS,
  inject: [
    PolicyDecisionPoint,
    AUTONOMY_READER,
    TOOL_REGISTRY,
    EXECUTOR_DIRECTORY,
    TASK_REPOSITORY,
    PLAN_REPOSITORY,
    SIMULATION_REPOSITORY,
    ENVIRONMENT_REPOSITORY,
    HALT_READER,
    CANARY_HISTORY,
  ],
  useFactory: (
    policy: PolicyDecisionPoint,
    autonomy: AutonomyReader,
    tools: ToolRegistry,
    executors: ExecutorDirectory,
    tasks: TaskRepository,
    plans: PlanRepository,
    simulations: SimulationRepository,
    environments: EnvironmentRepository,
    halts: HaltReader,
    canaries: CanaryHistory,
  ) =>
    new StagePlanSubjects({
      policy,
      autonomy,
      tools,
      executors,
      tasks,
      plans,
      simulations: new StagePlanSimulations(simulations),
      environments,
      agents,
      halts,
      canaries,
    }),
};

const providersWith = (people: IdentityPeople, absences: SqlAbsences): FactoryProvider[] => [
  {
    provide: APPROVAL_REPOSITORY,
    inject: [ROW_SEALS],
    useFactory: (seals: RowSeals) => new TypeormApprovalRepository(seals),
  },
  plans,
  {
    provide: APPROVAL_SUBJECTS,
    inject: [PLAN_SUBJECTS],
    useFactory: (plan: PlanSubjects) => new SubjectsByKind({ plan }),
  },
  {
    provide: ApprovalJournal,
    inject: [APPROVAL_REPOSITORY, AUDIT_SINK, OUTBOX],
    useFactory: (requests: ApprovalRepository, audit: AuditSink, outbox: Outbox) =>
      new ApprovalJournal(requests, audit, outbox),
  },
  {
    provide: ApprovalEvidence,
    inject: [APPROVAL_REPOSITORY],
    useFactory: (requests: ApprovalRepository) => new ApprovalEvidence(requests),
  },
  {
    provide: ReadStanding,
    inject: [APPROVAL_REPOSITORY],
    useFactory: (requests: ApprovalRepository) => new ReadStanding(requests, people),
  },
  {
    provide: AuthorizeStart,
    inject: [PLAN_SUBJECTS, APPROVAL_REPOSITORY, ReadStanding, ApprovalJournal, PolicyDecisionPoint],
    useFactory: (
      about: PlanSubjects,
      requests: ApprovalRepository,
      standing: ReadStanding,
      journal: ApprovalJournal,
      policy: PolicyDecisionPoint,
    ) => new AuthorizeStart(about, requests, standing, journal, policy),
  },
  {
    provide: VoidRequests,
    inject: [APPROVAL_REPOSITORY, ApprovalJournal],
    useFactory: (requests: ApprovalRepository, journal: ApprovalJournal) => new VoidRequests(requests, journal),
  },
  {
    provide: OpenRequest,
    inject: [UNIT_OF_WORK, APPROVAL_SUBJECTS, APPROVAL_REPOSITORY, ApprovalJournal, PolicyDecisionPoint, TaskAccess],
    useFactory: (
      uow: UnitOfWork,
      about: ApprovalSubjects,
      requests: ApprovalRepository,
      journal: ApprovalJournal,
      policy: PolicyDecisionPoint,
      access: TaskAccess,
    ) => new OpenRequest(uow, about, requests, people, journal, policy, access, reminders, new SqlFlood()),
  },
  {
    provide: SubmitReview,
    inject: [
      UNIT_OF_WORK,
      APPROVAL_SUBJECTS,
      APPROVAL_REPOSITORY,
      ApprovalJournal,
      PolicyDecisionPoint,
      APPROVAL_GRANTED_LISTENER,
      MFA_PROOFS,
    ],
    useFactory: (
      uow: UnitOfWork,
      about: ApprovalSubjects,
      requests: ApprovalRepository,
      journal: ApprovalJournal,
      policy: PolicyDecisionPoint,
      granted: ApprovalGrantedListener,
      proofs: MfaProofs,
    ) => new SubmitReview(uow, about, requests, people, journal, policy, granted, proofs),
  },
  {
    provide: WithdrawRequest,
    inject: [UNIT_OF_WORK, APPROVAL_SUBJECTS, APPROVAL_REPOSITORY, ApprovalJournal, TaskAccess],
    useFactory: (
      uow: UnitOfWork,
      about: ApprovalSubjects,
      requests: ApprovalRepository,
      journal: ApprovalJournal,
      access: TaskAccess,
    ) => new WithdrawRequest(uow, about, requests, journal, access),
  },
  {
    provide: AskReview,
    inject: [AUTONOMY_READER, PolicyDecisionPoint],
    useFactory: (autonomy: AutonomyReader, policy: PolicyDecisionPoint) => new AskReview(people, autonomy, policy),
  },
  {
    provide: CountReviewers,
    inject: [UNIT_OF_WORK, AskReview, ApprovalDemand],
    useFactory: (uow: UnitOfWork, asking: AskReview, demand: ApprovalDemand) =>
      new CountReviewers(uow, people, new SqlReviewerCensus(), asking, demand),
  },
  {
    provide: ReadRequests,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY, APPROVAL_SUBJECTS, AskReview, ReadTaskHistory],
    useFactory: (
      uow: UnitOfWork,
      requests: ApprovalRepository,
      about: ApprovalSubjects,
      asking: AskReview,
      history: ReadTaskHistory,
    ) => new ReadRequests(uow, requests, about, people, asking, claims, reminders, history),
  },
  {
    provide: ReadTaskHistory,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY],
    useFactory: (uow: UnitOfWork, requests: ApprovalRepository) => new ReadTaskHistory(uow, requests, people),
  },
  {
    provide: ReadReviewers,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY, AskReview],
    useFactory: (uow: UnitOfWork, requests: ApprovalRepository, asking: AskReview) =>
      new ReadReviewers(uow, requests, people, asking),
  },
  {
    provide: ReadQueue,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY, ReadRequests, AskReview],
    useFactory: (uow: UnitOfWork, requests: ApprovalRepository, reading: ReadRequests, asking: AskReview) =>
      new ReadQueue(uow, requests, reading, asking),
  },
  {
    provide: ClaimRequest,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY, AskReview, AUDIT_SINK],
    useFactory: (uow: UnitOfWork, requests: ApprovalRepository, asking: AskReview, audit: AuditSink) =>
      new ClaimRequest(uow, requests, claims, people, asking, audit),
  },
  {
    provide: ChangeAbsences,
    inject: [UNIT_OF_WORK, ROW_SEALS, AUDIT_SINK],
    useFactory: (uow: UnitOfWork, seals: RowSeals, audit: AuditSink) =>
      new ChangeAbsences(uow, absences, people, new PostgresCredentialRepository(seals), audit),
  },
  {
    provide: ReadStatistics,
    inject: [UNIT_OF_WORK],
    useFactory: (uow: UnitOfWork) => new ReadStatistics(uow, new SqlStatistics()),
  },
  {
    provide: SendReminders,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY, OUTBOX, AUDIT_SINK],
    useFactory: (uow: UnitOfWork, requests: ApprovalRepository, outbox: Outbox, audit: AuditSink) =>
      new SendReminders(uow, requests, reminders, outbox, audit),
  },
  {
    provide: ExpireDue,
    inject: [UNIT_OF_WORK, APPROVAL_REPOSITORY, ApprovalJournal],
    useFactory: (uow: UnitOfWork, requests: ApprovalRepository, journal: ApprovalJournal) =>
      new ExpireDue(uow, requests, journal),
  },
  {
    provide: StartScheduled,
    inject: [UNIT_OF_WORK, APPROVAL_SUBJECTS, APPROVAL_REPOSITORY, APPROVAL_GRANTED_LISTENER],
    useFactory: (
      uow: UnitOfWork,
      about: ApprovalSubjects,
      requests: ApprovalRepository,
      granted: ApprovalGrantedListener,
    ) => new StartScheduled(uow, about, requests, granted),
  },
];

/**
 * Approval requests. Needs the modules of the earlier stages, and APPROVAL_GRANTED_LISTENER and CANARY_HISTORY of the run
 * engine, all global.
 */
@Global()
@Module({})
export class ApprovalModule {
  static of(seals: RowSeals): DynamicModule {
    const absences = new SqlAbsences(seals);
    const people = new IdentityPeople(new PostgresPersonRepository(seals), new PostgresSeats(seals), absences);
    const providers = providersWith(people, absences);
    return { module: ApprovalModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
