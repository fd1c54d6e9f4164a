import { In } from 'typeorm';
import { lockNameAhead, rowsOf, sqlOf } from '#lib/database';
import { requireSeal, type PageRequest, type RowSeals, type SessionId, type ToolCallId, type Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type {
  CallRefusal,
  CallsOf,
  NameSpace,
  SessionCallFilter,
  ToolCallRepository,
} from '../application/tool-call.port.js';
import { BUDGET_WINDOW_MS, type CountedCalls, type UsedCalls } from '../domain/call-limits.js';
import { namesOf, type ToolCall, type ToolCallFacts } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';
import { callOf, progressColumns, rowOfCall, sealedCall, type CallRow } from './tool-call-rows.js';
import { toolCallEntity, unjudgedCallEntity } from './tool-call.entity.js';
import { findUnjudged, insertUnjudged, withinNames } from './sql-unjudged-call-rows.js';

const TOOL_CALL = toolCallEntity.as('tool_call');
const TOOL_CALL_UNJUDGED = unjudgedCallEntity.as('tool_call_unjudged');
/** Of both tables with calls. */
const COLUMN = unjudgedCallEntity.column;

const CALL = toolCallEntity.all;
const SELECT = `select ${CALL.columns('tool_call')} from tool_call where tenant_id = $1`;
const ONE = `${SELECT} and ${TOOL_CALL.id} = $2`;
const ONE_LOCKED = `${ONE} for update`;

/** The columns that change with the state, and the name of the row. */
const PROGRESS = toolCallEntity.pick(
  ...(['id', 'state', 'decidedAs', 'decidedAt', 'denial', 'allowedUntil', 'attempt', 'dispatchedAt'] as const),
  ...(['leaseUntil', 'result', 'error', 'finishedAt', 'seal'] as const),
);

const IN_FLIGHT = `(${TOOL_CALL.state} in ('pending', 'executing') 
  or ${TOOL_CALL.state} = 'allowed' and ${TOOL_CALL.executorName} is not null)`;

/** In the words of the indexes, so that each part is looked up in its own. */
const LIVE = `(${TOOL_CALL.state} = 'executing'
               or ${TOOL_CALL.state} = 'allowed' and ${TOOL_CALL.executorName} is not null
               or ${TOOL_CALL.state} = 'allowed' and ${TOOL_CALL.executorName} is null
                 and ${TOOL_CALL.allowedUntil} > now())`;

/** The calls of a submitter, whose id is `$2`. */
const OWN: Readonly<Record<Submitter['kind'], string>> = {
  agent: `${COLUMN.agentId} = $2 and ${COLUMN.personId} is null`,
  person: `${COLUMN.agentId} is null and ${COLUMN.personId} = $2`,
};

/** The tables with the rows that count, each with numbers of its own. */
const COUNTED = ['tool_call', 'tool_call_unjudged'] as const;

/** A sum over the tables that count. */
const inBoth = (count: (table: (typeof COUNTED)[number]) => string): string => COUNTED.map(count).join(' + ');

/** How many calls a session has: the number of the newest, since each has the next one. */
const inSession = (sessionId: string): string =>
  inBoth(
    (
      table,
    ) => `coalesce((select ${COLUMN.sessionNumber} from ${table} where tenant_id = $1 and ${COLUMN.sessionId} = ${sessionId}
                           order by ${COLUMN.sessionNumber} desc limit 1), 0)`,
  );

/**
 * How many calls a submitter has since `recent.start`: from the oldest of them to the newest call, by their numbers. So it looks at two
 * rows, however many there are. Times follow numbers, since each call has both under the lock of its submitter. If the
 * clock of the database is set back, the count an hour later may be wrong. It is wrong at most by the calls of the time
 * that came twice.
 */
const sinceStart = (own: string): string =>
  inBoth(
    (table) => `coalesce((select ${COLUMN.submitterNumber} from ${table} where tenant_id = $1 and ${own}
                           order by ${COLUMN.submitterNumber} desc limit 1)
                         - (select ${COLUMN.submitterNumber} from ${table}
                             where tenant_id = $1 and ${own} and ${COLUMN.askedAt} > (select start from recent)
                             order by ${COLUMN.askedAt}, ${COLUMN.submitterNumber} limit 1) + 1, 0)`,
  );

const COUNTS_OF_SESSION = `
  select ${inSession('$2')} as "inSession",
         (select count(*)::int from tool_call where tenant_id = $1 and ${TOOL_CALL.sessionId} = $2 and ${TOOL_CALL.turnId} = $3)
           + (select count(*)::int from tool_call_unjudged
               where tenant_id = $1 and ${TOOL_CALL_UNJUDGED.sessionId} = $2 and ${TOOL_CALL_UNJUDGED.turnId} = $3) as "inTurn",
         (select count(*)::int from tool_call
           where tenant_id = $1 and ${TOOL_CALL.sessionId} = $2 and ${IN_FLIGHT}) as "inFlight"`;

const useOf = (own: string): string => `
  with recent as (select clock_timestamp() - $3 * interval '1 millisecond' as start)
  select ${sinceStart(own)} as "inHour",
         ${inBoth(
           (table) => `(select count(*)::int from ${table}
                         where tenant_id = $1 and ${own} and ${COLUMN.sessionId} is null and ${COLUMN.turnId} = $4
                           and ${COLUMN.askedAt} > (select start from recent))`,
         )} as "inTurn",
         (select count(*)::int from tool_call
           where tenant_id = $1 and ${own} and ${TOOL_CALL.sessionId} is null and ${IN_FLIGHT}) as "inFlight"`;

const USE_OF: typeof OWN = { agent: useOf(OWN.agent), person: useOf(OWN.person) };

/** Calls in PostgreSQL. */
export class SqlToolCallRepository implements ToolCallRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    const row = rowOfCall(call);
    const seal = await this.seals.seal(sealedCall(tx, row));
    sqlOf(tx).callAhead('tool_call_insert', [CALL.documentOf({ ...row, seal })]);
  }

  insertUnjudged(tx: Tx, call: UnjudgedCall): Promise<void> {
    insertUnjudged(tx, call);
    return Promise.resolve();
  }

  async find(tx: Tx, id: ToolCallId): Promise<ToolCall | null> {
    return this.#one(tx, ONE, id);
  }

  async findMany(tx: Tx, ids: readonly ToolCallId[]): Promise<readonly ToolCall[]> {
    const rows = await rowsOf(tx, toolCallEntity).find({ id: In([...ids]) });
    return (await Promise.all(rows.map((row) => this.#held(tx, row)))).flatMap((call) => call ?? []);
  }

  async lock(tx: Tx, id: ToolCallId): Promise<ToolCall | null> {
    return this.#one(tx, ONE_LOCKED, id);
  }

  async lockNamed(tx: Tx, space: NameSpace, clientCallId: string): Promise<ToolCall | UnjudgedCall | null> {
    const { sessionId, submitter } = space;
    const names = namesOf(submitter, sessionId);
    lockNameAhead(tx, `countersign.tool_call:${sessionId ?? ''}:${names}:${clientCallId}`);
    // Sent one after the other and awaited once.
    const [[row], unjudged] = await Promise.all([
      sqlOf(tx).query<object>(`${SELECT} and ${withinNames(sessionId)} and ${TOOL_CALL.clientCallId} = $3`, [
        ...[tx.tenantId, names, clientCallId],
        ...(sessionId === null ? [] : [sessionId]),
      ]),
      findUnjudged(tx, space, clientCallId),
    ]);
    return row === undefined ? unjudged : this.#authentic(tx, CALL.row(row));
  }

  async lockTwin(tx: Tx, call: ToolCallFacts): Promise<ToolCall | null> {
    const { submitter, tool, environment, argumentsDigest } = call;
    lockNameAhead(tx, `countersign.tool_call.twin:${submitter.id}:${argumentsDigest}`);
    const [row] = await sqlOf(tx).query<object>(
      `${SELECT} and ${TOOL_CALL.state} = 'pending' and ${OWN[submitter.kind]}
         and ${TOOL_CALL.toolName} = $3 and ${TOOL_CALL.toolVersion} = $4 and ${TOOL_CALL.environmentId} = $5
           and ${TOOL_CALL.argumentsDigest} = $6
       order by ${TOOL_CALL.id} limit 1`,
      [tx.tenantId, submitter.id, tool.name, tool.version, environment.id, argumentsDigest],
    );
    return this.#authentic(tx, row === undefined ? null : CALL.row(row));
  }

  async lockCounts(tx: Tx, sessionId: SessionId, turnId: string | null): Promise<CountedCalls> {
    lockNameAhead(tx, `countersign.tool_call.session:${sessionId}`);
    const [row] = await sqlOf(tx).query<CountedCalls>(COUNTS_OF_SESSION, [tx.tenantId, sessionId, turnId]);
    return row ?? { inSession: 0, inTurn: 0, inFlight: 0 };
  }

  async lockUse(tx: Tx, { kind, id }: Pick<Submitter, 'kind' | 'id'>, turnId: string | null): Promise<UsedCalls> {
    lockNameAhead(tx, `countersign.tool_call.submitter:${id}`);
    const [row] = await sqlOf(tx).query<UsedCalls>(USE_OF[kind], [tx.tenantId, id, BUDGET_WINDOW_MS, turnId]);
    return row ?? { inHour: 0, inTurn: 0, inFlight: 0 };
  }

  async askedSince(
    tx: Tx,
    { kind, id }: Pick<Submitter, 'kind' | 'id'>,
    { since, skipped }: { readonly since: number; readonly skipped: number },
  ): Promise<number | null> {
    const [row] = await sqlOf(tx).query<{ readonly asked_at: Date }>(
      `select asked_at
         from (${COUNTED.map(
           (table) => `(select ${COLUMN.askedAt} as asked_at from ${table}
                         where tenant_id = $1 and ${OWN[kind]} and ${COLUMN.askedAt} > $3
                         order by ${COLUMN.askedAt} limit $4 + 1)`,
         ).join(' union all ')}) own
        order by asked_at offset $4 limit 1`,
      [tx.tenantId, id, new Date(since), skipped],
    );
    return row?.asked_at.getTime() ?? null;
  }

  async anyInFlight(tx: Tx, sessionId: SessionId): Promise<boolean> {
    const [row] = await sqlOf(tx).query<{ readonly any: boolean }>(
      `select exists (select from tool_call where tenant_id = $1 and ${TOOL_CALL.sessionId} = $2 and ${IN_FLIGHT}) as any`,
      [tx.tenantId, sessionId],
    );
    return row?.any === true;
  }

  async countMany(tx: Tx, sessionIds: readonly SessionId[]): Promise<ReadonlyMap<SessionId, number>> {
    const rows = await sqlOf(tx).query<{ readonly id: SessionId; readonly calls: number }>(
      `select * from (select id, ${inSession('asked.id')} as calls from unnest($2::uuid[]) as asked (id)) counted where calls > 0`,
      [tx.tenantId, [...sessionIds]],
    );
    return new Map(rows.map(({ id, calls }) => [id, calls]));
  }

  async firstRefusal(tx: Tx, { submitterId, about, code }: CallRefusal, forMs: number): Promise<boolean> {
    const noted = await sqlOf(tx).query<object>(
      `insert into tool_call_refusal (tenant_id, submitter_id, about_id, code, until)
       values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
       on conflict on constraint tool_call_refusal_pk do update set until = excluded.until
         where tool_call_refusal.until <= clock_timestamp()
       returning code`,
      [tx.tenantId, submitterId, about, code, forMs],
    );
    return noted.length > 0;
  }

  async save(tx: Tx, call: ToolCall): Promise<void> {
    const seal = await this.seals.seal(sealedCall(tx, rowOfCall(call)));
    sqlOf(tx).callAhead('tool_call_save', [PROGRESS.documentOf({ ...progressColumns(call), id: call.id, seal })]);
  }

  async list(
    tx: Tx,
    { sessionId, agentId, state }: SessionCallFilter,
    { after, limit }: PageRequest,
  ): Promise<readonly ToolCall[]> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT} and ${TOOL_CALL.sessionId} = $2 and ($3::timestamptz is null or (${TOOL_CALL.askedAt}, ${TOOL_CALL.id}) < ($3, $4::uuid))
         and ($6::uuid is null or ${TOOL_CALL.agentId} = $6) and ($7::text is null or ${TOOL_CALL.state} = $7)
       order by ${TOOL_CALL.askedAt} desc, ${TOOL_CALL.id} desc limit $5`,
      [tx.tenantId, sessionId, after && new Date(after.at), after?.id ?? null, limit, agentId, state],
    );
    return this.#allAuthentic(tx, rows);
  }

  async lockPending(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const [condition, ...parameters] = coveredBy(of);
    const rows = await sqlOf(tx).query<object>(
      `${SELECT} and ${TOOL_CALL.state} = 'pending' ${condition} order by ${TOOL_CALL.id} for update`,
      [tx.tenantId, ...parameters],
    );
    return this.#allAuthentic(tx, rows);
  }

  async lockLive(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const [condition, ...parameters] = coveredBy(of);
    const rows = await sqlOf(tx).query<object>(
      `${SELECT} and ${LIVE} ${condition} order by ${TOOL_CALL.id} for update`,
      [tx.tenantId, ...parameters],
    );
    return this.#allAuthentic(tx, rows);
  }

  async #one(tx: Tx, statement: string, id: ToolCallId): Promise<ToolCall | null> {
    const [row] = await sqlOf(tx).query<object>(statement, [tx.tenantId, id]);
    return this.#authentic(tx, row === undefined ? null : CALL.row(row));
  }

  async #authentic(tx: Tx, row: CallRow | null): Promise<ToolCall | null> {
    if (row === null) return null;
    await requireSeal(this.seals, sealedCall(tx, row), row.seal);
    return callOf(row);
  }

  async #allAuthentic(tx: Tx, stored: readonly object[]): Promise<readonly ToolCall[]> {
    const rows = stored.map((row): CallRow => CALL.row(row));
    return (await Promise.all(rows.map((row) => this.#held(tx, row)))).flatMap((call) => call ?? []);
  }

  async #held(tx: Tx, row: CallRow): Promise<ToolCall | null> {
    return (await this.seals.holds(sealedCall(tx, row), row.seal)) ? callOf(row) : null;
  }
}

function coveredBy(of: CallsOf): [condition: string, ...parameters: string[]] {
  switch (of.kind) {
    case 'session':
      return [`and ${TOOL_CALL.sessionId} = $2`, of.sessionId];
    case 'environment':
      return [`and ${TOOL_CALL.environmentId} = $2`, of.environmentId];
    case 'agent':
      return [`and ${TOOL_CALL.agentId} = $2`, of.agentId];
    case 'tool':
      return [`and ${TOOL_CALL.toolName} = $2`, of.tool];
    case 'tenant':
      return [''];
  }
}
