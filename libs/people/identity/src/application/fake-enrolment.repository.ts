import type { PersonId, TenantId, Tx } from '#lib/kernel';
import { FakeTable } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { FakePeopleRows } from './fake-people.js';
import type { Enrolment, EnrolmentRepository, OpenInvitation, UsedEnrolment } from './identity.ports.js';

type Inserted = Parameters<EnrolmentRepository['insert']>[1];

interface Kept extends Enrolment {
  readonly tenantId: TenantId;
  readonly digest: Uint8Array;
  readonly createdBy: PersonId | null;
  readonly createdAt: number;
}

type Used = Kept & { readonly usedAt: number };

/** Keeps enrolments in memory. */
export class FakeEnrolmentRepository implements EnrolmentRepository {
  /** The people who have a second factor that counts. */
  readonly withFactors = new Set<PersonId>();
  readonly #kept: FakeTable<Kept>;

  constructor(private readonly rows: FakePeopleRows) {
    this.#kept = new FakeTable(rows.database);
  }

  async insert(tx: Tx, enrolment: Inserted): Promise<void> {
    await this.voidUnused(tx, enrolment.personId);
    const made = { tenantId: tx.tenantId, createdAt: this.rows.database.now, usedAt: null, voidedAt: null };
    this.#kept.of(tx).set(enrolment.id, { ...enrolment, ...made });
  }

  locate(digests: readonly Uint8Array[]): Promise<{ readonly tenantId: TenantId; readonly id: string } | null> {
    for (const tenantId of this.#kept.tenants) {
      for (const { id, digest } of this.#kept.of({ tenantId }).values()) {
        if (digests.some((one) => Buffer.compare(one, digest) === 0)) return Promise.resolve({ tenantId, id });
      }
    }
    return Promise.resolve(null);
  }

  lock(tx: Tx, id: string): Promise<Enrolment | null> {
    const kept = this.#kept.of(tx).get(id);
    if (kept === undefined) return Promise.resolve(null);
    const { personId, channel, expiresAt, usedAt, voidedAt } = kept;
    return Promise.resolve({ id, personId, channel, expiresAt, usedAt, voidedAt });
  }

  markUsed(tx: Tx, id: string): Promise<void> {
    const kept = this.#kept.of(tx).get(id);
    if (kept !== undefined) this.#kept.of(tx).set(id, { ...kept, usedAt: this.rows.database.now });
    return Promise.resolve();
  }

  voidUnused(tx: Tx, personId: PersonId): Promise<number> {
    const unused = this.#all(tx).filter(
      (kept) => kept.personId === personId && kept.usedAt === null && kept.voidedAt === null,
    );
    for (const kept of unused) this.#kept.of(tx).set(kept.id, { ...kept, voidedAt: this.rows.database.now });
    return Promise.resolve(unused.length);
  }

  listOpen(tx: Tx): Promise<readonly OpenInvitation[]> {
    const { now } = this.rows.database;
    const open = this.#all(tx).filter(
      ({ usedAt, voidedAt, expiresAt }) => usedAt === null && voidedAt === null && expiresAt > now,
    );
    return Promise.resolve(
      open.reverse().flatMap(({ personId, channel, createdBy, createdAt, expiresAt }) => {
        const person = this.rows.people.of(tx).get(personId);
        if (person?.disabledAt !== null) return [];
        const { id, displayName, email } = person;
        const invitedBy = this.#author(tx, createdBy);
        return [{ person: { id, displayName, email }, channel, invitedBy, createdAt, expiresAt }];
      }),
    );
  }

  hasFactors(_tx: Tx, personId: PersonId): Promise<boolean> {
    return Promise.resolve(this.withFactors.has(personId));
  }

  lastUsed(tx: Tx, personId: PersonId): Promise<UsedEnrolment | null> {
    const last = this.usedBy(tx, personId).at(-1);
    if (last === undefined) return Promise.resolve(null);
    const { channel, createdBy, usedAt } = last;
    return Promise.resolve({ channel, createdBy: this.#author(tx, createdBy), usedAt });
  }

  /** Those that the person used, the first one first. */
  usedBy(tx: Tx, personId: PersonId): readonly Used[] {
    const used = this.#all(tx).flatMap((kept) =>
      kept.personId === personId && kept.usedAt !== null ? [{ ...kept, usedAt: kept.usedAt }] : [],
    );
    return used.sort((a, b) => a.usedAt - b.usedAt);
  }

  #all(tx: Tx): Kept[] {
    return [...this.#kept.of(tx).values()];
  }

  #author(tx: Tx, id: PersonId | null): OpenInvitation['invitedBy'] {
    const displayName = id === null ? undefined : this.rows.people.of(tx).get(id)?.displayName;
    return id === null ? null : { personId: id, displayName: displayName ?? id };
  }
}
