import { IsNull } from 'typeorm';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import { requireSeal, type PageRequest, type RowSeals, type SessionId, type Tx } from '#lib/kernel';
import type { SessionTrustRepository } from '../application/session.ports.js';
import type { SessionTrustId } from '../domain/ids.js';
import type { RevokedTrust, SessionTrust, TrustedCall } from '../domain/session-trust.js';
import { sealedTrust } from './session-seals.js';
import { sessionTrustEntity } from './session.entity.js';

const TRUST = sessionTrustEntity.as('trust');

type Row = RowOf<typeof sessionTrustEntity>;

const TRUST_ROW = sessionTrustEntity.all;
const OLDEST_FIRST = { order: { madeAt: 'ASC', id: 'ASC' } } as const;

/** Trusts in PostgreSQL. */
export class SqlSessionTrustRepository implements SessionTrustRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, trust: SessionTrust): Promise<void> {
    const { id, sessionId, tool: toolName, toolDigest, executorDigest, shape } = trust;
    const { madeBy: personId, credentialId, factorProved, madeAt } = trust;
    const seal = await this.seals.seal(sealedTrust(tx, trust));
    await rowsOf(tx, sessionTrustEntity).insert({
      id,
      sessionId,
      ...{ toolName, toolDigest, executorDigest, shape },
      ...{ personId, credentialId, factorProved, madeAt },
      revokedAt: null,
      revokedBy: null,
      seal,
    });
  }

  async covering(
    tx: Tx,
    sessionId: SessionId,
    { tool: toolName, toolDigest, executorDigest, shape }: TrustedCall,
  ): Promise<readonly SessionTrust[]> {
    const where = { sessionId, toolName, toolDigest, executorDigest: executorDigest ?? IsNull(), shape };
    const rows = await rowsOf(tx, sessionTrustEntity).find({ ...where, revokedAt: IsNull() }, OLDEST_FIRST);
    const trusts: SessionTrust[] = [];
    for (const row of rows) {
      const trust = await this.#authentic(tx, row);
      if (trust !== null) trusts.push(trust);
    }
    return trusts;
  }

  async find(tx: Tx, sessionId: SessionId, id: SessionTrustId): Promise<SessionTrust | null> {
    return this.#authentic(tx, await rowsOf(tx, sessionTrustEntity).findOne({ sessionId, id }));
  }

  async list(tx: Tx, sessionId: SessionId, { after, limit }: PageRequest): Promise<readonly SessionTrust[]> {
    const stored = await sqlOf(tx).query<object>(
      `select ${TRUST_ROW.columns('trust')} from session_trust trust
        where trust.tenant_id = $1 and ${TRUST.sessionId} = $2
          and ($3::timestamptz is null or (${TRUST.madeAt}, ${TRUST.id}) < ($3, $4::uuid))
        order by ${TRUST.madeAt} desc, ${TRUST.id} desc limit $5`,
      [tx.tenantId, sessionId, after && new Date(after.at), after?.id ?? null, limit],
    );
    return this.#allAuthentic(
      tx,
      stored.map((row) => TRUST_ROW.row(row)),
    );
  }

  async inForce(tx: Tx, sessionId: SessionId): Promise<readonly SessionTrust[]> {
    const where = { sessionId, revokedAt: IsNull() };
    return this.#allAuthentic(tx, await rowsOf(tx, sessionTrustEntity).find(where, OLDEST_FIRST));
  }

  async saveRevoked(tx: Tx, { id, revoked }: RevokedTrust): Promise<void> {
    await rowsOf(tx, sessionTrustEntity).update({ id }, { revokedAt: revoked.at, revokedBy: revoked.by });
  }

  async #allAuthentic(tx: Tx, rows: readonly Row[]): Promise<readonly SessionTrust[]> {
    const authentic = await Promise.all(rows.map((row) => this.seals.holds(sealedTrust(tx, trustOf(row)), row.seal)));
    return rows.filter((_, index) => authentic[index]).map(trustOf);
  }

  async #authentic(tx: Tx, row: Row | null): Promise<SessionTrust | null> {
    if (row === null) return null;
    const trust = trustOf(row);
    await requireSeal(this.seals, sealedTrust(tx, trust), row.seal);
    return trust;
  }
}

const trustOf = ({ toolName: tool, personId: madeBy, revokedAt, revokedBy, ...row }: Row): SessionTrust => ({
  id: row.id,
  sessionId: row.sessionId,
  tool,
  toolDigest: row.toolDigest,
  executorDigest: row.executorDigest,
  shape: row.shape,
  madeBy,
  credentialId: row.credentialId,
  factorProved: row.factorProved,
  madeAt: row.madeAt,
  revoked: revokedAt === null || revokedBy === null ? null : { at: revokedAt, by: revokedBy },
});
