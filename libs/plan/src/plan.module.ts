import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import { ROW_SEALS, type AuditSink, type RowSeals, type UnitOfWork } from '#lib/kernel';
import {
  conditionGrammar,
  DiffPlans,
  GetPlan,
  ListPlans,
  PLAN_REPOSITORY,
  PLAN_SUPERSEDED_LISTENERS,
  PlanEvidence,
  PlanResolver,
  PlanRetirement,
  ReadDescription,
  ReadHeadlines,
  SqlSubmissionFacts,
  SubmitPlan,
  TypeormPlanRepository,
  WithdrawCancelledPlan,
  WithdrawPlan,
  type PlanRepository,
  type PlanSupersededListener,
} from '#lib/plan';
import { DECISION_LOG, PolicyDecisionPoint, type DecisionLog } from '#lib/policy';
import {
  CONDITION_GRAMMAR,
  TASK_CANCELLED_LISTENERS,
  TASK_REPOSITORY,
  TaskAccess,
  TaskLifecycle,
  type TaskRepository,
} from '#lib/task';
import {
  EXECUTOR_DIRECTORY,
  TOOL_REGISTRY,
  TypeormSecretNames,
  type ExecutorDirectory,
  type ToolRegistry,
} from '#lib/tool';

const providers: FactoryProvider[] = [
  { provide: CONDITION_GRAMMAR, useFactory: () => conditionGrammar },
  { provide: PLAN_REPOSITORY, useFactory: () => new TypeormPlanRepository() },
  {
    provide: PlanResolver,
    inject: [TOOL_REGISTRY, EXECUTOR_DIRECTORY, PLAN_REPOSITORY],
    useFactory: (tools: ToolRegistry, executors: ExecutorDirectory, plans: PlanRepository) =>
      new PlanResolver(tools, executors, plans, new TypeormSecretNames()),
  },
  {
    provide: PlanRetirement,
    inject: [PLAN_REPOSITORY, AUDIT_SINK, PLAN_SUPERSEDED_LISTENERS],
    useFactory: (plans: PlanRepository, audit: AuditSink, listeners: readonly PlanSupersededListener[]) =>
      new PlanRetirement(plans, audit, listeners),
  },
  {
    provide: TASK_CANCELLED_LISTENERS,
    inject: [PLAN_REPOSITORY, PlanRetirement],
    useFactory: (plans: PlanRepository, retirement: PlanRetirement) => [new WithdrawCancelledPlan(plans, retirement)],
  },
  {
    provide: SubmitPlan,
    inject: [
      UNIT_OF_WORK,
      ROW_SEALS,
      TaskLifecycle,
      PolicyDecisionPoint,
      PlanResolver,
      PLAN_REPOSITORY,
      PlanRetirement,
      AUDIT_SINK,
    ],
    useFactory: (
      unitOfWork: UnitOfWork,
      seals: RowSeals,
      lifecycle: TaskLifecycle,
      policy: PolicyDecisionPoint,
      resolver: PlanResolver,
      plans: PlanRepository,
      retirement: PlanRetirement,
      audit: AuditSink,
    ) =>
      new SubmitPlan({
        unitOfWork,
        facts: new SqlSubmissionFacts(seals),
        lifecycle,
        policy,
        resolver,
        plans,
        retirement,
        audit,
      }),
  },
  {
    provide: WithdrawPlan,
    inject: [UNIT_OF_WORK, TASK_REPOSITORY, TaskAccess, PLAN_REPOSITORY, PlanRetirement],
    useFactory: (
      uow: UnitOfWork,
      tasks: TaskRepository,
      access: TaskAccess,
      plans: PlanRepository,
      retirement: PlanRetirement,
    ) => new WithdrawPlan(uow, tasks, access, plans, retirement),
  },
  {
    provide: GetPlan,
    inject: [UNIT_OF_WORK, PLAN_REPOSITORY, DECISION_LOG, ReadDescription],
    useFactory: (uow: UnitOfWork, plans: PlanRepository, decisions: DecisionLog, descriptions: ReadDescription) =>
      new GetPlan(uow, plans, decisions, descriptions),
  },
  {
    provide: ReadDescription,
    inject: [PLAN_REPOSITORY, PlanResolver],
    useFactory: (plans: PlanRepository, resolver: PlanResolver) => new ReadDescription(plans, resolver),
  },
  {
    provide: ReadHeadlines,
    inject: [UNIT_OF_WORK, PLAN_REPOSITORY],
    useFactory: (uow: UnitOfWork, plans: PlanRepository) => new ReadHeadlines(uow, plans),
  },
  {
    provide: ListPlans,
    inject: [UNIT_OF_WORK, TASK_REPOSITORY, PLAN_REPOSITORY],
    useFactory: (uow: UnitOfWork, tasks: TaskRepository, plans: PlanRepository) => new ListPlans(uow, tasks, plans),
  },
  {
    provide: DiffPlans,
    inject: [UNIT_OF_WORK, PLAN_REPOSITORY],
    useFactory: (uow: UnitOfWork, plans: PlanRepository) => new DiffPlans(uow, plans),
  },
  {
    provide: PlanEvidence,
    inject: [PLAN_REPOSITORY, TASK_REPOSITORY, PlanResolver],
    useFactory: (plans: PlanRepository, tasks: TaskRepository, resolver: PlanResolver) =>
      new PlanEvidence(plans, tasks, resolver),
  },
];

/** Plans. Needs the modules of tasks, tools, autonomy, policy and audit, and PLAN_SUPERSEDED_LISTENERS, all global. */
@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class PlanModule {}
