import { DATABASE_CLOCK, parsedPlainText, rowsOf, sqlOf, type RowOf, type Written } from '#lib/database';
import { hookCallSchema } from '#lib/formats';
import type { PageRequest, Tx } from '#lib/kernel';
import type {
  ClaimedExecution,
  ExecutionFilter,
  ExecutionStore,
  NewExecution,
} from '../application/lifecycle-hook.ports.js';
import type { HookFailure } from '../domain/fill-command.js';
import type { ExecutionEnd, ExecutionState, HookExecution } from '../domain/hook-execution.js';
import type { HookExecutionId, LifecycleHookId } from '../domain/ids.js';
import { hookExecutionEntity, lifecycleHookEntity } from './lifecycle-hook.entity.js';

const EXECUTION = hookExecutionEntity.as('execution');
const OTHER = hookExecutionEntity.as('other');
const EXPIRED = hookExecutionEntity.as('expired');
const COLUMN = hookExecutionEntity.column;
const LIFECYCLE_HOOK_EXECUTION = hookExecutionEntity.as('lifecycle_hook_execution');
const EACH = hookExecutionEntity.as('each');
const HOOK = lifecycleHookEntity.as('hook');

/** The creation time as a page of a list names it: in whole milliseconds. */
const CREATED_MS = `floor(extract(epoch from ${EXECUTION.createdAt}) * 1000)::bigint`;
const EXECUTION_ROW = hookExecutionEntity.all;
const COLUMNS = EXECUTION_ROW.columns('execution');
/** Executions of one pool at the same time: a slow program leaves the runners room for calls of agents. */
const UNDER_WAY = 2;

/** Executions in PostgreSQL. */
export class SqlHookExecutions implements ExecutionStore {
  async write(tx: Tx, executions: readonly NewExecution[]): Promise<void> {
    if (executions.length === 0) return;
    const now = await tx.now();
    await rowsOf(tx, hookExecutionEntity).insert(
      executions.map(({ call, fault, ...each }) => ({
        ...each,
        call: call && JSON.stringify(call),
        faultCode: fault?.code ?? null,
        faultMessage: fault?.message ?? null,
        attempts: 0,
        nextAttemptAt: now,
        leasedUntil: null,
        createdAt: now,
        settledAt: each.state === 'pending' ? null : now,
      })),
    );
  }

  async claim(tx: Tx, id: HookExecutionId, leaseMs: number): Promise<ClaimedExecution | null> {
    const [row] = await sqlOf(tx).query<object & { readonly state_before: 'pending' | 'sent' }>(
      `with due as (
         select ${EXECUTION.id}, ${EXECUTION.state} as state from lifecycle_hook_execution execution
          where execution.tenant_id = $1 and ${EXECUTION.id} = $2 and ${EXECUTION.state} in ('pending', 'sent')
            and ${EXECUTION.nextAttemptAt} <= clock_timestamp()
            and (${EXECUTION.state} = 'sent' or (
              select count(*) from lifecycle_hook_execution other
               where other.tenant_id = $1 and ${OTHER.pool} = ${EXECUTION.pool} and ${OTHER.state} = 'sent'
                 and ${OTHER.leasedUntil} > clock_timestamp()) < ${String(UNDER_WAY)})
          for update skip locked)
       update lifecycle_hook_execution execution
          set ${COLUMN.state} = 'sent', ${COLUMN.attempts} = ${EXECUTION.attempts} + (due.state = 'pending')::integer,
              ${COLUMN.leasedUntil} = clock_timestamp() + $3 * interval '1 millisecond',
              ${COLUMN.nextAttemptAt} = clock_timestamp() + $3 * interval '1 millisecond'
         from due where execution.tenant_id = $1 and ${EXECUTION.id} = due.id
       returning ${COLUMNS}, due.state as state_before`,
      [tx.tenantId, id, leaseMs],
    );
    if (row === undefined) return null;
    const { state_before: before, ...rest } = row;
    return { execution: toExecution(EXECUTION_ROW.row(rest)), before };
  }

  async lockSent(tx: Tx, id: HookExecutionId, attempt: number): Promise<HookExecution | null> {
    const sent = { id, attempts: attempt, state: 'sent' } as const;
    const row = await rowsOf(tx, hookExecutionEntity).findOne(sent, { lock: 'update' });
    return row && toExecution(row);
  }

  async leasedUntil(tx: Tx, id: HookExecutionId, attempt: number): Promise<number | null> {
    const row = await rowsOf(tx, hookExecutionEntity).findOne({ id, attempts: attempt, state: 'sent' });
    return row?.leasedUntil ?? null;
  }

  async settle(
    tx: Tx,
    id: HookExecutionId,
    attempt: number,
    state: Exclude<ExecutionState, 'pending' | 'sent'>,
    { exitStatus, output, fault }: ExecutionEnd,
  ): Promise<boolean> {
    const ended = { state, leasedUntil: null, exitStatus, output, settledAt: DATABASE_CLOCK };
    return this.#update(tx, id, attempt, { ...ended, ...faultColumns(fault) });
  }

  async giveBack(
    tx: Tx,
    id: HookExecutionId,
    attempt: number,
    fault: HookFailure | null,
    delayMs: number,
  ): Promise<void> {
    const nextAttemptAt = (await tx.now()) + delayMs;
    await this.#update(tx, id, attempt, { state: 'pending', leasedUntil: null, nextAttemptAt, ...faultColumns(fault) });
  }

  async lookAgain(tx: Tx, id: HookExecutionId, attempt: number, at: number): Promise<void> {
    await this.#update(tx, id, attempt, { leasedUntil: at, nextAttemptAt: at });
  }

  async release(tx: Tx, id: HookExecutionId, attempt: number, afterMs: number): Promise<void> {
    await this.#update(tx, id, attempt, { leasedUntil: null, nextAttemptAt: (await tx.now()) + afterMs });
  }

  async expireOf(tx: Tx, hooks: readonly LifecycleHookId[], fault: HookFailure): Promise<number> {
    if (hooks.length === 0) return 0;
    return sqlOf(tx).execute(
      `update lifecycle_hook_execution
          set ${COLUMN.state} = 'expired', ${COLUMN.settledAt} = clock_timestamp(), ${COLUMN.faultCode} = $3, ${COLUMN.faultMessage} = $4
        where tenant_id = $1 and ${LIFECYCLE_HOOK_EXECUTION.hookId} = any ($2::uuid[]) and ${LIFECYCLE_HOOK_EXECUTION.state} = 'pending'`,
      [tx.tenantId, hooks, fault.code, fault.message],
    );
  }

  async expireBeyond(tx: Tx, most: number, fault: HookFailure): Promise<ReadonlyMap<LifecycleHookId, number>> {
    const rows = await sqlOf(tx).query<{ id: LifecycleHookId; count: string }>(
      `with expired as (
         update lifecycle_hook_execution
            set ${COLUMN.state} = 'expired', ${COLUMN.settledAt} = clock_timestamp(), ${COLUMN.faultCode} = $3, ${COLUMN.faultMessage} = $4
          where tenant_id = $1 and ${LIFECYCLE_HOOK_EXECUTION.id} in (
            select ${LIFECYCLE_HOOK_EXECUTION.id} from lifecycle_hook_execution where tenant_id = $1
              and ${LIFECYCLE_HOOK_EXECUTION.state} = 'pending'
             order by ${LIFECYCLE_HOOK_EXECUTION.createdAt} desc, ${LIFECYCLE_HOOK_EXECUTION.id} desc offset $2)
         returning ${LIFECYCLE_HOOK_EXECUTION.hookId})
       select ${EXPIRED.hookId} as id, count(*) as count from expired group by ${EXPIRED.hookId}`,
      [tx.tenantId, most, fault.code, fault.message],
    );
    return new Map(rows.map(({ id, count }) => [id, Number(count)]));
  }

  async failSent(tx: Tx, fault: HookFailure): Promise<void> {
    await rowsOf(tx, hookExecutionEntity).update(
      { state: 'sent' },
      { state: 'failed', leasedUntil: null, settledAt: DATABASE_CLOCK, ...faultColumns(fault) },
    );
  }

  async list(
    tx: Tx,
    { hook, state }: ExecutionFilter,
    { after, limit }: PageRequest,
  ): Promise<readonly HookExecution[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${COLUMNS} from lifecycle_hook_execution execution
        where execution.tenant_id = $1
          and ($2::text is null or ${EXECUTION.hook} = $2) and ($3::text is null or ${EXECUTION.state} = $3)
          and ($4::bigint is null or (${CREATED_MS}, ${EXECUTION.id}) < ($4::bigint, $5::uuid))
        order by ${CREATED_MS} desc, ${EXECUTION.id} desc limit $6`,
      [tx.tenantId, hook ?? null, state ?? null, after?.at ?? null, after?.id ?? null, limit],
    );
    return rows.map((row) => toExecution(EXECUTION_ROW.row(row)));
  }

  async latest(tx: Tx): Promise<ReadonlyMap<LifecycleHookId, HookExecution>> {
    const rows = await sqlOf(tx).query<object>(
      `select ${COLUMNS} from lifecycle_hook hook
        cross join lateral (
          select * from lifecycle_hook_execution each
           where each.tenant_id = $1 and ${EACH.hookId} = ${HOOK.id} order by ${EACH.createdAt} desc, ${EACH.id} desc limit 1) execution
        where hook.tenant_id = $1`,
      [tx.tenantId],
    );
    return new Map(rows.map((row) => toExecution(EXECUTION_ROW.row(row))).map((each) => [each.hookId, each]));
  }

  /** Only of the attempt that was taken. */
  async #update(
    tx: Tx,
    id: HookExecutionId,
    attempts: number,
    changes: Partial<Written<RowOf<typeof hookExecutionEntity>>>,
  ): Promise<boolean> {
    return (await rowsOf(tx, hookExecutionEntity).update({ id, attempts, state: 'sent' }, changes)) === 1;
  }
}

const faultColumns = (fault: HookFailure | null) => ({
  faultCode: fault?.code ?? null,
  faultMessage: fault?.message ?? null,
});

function toExecution(row: RowOf<typeof hookExecutionEntity>): HookExecution {
  const { call, faultCode, faultMessage, nextAttemptAt: _next, leasedUntil: _until, ...rest } = row;
  return {
    ...rest,
    call:
      call === null
        ? null
        : parsedPlainText(hookCallSchema, call, { table: 'lifecycle_hook_execution', column: 'call', id: rest.id }),
    fault: faultCode === null || faultMessage === null ? null : { code: faultCode, message: faultMessage },
  };
}
