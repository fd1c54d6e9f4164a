import {
  err,
  newId,
  ok,
  type Failure,
  type Result,
  type SecretDigests,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { RandomBytes } from '#lib/identity';
import type { SecretVault } from '#lib/tenancy';
import type { Issuer } from '../domain/issuer.js';
import { returnPath } from '../domain/return-path.js';
import { SIGN_IN_LIFETIME_MS } from '../domain/browser-session.js';
import { issuerClient } from './issuer-clients.js';
import type { SealedSignIns } from './sealed-sign-ins.js';
import type { SignInAddresses } from '../domain/sign-in-addresses.js';
import type { IssuerClient, IssuerGateway, SignInSettingsRepository, TenantDirectory } from './sign-in.ports.js';

const SECRET_BYTES = 32;
const SECONDS_A_MINUTE = 60;

export interface WantedSignIn {
  /** The tenant's slug; may be left out if the installation has one tenant. */
  readonly tenant: string | undefined;
  /** The issuer's name; may be left out if the tenant has one. */
  readonly issuer: string | undefined;
  readonly returnTo: string | undefined;
  /** Whether the issuer has to ask who it is, though it may know. */
  readonly prompt: 'login' | null;
  /** The value of the browser's cookie, if it began a sign-in before. */
  readonly browserToken: string | undefined;
}

/** The address for the browser, and the token that its cookie has to hold when it comes back. */
export interface BegunSignIn {
  readonly location: string;
  readonly browserToken: string;
}

interface BeginSignInDeps {
  readonly uow: UnitOfWork;
  readonly tenants: TenantDirectory;
  readonly settings: SignInSettingsRepository;
  readonly sealed: SealedSignIns;
  readonly vault: SecretVault;
  readonly gateway: IssuerGateway;
  readonly addresses: SignInAddresses;
  readonly digests: SecretDigests;
  readonly random: RandomBytes;
}

/**
 * Sends a browser to an issuer. Nonce and PKCE verifier travel sealed in the state, for one return within ten minutes, of
 * this browser alone. Nothing is stored, since anybody may begin (T47).
 */
export class BeginSignIn {
  constructor(private readonly deps: BeginSignInDeps) {}

  async execute(wanted: WantedSignIn): Promise<Result<BegunSignIn>> {
    if (!this.deps.addresses.keepsBrowserSessions) return err(insecureAddress);
    const tenantId = await (wanted.tenant === undefined
      ? this.deps.tenants.only()
      : this.deps.tenants.bySlug(wanted.tenant));
    if (tenantId === null) return err(noIssuer);
    const chosen = await this.#choose(tenantId, wanted.issuer);
    if (!chosen.ok) return chosen;
    const { issuer, client, maxAgeSeconds, now } = chosen.value;

    const browserToken = wanted.browserToken ?? this.#secret();
    const checks = { nonce: this.#secret(), codeVerifier: this.#secret(), maxAgeSeconds };
    const state = await this.deps.sealed.seal(tenantId, {
      ...checks,
      id: newId(),
      issuerId: issuer.id,
      browserDigest: Buffer.from(await this.deps.digests.digest('sign_in_browser', browserToken)).toString('base64'),
      returnTo: returnPath(wanted.returnTo),
      expiresAt: now + SIGN_IN_LIFETIME_MS,
    });
    const location = await this.deps.gateway.authorizationUrl(client, {
      ...checks,
      state,
      redirectUri: this.deps.addresses.redirectUri(tenantId, issuer.name),
      prompt: wanted.prompt,
    });
    return location.ok ? ok({ location: location.value, browserToken }) : location;
  }

  #choose(
    tenantId: TenantId,
    name: string | undefined,
  ): Promise<Result<{ issuer: Issuer; client: IssuerClient; maxAgeSeconds: number; now: number }>> {
    return this.deps.uow.run(tenantId, async (tx) => {
      const { issuers, reauthenticateAfterMinutes } = await this.deps.settings.read(tx);
      const issuer = name === undefined ? issuers[0] : issuers.find((one) => one.name === name);
      if (issuer === undefined) return err(noIssuer);
      if (name === undefined && issuers.length > 1) return err(chooseIssuer);
      const client = await issuerClient(tx, this.deps.vault, issuer);
      if (!client.ok) return client;
      return ok({
        issuer,
        client: client.value,
        maxAgeSeconds: reauthenticateAfterMinutes * SECONDS_A_MINUTE,
        now: await tx.now(),
      });
    });
  }

  #secret(): string {
    return Buffer.from(this.deps.random.bytes(SECRET_BYTES)).toString('base64url');
  }
}

const noIssuer: Failure = {
  kind: 'not_found',
  code: 'sign_in.no_issuer',
  message: 'There is no such way to sign in.',
  action: 'Check the name of your organisation, or ask who administers it.',
};

const insecureAddress: Failure = {
  kind: 'unavailable',
  code: 'sign_in.insecure_address',
  message: 'Countersign is reached without TLS here, where browsers keep no cookie of a sign-in.',
  action: 'Ask its operator to put it behind TLS, and to set COUNTERSIGN_PUBLIC_URL to the https address.',
};

const chooseIssuer: Failure = {
  kind: 'invalid',
  code: 'sign_in.choose_issuer',
  message: 'Your organisation has several ways to sign in.',
  action: 'Name one of them.',
};
