import { Any, IsNull } from 'typeorm';
import type { PoolReach } from '#lib/dispatch';
import { rowsOf, sqlOf, type RowOf, type SystemQuery } from '#lib/database';
import { requireSeal, type PersonId, type RowSeals, type TenantId, type Tx } from '#lib/kernel';
import type { RunnerEnrolment, RunnerIntroduction, RunnerKey, RunnerRepository } from '../application/runner.ports.js';
import type { RunnerId } from '../domain/ids.js';
import { NEW_RUNNER, type Runner } from '../domain/runner.js';
import { runnerEnrolmentEntity, runnerEntity, runnerKeyEntity, runnerProofEntity } from './runner.entity.js';
import { sealedEnrolment, sealedKey, sealedRunner } from './runner-seals.js';

const RUNNER = runnerEntity.as('runner');
const COLUMN = runnerEntity.column;
const RUNNER_PROOF = runnerProofEntity.as('runner_proof');

/** A call within so many seconds of another one leaves no note. */
const SEEN_SECONDS = 5;
const MAX_RUNNERS = 500;

/** Runners in PostgreSQL, each row with its seal. */
export class SqlRunnerRepository implements RunnerRepository {
  constructor(
    private readonly system: SystemQuery,
    private readonly seals: RowSeals,
  ) {}

  async insert(
    tx: Tx,
    made: Pick<Runner, 'id' | 'name' | 'pool' | 'environments' | 'createdBy' | 'createdAt'>,
  ): Promise<void> {
    await rowsOf(tx, runnerEntity).insert({
      ...made,
      ...NEW_RUNNER,
      environments: [...made.environments],
      revokedBy: null,
      seal: await this.seals.seal(sealedRunner(tx.tenantId, made)),
    });
  }

  async byName(tx: Tx, name: string): Promise<Runner | null> {
    const rows = await rowsOf(tx, runnerEntity).find({ name });
    const standing = rows.find(({ revokedAt }) => revokedAt === null);
    return standing === undefined ? null : this.#authentic(tx, standing);
  }

  async find(tx: Tx, id: RunnerId, lock?: 'update' | 'share'): Promise<Runner | null> {
    const row = await rowsOf(tx, runnerEntity).findOne({ id }, lock === undefined ? {} : { lock });
    return row === null ? null : this.#authentic(tx, row);
  }

  async list(tx: Tx): Promise<readonly Runner[]> {
    const order = { revokedAt: { direction: 'desc', nulls: 'first' }, createdAt: 'desc' } as const;
    const rows = await rowsOf(tx, runnerEntity).find({}, { order, limit: MAX_RUNNERS });
    const listed: Runner[] = [];
    // A list leaves out a row that Countersign did not write.
    for (const row of rows) {
      if (await this.seals.holds(sealedRunner(tx.tenantId, row), row.seal)) listed.push(withoutSeal(row));
    }
    return listed;
  }

  async reach(tx: Tx, pool: string, environment: string, since: number): Promise<PoolReach> {
    const [found] = await sqlOf(tx).query<{ online: boolean; serves: boolean }>(
      `select ${RUNNER.leftAt} is null and coalesce(${RUNNER.lastSeenAt} > $4, false) as online,
              coalesce($3 = any (${RUNNER.worksIn}), true) as serves
         from runner
        where tenant_id = $1 and ${RUNNER.pool} = $2 and $3 = any (${RUNNER.environments}) and ${RUNNER.revokedAt} is null
          and ${RUNNER.enrolledAt} is not null
        order by serves desc, online desc limit 1`,
      [tx.tenantId, pool, environment, new Date(since)],
    );
    if (found === undefined) return 'none';
    if (!found.serves) return 'elsewhere';
    return found.online ? 'online' : 'offline';
  }

  async markEnrolled(tx: Tx, id: RunnerId, version: string, at: number): Promise<void> {
    await rowsOf(tx, runnerEntity).update({ id }, { enrolledAt: at, lastSeenAt: at, version });
  }

  async introduce(tx: Tx, id: RunnerId, said: RunnerIntroduction): Promise<void> {
    await rowsOf(tx, runnerEntity).update(
      { id },
      { ...said, tools: [...said.tools], worksIn: [...said.worksIn], hooks: [...said.hooks] },
    );
  }

  async noWayBack(tx: Tx, pool: string, environment: string): Promise<string | null> {
    const [found] = await sqlOf(tx).query<{ reason: string }>(
      `select ${RUNNER.noWayBack} as reason from runner
        where tenant_id = $1 and ${RUNNER.pool} = $2 and $3 = any (${RUNNER.environments}) and $3 = any (${RUNNER.worksIn})
          and ${RUNNER.revokedAt} is null and ${RUNNER.noWayBack} is not null
        order by ${RUNNER.id} limit 1`,
      [tx.tenantId, pool, environment],
    );
    return found?.reason ?? null;
  }

  async saw(tx: Tx, id: RunnerId, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update runner set ${COLUMN.lastSeenAt} = $3, ${COLUMN.leftAt} = null
        where tenant_id = $1 and ${RUNNER.id} = $2
          and (${RUNNER.lastSeenAt} is null or ${RUNNER.leftAt} is not null
            or ${RUNNER.lastSeenAt} < $3::timestamptz - make_interval(secs => ${String(SEEN_SECONDS)}))`,
      [tx.tenantId, id, new Date(at)],
    );
  }

  async left(tx: Tx, id: RunnerId, at: number): Promise<void> {
    await rowsOf(tx, runnerEntity).update({ id }, { leftAt: at });
  }

  async revoke(tx: Tx, id: RunnerId, by: PersonId, at: number): Promise<void> {
    await rowsOf(tx, runnerEntity).update({ id }, { revokedAt: at, revokedBy: by });
    await rowsOf(tx, runnerKeyEntity).update({ runnerId: id, revokedAt: IsNull() }, { revokedAt: at });
  }

  async insertEnrolment(
    tx: Tx,
    enrolment: { id: string; runnerId: RunnerId; digest: Uint8Array; createdAt: number; expiresAt: number },
  ): Promise<void> {
    const { digest: tokenDigest, ...row } = enrolment;
    const seal = await this.seals.seal(sealedEnrolment(tx.tenantId, row));
    await rowsOf(tx, runnerEnrolmentEntity).insert({ ...row, tokenDigest, usedAt: null, seal });
  }

  async locateEnrolment(digests: readonly Uint8Array[]): Promise<{ tenantId: TenantId; id: string } | null> {
    for (const digest of digests) {
      const [row] = await this.system.call('runner_enrolment_by_digest', digest);
      if (row !== undefined) return row;
    }
    return null;
  }

  async lockEnrolment(tx: Tx, id: string): Promise<RunnerEnrolment | null> {
    const row = await rowsOf(tx, runnerEnrolmentEntity).findOne({ id }, { lock: 'update' });
    if (row === null) return null;
    const { runnerId, expiresAt, usedAt, seal } = row;
    await requireSeal(this.seals, sealedEnrolment(tx.tenantId, row), seal);
    return { id, runnerId, expiresAt, usedAt };
  }

  async markEnrolmentUsed(tx: Tx, id: string, at: number): Promise<void> {
    await rowsOf(tx, runnerEnrolmentEntity).update({ id }, { usedAt: at });
  }

  async insertKey(tx: Tx, key: Pick<RunnerKey, 'id' | 'runnerId' | 'publicKey' | 'createdAt'>): Promise<void> {
    const seal = await this.seals.seal(sealedKey(tx.tenantId, key));
    await rowsOf(tx, runnerKeyEntity).insert({ ...key, revokedAt: null, seal });
  }

  async key(tx: Tx, id: string): Promise<RunnerKey | null> {
    const row = await rowsOf(tx, runnerKeyEntity).findOne({ id });
    if (row === null) return null;
    const { seal, ...key } = row;
    await requireSeal(this.seals, sealedKey(tx.tenantId, row), seal);
    return key;
  }

  async keys(tx: Tx, runnerId: RunnerId): Promise<readonly RunnerKey[]> {
    const rows = await rowsOf(tx, runnerKeyEntity).find({ runnerId }, { order: { createdAt: 'asc' } });
    return rows.map(({ seal: _, ...key }) => key);
  }

  async revokeKeys(tx: Tx, ids: readonly string[], at: number): Promise<void> {
    await rowsOf(tx, runnerKeyEntity).update({ id: Any(ids), revokedAt: IsNull() }, { revokedAt: at });
  }

  async useProof(
    tx: Tx,
    runnerId: RunnerId,
    jti: string,
    expiresAt: number,
  ): Promise<{ readonly fresh: boolean; readonly recent: number }> {
    await sqlOf(tx).execute(
      `delete from runner_proof where tenant_id = $1 and ${RUNNER_PROOF.runnerId} = $2 and ${RUNNER_PROOF.expiresAt} <= clock_timestamp()`,
      [tx.tenantId, runnerId],
    );
    const proofs = rowsOf(tx, runnerProofEntity);
    const fresh = await proofs.insertUnless(['runnerId', 'id'], { runnerId, id: jti, expiresAt });
    return { fresh, recent: await proofs.count({ runnerId }) };
  }

  async #authentic(tx: Tx, row: RowOf<typeof runnerEntity>): Promise<Runner> {
    await requireSeal(this.seals, sealedRunner(tx.tenantId, row), row.seal);
    return withoutSeal(row);
  }
}

function withoutSeal({ seal: _, revokedBy: _by, ...runner }: RowOf<typeof runnerEntity>): Runner {
  return runner;
}
