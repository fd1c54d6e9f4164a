import type { SystemQuery } from '#lib/database';
import type { AuditSink, TwoPersonRule, Outbox, RowSeals, SecretDigests, UnitOfWork } from '#lib/kernel';
import { SqlAgentRepository } from './adapters/sql-agent.repository.js';
import { SqlCredentialFile } from './adapters/sql-credential-file.js';
import { SqlCredentialRepository } from './adapters/sql-credential.repository.js';
import { SqlLeftBehind } from './adapters/sql-left-behind.js';
import { SqlBootstrapTokenRepository } from './adapters/sql-bootstrap-token.repository.js';
import { SqlEnrolmentRepository } from './adapters/sql-enrolment.repository.js';
import { SqlPersonRepository } from './adapters/sql-person.repository.js';
import { SqlRequestBudget, type BudgetLimits } from './adapters/sql-request-budget.js';
import { SqlSeats } from './adapters/sql-seats.js';
import { SqlRoleDirectory } from './adapters/sql-role-directory.js';
import { ChangeAgent, RegisterAgent } from './application/agents.js';
import { Authenticate } from './application/authenticate.js';
import { Bootstrap, IssueBootstrapToken } from './application/bootstrap.js';
import { EndFormerHand } from './application/end-former-hand.js';
import { EnrolmentTokens, ExchangeEnrolment, IssueEnrolment } from './application/enrolment.js';
import type {
  AgentDisabledListener,
  AgentRepository,
  Authenticator,
  BootstrapTokenRepository,
  CredentialFile,
  CredentialRepository,
  EnrolmentRepository,
  LeftBehind,
  PersonRepository,
  RandomBytes,
  RequestBudget,
  Seats,
  TenantFounder,
} from './application/identity.ports.js';
import { Invitations } from './application/invitations.js';
import { InvitePerson, KeepInvitations } from './application/invite.js';
import { LetInByOperator } from './application/let-in-by-operator.js';
import { MailInvitation, type InvitationMailer } from './application/mail-invitation.js';
import type { MfaProofs } from './application/mfa-proofs.js';
import { MintAgentCredential } from './application/mint-agent-credential.js';
import { MintCredential } from './application/mint-credential.js';
import { MintOwnToken } from './application/mint-own-token.js';
import { OutdatePerson } from './application/outdate-person.js';
import type { PasskeyKeeper } from './application/passkey-keeper.js';
import { AddPerson, ChangePerson } from './application/people.js';
import { ReadIdentity } from './application/read-identity.js';
import { ReadRoles, type RoleDirectory } from './application/read-roles.js';
import { RevokeCredential } from './application/revoke-credential.js';
import { AssignRole, RevokeRole } from './application/roles.js';
import { TokenAllowance } from './application/token-allowance.js';
import { VouchForPerson } from './application/vouch-for-person.js';

interface Stored {
  readonly system: SystemQuery;
  readonly seals: RowSeals;
}

/** The stored people, agents and ways in, as every later library reads them. */
export interface Directory {
  readonly people: PersonRepository;
  readonly agents: AgentRepository;
  readonly credentials: CredentialRepository;
  readonly enrolments: EnrolmentRepository;
  readonly seats: Seats;
}

/** The directory, over PostgreSQL. */
export const createDirectory = ({ system, seals }: Stored): Directory => ({
  people: new SqlPersonRepository(seals),
  agents: new SqlAgentRepository(),
  credentials: new SqlCredentialRepository(seals),
  enrolments: new SqlEnrolmentRepository(system, seals),
  seats: new SqlSeats(seals),
});

/** The other rows of this library, which no later one reads. */
export interface IdentityRows {
  readonly bootstraps: BootstrapTokenRepository;
  readonly credentialFile: CredentialFile;
  readonly leftBehind: LeftBehind;
  readonly roles: RoleDirectory;
  readonly budgetOf: (limits: BudgetLimits) => RequestBudget;
}

/** The ports of this library that keep these rows, over PostgreSQL. */
export const createIdentityStore = ({ system, seals }: Stored): IdentityRows => ({
  bootstraps: new SqlBootstrapTokenRepository(),
  credentialFile: new SqlCredentialFile(system, seals),
  leftBehind: new SqlLeftBehind(),
  roles: new SqlRoleDirectory(),
  budgetOf: (limits) => new SqlRequestBudget(system, limits),
});

/** The limits of people and agents. */
export interface IdentityLimits {
  readonly requests: BudgetLimits;
  /** The most live tokens of one person or agent. */
  readonly tokensPerHolder: number;
}

export interface IdentityDeps {
  readonly uow: UnitOfWork;
  readonly directory: Directory;
  readonly rows: IdentityRows;
  readonly digests: SecretDigests;
  readonly random: RandomBytes;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly twoPersonRule: TwoPersonRule;
  readonly tenants: TenantFounder;
  readonly proofs: MfaProofs;
  readonly passkeys: PasskeyKeeper;
  readonly agentDisabled: readonly AgentDisabledListener[];
}

/** The limited parts, which the api alone makes. */
export type Limited = ReturnType<Identity['limited']>;

/** People, agents and credentials. */
type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(deps: IdentityDeps) {
  const { uow, digests, random, audit, twoPersonRule, passkeys } = deps;
  const { people, agents, credentials, enrolments, seats } = deps.directory;
  const { bootstraps, credentialFile, leftBehind, roles, budgetOf } = deps.rows;
  const tokens = new EnrolmentTokens(enrolments, digests, random);
  const mintCredential = new MintCredential(credentials, digests, random);
  const outdatePerson = new OutdatePerson(twoPersonRule, people, enrolments);
  const endFormerHand = new EndFormerHand({ credentials, enrolments, seats, passkeys, leftBehind });
  const issueEnrolment = new IssueEnrolment(uow, people, tokens, twoPersonRule, outdatePerson, audit);
  const invitePerson = new InvitePerson(uow, people, tokens, issueEnrolment, audit);
  const keepInvitations = new KeepInvitations(uow, people, enrolments, audit);
  const readIdentity = new ReadIdentity(uow, people, agents, credentials, seats);
  const authenticator: Authenticator = new Authenticate(uow, credentialFile, digests);
  return {
    authenticator,
    enrolmentTokens: tokens,
    mintCredential,
    outdatePerson,
    endFormerHand,
    issueEnrolment,
    invitations: new Invitations(enrolments, people, digests),
    invitePerson,
    keepInvitations,
    exchangeEnrolment: new ExchangeEnrolment({
      uow,
      people,
      credentials,
      enrolments,
      mint: mintCredential,
      digests,
      outdating: outdatePerson,
      formerHand: endFormerHand,
      audit,
    }),
    issueBootstrapToken: new IssueBootstrapToken(uow, bootstraps, digests, random),
    bootstrap: new Bootstrap({
      uow,
      tokens: bootstraps,
      tenants: deps.tenants,
      people,
      enrolments: tokens,
      digests,
      audit,
    }),
    letInByOperator: new LetInByOperator(uow, people, tokens, deps.outbox, audit),
    addPerson: new AddPerson(uow, people, audit),
    changePerson: new ChangePerson(uow, people, credentials, twoPersonRule, outdatePerson, audit),
    vouchForPerson: new VouchForPerson({
      uow,
      people,
      seats,
      proofs: deps.proofs,
      audit,
      passkeys,
      formerHand: endFormerHand,
    }),
    registerAgent: new RegisterAgent(uow, agents, people, audit),
    changeAgent: new ChangeAgent(uow, agents, people, twoPersonRule, audit, deps.agentDisabled),
    assignRole: new AssignRole(uow, people, enrolments, twoPersonRule, outdatePerson, audit),
    revokeRole: new RevokeRole(uow, people, outdatePerson, audit),
    revokeCredential: new RevokeCredential(uow, credentials, audit),
    readIdentity,
    readRoles: new ReadRoles(uow, roles),
    /** Invitations by mail. @param urlOf the link of an invitation's token. */
    mailing: (mailer: InvitationMailer, urlOf: (token: string) => string) =>
      new MailInvitation(invitePerson, issueEnrolment, keepInvitations, readIdentity, mailer, urlOf),
    /** The parts that have limits. */
    limited: (limits: IdentityLimits) => {
      const allowance = new TokenAllowance(credentials, limits.tokensPerHolder);
      return {
        requestBudget: budgetOf(limits.requests),
        mintOwnToken: new MintOwnToken(uow, mintCredential, allowance, audit),
        mintAgentCredential: new MintAgentCredential(uow, agents, credentials, mintCredential, allowance, audit),
      };
    },
  };
}
