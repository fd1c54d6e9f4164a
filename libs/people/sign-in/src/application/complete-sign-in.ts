import { timingSafeEqual } from 'node:crypto';
import {
  actorOf,
  err,
  FailureError,
  ok,
  SCOPES,
  type Failure,
  type AuditSink,
  type Result,
  type SecretDigests,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { MintCredential, RandomBytes } from '#lib/identity';
import type { KeyWrapping, SecretVault, WrappedBytes } from '#lib/tenancy';
import type { Issuer, IssuerClaims } from '../domain/issuer.js';
import type { ComingBrowser } from '../domain/browser-session.js';
import { personActor, type ResolvePerson, type ResolvedPerson } from './resolve-person.js';
import { idTokenPurpose } from './id-token-purpose.js';
import { issuerClient } from './issuer-clients.js';
import type { SealedSignIns, SignInUnderWay } from './sealed-sign-ins.js';
import type {
  BrowserSessionRepository,
  ExternalIdentityRepository,
  IssuerClient,
  IssuerGateway,
  SignInReturnRepository,
  SignInSettingsRepository,
} from './sign-in.ports.js';

const CSRF_BYTES = 32;

export interface ReturnedBrowser {
  /** The whole address the browser came back to. */
  readonly url: string;
  /** The issuer whose address that is. */
  readonly at: { readonly tenantId: TenantId; readonly issuer: string };
  readonly state: string;
  /** The value of its cookie. */
  readonly browserToken: string | undefined;
  readonly browser: ComingBrowser;
}

export interface CompletedSignIn {
  /** The browser session's token, for the cookie; shown this once. */
  readonly token: string;
  readonly returnTo: string;
}

export interface CompleteSignInParts {
  readonly uow: UnitOfWork;
  readonly sealed: SealedSignIns;
  readonly returns: SignInReturnRepository;
  readonly settings: SignInSettingsRepository;
  readonly vault: SecretVault;
  readonly gateway: IssuerGateway;
  readonly resolve: ResolvePerson;
  readonly identities: ExternalIdentityRepository;
  readonly mint: MintCredential;
  readonly digests: SecretDigests;
  readonly browserSessions: BrowserSessionRepository;
  readonly keys: KeyWrapping;
  readonly random: RandomBytes;
  readonly audit: AuditSink;
}

/**
 * A browser comes back from an issuer (T18). Its return is used up, its code exchanged and the ID token verified. A
 * browser session opens for the token's person. Between the two transactions nothing is held; a return that fails is
 * used up too.
 */
export class CompleteSignIn {
  readonly #parts: CompleteSignInParts;

  constructor(parts: CompleteSignInParts) {
    this.#parts = parts;
  }

  async execute(returned: ReturnedBrowser): Promise<Result<CompletedSignIn>> {
    const opened = await this.#parts.sealed.open(returned.state);
    if (opened === null) return err(unknownReturn);
    const { tenantId, underWay } = opened;
    const begun = await this.#parts.uow.run(tenantId, (tx) => this.#useUp(tx, underWay, returned));
    if (!begun.ok) return begun;
    const { issuer, client } = begun.value;
    const verified = await this.#parts.gateway.redeem(client, returned.url, { ...underWay, state: returned.state });
    if (!verified.ok) return this.#refuse(tenantId, issuer, null, verified.error);
    const { claims, idToken } = verified.value;
    const sealed = await this.#parts.keys.wrap(idTokenPurpose(tenantId), Buffer.from(idToken, 'utf8'));
    try {
      return ok(
        await this.#parts.uow.run(tenantId, async (tx) => {
          const resolved = await this.#parts.resolve.execute(tx, issuer, claims);
          // Thrown, so that nothing of a refused sign-in stays but its record.
          if (!resolved.ok) throw new FailureError(resolved.error);
          const token = await this.#open(tx, issuer, claims, resolved.value, returned.browser, sealed);
          return { token, returnTo: underWay.returnTo };
        }),
      );
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      return this.#refuse(tenantId, issuer, claims.subject, error.failure);
    }
  }

  async #useUp(
    tx: Tx,
    underWay: SignInUnderWay,
    returned: ReturnedBrowser,
  ): Promise<Result<{ issuer: Issuer; client: IssuerClient }>> {
    const begunIn = Buffer.from(underWay.browserDigest, 'base64');
    const browsers = await this.#parts.digests.candidates('sign_in_browser', returned.browserToken ?? '');
    if (!browsers.some((browser) => timingSafeEqual(begunIn, browser))) return err(otherBrowser);
    if (underWay.expiresAt <= (await tx.now())) return err(tooLate);
    const issuer = await this.#parts.settings.issuer(tx, underWay.issuerId);
    if (issuer === null) return err(unknownReturn);
    if (returned.at.tenantId !== tx.tenantId || returned.at.issuer !== issuer.name) return err(otherIssuer);
    const stateDigest = await this.#parts.digests.digest('sign_in_state', returned.state);
    const { id, expiresAt } = underWay;
    const back = { id, issuerId: issuer.id, stateDigest, browserDigest: begunIn, expiresAt };
    if (!(await this.#parts.returns.useUp(tx, back))) return err(unknownReturn);
    const client = await issuerClient(tx, this.#parts.vault, issuer);
    return client.ok ? ok({ issuer, client: client.value }) : client;
  }

  async #open(
    tx: Tx,
    issuer: Issuer,
    claims: IssuerClaims,
    { identity, person }: ResolvedPerson,
    browser: ComingBrowser,
    idToken: WrappedBytes,
  ): Promise<string> {
    const { browserSessionMinutes } = await this.#parts.settings.read(tx);
    const now = await tx.now();
    const authenticatedAt = Math.min(claims.authenticatedAt ?? now, now);
    await this.#parts.identities.markSignedIn(tx, identity, authenticatedAt);
    // Access tokens that were refused by hand are good again once their holder has signed in anew.
    await this.#parts.identities.forgetRevokedBearer(tx, identity.id);
    const { credential, token } = await this.#parts.mint.execute(tx, {
      holder: { kind: 'browser_session', personId: person.id },
      name: `Browser, by ${issuer.displayName}`.slice(0, 200),
      scopes: SCOPES,
      createdBy: null,
      now,
      expiresAt: now + browserSessionMinutes * 60_000,
    });
    await this.#parts.browserSessions.insert(tx, {
      id: credential.id,
      identityId: identity.id,
      factorId: null,
      csrfToken: Buffer.from(this.#parts.random.bytes(CSRF_BYTES)).toString('base64url'),
      browser,
      authenticatedAt,
      idToken,
    });
    await this.#parts.audit.record(tx, {
      action: 'browser_session.opened',
      actor: { ...personActor(person.id, person.displayName), credential_id: credential.id },
      level: 'full',
      subject: { type: 'browser_session', id: credential.id },
      payload: {
        issuer: issuer.url,
        subject: claims.subject,
        authenticated_at: authenticatedAt,
        expires_at: credential.expiresAt,
      },
    });
    return token;
  }

  async #refuse(tenantId: TenantId, issuer: Issuer, subject: string | null, failure: Failure): Promise<Result<never>> {
    return this.#parts.uow.run(tenantId, async (tx) => {
      await this.#parts.audit.record(tx, {
        action: 'sign_in.refused',
        actor: actorOf({ kind: 'system', tenantId, name: 'sign-in' }),
        level: 'full',
        subject: { type: 'issuer', id: issuer.id },
        payload: { issuer: issuer.url, subject, code: failure.code },
      });
      return err(failure);
    });
  }
}

const AGAIN = 'Begin the sign-in again.';

const unknownReturn: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.unknown_return',
  message: 'No sign-in is waiting for this: it was never begun here, or it was finished.',
  action: AGAIN,
};

const otherBrowser: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.other_browser',
  message: 'This sign-in was begun in another browser.',
  action: `${AGAIN} Follow no link that somebody else sent you for it.`,
};

const otherIssuer: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.other_issuer',
  message: 'This sign-in was begun at another issuer than the one that sent you here.',
  action: `${AGAIN} If it stays like this, tell who administers Countersign: an issuer sent you on to another one.`,
};

const tooLate: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.too_late',
  message: 'This sign-in took longer than ten minutes.',
  action: AGAIN,
};
