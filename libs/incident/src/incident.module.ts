import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import {
  APPROVAL_REPOSITORY,
  PLAN_SUBJECTS,
  IdentityPeople,
  VoidRequests,
  type ApprovalRepository,
  type PlanSubjects,
  SqlAbsences,
} from '#lib/approval';
import { AUDIT_SINK } from '#lib/audit';
import { AUTONOMY_READER, type AutonomyReader } from '#lib/autonomy';
import { UNIT_OF_WORK } from '#lib/database';
import { GUARDED_FETCH, type GuardedFetch } from '#lib/dispatch';
import { PostgresPersonRepository, PostgresSeats } from '#lib/identity';
import {
  ActOnIncident,
  BreakGlassAvailability,
  ChangeIncidentSettings,
  CheckDestinations,
  DestinationNotices,
  EscalateOverdue,
  FollowRun,
  FollowSlack,
  GuardedPager,
  IncidentEvidence,
  IncidentJournal,
  IncidentNotices,
  InvokeBreakGlass,
  PostgresDestinationChecks,
  PostgresIncidentRepository,
  PostgresIncidentSettings,
  PostgresPageQueue,
  ReadIncidents,
  ResendPages,
  SendPages,
  SlackNotices,
  SqlAlwaysTold,
} from '#lib/incident';
import {
  GUARDRAIL,
  MFA_PROOFS,
  OUTBOX,
  type AuditSink,
  type Guardrail,
  type MfaProofs,
  type Outbox,
  type RowSeals,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { TestAddress } from '#lib/notify';
import { PLAN_REPOSITORY, ReadDescription, type PlanRepository } from '#lib/plan';
import { PolicyDecisionPoint } from '#lib/policy';
import { CreateRun } from '#lib/run';
import { SECRET_VAULT, type SecretVault } from '#lib/tenancy';

const settings = new PostgresIncidentSettings();

/** Break-glass and incidents. Needs the modules of every stage, of policy, second factors, dispatch and audit, all global. */
@Module({})
export class IncidentModule {
  /**
   * @param options.publicUrl where people reach Countersign.
   * @param options.sendsMail whether the installation has a mail server.
   * @param options.mayConnect what the operator allows of an address, by its spelling.
   */
  static of(options: {
    readonly publicUrl: string;
    readonly sendsMail: boolean;
    readonly seals: RowSeals;
    readonly mayConnect: (tenantId: TenantId, url: URL) => Promise<'allowed' | 'public' | 'refused'>;
  }): DynamicModule {
    const { publicUrl, mayConnect } = options;
    const people = new IdentityPeople(
      new PostgresPersonRepository(options.seals),
      new PostgresSeats(options.seals),
      new SqlAbsences(options.seals),
    );
    const told = new SqlAlwaysTold(options.sendsMail);
    const providers: FactoryProvider[] = [
      {
        provide: PostgresIncidentRepository,
        useFactory: () => new PostgresIncidentRepository(),
      },
      {
        provide: PostgresPageQueue,
        useFactory: () => new PostgresPageQueue(),
      },
      {
        provide: IncidentJournal,
        inject: [PostgresIncidentRepository, PostgresPageQueue, AUDIT_SINK, OUTBOX],
        useFactory: (
          incidents: PostgresIncidentRepository,
          pages: PostgresPageQueue,
          audit: AuditSink,
          outbox: Outbox,
        ) => new IncidentJournal(incidents, settings, pages, audit, outbox),
      },
      {
        provide: FollowRun,
        inject: [PostgresIncidentRepository, IncidentJournal],
        useFactory: (incidents: PostgresIncidentRepository, journal: IncidentJournal) =>
          new FollowRun(incidents, journal),
      },
      {
        provide: InvokeBreakGlass,
        inject: [
          UNIT_OF_WORK,
          PLAN_SUBJECTS,
          APPROVAL_REPOSITORY,
          PLAN_REPOSITORY,
          MFA_PROOFS,
          PolicyDecisionPoint,
          VoidRequests,
          CreateRun,
          PostgresIncidentRepository,
          IncidentJournal,
          AUDIT_SINK,
        ],
        useFactory: (
          uow: UnitOfWork,
          subjects: PlanSubjects,
          requests: ApprovalRepository,
          plans: PlanRepository,
          proofs: MfaProofs,
          policy: PolicyDecisionPoint,
          approvals: VoidRequests,
          runs: CreateRun,
          incidents: PostgresIncidentRepository,
          journal: IncidentJournal,
          audit: AuditSink,
        ) => {
          const parts = {
            subjects,
            requests,
            plans,
            people,
            proofs,
            policy,
            approvals,
            runs,
            incidents,
            settings,
            journal,
            audit,
          };
          return new InvokeBreakGlass(uow, parts);
        },
      },
      {
        provide: BreakGlassAvailability,
        inject: [
          UNIT_OF_WORK,
          PLAN_SUBJECTS,
          PLAN_REPOSITORY,
          MFA_PROOFS,
          PolicyDecisionPoint,
          PostgresDestinationChecks,
        ],
        useFactory: (
          uow: UnitOfWork,
          subjects: PlanSubjects,
          plans: PlanRepository,
          proofs: MfaProofs,
          policy: PolicyDecisionPoint,
          checks: PostgresDestinationChecks,
        ) =>
          new BreakGlassAvailability(uow, subjects, plans, people, proofs, policy, { settings, checks, people: told }),
      },
      {
        provide: ActOnIncident,
        inject: [UNIT_OF_WORK, PostgresIncidentRepository, IncidentJournal],
        useFactory: (uow: UnitOfWork, incidents: PostgresIncidentRepository, journal: IncidentJournal) =>
          new ActOnIncident(uow, incidents, new PostgresSeats(options.seals), journal),
      },
      {
        provide: EscalateOverdue,
        inject: [UNIT_OF_WORK, PostgresIncidentRepository, IncidentJournal],
        useFactory: (uow: UnitOfWork, incidents: PostgresIncidentRepository, journal: IncidentJournal) =>
          new EscalateOverdue(uow, incidents, settings, journal),
      },
      {
        provide: ReadIncidents,
        inject: [UNIT_OF_WORK, PostgresIncidentRepository, PostgresPageQueue],
        useFactory: (uow: UnitOfWork, incidents: PostgresIncidentRepository, pages: PostgresPageQueue) =>
          new ReadIncidents(uow, incidents, pages, new PostgresSeats(options.seals), told),
      },
      {
        provide: IncidentEvidence,
        inject: [PostgresIncidentRepository],
        useFactory: (incidents: PostgresIncidentRepository) => new IncidentEvidence(incidents),
      },
      {
        provide: IncidentNotices,
        inject: [PostgresIncidentRepository, ReadDescription],
        useFactory: (incidents: PostgresIncidentRepository, descriptions: ReadDescription) =>
          new IncidentNotices(incidents, settings, told, descriptions, publicUrl),
      },
      {
        provide: ChangeIncidentSettings,
        inject: [
          UNIT_OF_WORK,
          SECRET_VAULT,
          AUTONOMY_READER,
          PostgresDestinationChecks,
          CheckDestinations,
          GUARDRAIL,
          AUDIT_SINK,
        ],
        useFactory: (
          uow: UnitOfWork,
          vault: SecretVault,
          autonomy: AutonomyReader,
          checks: PostgresDestinationChecks,
          testing: CheckDestinations,
          guardrail: Guardrail,
          audit: AuditSink,
        ) => new ChangeIncidentSettings(uow, settings, vault, mayConnect, autonomy, checks, testing, guardrail, audit),
      },
      {
        provide: PostgresDestinationChecks,
        useFactory: () => new PostgresDestinationChecks(),
      },
      {
        provide: CheckDestinations,
        inject: [UNIT_OF_WORK, PostgresDestinationChecks, TestAddress, AUDIT_SINK, OUTBOX],
        useFactory: (
          uow: UnitOfWork,
          checks: PostgresDestinationChecks,
          reaches: TestAddress,
          audit: AuditSink,
          outbox: Outbox,
        ) => new CheckDestinations(uow, settings, checks, reaches, audit, outbox),
      },
      {
        provide: DestinationNotices,
        inject: [PostgresDestinationChecks],
        useFactory: (checks: PostgresDestinationChecks) => new DestinationNotices(checks, settings, told, publicUrl),
      },
      {
        provide: FollowSlack,
        inject: [PostgresDestinationChecks, AUDIT_SINK, OUTBOX],
        useFactory: (checks: PostgresDestinationChecks, audit: AuditSink, outbox: Outbox) =>
          new FollowSlack(settings, checks, audit, outbox),
      },
      {
        provide: SlackNotices,
        inject: [AUTONOMY_READER, PostgresDestinationChecks],
        useFactory: (autonomy: AutonomyReader, checks: PostgresDestinationChecks) =>
          new SlackNotices(people, autonomy, settings, checks, told, publicUrl),
      },
      {
        provide: ResendPages,
        inject: [UNIT_OF_WORK, PostgresPageQueue, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, pages: PostgresPageQueue, audit: AuditSink) => new ResendPages(uow, pages, audit),
      },
      {
        provide: SendPages,
        inject: [
          UNIT_OF_WORK,
          PostgresPageQueue,
          PostgresIncidentRepository,
          SECRET_VAULT,
          GUARDED_FETCH,
          IncidentJournal,
        ],
        useFactory: (
          uow: UnitOfWork,
          pages: PostgresPageQueue,
          incidents: PostgresIncidentRepository,
          vault: SecretVault,
          fetch: GuardedFetch,
          journal: IncidentJournal,
        ) =>
          new SendPages(uow, { pages, incidents, settings, vault, pager: new GuardedPager(fetch), journal, publicUrl }),
      },
    ];
    return { module: IncidentModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
