import type { AutonomyDocument } from '#lib/contracts';
import { canonicalJson, type Json } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import { requireSeal, type AutonomyRevisionId, type Digest, type PersonId, type RowSeals, type Tx } from '#lib/kernel';
import { sealedRevision } from './sealed-revision.js';
import type { AutonomyInForce, AutonomyRepository, AutonomyRevision } from '../application/autonomy.ports.js';

interface InForceRow {
  readonly id: AutonomyRevisionId;
  readonly number: number;
  readonly document: string;
  readonly digest: Digest;
}

interface RevisionRow extends InForceRow {
  readonly source: string;
  readonly source_sha256: string;
  readonly created_at: Date;
  readonly created_by: PersonId;
  readonly created_by_name: string;
}

const inForceOf = (row: InForceRow): AutonomyInForce => ({
  revisionId: row.id,
  number: row.number,
  // Stored after it was checked against the contract.
  document: JSON.parse(row.document) as AutonomyDocument,
  digest: row.digest,
});

const revisionOf = (row: RevisionRow): AutonomyRevision => ({
  ...inForceOf(row),
  source: row.source,
  sourceSha256: row.source_sha256,
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
  createdByName: row.created_by_name,
});

const REVISION = `select r.id, r.number, r.document, r.digest, r.source, r.source_sha256, r.created_at, r.created_by,
    person.display_name as created_by_name
  from autonomy_revision r
  join person on person.tenant_id = r.tenant_id and person.id = r.created_by`;

/** Autonomy documents in PostgreSQL, tables autonomy_revision and autonomy_head. */
export class TypeormAutonomyRepository implements AutonomyRepository {
  constructor(private readonly seals: RowSeals) {}

  async current(tx: Tx, options: { readonly lock?: 'share' } = {}): Promise<AutonomyInForce | null> {
    // The lock first, the revision in a second statement: one that waited would join with what stood before it waited.
    const revisionId = await this.head(tx, options.lock === 'share' ? 'for share' : '');
    if (revisionId === null) return null;
    const [row] = await sqlOf(tx).query<InForceRow & { readonly seal: string }>(
      'select id, number, document, digest, seal from autonomy_revision where tenant_id = $1 and id = $2',
      [tx.tenantId, revisionId],
    );
    if (row === undefined) return null;
    // Nothing is decided by a document that nobody put; an admin puts another, which looks at none before it.
    const { number, document } = row;
    await requireSeal(this.seals, sealedRevision(tx, { id: revisionId, number, document }), row.seal);
    return inForceOf(row);
  }

  async lockForChange(tx: Tx): Promise<AutonomyRevision | null> {
    // Two first documents at once have no head to wait for.
    await sqlOf(tx).query(`select pg_advisory_xact_lock(hashtextextended('countersign.autonomy:' || $1, 0))`, [
      tx.tenantId,
    ]);
    return this.revision(tx, await this.head(tx, 'for update'));
  }

  async inForce(tx: Tx): Promise<AutonomyRevision | null> {
    return this.revision(tx, await this.head(tx, ''));
  }

  async find(tx: Tx, number: number): Promise<AutonomyRevision | null> {
    const [row] = await sqlOf(tx).query<RevisionRow>(`${REVISION} where r.tenant_id = $1 and r.number = $2`, [
      tx.tenantId,
      number,
    ]);
    return row === undefined ? null : revisionOf(row);
  }

  async findMany(tx: Tx, ids: readonly AutonomyRevisionId[]): Promise<readonly AutonomyRevision[]> {
    if (ids.length === 0) return [];
    const rows = await sqlOf(tx).query<RevisionRow>(`${REVISION} where r.tenant_id = $1 and r.id = any($2::uuid[])`, [
      tx.tenantId,
      ids,
    ]);
    return rows.map(revisionOf);
  }

  async inForceAt(tx: Tx, at: number): Promise<AutonomyRevision | null> {
    const [row] = await sqlOf(tx).query<RevisionRow>(
      `${REVISION} where r.tenant_id = $1 and r.created_at <= $2 order by r.number desc limit 1`,
      [tx.tenantId, new Date(at)],
    );
    return row === undefined ? null : revisionOf(row);
  }

  async list(
    tx: Tx,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly AutonomyRevision[]> {
    const rows = await sqlOf(tx).query<RevisionRow>(
      `${REVISION} where r.tenant_id = $1 and ($2::integer is null or r.number < $2) order by r.number desc limit $3`,
      [tx.tenantId, page.before, page.limit],
    );
    return rows.map(revisionOf);
  }

  async put(tx: Tx, revision: Omit<AutonomyRevision, 'createdByName'>): Promise<void> {
    const sql = sqlOf(tx);
    const moment = new Date(revision.createdAt);
    const document = canonicalJson(revision.document as Json);
    await sql.execute(
      `insert into autonomy_revision (tenant_id, id, number, source, source_sha256, document, digest, created_at, created_by, seal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        tx.tenantId,
        revision.revisionId,
        revision.number,
        revision.source,
        revision.sourceSha256,
        document,
        revision.digest,
        moment,
        revision.createdBy,
        await this.seals.seal(sealedRevision(tx, { id: revision.revisionId, number: revision.number, document })),
      ],
    );
    await sql.execute(
      `insert into autonomy_head (tenant_id, revision_id, updated_at) values ($1, $2, $3)
       on conflict on constraint autonomy_head_pk do update set revision_id = excluded.revision_id, updated_at = excluded.updated_at`,
      [tx.tenantId, revision.revisionId, moment],
    );
  }

  private async head(tx: Tx, lock: '' | 'for share' | 'for update'): Promise<AutonomyRevisionId | null> {
    const [row] = await sqlOf(tx).query<{ readonly revision_id: AutonomyRevisionId }>(
      `select revision_id from autonomy_head where tenant_id = $1 ${lock}`,
      [tx.tenantId],
    );
    return row?.revision_id ?? null;
  }

  private async revision(tx: Tx, id: AutonomyRevisionId | null): Promise<AutonomyRevision | null> {
    if (id === null) return null;
    const [row] = await sqlOf(tx).query<RevisionRow>(`${REVISION} where r.tenant_id = $1 and r.id = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : revisionOf(row);
  }
}
