import {
  err,
  FailureError,
  ok,
  type PersonPrincipal,
  type Principal,
  type Result,
  type SecretDigests,
  type UnitOfWork,
} from '#lib/kernel';
import { decideStanding, unknownCredential, type PersonCredentialHolder } from '../domain/credential.js';
import { countingRoles } from '../domain/person.js';
import { scopesOpenTo } from '../domain/scopes.js';
import { tokenKindOf } from '../domain/token.js';
import type { Authenticator, CredentialFile, CredentialOnFile } from './identity.ports.js';

const MINUTE_MS = 60_000;

/**
 * The holder of a bearer token, decided anew at every request. So a revoked token, a disabled person and a lost role
 * take effect at once.
 */
export class Authenticate implements Authenticator {
  readonly #uow: UnitOfWork;
  readonly #file: CredentialFile;
  readonly #digests: SecretDigests;

  constructor(uow: UnitOfWork, file: CredentialFile, digests: SecretDigests) {
    this.#uow = uow;
    this.#file = file;
    this.#digests = digests;
  }

  async authenticate(token: string): Promise<Result<Principal>> {
    const kind = tokenKindOf(token);
    if (kind !== 'person' && kind !== 'agent' && kind !== 'delegation') return err(unknownCredential);
    const found = await this.#find(await this.#digests.candidates('credential', token));
    return found.ok ? ok(principalOf(found.value)) : found;
  }

  async authenticateBrowserSession(token: string, attended = true): Promise<Result<PersonPrincipal>> {
    if (tokenKindOf(token) !== 'browser_session') return err(unknownCredential);
    return this.#person(await this.#digests.candidates('credential', token), 'browser_session', attended);
  }

  async authenticateIssuerToken(credentialDigest: Uint8Array): Promise<Result<PersonPrincipal>> {
    return this.#person([credentialDigest], 'issuer_token');
  }

  async authenticateSlackLink(credentialDigest: Uint8Array): Promise<Result<PersonPrincipal>> {
    return this.#person([credentialDigest], 'slack_link');
  }

  async #person(
    digests: readonly Uint8Array[],
    kind: 'browser_session' | 'issuer_token' | 'slack_link',
    attended = true,
  ): Promise<Result<PersonPrincipal>> {
    const found = await this.#find(digests, attended);
    if (!found.ok) return found;
    const { holder } = found.value;
    return holder.kind === kind ? ok(personOf(found.value, holder)) : err(unknownCredential);
  }

  async #find(digests: readonly Uint8Array[], attended = true): Promise<Result<CredentialOnFile>> {
    const credential = await this.#onFile(digests);
    if (credential === null) return err(unknownCredential);
    const standing = decideStanding(credential.standing);
    if (!standing.ok) return standing;
    // To the minute: a busy credential costs one write a minute, not one a request.
    const due = credential.lastUsedAt === null || credential.standing.now - credential.lastUsedAt > MINUTE_MS;
    if (attended && due) await this.#markUsed(credential);
    return ok(credential);
  }

  async #markUsed({ tenantId, id }: CredentialOnFile): Promise<void> {
    try {
      // If it is lost the credential seems idle for longer. So a read waits for no standby.
      await this.#uow.run(tenantId, (tx) => this.#file.markUsed(tx, id), 'losable');
    } catch (error) {
      // A tenant that is frozen while it moves is read on.
      if (!(error instanceof FailureError && error.failure.code === 'tenant.moving')) throw error;
    }
  }

  async #onFile(digests: readonly Uint8Array[]): Promise<CredentialOnFile | null> {
    for (const digest of digests) {
      const found = await this.#file.find(digest);
      if (found !== null) return found;
    }
    return null;
  }
}

function principalOf(credential: CredentialOnFile): Principal {
  const { tenantId, holder, displayName, scopes, id: credentialId } = credential;
  if ('personId' in holder) return personOf(credential, holder);
  if (credential.ownerId === null) throw new Error(`the agent of credential ${credentialId} has no owner`);
  const onBehalfOf = holder.kind === 'delegation' ? holder.delegatedBy : null;
  return {
    kind: 'agent',
    tenantId,
    agentId: holder.agentId,
    displayName,
    ownerId: credential.ownerId,
    onBehalfOf,
    credentialId,
    scopes,
  };
}

function personOf(credential: CredentialOnFile, holder: PersonCredentialHolder): PersonPrincipal {
  const { personId, kind: credentialKind } = holder;
  const { tenantId, displayName, id: credentialId, signedInAt } = credential;
  const roles = countingRoles(credential.roles, credential.enrolledAt);
  // A token was issued with its scopes. A browser session has those that the roles of this moment open.
  const open = scopesOpenTo(roles.map(({ role }) => role));
  const scopes =
    credentialKind === 'person_token' ? credential.scopes : credential.scopes.filter((scope) => open.includes(scope));
  return {
    kind: 'person',
    tenantId,
    personId,
    displayName,
    roles,
    credentialId,
    credentialKind,
    scopes,
    signedInAt,
  };
}
