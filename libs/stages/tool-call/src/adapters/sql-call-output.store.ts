import { sqlOf } from '#lib/database';
import type { ToolCallId, Tx } from '#lib/kernel';
import type { CallOutputStore } from '../application/call-output.port.js';
import type { KeptChunk, OutputStanding } from '../domain/call-output.js';

/** Output in PostgreSQL, table tool_call_output. */
export class SqlCallOutputStore implements CallOutputStore {
  async standing(tx: Tx, id: ToolCallId): Promise<OutputStanding> {
    const [row] = await sqlOf(tx).query<OutputStanding>(
      `select coalesce(max(seq), 0)::integer as seq, coalesce(sum(octet_length(text)), 0)::integer as bytes,
              coalesce(bool_or(cut), false) as cut
         from tool_call_output where tenant_id = $1 and call_id = $2`,
      [tx.tenantId, id],
    );
    return row ?? { seq: 0, bytes: 0, cut: false };
  }

  async append(tx: Tx, id: ToolCallId, chunks: readonly KeptChunk[]): Promise<void> {
    if (chunks.length === 0) return;
    await sqlOf(tx).execute(
      `insert into tool_call_output (tenant_id, call_id, seq, stream, text, cut, at)
       select $1, $2, seq, stream, text, cut, clock_timestamp()
         from unnest($3::integer[], $4::text[], $5::text[], $6::boolean[]) as chunk (seq, stream, text, cut)`,
      [
        tx.tenantId,
        id,
        chunks.map(({ seq }) => seq),
        chunks.map(({ stream }) => stream),
        chunks.map(({ text }) => text.replaceAll('\0', '\uFFFD')),
        chunks.map(({ cut }) => cut),
      ],
    );
  }

  read(tx: Tx, id: ToolCallId, after: number): Promise<readonly KeptChunk[]> {
    return sqlOf(tx).query<KeptChunk>(
      `select seq, stream, text, cut from tool_call_output
        where tenant_id = $1 and call_id = $2 and seq > $3 order by seq`,
      [tx.tenantId, id, after],
    );
  }
}
