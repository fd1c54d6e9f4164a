import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK, RotateAuditKey, SetPayloadRetention, StartEpoch } from '#lib/audit';
import { PutAutonomy } from '#lib/autonomy';
import { SYSTEM_QUERY, UNIT_OF_WORK, type SystemQuery } from '#lib/database';
import {
  ChangeEvidence,
  ChangeJournal,
  ChangeNotices,
  ConfirmChange,
  ExpireChanges,
  PostgresChangeRequestRepository,
  PostgresConfirmerDirectory,
  ReadChanges,
  RejectChange,
  TwoPersonGuardrail,
  WithdrawChange,
  type ChangeRequestRepository,
} from '#lib/guardrail';
import {
  ChangeAgent,
  ChangePerson,
  EnrolmentTokens,
  GrantRole,
  IssueEnrolment,
  nodeRandomBytes,
  OutdatePerson,
  PostgresAgentRepository,
  PostgresCredentialRepository,
  PostgresEnrolmentRepository,
  PostgresPersonRepository,
  PostgresSeats,
  type PersonRepository,
} from '#lib/identity';
import { ChangeIncidentSettings } from '#lib/incident';
import {
  GUARDRAIL,
  MFA_PROOFS,
  OUTBOX,
  ROW_SEALS,
  SECRET_DIGESTS,
  type AuditSink,
  type Guardrail,
  type MfaProofs,
  type Outbox,
  type RowSeals,
  type SecretDigests,
  type UnitOfWork,
} from '#lib/kernel';
import { ResetFactors } from '#lib/mfa';
import { PutSlackApp, RouteSlack, SlackSetUp } from '#lib/notify';
import { PutSignInSettings } from '#lib/sign-in';
import { BindSecret, ChangeEnvironment } from '#lib/tenancy';
import { ChangeCatalog, PutExecutor } from '#lib/tool';

const CHANGES = Symbol('change requests');

const provideChanges: FactoryProvider = {
  provide: CHANGES,
  inject: [ROW_SEALS],
  useFactory: (seals: RowSeals) => new PostgresChangeRequestRepository(seals),
};

interface Parts {
  readonly people: PersonRepository;
  readonly confirmers: PostgresConfirmerDirectory;
  readonly seats: PostgresSeats;
  readonly seals: RowSeals;
}

const providersWith = ({ people, confirmers, seats, seals }: Parts): FactoryProvider[] => [
  {
    provide: ChangeJournal,
    inject: [CHANGES, AUDIT_SINK, OUTBOX],
    useFactory: (changes: ChangeRequestRepository, audit: AuditSink, outbox: Outbox) =>
      new ChangeJournal(changes, audit, outbox),
  },
  {
    provide: ChangeEvidence,
    inject: [CHANGES],
    useFactory: (changes: ChangeRequestRepository) => new ChangeEvidence(changes),
  },
  {
    provide: GUARDRAIL,
    inject: [CHANGES, ChangeJournal, AUDIT_SINK],
    useFactory: (changes: ChangeRequestRepository, journal: ChangeJournal, audit: AuditSink) =>
      new TwoPersonGuardrail(changes, confirmers, seats, journal, audit),
  },
  {
    provide: ConfirmChange,
    inject: [
      UNIT_OF_WORK,
      CHANGES,
      SYSTEM_QUERY,
      MFA_PROOFS,
      ChangeJournal,
      GUARDRAIL,
      SECRET_DIGESTS,
      AUDIT_SINK,
      PutAutonomy,
      ChangeCatalog,
      PutExecutor,
      ChangeEnvironment,
      ResetFactors,
      PutSignInSettings,
      ChangeIncidentSettings,
      PutSlackApp,
      SlackSetUp,
      RouteSlack,
      SetPayloadRetention,
      BindSecret,
      StartEpoch,
      RotateAuditKey,
    ],
    useFactory: (
      uow: UnitOfWork,
      changes: ChangeRequestRepository,
      system: SystemQuery,
      proofs: MfaProofs,
      journal: ChangeJournal,
      guardrail: Guardrail,
      digests: SecretDigests,
      audit: AuditSink,
      autonomy: PutAutonomy,
      catalog: ChangeCatalog,
      executor: PutExecutor,
      environment: ChangeEnvironment,
      factors: ResetFactors,
      signIn: PutSignInSettings,
      incidentSettings: ChangeIncidentSettings,
      slackApp: PutSlackApp,
      slackWorkspace: SlackSetUp,
      slackRoutes: RouteSlack,
      auditRetention: SetPayloadRetention,
      secretBinding: BindSecret,
      auditEpoch: StartEpoch,
      auditKey: RotateAuditKey,
    ) => {
      const enrolments = new PostgresEnrolmentRepository(system, seals);
      const outdating = new OutdatePerson(guardrail, people, enrolments);
      return new ConfirmChange(uow, changes, confirmers, seats, proofs, journal, {
        autonomy,
        tool_catalog: catalog,
        role_grant: new GrantRole(uow, people, enrolments, guardrail, outdating, audit),
        executor,
        environment,
        factor_reset: factors,
        sign_in: signIn,
        enrolment: new IssueEnrolment(
          uow,
          people,
          new EnrolmentTokens(enrolments, digests, nodeRandomBytes),
          guardrail,
          outdating,
          audit,
        ),
        person_enabled: new ChangePerson(
          uow,
          people,
          new PostgresCredentialRepository(seals),
          guardrail,
          outdating,
          audit,
        ),
        agent_owner: new ChangeAgent(uow, new PostgresAgentRepository(), people, guardrail, audit),
        incident_settings: incidentSettings,
        slack_app: slackApp,
        slack_workspace: slackWorkspace,
        slack_routes: slackRoutes,
        audit_retention: auditRetention,
        secret_binding: secretBinding,
        audit_epoch: auditEpoch,
        audit_key: auditKey,
      });
    },
  },
  {
    provide: RejectChange,
    inject: [UNIT_OF_WORK, CHANGES, ChangeJournal],
    useFactory: (uow: UnitOfWork, changes: ChangeRequestRepository, journal: ChangeJournal) =>
      new RejectChange(uow, changes, confirmers, seats, journal),
  },
  {
    provide: WithdrawChange,
    inject: [UNIT_OF_WORK, CHANGES, ChangeJournal],
    useFactory: (uow: UnitOfWork, changes: ChangeRequestRepository, journal: ChangeJournal) =>
      new WithdrawChange(uow, changes, journal),
  },
  {
    provide: ReadChanges,
    inject: [UNIT_OF_WORK, CHANGES],
    useFactory: (uow: UnitOfWork, changes: ChangeRequestRepository) => new ReadChanges(uow, changes, confirmers, seats),
  },
  {
    provide: ExpireChanges,
    inject: [UNIT_OF_WORK, CHANGES, ChangeJournal],
    useFactory: (uow: UnitOfWork, changes: ChangeRequestRepository, journal: ChangeJournal) =>
      new ExpireChanges(uow, changes, journal),
  },
];

/** Changes that wait for a second person. Needs the modules of those who write them and of the second factor, all global. */
@Module({})
export class GuardrailModule {
  /** @param config.publicUrl where people reach Countersign. */
  static of(config: { readonly publicUrl: string; readonly seals: RowSeals }): DynamicModule {
    const people = new PostgresPersonRepository(config.seals);
    const confirmers = new PostgresConfirmerDirectory(people);
    const seats = new PostgresSeats(config.seals);
    const notices: FactoryProvider = {
      provide: ChangeNotices,
      inject: [CHANGES],
      useFactory: (changes: ChangeRequestRepository) => new ChangeNotices(changes, confirmers, seats, config.publicUrl),
    };
    const all = [...providersWith({ people, confirmers, seats, seals: config.seals }), notices];
    return {
      module: GuardrailModule,
      global: true,
      providers: [provideChanges, ...all],
      exports: all.map(({ provide }) => provide),
    };
  }
}
