import type { ExecutorKind } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import { newId, type Digest, type EnvironmentId, type ExecutorId, type PersonId, type Tx } from '#lib/kernel';
import type { EnvironmentNames, ExecutorRepository, ReadOptions } from '../application/tool.ports.js';
import type { SameAudience } from '../domain/executor-document.js';
import type { ExecutorRecord } from '../domain/tool-version.js';

interface ExecutorRow {
  readonly id: ExecutorId;
  readonly name: string;
  readonly version: number;
  readonly kind: ExecutorKind;
  readonly url: string | null;
  readonly audience: string;
  readonly shared_audience: boolean;
  readonly secret: string | null;
  readonly digest: Digest;
}

const CURRENT = `select e.id, e.name, e.version, v.kind, v.url, v.audience, v.shared_audience, v.secret, v.digest, e.updated_at
  from executor e
  join executor_version v on v.tenant_id = e.tenant_id and v.executor_id = e.id and v.version = e.version
  where e.tenant_id = $1 and e.environment_id = $2`;

const recordOf = (row: ExecutorRow): ExecutorRecord => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  url: row.url,
  audience: row.audience,
  sharedAudience: row.shared_audience,
  secret: row.secret,
  version: row.version,
  digest: row.digest,
});

/** Executors in PostgreSQL, tables executor and executor_version. */
export class TypeormExecutorRepository implements ExecutorRepository {
  async resolveMany(
    tx: Tx,
    environmentId: EnvironmentId,
    names: readonly string[],
    options: ReadOptions = {},
  ): Promise<ReadonlyMap<string, ExecutorRecord>> {
    const wanted = [tx.tenantId, environmentId, [...new Set(names)]];
    // The lock first and alone: a join that waited for it would still see the versions of before.
    if (options.lock === 'share') {
      await sqlOf(tx).query(
        'select from executor where tenant_id = $1 and environment_id = $2 and name = any ($3::text[]) order by name for share',
        wanted,
      );
    }
    const rows = await sqlOf(tx).query<ExecutorRow>(`${CURRENT} and e.name = any ($3::text[])`, wanted);
    return new Map(rows.map((row) => [row.name, recordOf(row)]));
  }

  async asBound(
    tx: Tx,
    environmentId: EnvironmentId,
    { name, digest }: { readonly name: string; readonly digest: string },
  ): Promise<ExecutorRecord | null> {
    const rows = await sqlOf(tx).query<ExecutorRow>(
      `select e.id, e.name, v.version, v.kind, v.url, v.audience, v.shared_audience, v.secret, v.digest
         from executor e
         join executor_version v on v.tenant_id = e.tenant_id and v.executor_id = e.id
        where e.tenant_id = $1 and e.environment_id = $2 and e.name = $3 and v.digest = $4
        order by v.version desc limit 1`,
      [tx.tenantId, environmentId, name, digest],
    );
    return rows.map(recordOf)[0] ?? null;
  }

  async list(
    tx: Tx,
    environmentId: EnvironmentId,
  ): Promise<readonly (ExecutorRecord & { readonly updatedAt: number })[]> {
    const rows = await sqlOf(tx).query<ExecutorRow & { readonly updated_at: Date }>(`${CURRENT} order by e.name`, [
      tx.tenantId,
      environmentId,
    ]);
    return rows.map((row) => ({ ...recordOf(row), updatedAt: row.updated_at.getTime() }));
  }

  async lock(tx: Tx, environmentId: EnvironmentId, name: string): Promise<ExecutorRecord | null> {
    // Two first registrations at once have no row to wait for.
    await sqlOf(tx).query(`select pg_advisory_xact_lock(hashtextextended('countersign.executor:' || $1 || $2, 0))`, [
      environmentId,
      name,
    ]);
    await sqlOf(tx).query(
      'select from executor where tenant_id = $1 and environment_id = $2 and name = $3 for update',
      [tx.tenantId, environmentId, name],
    );
    const [row] = await sqlOf(tx).query<ExecutorRow>(`${CURRENT} and e.name = $3`, [tx.tenantId, environmentId, name]);
    return row === undefined ? null : recordOf(row);
  }

  async withAudience(tx: Tx, audience: string, besides: EnvironmentId): Promise<readonly SameAudience[]> {
    // Two registrations at once, in two environments, would each not see the other.
    await sqlOf(tx).query(
      `select pg_advisory_xact_lock(hashtextextended('countersign.audience:' || $1 || ':' || $2, 0))`,
      [tx.tenantId, audience],
    );
    const rows = await sqlOf(tx).query<{ name: string; environment: string; shared_audience: boolean }>(
      `select e.name, environment.name as environment, v.shared_audience
         from executor e
         join executor_version v on v.tenant_id = e.tenant_id and v.executor_id = e.id and v.version = e.version
         join environment on environment.tenant_id = e.tenant_id and environment.id = e.environment_id
        where e.tenant_id = $1 and v.audience = $2 and e.environment_id <> $3 order by environment.name, e.name`,
      [tx.tenantId, audience, besides],
    );
    return rows.map(({ name, environment, shared_audience: sharedAudience }) => ({
      name,
      environment,
      sharedAudience,
    }));
  }

  async save(
    tx: Tx,
    environmentId: EnvironmentId,
    record: ExecutorRecord,
    createdBy: PersonId,
    at: number,
  ): Promise<void> {
    const sql = sqlOf(tx);
    const moment = new Date(at);
    await sql.execute(
      `insert into executor (tenant_id, id, environment_id, name, version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6)
       on conflict on constraint executor_pk do update set version = excluded.version, updated_at = excluded.updated_at`,
      [tx.tenantId, record.id, environmentId, record.name, record.version, moment],
    );
    await sql.execute(
      `insert into executor_version
         (tenant_id, id, executor_id, version, kind, url, audience, shared_audience, secret, digest, created_at, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        tx.tenantId,
        newId(),
        record.id,
        record.version,
        record.kind,
        record.url,
        record.audience,
        record.sharedAudience,
        record.secret,
        record.digest,
        moment,
        createdBy,
      ],
    );
  }
}

/** Environments by name, table environment. */
export class TypeormEnvironmentNames implements EnvironmentNames {
  async byName(tx: Tx, name: string): Promise<{ readonly id: EnvironmentId; readonly name: string } | null> {
    const [row] = await sqlOf(tx).query<{ readonly id: EnvironmentId; readonly name: string }>(
      'select id, name from environment where tenant_id = $1 and name = $2',
      [tx.tenantId, name],
    );
    return row ?? null;
  }
}
