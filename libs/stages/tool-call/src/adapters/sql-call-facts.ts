import { z } from 'zod';
import { sealedRevision, storedDocument } from '#lib/autonomy';
import { parsedValue, sqlOf } from '#lib/database';
import { toolVersionOf } from '#lib/tool';
import type { AutonomyDocument } from '#lib/formats';
import { environmentFactsSchema, haltFactsSchema } from '#lib/policy-inputs';
import {
  requireSeal,
  type AutonomyRevisionId,
  type Digest,
  type RowSeals,
  type ToolVersionId,
  type Tx,
} from '#lib/kernel';
import type { AskedCall, CallFacts, CallFactsReader } from '../application/call-facts.port.js';

interface FactsRow {
  readonly now: string;
  readonly tool_id: ToolVersionId | null;
  readonly tool_version: number;
  readonly tool_digest: Digest;
  /** Canonical JSON. */
  readonly tool_definition: string;
  readonly executor: unknown;
  readonly environment: unknown;
  /** Canonical JSON. */
  readonly autonomy: string | null;
  readonly autonomy_id: AutonomyRevisionId | null;
  readonly autonomy_number: number | null;
  readonly autonomy_seal: string | null;
  readonly halts: unknown;
}

const documentsSchema: z.ZodType<Pick<CallFacts, 'executor' | 'environment' | 'halts'>> = z.object({
  executor: z
    .object({
      name: z.string(),
      version: z.int(),
      kind: z.string(),
      // A constraint of the column has checked its form.
      digest: z.string().transform((digest) => digest as Digest),
    })
    .nullable(),
  environment: environmentFactsSchema.nullable(),
  halts: z.array(haltFactsSchema),
});

const FACTS = `select * from tool_call_facts($1, $2, $3)`;

/** The facts of one call in PostgreSQL, by the function `tool_call_facts`: its plan is made once a connection. */
export class SqlCallFacts implements CallFactsReader {
  constructor(private readonly seals: RowSeals) {}

  async read(tx: Tx, { tool, environment, agentId }: AskedCall): Promise<CallFacts> {
    const [row] = await sqlOf(tx).query<FactsRow>(FACTS, [tool, environment, agentId]);
    if (row === undefined) throw new Error('tool_call_facts answered nothing');
    const { tool_id: id, tool_version: version, tool_digest: digest, tool_definition: definition } = row;
    return {
      ...parsedValue(documentsSchema, row, { function: 'tool_call_facts' }),
      now: Number(row.now),
      tool: id === null ? null : toolVersionOf({ id, name: tool, version, digest, definition }),
      autonomy: await this.#authenticDocument(tx, row),
    };
  }

  async #authenticDocument(tx: Tx, row: FactsRow): Promise<AutonomyDocument | null> {
    const { autonomy: document, autonomy_id: id, autonomy_number: number, autonomy_seal: seal } = row;
    if (document === null || id === null || number === null) return null;
    await requireSeal(this.seals, sealedRevision(tx, { id, number, document }), seal);
    return storedDocument(document, id);
  }
}
