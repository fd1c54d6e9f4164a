import type { SystemQuery } from '#lib/database';
import type { AuditSink, TwoPersonRule, Outbox, RowSeals, SecretDigests, UnitOfWork } from '#lib/kernel';
import type { FoundTenant } from '#lib/tenancy';
import { nodeRandomBytes } from './adapters/node-random-bytes.js';
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
  CredentialRepository,
  EnrolmentRepository,
  PersonRepository,
  RequestBudget,
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
import { ReadRoles } from './application/read-roles.js';
import { RevokeCredential } from './application/revoke-credential.js';
import { AssignRole, RevokeRole } from './application/roles.js';
import { TokenAllowance } from './application/token-allowance.js';
import { VouchForPerson } from './application/vouch-for-person.js';

/** The stored people, agents and ways in, as every later library reads them. */
export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory({ system, seals }: { readonly system: SystemQuery; readonly seals: RowSeals }) {
  const people: PersonRepository = new SqlPersonRepository(seals);
  const agents: AgentRepository = new SqlAgentRepository();
  const credentials: CredentialRepository = new SqlCredentialRepository(seals);
  const enrolments: EnrolmentRepository = new SqlEnrolmentRepository(system, seals);
  return { people, agents, credentials, enrolments, seats: new SqlSeats(seals) };
}

/** The limits of people and agents. */
export interface IdentityLimits {
  readonly requests: BudgetLimits;
  /** The most live tokens of one person or agent. */
  readonly tokensPerHolder: number;
}

export interface IdentityDeps {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly directory: Directory;
  readonly digests: SecretDigests;
  readonly seals: RowSeals;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly twoPersonRule: TwoPersonRule;
  readonly tenants: FoundTenant;
  readonly proofs: MfaProofs;
  readonly passkeys: PasskeyKeeper;
  readonly agentDisabled: readonly AgentDisabledListener[];
}

/** The limited parts, which the api alone makes. */
export type Limited = ReturnType<Identity['limited']>;

/** People, agents and credentials. */
export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(deps: IdentityDeps) {
  const { uow, system, digests, audit, twoPersonRule, passkeys } = deps;
  const { people, agents, credentials, enrolments, seats } = deps.directory;
  const bootstraps = new SqlBootstrapTokenRepository();
  const random = nodeRandomBytes;
  const tokens = new EnrolmentTokens(enrolments, digests, random);
  const mintCredential = new MintCredential(credentials, digests, random);
  const outdatePerson = new OutdatePerson(twoPersonRule, people, enrolments);
  const endFormerHand = new EndFormerHand({
    credentials,
    enrolments,
    seats,
    passkeys,
    leftBehind: new SqlLeftBehind(),
  });
  const issueEnrolment = new IssueEnrolment(uow, people, tokens, twoPersonRule, outdatePerson, audit);
  const invitePerson = new InvitePerson(uow, people, tokens, issueEnrolment, audit);
  const keepInvitations = new KeepInvitations(uow, people, enrolments, audit);
  const readIdentity = new ReadIdentity(uow, people, agents, credentials, seats);
  const authenticator: Authenticator = new Authenticate(uow, new SqlCredentialFile(system, deps.seals), digests);
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
    readRoles: new ReadRoles(uow, new SqlRoleDirectory()),
    /** Invitations by mail. @param urlOf the link of an invitation's token. */
    mailing: (mailer: InvitationMailer, urlOf: (token: string) => string) =>
      new MailInvitation(invitePerson, issueEnrolment, keepInvitations, readIdentity, mailer, urlOf),
    /** The parts that have limits. */
    limited: (limits: IdentityLimits) => {
      const allowance = new TokenAllowance(credentials, limits.tokensPerHolder);
      const requestBudget: RequestBudget = new SqlRequestBudget(system, limits.requests);
      return {
        requestBudget,
        mintOwnToken: new MintOwnToken(uow, mintCredential, allowance, audit),
        mintAgentCredential: new MintAgentCredential(uow, agents, credentials, mintCredential, allowance, audit),
      };
    },
  };
}
