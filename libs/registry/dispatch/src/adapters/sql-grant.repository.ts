import { sqlOf } from '#lib/database';
import { requireSeal, type RowSeals, type SealedRow, type Tx } from '#lib/kernel';
import type { GrantRepository, GrantSelector, OutOrder } from '../application/grant.ports.js';
import type { GrantOrder } from '../application/tool-dispatcher.port.js';
import type { IssuedGrant } from '../domain/grant.js';

interface GrantRow {
  readonly id: string;
  readonly environment: string;
  readonly audience: string;
  readonly tool: string;
  readonly arguments_digest: string;
  readonly step: string;
  readonly attempt: number;
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly redeemed_at: Date | null;
  readonly revoked_at: Date | null;
  readonly revoked_reason: string | null;
  readonly basis: string;
  readonly source_type: IssuedGrant['source']['type'];
  readonly source_id: string;
  readonly seal: string;
}

type Issued = Pick<IssuedGrant, 'id' | 'issuedAt' | 'expiresAt'>;

/** Grants in PostgreSQL, table call_grant. One that Countersign did not seal is refused (`record.not_authentic`). */
export class SqlGrantRepository implements GrantRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, grant: Issued, order: GrantOrder): Promise<void> {
    sqlOf(tx).callAhead('call_grant_insert', [await this.#document(tx, grant, order)]);
  }

  async insertIfOut(tx: Tx, grant: Issued, order: OutOrder): Promise<boolean> {
    const { runId, stepId, fence, halts } = order.out;
    const [row] = await sqlOf(tx).query<{ readonly inserted: boolean }>(
      'select call_grant_insert_if_out($1, $2, $3, $4, $5, $6, $7, $8) as inserted',
      [
        runId,
        stepId,
        fence,
        halts !== null,
        halts?.environmentId ?? null,
        halts?.agentIds ?? [],
        halts?.tools ?? [],
        await this.#document(tx, grant, order),
      ],
    );
    return row?.inserted === true;
  }

  /** The sealed row, as its functions take it. */
  async #document(tx: Tx, grant: Issued, order: GrantOrder): Promise<string> {
    const columns = {
      id: grant.id,
      environment: order.environment,
      audience: order.executor.audience,
      basis: order.basis,
      source_type: order.source.type,
      source_id: order.source.id,
      step: order.step,
      attempt: order.attempt,
      tool: order.tool.name,
      arguments_digest: order.argumentsDigest,
      issued_at: new Date(grant.issuedAt),
      expires_at: new Date(grant.expiresAt),
    };
    const seal = await this.seals.seal(sealedGrant(tx, columns));
    return JSON.stringify({ ...columns, tenant_id: tx.tenantId, seal });
  }

  async lock(tx: Tx, id: string): Promise<IssuedGrant | null> {
    const [row] = await sqlOf(tx).query<GrantRow>(
      `select id, environment, audience, tool, arguments_digest, step, attempt, issued_at, expires_at, redeemed_at, revoked_at, revoked_reason,
         basis, source_type, source_id, seal
       from call_grant where tenant_id = $1 and id = $2 for update`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    await requireSeal(this.seals, sealedGrant(tx, row), row.seal);
    return {
      id: row.id,
      environment: row.environment,
      audience: row.audience,
      tool: row.tool,
      argumentsDigest: row.arguments_digest,
      source: { type: row.source_type, id: row.source_id },
      step: row.step,
      attempt: row.attempt,
      issuedAt: row.issued_at.getTime(),
      expiresAt: row.expires_at.getTime(),
      redeemedAt: row.redeemed_at?.getTime() ?? null,
      revokedAt: row.revoked_at?.getTime() ?? null,
      revokedReason: row.revoked_reason,
    };
  }

  async markRedeemed(tx: Tx, id: string, now: number): Promise<void> {
    await sqlOf(tx).query('update call_grant set redeemed_at = $3 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      new Date(now),
    ]);
  }

  async revokeLive(tx: Tx, selector: GrantSelector, reason: string, now: number): Promise<number> {
    const sources = selector.kind === 'sources' ? selector.sources : [];
    const rows = await sqlOf(tx).query<{ id: string }>(
      `update call_grant set revoked_at = $2, revoked_reason = $3
       where tenant_id = $1 and redeemed_at is null and revoked_at is null and expires_at > $2
         and (basis <> 'rollback' or $4 = 'all')
         and ($4 in ('all', 'tenant') or ($4 = 'environment' and environment = $5) or ($4 = 'tool' and tool = $5)
              or ($4 = 'sources' and (source_type, source_id) in (select * from unnest($6::text[], $7::uuid[]))))
       returning id`,
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

type SealedColumns = Omit<GrantRow, 'redeemed_at' | 'revoked_at' | 'revoked_reason' | 'seal'>;

/** All that a grant says; how it ends is set once and refuses only. */
const sealedGrant = (tx: Tx, { id, issued_at, expires_at, ...row }: SealedColumns): SealedRow => ({
  table: 'call_grant',
  tenantId: tx.tenantId,
  id,
  columns: {
    environment: row.environment,
    audience: row.audience,
    basis: row.basis,
    source_type: row.source_type,
    source_id: row.source_id,
    step: row.step,
    attempt: row.attempt,
    tool: row.tool,
    arguments_digest: row.arguments_digest,
    issued_at: issued_at.getTime(),
    expires_at: expires_at.getTime(),
  },
});

function selectedName(selector: GrantSelector): string | null {
  if (selector.kind === 'environment') return selector.environment;
  return selector.kind === 'tool' ? selector.tool : null;
}
