import { toolDefinitionSchema } from '#lib/formats';
import type { EnvironmentFacts, HaltFacts } from '#lib/policy-inputs';
import { sealedRevision, storedDocument } from '#lib/autonomy';
import { ParsedTexts, sqlOf } from '#lib/database';
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
  readonly executor: CallFacts['executor'];
  readonly environment: EnvironmentFacts | null;
  /** Canonical JSON. */
  readonly autonomy: string | null;
  readonly autonomy_id: AutonomyRevisionId | null;
  readonly autonomy_number: number | null;
  readonly autonomy_seal: string | null;
  readonly halts: readonly HaltFacts[];
}

const FACTS = `select * from tool_call_facts($1, $2, $3)`;

/** The facts of one call in PostgreSQL, by the function `tool_call_facts`: its plan is made once a connection. */
export class SqlCallFacts implements CallFactsReader {
  readonly #definitions = new ParsedTexts('tool_version', toolDefinitionSchema);

  constructor(private readonly seals: RowSeals) {}

  async read(tx: Tx, { tool, environment, agentId }: AskedCall): Promise<CallFacts> {
    const [row] = await sqlOf(tx).query<FactsRow>(FACTS, [tool, environment, agentId]);
    if (row === undefined) throw new Error('tool_call_facts answered nothing');
    await this.requireAuthentic(tx, row);
    return {
      now: Number(row.now),
      tool:
        row.tool_id === null
          ? null
          : {
              id: row.tool_id,
              name: tool,
              version: row.tool_version,
              digest: row.tool_digest,
              definition: this.#definitions.of(row.tool_definition),
            },
      executor: row.executor,
      environment: row.environment,
      autonomy: row.autonomy === null ? null : storedDocument(row.autonomy),
      halts: row.halts,
    };
  }

  private async requireAuthentic(tx: Tx, row: FactsRow): Promise<void> {
    const { autonomy: document, autonomy_id: id, autonomy_number: number, autonomy_seal: seal } = row;
    if (document === null || id === null || number === null) return;
    await requireSeal(this.seals, sealedRevision(tx, { id, number, document }), seal);
  }
}
