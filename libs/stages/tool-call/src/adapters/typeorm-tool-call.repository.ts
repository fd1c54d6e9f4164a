import { In, IsNull } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { requireSeal, type PageRequest, type RowSeals, type SessionId, type ToolCallId, type Tx } from '#lib/kernel';
import type { NameSpace, CallsOf, ToolCallRepository } from '../application/tool-call.port.js';
import type { ToolCall } from '../domain/tool-call.js';
import { callOf, progressColumns, rowOfCall, sealedCall, type CallRow } from './tool-call-rows.js';
import { toolCallEntity } from './tool-call.entity.js';

const CALL = toolCallEntity.all;
const SELECT = `select ${CALL.columns('tool_call')} from tool_call where tenant_id = $1`;

/** Calls in PostgreSQL. */
export class TypeormToolCallRepository implements ToolCallRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    const row = rowOfCall(call);
    const seal = await this.seals.seal(sealedCall(tx, row));
    sqlOf(tx).callAhead('tool_call_insert', [CALL.documentOf({ ...row, seal })]);
  }

  async find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return this.#authentic(tx, await rowsOf(tx, toolCallEntity).findOne({ id }));
  }

  async findMany(tx: Tx, ids: readonly ToolCallId[]): Promise<readonly ToolCall[]> {
    const rows = await rowsOf(tx, toolCallEntity).find({ id: In([...ids]) });
    return (await Promise.all(rows.map((row) => this.#held(tx, row)))).flatMap((call) => call ?? []);
  }

  async lock(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return this.#authentic(tx, await rowsOf(tx, toolCallEntity).findOne({ id }, { lock: 'update' }));
  }

  async lockNamed(tx: Tx, { sessionId, submitter }: NameSpace, clientCallId: string): Promise<ToolCall | undefined> {
    const { id, credentialId } = submitter;
    const space = sessionId === null ? credentialId : `${sessionId}:${id}`;
    await this.#hold(tx, `countersign.tool_call:${space}:${clientCallId}`);
    if (sessionId === null)
      return this.#authentic(
        tx,
        await rowsOf(tx, toolCallEntity).findOne({ sessionId: IsNull(), credentialId, clientCallId }),
      );
    const [row] = await sqlOf(tx).query<object>(
      `${SELECT} and session_id = $2 and coalesce(agent_id, person_id) = $3 and client_call_id = $4`,
      [tx.tenantId, sessionId, id, clientCallId],
    );
    return this.#authentic(tx, row === undefined ? null : CALL.row(row));
  }

  async lockTurn(tx: Tx, sessionId: SessionId, turnId: string | null): Promise<number> {
    await this.#hold(tx, `countersign.tool_call.turn:${sessionId}:${turnId ?? ''}`);
    const [row] = await sqlOf(tx).query<{ readonly calls: string }>(
      turnId === null
        ? `select count(*) as calls from tool_call
            where tenant_id = $1 and session_id = $2
              and (state in ('pending', 'executing') or state = 'allowed' and executor_name is not null)`
        : 'select count(*) as calls from tool_call where tenant_id = $1 and session_id = $2 and turn_id = $3',
      turnId === null ? [tx.tenantId, sessionId] : [tx.tenantId, sessionId, turnId],
    );
    return Number(row?.calls ?? 0);
  }

  async save(tx: Tx, call: ToolCall): Promise<void> {
    const seal = await this.seals.seal(sealedCall(tx, rowOfCall(call)));
    const { requestId: _, ...columns } = progressColumns(call);
    await rowsOf(tx, toolCallEntity).update({ id: call.id }, { ...columns, seal });
  }

  async list(tx: Tx, sessionId: SessionId, { after, limit }: PageRequest): Promise<readonly ToolCall[]> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT} and session_id = $2 and ($3::timestamptz is null or (asked_at, id) < ($3, $4::uuid))
       order by asked_at desc, id desc limit $5`,
      [tx.tenantId, sessionId, after && new Date(after.at), after?.id ?? null, limit],
    );
    return this.#allAuthentic(tx, rows);
  }

  async lockPending(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const [condition, ...parameters] = coveredBy(of);
    const rows = await sqlOf(tx).query<object>(`${SELECT} and state = 'pending' ${condition} order by id for update`, [
      tx.tenantId,
      ...parameters,
    ]);
    return this.#allAuthentic(tx, rows);
  }

  async lockLive(tx: Tx, of: CallsOf): Promise<readonly ToolCall[]> {
    const [condition, ...parameters] = coveredBy(of);
    const rows = await sqlOf(tx).query<object>(
      `${SELECT} and state in ('allowed', 'executing') ${condition} order by id for update`,
      [tx.tenantId, ...parameters],
    );
    return this.#allAuthentic(tx, rows);
  }

  /** Holds a name until the transaction ends. */
  async #hold(tx: Tx, name: string): Promise<void> {
    await sqlOf(tx).query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }

  async #authentic(tx: Tx, row: CallRow | null): Promise<ToolCall | undefined> {
    if (row === null) return undefined;
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
      return ['and session_id = $2', of.sessionId];
    case 'environment':
      return ['and environment_id = $2', of.environmentId];
    case 'agent':
      return ['and agent_id = $2', of.agentId];
    case 'tool':
      return ['and tool_name = $2', of.tool];
    case 'tenant':
      return [''];
  }
}
