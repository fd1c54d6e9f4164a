import {
  err,
  isUuid,
  ok,
  SCOPES,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Authenticator, MintCredential } from '#lib/identity';
import type { Issuer } from '../domain/issuer.js';
import { readUnverified } from '../domain/read-unverified.js';
import type { SignInAddresses } from '../domain/sign-in-addresses.js';
import type {
  ExternalIdentityRepository,
  IssuerGateway,
  IssuerTokenAuthenticator,
  SignInSettingsRepository,
  TenantDirectory,
} from './sign-in.ports.js';

/** How long one credential stands for somebody's access tokens before the next one does. */
const STANDS_MS = 30 * 86_400_000;

interface AuthenticateIssuerTokenDeps {
  readonly uow: UnitOfWork;
  readonly tenants: TenantDirectory;
  readonly settings: SignInSettingsRepository;
  readonly identities: ExternalIdentityRepository;
  readonly gateway: IssuerGateway;
  readonly addresses: SignInAddresses;
  readonly mint: MintCredential;
  readonly authenticator: Pick<Authenticator, 'authenticateIssuerToken'>;
}

/**
 * The person behind an access token of an issuer (T18). Its audience names the tenant, by its API or by its MCP
 * endpoint (RFC 8707). Only that tenant's settings of the issuer count. The holder must have signed in once: a token
 * creates no person, and changes no role.
 */
export class AuthenticateIssuerToken implements IssuerTokenAuthenticator {
  constructor(private readonly deps: AuthenticateIssuerTokenDeps) {}

  async authenticate(token: string): Promise<Result<PersonPrincipal>> {
    const claimed = readUnverified(token);
    const audience = claimed?.audiences.find((one) => this.#isOfTenant(one));
    const tenant = audience === undefined ? null : await this.#tenantOf(audience);
    if (claimed === null || audience === undefined || tenant === null) return err(refused);
    const settings = await this.deps.uow.run(tenant, (tx) => this.deps.settings.read(tx));
    const issuer = settings.issuers.find(({ url }) => url === claimed.issuer);
    if (issuer === undefined || issuer.bearerScopes.length === 0) return err(refused);
    // The client secret takes no part in verifying a signature.
    const client = { tenantId: tenant, issuer, clientSecret: null };
    const subject = await this.deps.gateway.verifyBearer(client, token, audience);
    if (!subject.ok) return subject;
    const known = await this.deps.uow.run(tenant, (tx) => this.#credentialOf(tx, issuer, subject.value));
    if (known === null) return err(unknownHolder);
    const person = await this.deps.authenticator.authenticateIssuerToken(known.digest);
    if (!person.ok) return person;
    // The seal of a subject does not cover the credential that stands for it.
    if (person.value.personId !== known.personId) return err(unknownHolder);
    // The tenant's present settings count, not those at the time the credential was made.
    return ok({ ...person.value, scopes: person.value.scopes.filter((scope) => issuer.bearerScopes.includes(scope)) });
  }

  #isOfTenant(audience: string): boolean {
    return (this.deps.addresses.tenantOf(audience) ?? this.deps.addresses.slugOf(audience)) !== null;
  }

  async #tenantOf(audience: string): Promise<TenantId | null> {
    const slug = this.deps.addresses.slugOf(audience);
    if (slug !== null) return this.deps.tenants.bySlug(slug);
    const id = this.deps.addresses.tenantOf(audience);
    // It has the form of an id. Only a tenant is found by it.
    return id !== null && isUuid(id) ? (id as TenantId) : null;
  }

  async #credentialOf(
    tx: Tx,
    issuer: Issuer,
    subject: string,
  ): Promise<{ readonly digest: Uint8Array; readonly personId: PersonId } | null> {
    const found = await this.deps.identities.forBearer(tx, issuer.id, subject);
    if (found === null) return null;
    const { personId } = found.identity;
    if (found.credentialDigest !== null) return { digest: found.credentialDigest, personId };
    const locked = await this.deps.identities.lockSubject(tx, issuer.id, subject);
    const again = await this.deps.identities.forBearer(tx, issuer.id, subject);
    if (locked === null || again === null) return null;
    if (again.credentialDigest !== null) return { digest: again.credentialDigest, personId };
    const now = await tx.now();
    const { credential, digest } = await this.deps.mint.execute(tx, {
      holder: { kind: 'issuer_token', personId: locked.personId },
      name: `Access tokens of ${issuer.displayName}`.slice(0, 200),
      scopes: SCOPES,
      createdBy: null,
      now,
      expiresAt: now + STANDS_MS,
    });
    await this.deps.identities.setBearerCredential(tx, locked.id, credential.id);
    return { digest, personId: locked.personId };
  }
}

const refused: Failure = {
  kind: 'unauthenticated',
  code: 'bearer.refused',
  message: 'This access token is not accepted here.',
  action: 'Ask the issuer for one whose audience is this tenant’s API as in the sign-in settings, or its MCP endpoint.',
};

const unknownHolder: Failure = {
  kind: 'unauthenticated',
  code: 'bearer.unknown_holder',
  message: 'The holder of this access token is not known here.',
  action: 'Sign in once in the browser.',
};
