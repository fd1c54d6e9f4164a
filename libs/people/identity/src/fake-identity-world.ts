import {
  err,
  newId,
  ok,
  type AgentId,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Scope,
  type TenantId,
  type Tx,
} from '#lib/kernel';
import { fakeSecretDigests } from '../../../foundation/kernel/src/fake-secret-digests.js';
import { FakeAuditSink, FakeOutbox } from '../../../foundation/kernel/src/fake-ports.js';
import { sampleTenant } from '../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeTable, FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { ChangeAgent, RegisterAgent } from './application/agents.js';
import { Bootstrap, IssueBootstrapToken } from './application/bootstrap.js';
import { EndFormerHand } from './application/end-former-hand.js';
import { EnrolmentTokens, ExchangeEnrolment, IssueEnrolment } from './application/enrolment.js';
import { FakeBootstrapTokenRepository } from './application/fake-bootstrap-token.repository.js';
import { FakeCredentialRepository } from './application/fake-credential.repository.js';
import { sampleCredential, sampleDigest } from './application/fake-credential-samples.js';
import { FakeEnrolmentRepository } from './application/fake-enrolment.repository.js';
import { FakeLeftBehind, FakePasskeyKeeper } from './application/fake-former-hand.js';
import { FakeMfaProofs } from './application/fake-mfa-proofs.js';
import { FakeAgentRepository, FakePeopleRows, FakePersonRepository } from './application/fake-people.js';
import { FakeSeats } from './application/fake-seats.js';
import type { EnrolmentMaker } from './application/identity.ports.js';
import { InvitePerson, KeepInvitations } from './application/invite.js';
import { LetInByOperator } from './application/let-in-by-operator.js';
import { MailInvitation, type InvitationMail, type InvitationMailer } from './application/mail-invitation.js';
import { MintAgentCredential } from './application/mint-agent-credential.js';
import { MintCredential } from './application/mint-credential.js';
import { MintOwnToken } from './application/mint-own-token.js';
import { OutdatePerson } from './application/outdate-person.js';
import { AddPerson, ChangePerson } from './application/people.js';
import { ReadIdentity } from './application/read-identity.js';
import { RevokeCredential } from './application/revoke-credential.js';
import { AssignRole, RevokeRole } from './application/roles.js';
import { TokenAllowance } from './application/token-allowance.js';
import { VouchForPerson } from './application/vouch-for-person.js';
import type { Person } from './domain/person.js';

/** Tokens of a holder that are good at the same time. */
export const MAX_TOKENS = 3;

const mailerOf = (
  server: { readonly available: boolean; readonly refuses: string | null },
  mails: InvitationMail[],
): InvitationMailer => ({
  get available() {
    return server.available;
  },
  send: (mail) => {
    if (server.refuses === null) mails.push(mail);
    return Promise.resolve(server.refuses);
  },
});

/** The use cases of people, agents and credentials over fakes. The admin holds PlatformAdmin and is enrolled. */
export class FakeIdentityWorld {
  readonly uow = new FakeUnitOfWork();
  readonly tenant = sampleTenant();
  readonly admin: PersonPrincipal = {
    ...this.tenant.admin,
    scopes: ['read', 'submit', 'review', 'audit', 'admin'],
    roles: [{ role: 'PlatformAdmin', assignedAt: 0 }],
    reason: 'A second person is told why.',
  };
  readonly audit = new FakeAuditSink(this.uow);
  readonly outbox = new FakeOutbox(this.uow);
  readonly twoPersonRule = new FakeTwoPersonRule(this.uow);
  readonly rows = new FakePeopleRows(this.uow);
  readonly people = new FakePersonRepository(this.rows);
  readonly agents = new FakeAgentRepository(this.rows);
  readonly credentials = new FakeCredentialRepository(this.rows);
  readonly enrolments = new FakeEnrolmentRepository(this.rows);
  readonly seats = new FakeSeats(this.rows, this.enrolments);
  /** The mail server takes the mail of an invitation, or gives a reason for its refusal. */
  readonly mailServer = { available: true, refuses: null as string | null };
  readonly mails: InvitationMail[] = [];
  readonly passkeys = new FakePasskeyKeeper(this.uow);
  readonly leftBehind = new FakeLeftBehind(this.uow);
  readonly proofs = new FakeMfaProofs(this.uow);
  readonly #random = { bytes: (count: number): Uint8Array => Buffer.alloc(count, (this.#drawn += 1)) };
  #drawn = 0;
  readonly #bootstraps = new FakeBootstrapTokenRepository(this.uow);
  readonly #slugs = new FakeTable<TenantId>(this.uow);
  readonly #mailer = mailerOf(this.mailServer, this.mails);
  readonly #outdating = new OutdatePerson(this.twoPersonRule, this.people, this.enrolments);
  readonly #mint = new MintCredential(this.credentials, fakeSecretDigests, this.#random);
  readonly #tokens = new EnrolmentTokens(this.enrolments, fakeSecretDigests, this.#random);
  readonly #allowance = new TokenAllowance(this.credentials, MAX_TOKENS);
  readonly formerHand = new EndFormerHand({
    credentials: this.credentials,
    enrolments: this.enrolments,
    seats: this.seats,
    passkeys: this.passkeys,
    leftBehind: this.leftBehind,
  });
  readonly add = new AddPerson(this.uow, this.people, this.audit);
  readonly change = new ChangePerson(
    this.uow,
    this.people,
    this.credentials,
    this.twoPersonRule,
    this.#outdating,
    this.audit,
  );
  readonly assign = new AssignRole(
    this.uow,
    this.people,
    this.enrolments,
    this.twoPersonRule,
    this.#outdating,
    this.audit,
  );
  readonly revokeRole = new RevokeRole(this.uow, this.people, this.#outdating, this.audit);
  readonly register = new RegisterAgent(this.uow, this.agents, this.people, this.audit);
  /** The agents that were disabled, in order. */
  readonly disabledAgents: AgentId[] = [];
  readonly changeAgent = new ChangeAgent(this.uow, this.agents, this.people, this.twoPersonRule, this.audit, [
    { agentDisabled: (_tx, agentId) => Promise.resolve(void this.disabledAgents.push(agentId)) },
  ]);
  readonly issue = new IssueEnrolment(
    this.uow,
    this.people,
    this.#tokens,
    this.twoPersonRule,
    this.#outdating,
    this.audit,
  );
  readonly invite = new InvitePerson(this.uow, this.people, this.#tokens, this.issue, this.audit);
  readonly invitations = new KeepInvitations(this.uow, this.people, this.enrolments, this.audit);
  readonly exchange = new ExchangeEnrolment({
    uow: this.uow,
    people: this.people,
    credentials: this.credentials,
    enrolments: this.enrolments,
    mint: this.#mint,
    digests: fakeSecretDigests,
    outdating: this.#outdating,
    formerHand: this.formerHand,
    audit: this.audit,
  });
  readonly vouch = new VouchForPerson({
    uow: this.uow,
    people: this.people,
    seats: this.seats,
    proofs: this.proofs,
    audit: this.audit,
    passkeys: this.passkeys,
    formerHand: this.formerHand,
  });
  readonly operator = new LetInByOperator(this.uow, this.people, this.#tokens, this.outbox, this.audit);
  readonly issueBootstrap = new IssueBootstrapToken(this.uow, this.#bootstraps, fakeSecretDigests, this.#random);
  readonly bootstrap = new Bootstrap({
    uow: this.uow,
    tokens: this.#bootstraps,
    tenants: { found: (tx, tenant) => Promise.resolve(this.#found(tx, tenant)) },
    people: this.people,
    enrolments: this.#tokens,
    digests: fakeSecretDigests,
    audit: this.audit,
  });
  readonly read = new ReadIdentity(this.uow, this.people, this.agents, this.credentials, this.seats);
  readonly mail = new MailInvitation(
    this.invite,
    this.issue,
    this.invitations,
    this.read,
    this.#mailer,
    (token) => `https://countersign.example/join#${token}`,
  );
  readonly mintOwn = new MintOwnToken(this.uow, this.#mint, this.#allowance, this.audit);
  readonly mintForAgent = new MintAgentCredential(
    this.uow,
    this.agents,
    this.credentials,
    this.#mint,
    this.#allowance,
    this.audit,
  );
  readonly revoke = new RevokeCredential(this.uow, this.credentials, this.audit);

  private constructor() {
    this.uow.now = 1_800_000_000_000;
  }

  static async open(): Promise<FakeIdentityWorld> {
    const world = new FakeIdentityWorld();
    await world.#keep(world.admin, 'Ada the admin');
    await world.tx((tx) =>
      world.people.assignRole(tx, {
        id: newId(),
        personId: world.admin.personId,
        role: 'PlatformAdmin',
        assignedBy: null,
        at: 0,
      }),
    );
    return world;
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** Somebody who has enrolled, with a good token, as they act. */
  async person(displayName: string, scopes: readonly Scope[] = ['read', 'submit']): Promise<PersonPrincipal> {
    const personId = newId<PersonId>();
    const principal: PersonPrincipal = {
      ...this.admin,
      personId,
      displayName,
      scopes,
      roles: [],
      credentialId: newId(),
    };
    await this.#keep(principal, displayName);
    return principal;
  }

  /** Somebody who was added, and never came in. */
  async stranger(displayName: string): Promise<Person> {
    const added = valueOf(await this.add.execute(this.admin, { email: `${newId()}@example.com`, displayName }));
    return added;
  }

  /** Has the person come in by a token of this maker, a second later. */
  async comesIn(personId: PersonId, maker: EnrolmentMaker): Promise<void> {
    this.uow.now += 1_000;
    await this.tx(async (tx) => {
      const id = newId();
      const expiresAt = this.uow.now + 3_600_000;
      await this.enrolments.insert(tx, { id, personId, digest: sampleDigest(), expiresAt, ...maker });
      await this.enrolments.markUsed(tx, id);
    });
  }

  async found(id: PersonId): Promise<Person> {
    const person = await this.tx((tx) => this.people.find(tx, id));
    if (person === null) throw new Error('no such person');
    return person;
  }

  async rolesOf(id: PersonId): Promise<readonly string[]> {
    return (await this.found(id)).roles.map(({ role }) => role);
  }

  /** The actions of the audit log, in order. */
  actions(): readonly string[] {
    return this.audit.of(this.tenant).map(({ action }) => action);
  }

  #found(tx: Tx, { slug }: { readonly slug: string }): Result<void> {
    const slugs = this.#slugs.of(this.tenant);
    if (slugs.has(slug)) return err({ kind: 'conflict', code: 'tenant.slug_taken', message: slug, action: slug });
    slugs.set(slug, tx.tenantId);
    return ok(undefined);
  }

  async #keep({ personId: id, credentialId, scopes }: PersonPrincipal, displayName: string): Promise<void> {
    await this.tx(async (tx) => {
      await this.people.insert(tx, { id, email: `${id}@example.com`, displayName });
      await this.people.save(tx, { id, displayName, disabledAt: null, enrolledAt: this.uow.now });
      const token = sampleCredential({ kind: 'person_token', personId: id }, this.uow.now, {
        id: credentialId,
        scopes,
      });
      await this.credentials.insert(tx, token, sampleDigest());
    });
  }
}

/** @throws {Error} the failure's code. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}

/** `ok`, or the code of the failure. */
export const codeOf = (result: { readonly ok: true } | { readonly ok: false; readonly error: Failure }): string =>
  result.ok ? 'ok' : result.error.code;
