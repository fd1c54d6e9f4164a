import { IsNull, LessThan, Not, Or } from 'typeorm';
import { rowsOf, type RowOf, type Where } from '#lib/database';
import type { FactorId, PersonId, RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { FactorRepository } from '../application/mfa.ports.js';
import type { Factor, SealedSecret, TotpFactor } from '../domain/factor.js';
import type { EnrolledPasskey } from '../domain/passkey-enrolment.js';
import { factorEntity } from './mfa.entity.js';

type Row = RowOf<typeof factorEntity>;

/** The columns of a factor that never change: its person and its key. Its state has its own transitions. */
const sealedFactor = (tx: Tx, row: Omit<Row, 'seal'>): SealedRow => ({
  table: 'factor',
  tenantId: tx.tenantId,
  id: row.id,
  columns: {
    person_id: row.personId,
    kind: row.kind,
    created_at: row.createdAt,
    passkey_id: row.passkeyId,
    public_key: row.publicKey === null ? null : Buffer.from(row.publicKey).toString('base64url'),
    relying_party_id: row.relyingPartyId,
    origin: row.origin,
  },
});

/** Factors in PostgreSQL. One that Countersign did not write is reported, and proves nothing. */
export class TypeormFactorRepository implements FactorRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, factor: Factor): Promise<void> {
    const row = storedFactor(factor);
    await rowsOf(tx, factorEntity).insert({ ...row, seal: await this.seals.seal(sealedFactor(tx, row)) });
  }

  async list(tx: Tx, personId: PersonId): Promise<readonly Factor[]> {
    return (await this.#authentic(tx, { personId, state: Not('removed') })).map(factorOf);
  }

  async enrolled(tx: Tx, id: FactorId): Promise<EnrolledPasskey | null> {
    return (await this.#authentic(tx, { id, kind: 'passkey' })).map(enrolledOf)[0] ?? null;
  }

  async passkeys(tx: Tx, personId: PersonId | null): Promise<readonly EnrolledPasskey[]> {
    const whose = personId === null ? {} : { personId };
    return (await this.#authentic(tx, { ...whose, kind: 'passkey', state: 'active' })).map(enrolledOf);
  }

  async confirm(tx: Tx, { id, confirmedAt }: TotpFactor): Promise<void> {
    await rowsOf(tx, factorEntity).update({ id, state: 'pending' }, { state: 'active', confirmedAt });
  }

  async saveUse(tx: Tx, factor: Factor): Promise<void> {
    const { id, lastUsedAt } = factor;
    const factors = rowsOf(tx, factorEntity);
    const changed =
      factor.kind === 'passkey'
        ? await factors.update({ id }, { lastUsedAt, counter: factor.counter, backedUp: factor.backedUp })
        : await factors.update(
            { id, lastStep: Or(IsNull(), LessThan(factor.lastStep)) },
            { lastUsedAt, lastStep: factor.lastStep },
          );
    if (changed !== 1) throw new Error(`factor ${id} was used by somebody else meanwhile: its person was not locked`);
  }

  async remove(tx: Tx, id: FactorId, at: number): Promise<void> {
    const secret = { keyId: null, nonce: null, ciphertext: null };
    await rowsOf(tx, factorEntity).update(
      { id, state: Not('removed') },
      { state: 'removed', removedAt: at, ...secret },
    );
  }

  async passkeyKnown(tx: Tx, passkeyId: string): Promise<boolean> {
    return (await rowsOf(tx, factorEntity).findOne({ passkeyId, kind: 'passkey' })) !== null;
  }

  /** The rows with a good seal, the oldest first. */
  async #authentic(tx: Tx, where: Where<Row>): Promise<readonly Row[]> {
    const rows = await rowsOf(tx, factorEntity).find(where, { order: { createdAt: 'asc', id: 'asc' } });
    const authentic: Row[] = [];
    for (const row of rows) if (await this.seals.holds(sealedFactor(tx, row), row.seal)) authentic.push(row);
    return authentic;
  }
}

const NONE = {
  removedAt: null,
  keyId: null,
  nonce: null,
  ciphertext: null,
  lastStep: null,
  passkeyId: null,
  publicKey: null,
  counter: null,
  transports: null,
  backedUp: null,
  relyingPartyId: null,
  origin: null,
};

const storedFactor = (factor: Factor): Omit<Row, 'seal'> =>
  factor.kind === 'totp'
    ? { ...NONE, ...factor, ...factor.secret }
    : { ...NONE, ...factor, relyingPartyId: factor.site.id, origin: factor.site.origin };

/** @throws {Error} if a row breaks a promise of the table's constraints. */
function factorOf(row: Row): Factor {
  const { id, personId, name, createdAt, confirmedAt, lastUsedAt, kind, state, lastStep, counter } = row;
  const facts = { id, personId, name, createdAt, confirmedAt, lastUsedAt };
  if (kind === 'totp' && state !== 'removed') return { ...facts, kind, state, secret: secretOf(row), lastStep };
  if (kind === 'totp' || counter === null || state !== 'active') throw lacking(row);
  const { transports, backedUp } = row;
  const more = { counter, transports: transports ?? [], backedUp: backedUp === true };
  return { ...facts, ...enrolledOf(row), ...more, kind, state };
}

/** @throws {Error} if a row breaks a promise of the table's constraints. */
function enrolledOf(row: Row): EnrolledPasskey {
  const { id, personId, name, createdAt, passkeyId, publicKey, relyingPartyId, origin } = row;
  if (passkeyId === null || publicKey === null || relyingPartyId === null || origin === null) throw lacking(row);
  return { id, personId, name, createdAt, passkeyId, publicKey, site: { id: relyingPartyId, origin } };
}

/** @throws {Error} if a row breaks a promise of the table's constraints. */
export function secretOf(row: Row): SealedSecret {
  const { keyId, nonce, ciphertext } = row;
  if (keyId === null || nonce === null || ciphertext === null) throw lacking(row);
  return { keyId, nonce, ciphertext };
}

const lacking = ({ id, kind, state }: Row): Error =>
  new Error(`factor ${id}, ${kind} and ${state}, lacks what belongs to it`);
