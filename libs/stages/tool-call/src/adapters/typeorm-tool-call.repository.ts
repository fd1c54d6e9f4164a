import { IsNull } from 'typeorm';
import { canonicalJson, type Json, type JsonObject, parseStrictJson } from '#lib/canonical';
import { type RowOf, rowsOf, sqlOf } from '#lib/database';
import { requireSeal, type RowSeals, type SealedRow, type ToolCallId, type Tx } from '#lib/kernel';
import { storedSubmitter, submitterIn } from '#lib/task';
import type { NameSpace, ToolCallRepository } from '../application/tool-call.port.js';
import type { ToolCall } from '../domain/tool-call.js';
import { toolCallEntity } from './tool-call.entity.js';

type Row = RowOf<typeof toolCallEntity>;

const CALL = toolCallEntity.all;

/** Decided calls in PostgreSQL. */
export class TypeormToolCallRepository implements ToolCallRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, call: ToolCall): Promise<void> {
    const { submitter, tool, environment, ...rest } = call;
    const row = {
      ...rest,
      ...storedSubmitter(submitter),
      toolName: tool.name,
      toolVersion: tool.version,
      environmentId: environment.id,
      environmentName: environment.name,
      arguments: canonicalJson(call.arguments),
    };
    const seal = await this.seals.seal(sealedCall(tx, row));
    sqlOf(tx).callAhead('tool_call_insert', [CALL.documentOf({ ...row, seal })]);
  }

  async find(tx: Tx, id: ToolCallId): Promise<ToolCall | undefined> {
    return this.#authentic(tx, await rowsOf(tx, toolCallEntity).findOne({ id }));
  }

  async lockNamed(tx: Tx, { sessionId, credentialId }: NameSpace, clientCallId: string): Promise<ToolCall | undefined> {
    await sqlOf(tx).query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `countersign.tool_call:${sessionId ?? credentialId}:${clientCallId}`,
    ]);
    return this.#authentic(
      tx,
      await rowsOf(tx, toolCallEntity).findOne(
        sessionId === null ? { sessionId: IsNull(), credentialId, clientCallId } : { sessionId, clientCallId },
      ),
    );
  }

  async #authentic(tx: Tx, row: Row | null): Promise<ToolCall | undefined> {
    if (row === null) return undefined;
    await requireSeal(this.seals, sealedCall(tx, row), row.seal);
    const { id, sessionId, clientCallId, turnId, reason, argumentsDigest, shell } = row;
    const { state, decidedAs, decisionId, decidedAt, allowedUntil } = row;
    return {
      id,
      sessionId,
      submitter: submitterIn(row),
      clientCallId,
      turnId,
      reason,
      tool: { name: row.toolName, version: row.toolVersion },
      environment: { id: row.environmentId, name: row.environmentName },
      arguments: parseStrictJson(row.arguments) as JsonObject,
      argumentsDigest,
      shell,
      state,
      decidedAs,
      decisionId,
      decidedAt,
      allowedUntil,
    };
  }
}

/** Every column but the agent's own words decides. */
const sealedCall = (tx: Tx, row: Omit<Row, 'seal'>): SealedRow => ({
  table: 'tool_call',
  tenantId: tx.tenantId,
  id: row.id,
  columns: {
    session_id: row.sessionId,
    agent_id: row.agentId,
    person_id: row.personId,
    on_behalf_of: row.onBehalfOf,
    credential_id: row.credentialId,
    client_call_id: row.clientCallId,
    tool_name: row.toolName,
    tool_version: row.toolVersion,
    environment_id: row.environmentId,
    environment_name: row.environmentName,
    arguments: row.arguments,
    arguments_digest: row.argumentsDigest,
    shell: row.shell as unknown as Json,
    state: row.state,
    decided_as: row.decidedAs,
    decision_id: row.decisionId,
    decided_at: row.decidedAt,
    allowed_until: row.allowedUntil,
  },
});
