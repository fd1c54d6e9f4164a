import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type CredentialId,
  type PersonPrincipal,
  type Result,
  type SecretDigests,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import {
  spellToken,
  TOKEN_BYTES,
  type CredentialRepository,
  type PersonRepository,
  type RandomBytes,
} from '#lib/identity';
import type { KeyWrapping, TenantRepository } from '#lib/tenancy';
import type { BrowserSession } from '../domain/browser-session.js';
import { idTokenPurpose } from './id-token-purpose.js';
import type { SignInAddresses } from '../domain/sign-in-addresses.js';
import type { BrowserSessionRepository, IssuerGateway, SignInSettingsRepository } from './sign-in.ports.js';

/** The facts of a browser session that its own browser may know. */
export interface BrowserSessionView {
  readonly browserSession: BrowserSession;
  readonly email: string;
  readonly tenant: { readonly slug: string; readonly name: string };
  readonly csrfToken: string;
}

/** The browser session a request came with, and a person's others. */
export class ReadBrowserSessions {
  readonly #uow: UnitOfWork;
  readonly #browserSessions: BrowserSessionRepository;
  readonly #people: Pick<PersonRepository, 'find'>;
  readonly #tenants: Pick<TenantRepository, 'find'>;

  constructor(
    uow: UnitOfWork,
    browserSessions: BrowserSessionRepository,
    people: Pick<PersonRepository, 'find'>,
    tenants: Pick<TenantRepository, 'find'>,
  ) {
    this.#uow = uow;
    this.#browserSessions = browserSessions;
    this.#people = people;
    this.#tenants = tenants;
  }

  /** The browser session that the caller's credential is. */
  current(by: PersonPrincipal): Promise<Result<BrowserSessionView>> {
    return this.#uow.run(by.tenantId, async (tx) => {
      const browserSession = await this.#browserSessions.find(tx, by.personId, by.credentialId);
      const csrfToken = await this.#browserSessions.csrfToken(tx, by.credentialId);
      const person = await this.#people.find(tx, by.personId);
      const tenant = await this.#tenants.find(tx);
      if (browserSession === null || csrfToken === null || person === null || tenant === null)
        return err(notFound('browser session'));
      return ok({ browserSession, csrfToken, email: person.email, tenant: { slug: tenant.slug, name: tenant.name } });
    });
  }

  /** The caller's own browser sessions that are not over, the latest first. */
  list(by: PersonPrincipal): Promise<readonly BrowserSession[]> {
    return this.#uow.run(by.tenantId, (tx) => this.#browserSessions.list(tx, by.personId));
  }

  /** The CSRF token that each changing request by cookie carries; null for a credential that is no browser session. */
  csrfToken(by: PersonPrincipal): Promise<string | null> {
    return this.#uow.run(by.tenantId, (tx) => this.#browserSessions.csrfToken(tx, by.credentialId));
  }
}

/**
 * Gives a browser session another token, after its holder proved more than before. The old one is refused some seconds
 * later, when no request can be under way with it any more.
 */
export class RotateBrowserSession {
  readonly #uow: UnitOfWork;
  readonly #browserSessions: BrowserSessionRepository;
  readonly #credentials: Pick<CredentialRepository, 'rotate'>;
  readonly #digests: SecretDigests;
  readonly #random: RandomBytes;
  readonly #audit: AuditSink;

  constructor(
    uow: UnitOfWork,
    browserSessions: BrowserSessionRepository,
    credentials: Pick<CredentialRepository, 'rotate'>,
    digests: SecretDigests,
    random: RandomBytes,
    audit: AuditSink,
  ) {
    this.#uow = uow;
    this.#browserSessions = browserSessions;
    this.#credentials = credentials;
    this.#digests = digests;
    this.#random = random;
    this.#audit = audit;
  }

  /** @returns the new token, for the cookie; null if the caller's credential is no browser session. */
  async execute(by: PersonPrincipal): Promise<string | null> {
    const token = spellToken('browser_session', this.#random.bytes(TOKEN_BYTES), by.tenantId);
    const digest = await this.#digests.digest('credential', token);
    return this.#uow.run(by.tenantId, async (tx) => {
      if (!(await this.#browserSessions.rotate(tx, by.credentialId))) return null;
      await this.#credentials.rotate(tx, by.credentialId, digest);
      await this.#audit.record(tx, {
        action: 'browser_session.rotated',
        actor: actorOf(by),
        level: 'basic',
        subject: { type: 'browser_session', id: by.credentialId },
        payload: {},
      });
      return token;
    });
  }
}

/** Ends a browser session of the caller's own, here and at once. */
export class EndBrowserSession {
  readonly #uow: UnitOfWork;
  readonly #browserSessions: BrowserSessionRepository;
  readonly #credentials: Pick<CredentialRepository, 'revoke'>;
  readonly #audit: AuditSink;

  constructor(
    uow: UnitOfWork,
    browserSessions: BrowserSessionRepository,
    credentials: Pick<CredentialRepository, 'revoke'>,
    audit: AuditSink,
  ) {
    this.#uow = uow;
    this.#browserSessions = browserSessions;
    this.#credentials = credentials;
    this.#audit = audit;
  }

  execute(by: PersonPrincipal, id: CredentialId): Promise<Result<void>> {
    return this.#uow.run(by.tenantId, async (tx) => {
      if ((await this.#browserSessions.find(tx, by.personId, id)) === null) return err(notFound('browser session'));
      await this.end(tx, by, id, id === by.credentialId ? 'ended' : 'ended elsewhere');
      return ok(undefined);
    });
  }

  /** Ends it in the transaction of its caller. */
  async end(tx: Tx, by: PersonPrincipal, id: CredentialId, reason: string): Promise<void> {
    await this.#credentials.revoke(tx, id, await tx.now());
    await this.#audit.record(tx, {
      action: 'browser_session.ended',
      actor: actorOf(by),
      level: 'full',
      subject: { type: 'browser_session', id },
      payload: { reason },
    });
  }
}

interface SignOutDeps {
  readonly uow: UnitOfWork;
  readonly browserSessions: BrowserSessionRepository;
  readonly settings: SignInSettingsRepository;
  readonly ending: EndBrowserSession;
  readonly gateway: IssuerGateway;
  readonly keys: KeyWrapping;
  readonly addresses: SignInAddresses;
}

/** Ends the caller's browser session, and says where to sign out at the issuer. */
export class SignOut {
  constructor(private readonly deps: SignOutDeps) {}

  /** @returns the address that signs out at the issuer too. Null if there is no browser session, or the issuer offers nothing. */
  async execute(by: PersonPrincipal): Promise<string | null> {
    const found = await this.deps.uow.run(by.tenantId, async (tx) => {
      const signedIn = await this.deps.browserSessions.signOutOf(tx, by.credentialId);
      if (signedIn === null) return null;
      await this.deps.ending.end(tx, by, by.credentialId, 'signed out');
      const issuer = signedIn.issuerId === null ? null : await this.deps.settings.issuer(tx, signedIn.issuerId);
      return issuer === null || signedIn.idToken === null ? null : { issuer, idToken: signedIn.idToken };
    });
    if (found === null) return null;
    const idToken = await this.deps.keys.unwrap(idTokenPurpose(by.tenantId), found.idToken);
    const client = { tenantId: by.tenantId, issuer: found.issuer, clientSecret: null };
    return this.deps.gateway.signOutUrl(
      client,
      Buffer.from(idToken).toString('utf8'),
      this.deps.addresses.signedOutUri,
    );
  }
}
