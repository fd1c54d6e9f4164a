import type { AgentId, CredentialId, PersonId, TenantId, Tx } from '#lib/kernel';
import { BROWSER_SESSION_IDLE_MS, type CredentialHolder } from '../domain/credential.js';
import type { FakePeopleRows, KeptCredential } from './fake-people.js';
import type { CredentialFile, CredentialOnFile } from './identity.ports.js';

type Behind = Pick<CredentialOnFile, 'displayName' | 'roles' | 'enrolledAt' | 'signedInAt' | 'ownerId'> &
  Pick<CredentialOnFile['standing'], 'holderDisabled' | 'backerDisabled' | 'outsideIssuers'>;

/** Reads the credentials of people and agents in memory. Each browser session is one that a passkey opened. */
export class FakeCredentialFile implements CredentialFile {
  constructor(private readonly rows: FakePeopleRows) {}

  find(digest: Uint8Array): Promise<CredentialOnFile | null> {
    for (const tenantId of this.rows.credentials.tenants) {
      const kept = [...this.rows.credentials.of({ tenantId }).values()].find(
        (one) => Buffer.compare(one.digest, digest) === 0,
      );
      if (kept !== undefined) return Promise.resolve(this.#onFile(tenantId, kept));
    }
    return Promise.resolve(null);
  }

  markUsed(tx: Tx, id: CredentialId): Promise<void> {
    const kept = this.rows.credentials.of(tx).get(id);
    const lastUsedAt = this.rows.database.now;
    if (kept !== undefined)
      this.rows.credentials.of(tx).set(id, { ...kept, credential: { ...kept.credential, lastUsedAt } });
    return Promise.resolve();
  }

  #onFile(tenantId: TenantId, { credential }: KeptCredential): CredentialOnFile {
    const { id, scopes, holder, createdAt, expiresAt, revokedAt, lastUsedAt } = credential;
    const { holderDisabled, backerDisabled, outsideIssuers, ...behind } =
      'personId' in holder ? this.#person(tenantId, holder) : this.#agent(tenantId, holder);
    const idleUntil = holder.kind === 'browser_session' ? (lastUsedAt ?? createdAt) + BROWSER_SESSION_IDLE_MS : null;
    const { now } = this.rows.database;
    const standing = { now, expiresAt, revokedAt, idleUntil, holderDisabled, backerDisabled, outsideIssuers };
    return { tenantId, id, scopes, holder, ...behind, standing, lastUsedAt };
  }

  #person(tenantId: TenantId, { kind, personId }: CredentialHolder & { readonly personId: PersonId }): Behind {
    const { displayName, roles, enrolledAt, disabledAt } = this.#found(tenantId, personId);
    const only = this.rows.issuersOnly.has(tenantId);
    const known = this.rows.atIssuer.has(personId);
    return {
      displayName,
      roles: roles.map(({ role, assignedAt }) => ({ role, assignedAt })),
      enrolledAt,
      signedInAt: only && !known ? 'never' : null,
      ownerId: null,
      holderDisabled: disabledAt !== null,
      backerDisabled: false,
      outsideIssuers: only && (kind === 'browser_session' || (kind !== 'issuer_token' && !known)),
    };
  }

  #agent(tenantId: TenantId, holder: CredentialHolder & { readonly agentId: AgentId }): Behind {
    const agent = this.rows.agents.of({ tenantId }).get(holder.agentId);
    if (agent === undefined) throw new Error(`no agent ${holder.agentId}`);
    const backers = holder.kind === 'delegation' ? [agent.ownerId, holder.delegatedBy] : [agent.ownerId];
    return {
      displayName: agent.name,
      roles: [],
      enrolledAt: null,
      signedInAt: null,
      ownerId: agent.ownerId,
      holderDisabled: agent.disabledAt !== null,
      backerDisabled: backers.some((id) => this.#found(tenantId, id).disabledAt !== null),
      outsideIssuers: false,
    };
  }

  #found(tenantId: TenantId, id: PersonId) {
    const person = this.rows.people.of({ tenantId }).get(id);
    if (person === undefined) throw new Error(`no person ${id}`);
    return person;
  }
}
