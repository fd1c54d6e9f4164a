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
  PostgresAgentRepository,
  PostgresBootstrapTokenRepository,
  PostgresCredentialFile,
  PostgresCredentialRepository,
  PostgresEnrolmentRepository,
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
} from '#lib/identity';
import {
  GUARDRAIL,
  MFA_PROOFS,
  SECRET_DIGESTS,
  type AuditSink,
  type Guardrail,
  type MfaProofs,
  type SecretDigests,
  type UnitOfWork,
} from '#lib/kernel';
import { FoundTenant, TypeormEnvironmentRepository, TypeormTenantRepository } from '#lib/tenancy';

type Make = (uow: UnitOfWork, system: SystemQuery, audit: AuditSink, digests: SecretDigests) => unknown;

const people = new PostgresPersonRepository();
const agents = new PostgresAgentRepository();
const credentials = new PostgresCredentialRepository();
const tenants = new FoundTenant(new TypeormTenantRepository(), new TypeormEnvironmentRepository());

const minting = (digests: SecretDigests): MintCredential => new MintCredential(credentials, digests, nodeRandomBytes);
const tokens = (system: SystemQuery, digests: SecretDigests): EnrolmentTokens =>
  new EnrolmentTokens(new PostgresEnrolmentRepository(system), digests, nodeRandomBytes);

const makers = new Map<FactoryProvider['provide'], Make>([
  [AUTHENTICATOR, (uow, system, _audit, digests) => new Authenticate(uow, new PostgresCredentialFile(system), digests)],
  [AddPerson, (uow, _system, audit) => new AddPerson(uow, people, audit)],
  [RevokeRole, (uow, _system, audit) => new RevokeRole(uow, people, audit)],
  [RegisterAgent, (uow, _system, audit) => new RegisterAgent(uow, agents, people, audit)],
  [RevokeCredential, (uow, _system, audit) => new RevokeCredential(uow, credentials, audit)],
  [
    KeepInvitations,
    (uow, system, audit) => new KeepInvitations(uow, people, new PostgresEnrolmentRepository(system), audit),
  ],
  [ReadRoles, (uow) => new ReadRoles(uow, new SqlRoleDirectory())],
  [ReadIdentity, (uow) => new ReadIdentity(uow, people, agents, credentials, new PostgresSeats())],
  [
    ExchangeEnrolment,
    (uow, system, audit, digests) => {
      const enrolments = new PostgresEnrolmentRepository(system);
      return new ExchangeEnrolment(uow, people, credentials, enrolments, minting(digests), digests, audit);
    },
  ],
  [
    IssueBootstrapToken,
    (uow, _system, _audit, digests) =>
      new IssueBootstrapToken(uow, new PostgresBootstrapTokenRepository(), digests, nodeRandomBytes),
  ],
  [
    Bootstrap,
    (uow, system, audit, digests) => {
      const issuing = tokens(system, digests);
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
      useFactory,
      inject: [UNIT_OF_WORK, SYSTEM_QUERY, AUDIT_SINK, SECRET_DIGESTS],
    }));
    providers.push(
      {
        provide: GrantRole,
        useFactory: (uow: UnitOfWork, system: SystemQuery, guardrail: Guardrail, audit: AuditSink) =>
          new GrantRole(uow, people, new PostgresEnrolmentRepository(system), guardrail, audit),
        inject: [UNIT_OF_WORK, SYSTEM_QUERY, GUARDRAIL, AUDIT_SINK],
      },
      {
        provide: VouchForPerson,
        useFactory: (uow: UnitOfWork, proofs: MfaProofs, audit: AuditSink) =>
          new VouchForPerson(uow, people, new PostgresSeats(), proofs, audit),
        inject: [UNIT_OF_WORK, MFA_PROOFS, AUDIT_SINK],
      },
      {
        provide: ChangePerson,
        useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
          new ChangePerson(uow, people, credentials, guardrail, audit),
        inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
      },
      {
        provide: ChangeAgent,
        useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
          new ChangeAgent(uow, agents, people, guardrail, audit),
        inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
      },
      {
        provide: IssueEnrolment,
        useFactory: (
          uow: UnitOfWork,
          system: SystemQuery,
          guardrail: Guardrail,
          audit: AuditSink,
          digests: SecretDigests,
        ) => new IssueEnrolment(uow, people, tokens(system, digests), guardrail, audit),
        inject: [UNIT_OF_WORK, SYSTEM_QUERY, GUARDRAIL, AUDIT_SINK, SECRET_DIGESTS],
      },
    );
    const allowance = new TokenAllowance(credentials, limits.tokensPerHolder);
    providers.push(
      {
        provide: MintOwnToken,
        useFactory: (uow: UnitOfWork, audit: AuditSink, digests: SecretDigests) =>
          new MintOwnToken(uow, minting(digests), allowance, audit),
        inject: [UNIT_OF_WORK, AUDIT_SINK, SECRET_DIGESTS],
      },
      {
        provide: MintAgentCredential,
        useFactory: (uow: UnitOfWork, audit: AuditSink, digests: SecretDigests) =>
          new MintAgentCredential(uow, agents, minting(digests), allowance, audit),
        inject: [UNIT_OF_WORK, AUDIT_SINK, SECRET_DIGESTS],
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
      ) => new InvitePerson(uow, people, tokens(system, digests), issuing, audit),
      inject: [UNIT_OF_WORK, SYSTEM_QUERY, IssueEnrolment, AUDIT_SINK, SECRET_DIGESTS],
    });
    providers.push({
      provide: REQUEST_BUDGET,
      useFactory: (uow: UnitOfWork) => new PostgresRequestBudget(uow, limits.requests),
      inject: [UNIT_OF_WORK],
    });
    return { module: IdentityModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
