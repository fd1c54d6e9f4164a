import { lockName, rowsOf, sqlOf } from '#lib/database';
import { newId, type EnvironmentId, type PersonId, type Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import type { ExecutorRepository, ReadOptions } from '../application/tool.ports.js';
import type { SameAudience } from '../domain/executor-document.js';
import type { ExecutorRecord, StoredExecutor } from '../domain/tool-version.js';
import { executorEntity, executorVersionEntity } from './tool.entity.js';

const V = executorVersionEntity.as('v');
const E = executorEntity.as('e');
const EXECUTOR = executorEntity.as('executor');
const ENVIRONMENT = environmentEntity.as('environment');

const HEAD = executorEntity.pick('id', 'name', 'updatedAt');
const VERSION = executorVersionEntity.pick(
  'version',
  'kind',
  'url',
  'audience',
  'sharedAudience',
  'secret',
  'settings',
  'digest',
);

const SELECT = `select ${HEAD.columns('e')}, ${VERSION.columns('v')}
  from executor e join executor_version v on v.tenant_id = e.tenant_id and ${V.executorId} = ${E.id}`;
const CURRENT = `${SELECT} and ${V.version} = ${E.version} where e.tenant_id = $1 and ${E.environmentId} = $2`;

const recordOf = (row: ExecutorRecord): ExecutorRecord => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  url: row.url,
  audience: row.audience,
  sharedAudience: row.sharedAudience,
  secret: row.secret,
  settings: row.settings,
  version: row.version,
  digest: row.digest,
});

const storedOf = (row: object): StoredExecutor => VERSION.row(HEAD.row(row));

/** Executors in PostgreSQL, tables executor and executor_version. */
export class SqlExecutorRepository implements ExecutorRepository {
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
        `select from executor where tenant_id = $1 and ${EXECUTOR.environmentId} = $2 and ${EXECUTOR.name} = any ($3::text[])
           order by ${EXECUTOR.name} for share`,
        wanted,
      );
    }
    const rows = await sqlOf(tx).query<object>(`${CURRENT} and ${E.name} = any ($3::text[])`, wanted);
    return new Map(rows.map(storedOf).map((row) => [row.name, recordOf(row)]));
  }

  async asBound(
    tx: Tx,
    environmentId: EnvironmentId,
    { name, digest }: { readonly name: string; readonly digest: string },
  ): Promise<ExecutorRecord | null> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT} where e.tenant_id = $1 and ${E.environmentId} = $2 and ${E.name} = $3 and ${V.digest} = $4
        order by ${V.version} desc limit 1`,
      [tx.tenantId, environmentId, name, digest],
    );
    return rows.map((row) => recordOf(storedOf(row)))[0] ?? null;
  }

  async list(tx: Tx, environmentId: EnvironmentId): Promise<readonly StoredExecutor[]> {
    const rows = await sqlOf(tx).query<object>(`${CURRENT} order by ${E.name}`, [tx.tenantId, environmentId]);
    return rows.map(storedOf);
  }

  async lock(tx: Tx, environmentId: EnvironmentId, name: string): Promise<StoredExecutor | null> {
    // Two first registrations at once have no row to wait for.
    await lockName(tx, `countersign.executor:${environmentId}${name}`);
    const head = await rowsOf(tx, executorEntity).findOne({ environmentId, name }, { lock: 'update' });
    if (head === null) return null;
    const { id, version, updatedAt } = head;
    const current = await rowsOf(tx, executorVersionEntity).findOne({ executorId: id, version });
    return current === null ? null : { ...recordOf({ ...current, id, name }), updatedAt };
  }

  async withAudience(tx: Tx, audience: string, besides: EnvironmentId): Promise<readonly SameAudience[]> {
    // Two registrations at once, in two environments, would each not see the other.
    await lockName(tx, `countersign.audience:${tx.tenantId}:${audience}`);
    return sqlOf(tx).query<SameAudience>(
      `select ${E.name} as name, ${ENVIRONMENT.name} as environment, ${executorVersionEntity.pick('sharedAudience').columns('v')}
         from executor e
         join executor_version v on v.tenant_id = e.tenant_id and ${V.executorId} = ${E.id} and ${V.version} = ${E.version}
         join environment on environment.tenant_id = e.tenant_id and ${ENVIRONMENT.id} = ${E.environmentId}
        where e.tenant_id = $1 and ${V.audience} = $2 and ${E.environmentId} <> $3 order by ${ENVIRONMENT.name}, ${E.name}`,
      [tx.tenantId, audience, besides],
    );
  }

  async save(
    tx: Tx,
    environmentId: EnvironmentId,
    record: ExecutorRecord,
    createdBy: PersonId,
    at: number,
  ): Promise<void> {
    const { id: executorId, ...version } = record;
    await rowsOf(tx, executorEntity).insertOrUpdate(['id'], ['version', 'updatedAt'], {
      ...record,
      environmentId,
      createdAt: at,
      updatedAt: at,
    });
    await rowsOf(tx, executorVersionEntity).insert({ ...version, id: newId(), executorId, createdAt: at, createdBy });
  }
}
