import type { AgentId, CredentialId, PersonId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { FakeTable } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Credential, CredentialHolder } from '../domain/credential.js';
import type { FakePeopleRows, KeptCredential } from './fake-people.js';
import type { CredentialRepository, CredentialsSeenBy, ListAfter } from './identity.ports.js';

const DAY_MS = 86_400_000;

const personOf = (holder: CredentialHolder): PersonId | null => ('personId' in holder ? holder.personId : null);
const agentOf = (holder: CredentialHolder): AgentId | null => ('agentId' in holder ? holder.agentId : null);
const delegatedBy = (holder: CredentialHolder): PersonId | null =>
  holder.kind === 'delegation' ? holder.delegatedBy : null;

/** Keeps credentials in memory. */
export class FakeCredentialRepository implements CredentialRepository {
  readonly kept: FakeTable<KeptCredential>;

  constructor(private readonly rows: FakePeopleRows) {
    this.kept = rows.credentials;
  }

  insert(tx: Tx, credential: Credential, digest: Uint8Array): Promise<void> {
    if (this.kept.of(tx).has(credential.id)) throw new FakeRefusal('23505', 'credential_pk');
    const taken = [...this.kept.of(tx).values()].some((kept) => Buffer.compare(kept.digest, digest) === 0);
    if (taken) throw new FakeRefusal('23505', 'credential_token_digest_key');
    if (agentOf(credential.holder) !== null && credential.createdBy === null)
      throw new FakeRefusal('23514', 'credential_created_by_check');
    this.kept.of(tx).set(credential.id, { credential, digest });
    return Promise.resolve();
  }

  find(tx: Tx, id: CredentialId, seenBy: CredentialsSeenBy): Promise<Credential | null> {
    const credential = this.kept.of(tx).get(id)?.credential;
    return Promise.resolve(credential !== undefined && this.#seen(tx, credential, seenBy) ? credential : null);
  }

  list(tx: Tx, seenBy: CredentialsSeenBy, { afterId, limit }: ListAfter): Promise<Credential[]> {
    const seen = this.#all(tx).filter(
      (credential) =>
        credential.holder.kind !== 'browser_session' &&
        this.#seen(tx, credential, seenBy) &&
        (afterId === null || credential.id > afterId),
    );
    return Promise.resolve(seen.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit));
  }

  revoke(tx: Tx, id: CredentialId, at: number): Promise<void> {
    this.#revoke(tx, (credential) => credential.id === id, at);
    return Promise.resolve();
  }

  countTokens(tx: Tx, holder: CredentialHolder): Promise<{ readonly live: number; readonly madeToday: number }> {
    const { now } = this.rows.database;
    const theirs = this.#all(tx).filter(({ holder: of }) =>
      'personId' in holder
        ? of.kind === 'person_token' && of.personId === holder.personId
        : agentOf(of) === holder.agentId,
    );
    return Promise.resolve({
      live: theirs.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now).length,
      madeToday: theirs.filter(({ createdAt }) => createdAt > now - DAY_MS).length,
    });
  }

  actsForAutomation(tx: Tx, agentId: AgentId): Promise<boolean> {
    const acts = this.#all(tx).some(({ holder }) => holder.kind === 'automation' && holder.agentId === agentId);
    return Promise.resolve(acts);
  }

  rotate(tx: Tx, id: CredentialId, digest: Uint8Array): Promise<void> {
    const kept = this.kept.of(tx).get(id);
    if (kept?.credential.holder.kind === 'browser_session' && kept.credential.revokedAt === null)
      this.kept.of(tx).set(id, { ...kept, digest });
    return Promise.resolve();
  }

  revokeAllOf(tx: Tx, personId: PersonId, at: number): Promise<number> {
    const theirs = ({ holder }: Credential): boolean =>
      personOf(holder) === personId || delegatedBy(holder) === personId;
    return Promise.resolve(this.#revoke(tx, theirs, at));
  }

  revokeAllMadeBy(tx: Tx, personId: PersonId, at: number): Promise<number> {
    const theirs = ({ holder, createdBy }: Credential): boolean =>
      personOf(holder) === personId || delegatedBy(holder) === personId || createdBy === personId;
    return Promise.resolve(this.#revoke(tx, theirs, at));
  }

  stillGood(tx: Tx, _personId: PersonId, id: CredentialId): Promise<boolean> {
    const credential = this.kept.of(tx).get(id)?.credential;
    const good = credential?.revokedAt === null && credential.expiresAt > this.rows.database.now;
    return Promise.resolve(good);
  }

  #all(tx: Tx): Credential[] {
    return [...this.kept.of(tx).values()].map(({ credential }) => credential);
  }

  #seen(tx: Tx, { holder }: Credential, { personId, all }: CredentialsSeenBy): boolean {
    const agentId = agentOf(holder);
    const owner = agentId === null ? null : this.rows.agents.of(tx).get(agentId)?.ownerId;
    return all || personOf(holder) === personId || delegatedBy(holder) === personId || owner === personId;
  }

  /** @returns how many of those meant were live. */
  #revoke(tx: Tx, meant: (credential: Credential) => boolean, at: number): number {
    const live = [...this.kept.of(tx).values()].filter(
      ({ credential }) => credential.revokedAt === null && meant(credential),
    );
    for (const { credential, digest } of live) {
      const revokedAt = Math.max(credential.createdAt, at);
      this.kept.of(tx).set(credential.id, { credential: { ...credential, revokedAt }, digest });
    }
    return live.length;
  }
}
