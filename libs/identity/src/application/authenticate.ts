import { timingSafeEqual } from 'node:crypto';
import { err, ok, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { decideStanding, unknownCredential } from '../domain/credential.js';
import { countingRoles } from '../domain/person.js';
import { digestOfToken, tokenKindOf } from '../domain/token.js';
import type { Authenticator, CredentialFile, CredentialOnFile } from './identity.ports.js';

const MINUTE_MS = 60_000;

/**
 * Who a bearer token belongs to, decided anew at every request, so that a revoked token, a disabled person and a lost
 * role take effect at once.
 */
export class Authenticate implements Authenticator {
  readonly #uow: UnitOfWork;
  readonly #file: CredentialFile;

  constructor(uow: UnitOfWork, file: CredentialFile) {
    this.#uow = uow;
    this.#file = file;
  }

  async authenticate(token: string): Promise<Result<Principal>> {
    const kind = tokenKindOf(token);
    if (kind === null || kind === 'enrolment' || kind === 'bootstrap') return err(unknownCredential);
    const digest = digestOfToken(token);
    const credential = await this.#file.find(digest);
    if (credential === null || !timingSafeEqual(credential.digest, digest)) return err(unknownCredential);
    const standing = decideStanding(credential.standing);
    if (!standing.ok) return standing;
    // To the minute: a busy credential costs one write a minute, not one a request.
    if (credential.lastUsedAt === null || credential.standing.now - credential.lastUsedAt > MINUTE_MS) {
      await this.#uow.run(credential.tenantId, (tx) => this.#file.markUsed(tx, credential.id));
    }
    return ok(principalOf(credential));
  }
}

function principalOf(credential: CredentialOnFile): Principal {
  const { tenantId, holder, displayName, scopes, id: credentialId } = credential;
  if (holder.kind === 'person_token') {
    const roles = countingRoles(credential.roles, credential.enrolledAt);
    return { kind: 'person', tenantId, personId: holder.personId, displayName, roles, credentialId, scopes };
  }
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
