import { MoreThan, Not } from 'typeorm';
import { z } from 'zod';
import { parsedPlainText, rowsOf, sqlOf } from '#lib/database';
import type { ToolCallId, Tx } from '#lib/kernel';
import type { SealedTexts } from '#lib/tenancy';
import type { CallOutputStore } from '../application/call-output.port.js';
import { NOTHING_HELD, type HeldOutput, type KeptChunk, type OutputStanding } from '../domain/call-output.js';
import { callOutputEntity, pendingOutputEntity } from './tool-call.entity.js';

const KEPT = callOutputEntity.as('kept');
const PENDING = pendingOutputEntity.as('pending');

const OUTPUT = callOutputEntity.all;

const heldSchema = z.object({ stdout: z.array(z.string()), stderr: z.array(z.string()) });

/** Output in PostgreSQL, tables tool_call_output and tool_call_output_pending. */
export class SqlCallOutputStore implements CallOutputStore {
  /** @param texts output that is held back may be the beginning of a secret (T32). */
  constructor(private readonly texts: SealedTexts) {}

  async standing(tx: Tx, id: ToolCallId): Promise<OutputStanding> {
    const [row] = await sqlOf(tx).query<StandingRow>(
      `select coalesce(max(${KEPT.seq}), 0)::integer as seq, coalesce(sum(octet_length(${KEPT.text})), 0)::integer as bytes,
              coalesce(bool_or(${KEPT.cut}), false) as cut,
              (select ${PENDING.held} from tool_call_output_pending pending where tenant_id = $1 and ${PENDING.callId} = $2) as held
         from tool_call_output kept where tenant_id = $1 and ${KEPT.callId} = $2`,
      [tx.tenantId, id],
    );
    if (row === undefined) return { seq: 0, bytes: 0, cut: false, held: NOTHING_HELD };
    const held = row.held === null ? null : await this.texts.open(purposeOf(tx, id), row.held);
    return {
      ...row,
      held:
        held === null
          ? NOTHING_HELD
          : parsedPlainText(heldSchema, held, { table: 'tool_call_output_pending', column: 'held', id }),
    };
  }

  async append(tx: Tx, callId: ToolCallId, chunks: readonly KeptChunk[], held: HeldOutput): Promise<void> {
    const pending = rowsOf(tx, pendingOutputEntity);
    if (held.stdout.length + held.stderr.length === 0) await pending.delete({ callId });
    else {
      const sealed = await this.texts.seal(purposeOf(tx, callId), JSON.stringify(held));
      await pending.insertOrUpdate(['callId'], ['held'], { callId, held: sealed });
    }
    if (chunks.length === 0) return;
    // By hand. Its text is the same for any number of chunks, so no caller fills the room for prepared statements.
    await sqlOf(tx).execute(
      `insert into ${OUTPUT.into}
       select $1, $2, seq, stream, text, cut, clock_timestamp()
         from unnest($3::integer[], $4::text[], $5::text[], $6::boolean[]) as chunk (seq, stream, text, cut)`,
      [
        tx.tenantId,
        callId,
        chunks.map(({ seq }) => seq),
        chunks.map(({ stream }) => stream),
        chunks.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
        chunks.map(({ cut }) => cut),
      ],
    );
  }

  async read(tx: Tx, callId: ToolCallId, after: number): Promise<readonly KeptChunk[]> {
    const rows = await rowsOf(tx, callOutputEntity).find(
      { callId, seq: MoreThan(after), text: Not('') },
      { order: { seq: 'asc' } },
    );
    return rows.map(({ seq, stream, text, cut }) => ({ seq, stream, text, cut }));
  }
}

interface StandingRow extends Omit<OutputStanding, 'held'> {
  readonly held: string | null;
}

const purposeOf = (tx: Tx, id: ToolCallId): string => `tool-call-output:${tx.tenantId}:${id}`;
