import { sqlOf } from '#lib/database';
import type { FactorId, PersonId, RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { FactorRepository } from '../application/mfa.ports.js';
import type { FactorState } from '../domain/factor-transitions.js';
import type { Factor, TotpFactor } from '../domain/factor.js';
import type { EnrolledPasskey } from '../domain/passkey-enrolment.js';
import type { RelyingParty } from '../domain/relying-party.js';

interface FactorRow {
  readonly id: FactorId;
  readonly person_id: PersonId;
  readonly kind: Factor['kind'];
  readonly state: FactorState;
  readonly name: string;
  readonly created_at: Date;
  readonly confirmed_at: Date | null;
  readonly last_used_at: Date | null;
  readonly key_id: string | null;
  readonly nonce: Buffer | null;
  readonly ciphertext: Buffer | null;
  /** bigint, as text. */
  readonly last_step: string | null;
  readonly passkey_id: string | null;
  readonly public_key: Buffer | null;
  readonly counter: string | null;
  readonly transports: readonly string[] | null;
  readonly backed_up: boolean | null;
  readonly relying_party_id: string | null;
  readonly origin: string | null;
  readonly seal: string;
}

type SealedFactor = Pick<
  FactorRow,
  'id' | 'person_id' | 'kind' | 'created_at' | 'passkey_id' | 'public_key' | 'relying_party_id' | 'origin'
>;
type PasskeyRow = SealedFactor & Pick<FactorRow, 'name' | 'seal'>;

/** What a factor proves, and whose: what the database lets nobody change. Its state has its own transitions. */
const sealedFactor = (tx: Tx, factor: SealedFactor): SealedRow => ({
  table: 'factor',
  tenantId: tx.tenantId,
  id: factor.id,
  columns: {
    person_id: factor.person_id,
    kind: factor.kind,
    created_at: factor.created_at.getTime(),
    passkey_id: factor.passkey_id,
    public_key: factor.public_key === null ? null : Buffer.from(factor.public_key).toString('base64url'),
    relying_party_id: factor.relying_party_id,
    origin: factor.origin,
  },
});

/** Factors in PostgreSQL, table factor. One that Countersign did not write is reported, and proves nothing. */
export class PostgresFactorRepository implements FactorRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, factor: Factor): Promise<void> {
    const totp = factor.kind === 'totp' ? factor : null;
    const passkey = factor.kind === 'passkey' ? factor : null;
    const seal = await this.seals.seal(
      sealedFactor(tx, {
        id: factor.id,
        person_id: factor.personId,
        kind: factor.kind,
        created_at: new Date(factor.createdAt),
        passkey_id: passkey?.passkeyId ?? null,
        public_key: bytesOrNull(passkey?.publicKey),
        relying_party_id: passkey?.site?.id ?? null,
        origin: passkey?.site?.origin ?? null,
      }),
    );
    await sqlOf(tx).execute(
      `insert into factor (tenant_id, id, person_id, kind, state, name, created_at, confirmed_at, last_used_at, key_id, nonce,
         ciphertext, last_step, passkey_id, public_key, counter, transports, backed_up, relying_party_id, origin, seal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
      [
        tx.tenantId,
        factor.id,
        factor.personId,
        factor.kind,
        factor.state,
        factor.name,
        new Date(factor.createdAt),
        dateOrNull(factor.confirmedAt),
        dateOrNull(factor.lastUsedAt),
        totp?.secret.keyId ?? null,
        bytesOrNull(totp?.secret.nonce),
        bytesOrNull(totp?.secret.ciphertext),
        totp?.lastStep ?? null,
        passkey?.passkeyId ?? null,
        bytesOrNull(passkey?.publicKey),
        passkey?.counter ?? null,
        passkey === null ? null : [...passkey.transports],
        passkey?.backedUp ?? null,
        passkey?.site?.id ?? null,
        passkey?.site?.origin ?? null,
        seal,
      ],
    );
  }

  async list(tx: Tx, personId: PersonId): Promise<readonly Factor[]> {
    const rows = await sqlOf(tx).query<FactorRow>(
      `select id, person_id, kind, state, name, created_at, confirmed_at, last_used_at, key_id, nonce, ciphertext, last_step,
         passkey_id, public_key, counter, transports, backed_up, relying_party_id, origin, seal
       from factor where tenant_id = $1 and person_id = $2 and state <> 'removed' order by created_at, id`,
      [tx.tenantId, personId],
    );
    return (await this.#authentic(tx, rows)).map(factorOf);
  }

  async enrolled(tx: Tx, id: FactorId): Promise<EnrolledPasskey | null> {
    const rows = await sqlOf(tx).query<PasskeyRow>(
      `select id, person_id, kind, name, created_at, passkey_id, public_key, relying_party_id, origin, seal
       from factor where tenant_id = $1 and id = $2 and kind = 'passkey'`,
      [tx.tenantId, id],
    );
    return (await this.#authentic(tx, rows)).map(enrolledOf)[0] ?? null;
  }

  async passkeys(tx: Tx, personId: PersonId | null): Promise<readonly EnrolledPasskey[]> {
    const rows = await sqlOf(tx).query<PasskeyRow>(
      `select id, person_id, kind, name, created_at, passkey_id, public_key, relying_party_id, origin, seal
       from factor where tenant_id = $1 and ($2::uuid is null or person_id = $2) and kind = 'passkey' and state = 'active'
       order by created_at, id`,
      [tx.tenantId, personId],
    );
    return (await this.#authentic(tx, rows)).map(enrolledOf);
  }

  async confirm(tx: Tx, factor: TotpFactor): Promise<void> {
    await sqlOf(tx).execute(
      `update factor set state = 'active', confirmed_at = $3 where tenant_id = $1 and id = $2 and state = 'pending'`,
      [tx.tenantId, factor.id, dateOrNull(factor.confirmedAt)],
    );
  }

  async saveUse(tx: Tx, factor: Factor): Promise<void> {
    const [step, counter, backedUp] =
      factor.kind === 'totp' ? [factor.lastStep, null, null] : [null, factor.counter, factor.backedUp];
    const changed = await sqlOf(tx).execute(
      `update factor set last_used_at = $3, last_step = coalesce($4, last_step), counter = coalesce($5, counter),
         backed_up = coalesce($6, backed_up)
       where tenant_id = $1 and id = $2 and ($4::bigint is null or last_step is null or last_step < $4)`,
      [tx.tenantId, factor.id, dateOrNull(factor.lastUsedAt), step, counter, backedUp],
    );
    if (changed !== 1)
      throw new Error(`factor ${factor.id} was used by somebody else meanwhile: its person was not locked`);
  }

  async remove(tx: Tx, id: FactorId, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update factor set state = 'removed', removed_at = $3, key_id = null, nonce = null, ciphertext = null
       where tenant_id = $1 and id = $2 and state <> 'removed'`,
      [tx.tenantId, id, new Date(at)],
    );
  }

  async passkeyKnown(tx: Tx, passkeyId: string): Promise<boolean> {
    const rows = await sqlOf(tx).query(
      `select 1 from factor where tenant_id = $1 and passkey_id = $2 and kind = 'passkey'`,
      [tx.tenantId, passkeyId],
    );
    return rows.length > 0;
  }

  async #authentic<Row extends SealedFactor & { readonly seal: string }>(
    tx: Tx,
    rows: readonly Row[],
  ): Promise<readonly Row[]> {
    const authentic: Row[] = [];
    for (const row of rows) if (await this.seals.holds(sealedFactor(tx, row), row.seal)) authentic.push(row);
    return authentic;
  }
}

/** @throws where a row is not what the table's constraints promise. */
function factorOf(row: FactorRow): Factor {
  const facts = {
    id: row.id,
    personId: row.person_id,
    name: row.name,
    createdAt: row.created_at.getTime(),
    confirmedAt: row.confirmed_at?.getTime() ?? null,
    lastUsedAt: row.last_used_at?.getTime() ?? null,
  };
  const { key_id: keyId, nonce, ciphertext, passkey_id: passkeyId, public_key: publicKey, counter } = row;
  if (keyId !== null && nonce !== null && ciphertext !== null) {
    const lastStep = row.last_step === null ? null : Number(row.last_step);
    return { ...facts, kind: 'totp', state: row.state, secret: { keyId, nonce, ciphertext }, lastStep };
  }
  if (passkeyId === null || publicKey === null || counter === null || row.state !== 'active') {
    throw new Error(`factor ${row.id} is ${row.state} and lacks what belongs to it`);
  }
  return {
    ...facts,
    kind: 'passkey',
    state: 'active',
    passkeyId,
    publicKey,
    counter: Number(counter),
    site: siteOf(row),
    transports: row.transports ?? [],
    backedUp: row.backed_up === true,
  };
}

/** @throws where a row is not what the table's constraints promise. */
function enrolledOf(row: PasskeyRow): EnrolledPasskey {
  const { id, person_id: personId, name, created_at: createdAt, passkey_id: passkeyId, public_key: publicKey } = row;
  if (passkeyId === null || publicKey === null)
    throw new Error(`factor ${id} is a passkey and lacks what belongs to it`);
  return { id, personId, name, createdAt: createdAt.getTime(), passkeyId, publicKey, site: siteOf(row) };
}

const siteOf = ({ relying_party_id: id, origin }: PasskeyRow): RelyingParty | null =>
  id === null || origin === null ? null : { id, origin };

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));

const bytesOrNull = (bytes: Uint8Array | undefined): Buffer | null => (bytes === undefined ? null : Buffer.from(bytes));
