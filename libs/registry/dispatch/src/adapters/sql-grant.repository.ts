import { type RowOf, rowsOf, sqlOf } from '#lib/database';
import { requireSeal, type RowSeals, type SealedRow, type Tx } from '#lib/kernel';
import type { GrantRepository, GrantSelector } from '../application/grant.ports.js';
import type { GrantOrder } from '../application/tool-dispatcher.port.js';
import type { IssuedGrant } from '../domain/grant.js';
import { callGrantEntity } from './grant.entity.js';

const COLUMN = callGrantEntity.column;
const CALL_GRANT = callGrantEntity.as('call_grant');

const GRANT = callGrantEntity.all;

type GrantRow = RowOf<typeof callGrantEntity>;
type Issued = Pick<IssuedGrant, 'id' | 'issuedAt' | 'expiresAt'>;

/** Grants in PostgreSQL, table call_grant. One that Countersign did not seal is refused (`record.not_authentic`). */
export class SqlGrantRepository implements GrantRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, grant: Issued, order: GrantOrder): Promise<void> {
    const row = {
      ...grant,
      environment: order.environment,
      audience: order.executor.audience,
      basis: order.basis,
      sourceType: order.source.type,
      sourceId: order.source.id,
      step: order.step,
      attempt: order.attempt,
      tool: order.tool.name,
      argumentsDigest: order.argumentsDigest,
      redeemedAt: null,
      revokedAt: null,
      revokedReason: null,
    };
    sqlOf(tx).insertAhead(GRANT, { ...row, seal: await this.seals.seal(sealedGrant(tx, row)) });
  }

  async lock(tx: Tx, id: string): Promise<IssuedGrant | null> {
    const row = await rowsOf(tx, callGrantEntity).findOne({ id }, { lock: 'update' });
    if (row === null) return null;
    const { seal, basis: _, sourceType, sourceId, ...grant } = row;
    await requireSeal(this.seals, sealedGrant(tx, row), seal);
    return { ...grant, source: { type: sourceType, id: sourceId } };
  }

  async markRedeemed(tx: Tx, id: string, now: number): Promise<void> {
    await rowsOf(tx, callGrantEntity).update({ id }, { redeemedAt: now });
  }

  async revokeLive(tx: Tx, selector: GrantSelector, reason: string, now: number): Promise<number> {
    const sources = selector.kind === 'sources' ? selector.sources : [];
    const rows = await sqlOf(tx).query<{ id: string }>(
      `update call_grant set ${COLUMN.revokedAt} = $2, ${COLUMN.revokedReason} = $3
       where tenant_id = $1 and ${CALL_GRANT.redeemedAt} is null and ${CALL_GRANT.revokedAt} is null and ${CALL_GRANT.expiresAt} > $2
         and (${CALL_GRANT.basis} <> 'rollback' or $4 = 'all')
         and ($4 in ('all', 'tenant') or ($4 = 'environment' and ${CALL_GRANT.environment} = $5)
              or ($4 = 'tool' and ${CALL_GRANT.tool} = $5)
              or ($4 = 'sources' and (${CALL_GRANT.sourceType}, ${CALL_GRANT.sourceId}) in (select * from unnest($6::text[], $7::uuid[]))))
       returning ${CALL_GRANT.id}`,
      [
        tx.tenantId,
        new Date(now),
        reason,
        selector.kind,
        selectedName(selector),
        sources.map(({ type }) => type),
        sources.map(({ id }) => id),
      ],
    );
    return rows.length;
  }
}

/** All that a grant says; how it ends is set once and refuses only. */
const sealedGrant = (tx: Tx, row: Omit<GrantRow, 'seal'>): SealedRow => ({
  table: 'call_grant',
  tenantId: tx.tenantId,
  id: row.id,
  columns: {
    environment: row.environment,
    audience: row.audience,
    basis: row.basis,
    source_type: row.sourceType,
    source_id: row.sourceId,
    step: row.step,
    attempt: row.attempt,
    tool: row.tool,
    arguments_digest: row.argumentsDigest,
    issued_at: row.issuedAt,
    expires_at: row.expiresAt,
  },
});

function selectedName(selector: GrantSelector): string | null {
  if (selector.kind === 'environment') return selector.environment;
  return selector.kind === 'tool' ? selector.tool : null;
}
