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
import { unasked } from '../../../foundation/kernel/src/fake-unasked.js';
import { FakeTable, FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeBootstrapTokenRepository } from './application/fake-bootstrap-token.repository.js';
import { FakeCredentialRepository } from './application/fake-credential.repository.js';
import { FakeCredentialFile } from './application/fake-credential-file.js';
import { sampleCredential, sampleDigest } from './application/fake-credential-samples.js';
import { FakeEnrolmentRepository } from './application/fake-enrolment.repository.js';
import { FakeLeftBehind, FakePasskeyKeeper } from './application/fake-former-hand.js';
import { FakeMfaProofs } from './application/fake-mfa-proofs.js';
import { FakeAgentRepository, FakePeopleRows, FakePersonRepository } from './application/fake-people.js';
import { FakeSeats } from './application/fake-seats.js';
import type { EnrolmentMaker } from './application/identity.ports.js';
import type { InvitationMail, InvitationMailer } from './application/mail-invitation.js';
import { createIdentity } from './create-identity.js';
import type { Person } from './domain/person.js';

/** Tokens of a holder that are good at the same time. */
export const MAX_TOKENS = 3;
const UNLIMITED = { perMinute: Infinity, burst: Infinity };

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
  readonly #slugs = new FakeTable<TenantId>(this.uow);
  /** The agents that were disabled, in order. */
  readonly disabledAgents: AgentId[] = [];
  readonly #parts = createIdentity({
    ...{ uow: this.uow, audit: this.audit, outbox: this.outbox, twoPersonRule: this.twoPersonRule },
    directory: {
      people: this.people,
      agents: this.agents,
      credentials: this.credentials,
      enrolments: this.enrolments,
      seats: this.seats,
    },
    rows: {
      bootstraps: new FakeBootstrapTokenRepository(this.uow),
      credentialFile: new FakeCredentialFile(this.rows),
      leftBehind: this.leftBehind,
      roles: unasked(),
      budgetOf: () => unasked(),
    },
    ...{ digests: fakeSecretDigests, random: this.#random, proofs: this.proofs, passkeys: this.passkeys },
    tenants: { found: (tx, tenant) => Promise.resolve(this.#found(tx, tenant)) },
    agentDisabled: [{ agentDisabled: (_tx, agentId) => Promise.resolve(void this.disabledAgents.push(agentId)) }],
  });
  readonly #limited = this.#parts.limited({
    tokensPerHolder: MAX_TOKENS,
    requests: { holder: UNLIMITED, tenant: UNLIMITED },
  });
  readonly formerHand = this.#parts.endFormerHand;
  readonly add = this.#parts.addPerson;
  readonly change = this.#parts.changePerson;
  readonly assign = this.#parts.assignRole;
  readonly revokeRole = this.#parts.revokeRole;
  readonly register = this.#parts.registerAgent;
  readonly changeAgent = this.#parts.changeAgent;
  readonly issue = this.#parts.issueEnrolment;
  readonly invite = this.#parts.invitePerson;
  readonly invitations = this.#parts.keepInvitations;
  readonly exchange = this.#parts.exchangeEnrolment;
  readonly vouch = this.#parts.vouchForPerson;
  readonly operator = this.#parts.letInByOperator;
  readonly issueBootstrap = this.#parts.issueBootstrapToken;
  readonly bootstrap = this.#parts.bootstrap;
  readonly read = this.#parts.readIdentity;
  readonly mail = this.#parts.mailing(
    mailerOf(this.mailServer, this.mails),
    (token) => `https://countersign.example/join#${token}`,
  );
  readonly mintOwn = this.#limited.mintOwnToken;
  readonly mintForAgent = this.#limited.mintAgentCredential;
  readonly revoke = this.#parts.revokeCredential;

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
