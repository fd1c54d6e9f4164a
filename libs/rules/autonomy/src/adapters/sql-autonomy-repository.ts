import { canonicalJson, type Json } from '#lib/canonical';
import { lockName, rowsOf, sqlOf } from '#lib/database';
import { personEntity } from '#lib/identity';
import { requireSeal, type AutonomyRevisionId, type RowSeals, type Tx } from '#lib/kernel';
import type {
  AutonomyInForce,
  AutonomyRepository,
  AutonomyRevision,
  NewAutonomyRevision,
} from '../application/autonomy.ports.js';
import { autonomyHeadEntity, autonomyRevisionEntity } from './autonomy.entity.js';
import { sealedRevision } from './sealed-revision.js';
import { readableDocument, storedDocument } from './stored-document.js';

const R = autonomyRevisionEntity.as('r');
const PERSON = personEntity.as('person');

const REVISION = autonomyRevisionEntity.all;

/** Autonomy documents in PostgreSQL. */
export class SqlAutonomyRepository implements AutonomyRepository {
  constructor(private readonly seals: RowSeals) {}

  async current(tx: Tx, { lock }: { readonly lock?: 'share' } = {}): Promise<AutonomyInForce | null> {
    // Two statements: a join that waited for the lock would still see the revision from before it waited.
    const id = await this.#head(tx, lock);
    const row = id && (await rowsOf(tx, autonomyRevisionEntity).findOne({ id }));
    if (row === null) return null;
    // A forged document decides nothing. Only an admin puts another one in force, and that reads no seal.
    await requireSeal(this.seals, sealedRevision(tx, row), row.seal);
    const { number, document, digest } = row;
    return { revisionId: row.id, number, document: storedDocument(document, row.id), digest };
  }

  async lockForChange(tx: Tx): Promise<AutonomyRevision | null> {
    // Two first documents at once have no head to wait for.
    await lockName(tx, `countersign.autonomy:${tx.tenantId}`);
    return this.#byId(tx, await this.#head(tx, 'update'));
  }

  async inForce(tx: Tx): Promise<AutonomyRevision | null> {
    return this.#byId(tx, await this.#head(tx));
  }

  async find(tx: Tx, number: number): Promise<AutonomyRevision | null> {
    const [revision] = await this.#read(tx, `${R.number} = $2`, [number]);
    return revision ?? null;
  }

  async findMany(tx: Tx, ids: readonly AutonomyRevisionId[]): Promise<readonly AutonomyRevision[]> {
    return ids.length === 0 ? [] : this.#read(tx, `${R.id} = any ($2::uuid[])`, [ids]);
  }

  async inForceAt(tx: Tx, at: number): Promise<AutonomyRevision | null> {
    const [revision] = await this.#read(tx, `${R.createdAt} <= $2 order by ${R.number} desc limit 1`, [new Date(at)]);
    return revision ?? null;
  }

  list(
    tx: Tx,
    { before, limit }: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly AutonomyRevision[]> {
    return this.#read(tx, `($2::integer is null or ${R.number} < $2) order by ${R.number} desc limit $3`, [
      before,
      limit,
    ]);
  }

  async put(tx: Tx, revision: NewAutonomyRevision): Promise<void> {
    const { revisionId, createdAt } = revision;
    // A schema read it from JSON.
    const unsealed = { ...revision, id: revisionId, document: canonicalJson(revision.document as Json) };
    const seal = await this.seals.seal(sealedRevision(tx, unsealed));
    await rowsOf(tx, autonomyRevisionEntity).insert({ ...unsealed, seal });
    await rowsOf(tx, autonomyHeadEntity).insertOrUpdate([], ['revisionId', 'updatedAt'], {
      revisionId,
      updatedAt: createdAt,
    });
  }

  async #head(tx: Tx, lock?: 'share' | 'update'): Promise<AutonomyRevisionId | null> {
    const head = await rowsOf(tx, autonomyHeadEntity).findOne({}, lock && { lock });
    return head?.revisionId ?? null;
  }

  async #byId(tx: Tx, id: AutonomyRevisionId | null): Promise<AutonomyRevision | null> {
    if (id === null) return null;
    const [revision] = await this.#read(tx, `${R.id} = $2`, [id]);
    return revision ?? null;
  }

  /** @param rest the condition after the tenant's, and the order. */
  async #read(tx: Tx, rest: string, parameters: readonly unknown[]): Promise<readonly AutonomyRevision[]> {
    const rows = await sqlOf(tx).query<{ readonly createdByName: string }>(
      `select ${REVISION.columns('r')}, ${PERSON.displayName} as "createdByName"
         from autonomy_revision r
         join person on person.tenant_id = r.tenant_id and ${PERSON.id} = ${R.createdBy}
        where r.tenant_id = $1 and ${rest}`,
      [tx.tenantId, ...parameters],
    );
    return rows.map((stored) => {
      const { id, number, source, sourceSha256, document, digest, createdAt, createdBy, createdByName } =
        REVISION.row(stored);
      const read = { revisionId: id, number, document: readableDocument(document, id), digest };
      return { ...read, source, sourceSha256, createdAt, createdBy, createdByName };
    });
  }
}
