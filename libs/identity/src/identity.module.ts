import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { SYSTEM_QUERY, UNIT_OF_WORK, type SystemQuery } from '#lib/database';
import {
  AddPerson,
  Authenticate,
  AUTHENTICATOR,
  Bootstrap,
  ChangeAgent,
  ChangePerson,
  EndFormerHand,
  EnrolmentTokens,
  ExchangeEnrolment,
  GrantRole,
  IssueBootstrapToken,
  InvitePerson,
  IssueEnrolment,
  KeepInvitations,
  MintAgentCredential,
  MintCredential,
  MintOwnToken,
  nodeRandomBytes,
  OutdatePerson,
  PostgresAgentRepository,
  PostgresBootstrapTokenRepository,
  PostgresCredentialFile,
  PostgresCredentialRepository,
  PostgresEnrolmentRepository,
  PostgresLeftBehind,
  PostgresPersonRepository,
  PostgresRequestBudget,
  PostgresSeats,
  ReadIdentity,
  ReadRoles,
  RegisterAgent,
  REQUEST_BUDGET,
  RevokeCredential,
  RevokeRole,
  SqlRoleDirectory,
  TokenAllowance,
  VouchForPerson,
  type BudgetLimits,
  type CredentialRepository,
  type PersonRepository,
} from '#lib/identity';
import {
  GUARDRAIL,
  MFA_PROOFS,
  PASSKEY_KEEPER,
  ROW_SEALS,
  SECRET_DIGESTS,
  type AuditSink,
  type Guardrail,
  type MfaProofs,
  type PasskeyKeeper,
  type RowSeals,
  type SecretDigests,
  type UnitOfWork,
} from '#lib/kernel';
import { FoundTenant, TypeormEnvironmentRepository, TypeormTenantRepository } from '#lib/tenancy';

interface Ports {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly audit: AuditSink;
  readonly digests: SecretDigests;
  readonly seals: RowSeals;
  readonly people: PersonRepository;
  readonly credentials: CredentialRepository;
}
type Make = (ports: Ports) => unknown;

const agents = new PostgresAgentRepository();
const tenants = new FoundTenant(new TypeormTenantRepository(), new TypeormEnvironmentRepository());

const minting = (digests: SecretDigests, seals: RowSeals): MintCredential =>
  new MintCredential(new PostgresCredentialRepository(seals), digests, nodeRandomBytes);
const tokens = (system: SystemQuery, digests: SecretDigests, seals: RowSeals): EnrolmentTokens =>
  new EnrolmentTokens(new PostgresEnrolmentRepository(system, seals), digests, nodeRandomBytes);

const makers = new Map<FactoryProvider['provide'], Make>([
  [
    AUTHENTICATOR,
    ({ uow, system, digests, seals }) => new Authenticate(uow, new PostgresCredentialFile(system, seals), digests),
  ],
  [AddPerson, ({ uow, people, audit }) => new AddPerson(uow, people, audit)],
  [RegisterAgent, ({ uow, people, audit }) => new RegisterAgent(uow, agents, people, audit)],
  [RevokeCredential, ({ uow, credentials, audit }) => new RevokeCredential(uow, credentials, audit)],
  [
    KeepInvitations,
    ({ uow, system, people, audit, seals }) =>
      new KeepInvitations(uow, people, new PostgresEnrolmentRepository(system, seals), audit),
  ],
  [
    ReadIdentity,
    ({ uow, people, credentials, seals }) =>
      new ReadIdentity(uow, people, agents, credentials, new PostgresSeats(seals)),
  ],
  [ReadRoles, ({ uow }) => new ReadRoles(uow, new SqlRoleDirectory())],
  [
    IssueBootstrapToken,
    ({ uow, digests }) =>
      new IssueBootstrapToken(uow, new PostgresBootstrapTokenRepository(), digests, nodeRandomBytes),
  ],
  [
    Bootstrap,
    ({ uow, system, people, audit, digests, seals }) => {
      const issuing = tokens(system, digests, seals);
      return new Bootstrap(uow, new PostgresBootstrapTokenRepository(), tenants, people, issuing, digests, audit);
    },
  ],
]);

/** What people and agents may do at most. */
export interface IdentityLimits {
  readonly requests: BudgetLimits;
  /** The most live tokens of one person or agent. */
  readonly tokensPerHolder: number;
}

/** People, agents and credentials. Needs the database's, the audit log's and the guardrail's modules, which are global. */
@Module({})
export class IdentityModule {
  static of(limits: IdentityLimits): DynamicModule {
    const providers: FactoryProvider[] = [...makers].map(([provide, useFactory]) => ({
      provide,
      useFactory: (uow: UnitOfWork, system: SystemQuery, audit: AuditSink, digests: SecretDigests, seals: RowSeals) =>
        useFactory({
          uow,
          system,
          audit,
          digests,
          seals,
          people: new PostgresPersonRepository(seals),
          credentials: new PostgresCredentialRepository(seals),
        }),
      inject: [UNIT_OF_WORK, SYSTEM_QUERY, AUDIT_SINK, SECRET_DIGESTS, ROW_SEALS],
    }));
    providers.push(
      {
        provide: OutdatePerson,
        useFactory: (system: SystemQuery, guardrail: Guardrail, seals: RowSeals) =>
          new OutdatePerson(
            guardrail,
            new PostgresPersonRepository(seals),
            new PostgresEnrolmentRepository(system, seals),
          ),
        inject: [SYSTEM_QUERY, GUARDRAIL, ROW_SEALS],
      },
      {
        provide: RevokeRole,
        useFactory: (uow: UnitOfWork, outdating: OutdatePerson, audit: AuditSink, seals: RowSeals) =>
          new RevokeRole(uow, new PostgresPersonRepository(seals), outdating, audit),
        inject: [UNIT_OF_WORK, OutdatePerson, AUDIT_SINK, ROW_SEALS],
      },
      {
        provide: ExchangeEnrolment,
        useFactory: (
          uow: UnitOfWork,
          system: SystemQuery,
          outdating: OutdatePerson,
          formerHand: EndFormerHand,
          audit: AuditSink,
          digests: SecretDigests,
          seals: RowSeals,
        ) =>
          new ExchangeEnrolment(
            uow,
            new PostgresPersonRepository(seals),
            new PostgresCredentialRepository(seals),
            new PostgresEnrolmentRepository(system, seals),
            minting(digests, seals),
            digests,
            outdating,
            formerHand,
            audit,
          ),
        inject: [UNIT_OF_WORK, SYSTEM_QUERY, OutdatePerson, EndFormerHand, AUDIT_SINK, SECRET_DIGESTS, ROW_SEALS],
      },
      {
        provide: GrantRole,
        useFactory: (
          uow: UnitOfWork,
          system: SystemQuery,
          guardrail: Guardrail,
          outdating: OutdatePerson,
          audit: AuditSink,
          seals: RowSeals,
        ) => {
          const people = new PostgresPersonRepository(seals);
          return new GrantRole(
            uow,
            people,
            new PostgresEnrolmentRepository(system, seals),
            guardrail,
            outdating,
            audit,
          );
        },
        inject: [UNIT_OF_WORK, SYSTEM_QUERY, GUARDRAIL, OutdatePerson, AUDIT_SINK, ROW_SEALS],
      },
      {
        provide: EndFormerHand,
        useFactory: (system: SystemQuery, passkeys: PasskeyKeeper, seals: RowSeals) =>
          new EndFormerHand({
            credentials: new PostgresCredentialRepository(seals),
            enrolments: new PostgresEnrolmentRepository(system, seals),
            seats: new PostgresSeats(seals),
            passkeys,
            leftBehind: new PostgresLeftBehind(),
          }),
        inject: [SYSTEM_QUERY, PASSKEY_KEEPER, ROW_SEALS],
      },
      {
        provide: VouchForPerson,
        useFactory: (
          uow: UnitOfWork,
          proofs: MfaProofs,
          passkeys: PasskeyKeeper,
          formerHand: EndFormerHand,
          audit: AuditSink,
          seals: RowSeals,
        ) => {
          const [people, seats] = [new PostgresPersonRepository(seals), new PostgresSeats(seals)];
          return new VouchForPerson(uow, people, seats, proofs, audit, passkeys, formerHand);
        },
        inject: [UNIT_OF_WORK, MFA_PROOFS, PASSKEY_KEEPER, EndFormerHand, AUDIT_SINK, ROW_SEALS],
      },
      {
        provide: ChangePerson,
        useFactory: (
          uow: UnitOfWork,
          guardrail: Guardrail,
          outdating: OutdatePerson,
          audit: AuditSink,
          seals: RowSeals,
        ) =>
          new ChangePerson(
            uow,
            new PostgresPersonRepository(seals),
            new PostgresCredentialRepository(seals),
            guardrail,
            outdating,
            audit,
          ),
        inject: [UNIT_OF_WORK, GUARDRAIL, OutdatePerson, AUDIT_SINK, ROW_SEALS],
      },
      {
        provide: ChangeAgent,
        useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink, seals: RowSeals) =>
          new ChangeAgent(uow, agents, new PostgresPersonRepository(seals), guardrail, audit),
        inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK, ROW_SEALS],
      },
      {
        provide: IssueEnrolment,
        useFactory: (
          uow: UnitOfWork,
          system: SystemQuery,
          guardrail: Guardrail,
          outdating: OutdatePerson,
          audit: AuditSink,
          digests: SecretDigests,
          seals: RowSeals,
        ) =>
          new IssueEnrolment(
            uow,
            new PostgresPersonRepository(seals),
            tokens(system, digests, seals),
            guardrail,
            outdating,
            audit,
          ),
        inject: [UNIT_OF_WORK, SYSTEM_QUERY, GUARDRAIL, OutdatePerson, AUDIT_SINK, SECRET_DIGESTS, ROW_SEALS],
      },
    );
    const allowance = (seals: RowSeals): TokenAllowance =>
      new TokenAllowance(new PostgresCredentialRepository(seals), limits.tokensPerHolder);
    providers.push(
      {
        provide: MintOwnToken,
        useFactory: (uow: UnitOfWork, audit: AuditSink, digests: SecretDigests, seals: RowSeals) =>
          new MintOwnToken(uow, minting(digests, seals), allowance(seals), audit),
        inject: [UNIT_OF_WORK, AUDIT_SINK, SECRET_DIGESTS, ROW_SEALS],
      },
      {
        provide: MintAgentCredential,
        useFactory: (uow: UnitOfWork, audit: AuditSink, digests: SecretDigests, seals: RowSeals) =>
          new MintAgentCredential(uow, agents, minting(digests, seals), allowance(seals), audit),
        inject: [UNIT_OF_WORK, AUDIT_SINK, SECRET_DIGESTS, ROW_SEALS],
      },
    );
    providers.push({
      provide: InvitePerson,
      useFactory: (
        uow: UnitOfWork,
        system: SystemQuery,
        issuing: IssueEnrolment,
        audit: AuditSink,
        digests: SecretDigests,
        seals: RowSeals,
      ) => new InvitePerson(uow, new PostgresPersonRepository(seals), tokens(system, digests, seals), issuing, audit),
      inject: [UNIT_OF_WORK, SYSTEM_QUERY, IssueEnrolment, AUDIT_SINK, SECRET_DIGESTS, ROW_SEALS],
    });
    providers.push({
      provide: REQUEST_BUDGET,
      useFactory: (uow: UnitOfWork) => new PostgresRequestBudget(uow, limits.requests),
      inject: [UNIT_OF_WORK],
    });
    return { module: IdentityModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
