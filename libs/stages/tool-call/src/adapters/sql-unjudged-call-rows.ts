import { z } from 'zod';
import { parsedPlainText, sqlOf } from '#lib/database';
import type { Digest, FieldError, SessionId, ToolCallId, Tx } from '#lib/kernel';
import { storedSubmitter, submitterFromColumns, type SubmitterColumns } from '#lib/task';
import type { NameSpace } from '../application/tool-call.port.js';
import { namesOf } from '../domain/tool-call.js';
import type { MissingFact, UnjudgedCall } from '../domain/unjudged-call.js';

interface Row extends SubmitterColumns {
  readonly id: ToolCallId;
  readonly session_id: SessionId | null;
  readonly client_call_id: string | null;
  readonly turn_id: string | null;
  readonly tool_name: string;
  readonly tool_version: number | null;
  readonly environment_name: string;
  readonly arguments_digest: Digest;
  readonly code: MissingFact;
  readonly errors: string;
  readonly bundle_revision: string;
  readonly asked_at: Date;
}

const errorsSchema: z.ZodType<readonly FieldError[]> = z.array(
  z.strictObject({
    pointer: z.string(),
    code: z.string(),
    message: z.string(),
    line: z.int().exactOptional(),
    column: z.int().exactOptional(),
    suggestion: z.string().exactOptional(),
  }),
);

/** The condition on a caller's own names, which are `$2`, of calls with a `client_call_id` in a session, which is `$4`, or outside one. */
export const withinNames = (sessionId: SessionId | null): string =>
  sessionId === null
    ? 'session_id is null and coalesce(agent_id, credential_id) = $2'
    : 'session_id = $4 and coalesce(agent_id, person_id) = $2';

/** Sent before the next statement, and awaited with it. */
export function insertUnjudged(tx: Tx, call: UnjudgedCall): void {
  const { agentId, personId, onBehalfOf, credentialId } = storedSubmitter(call.submitter);
  sqlOf(tx).executeAhead(
    `insert into tool_call_unjudged
       (tenant_id, id, session_id, agent_id, person_id, on_behalf_of, credential_id, client_call_id, turn_id,
        tool_name, tool_version, environment_name, arguments_digest, code, errors, bundle_revision, asked_at,
        submitter_number, session_number)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
             ${next('submitter_number', agentId === null ? 'person_id = $5' : 'agent_id = $4')},
             ${call.sessionId === null ? 'null' : next('session_number', 'session_id = $3')})`,
    [
      ...[tx.tenantId, call.id, call.sessionId, agentId, personId, onBehalfOf, credentialId],
      ...[call.clientCallId, call.turnId, call.tool.name, call.tool.version, call.environment.name],
      ...[call.argumentsDigest, call.code, JSON.stringify(call.errors), call.bundleRevision, new Date(call.askedAt)],
    ],
  );
}

const next = (number: string, of: string): string =>
  `1 + coalesce((select ${number} from tool_call_unjudged where tenant_id = $1 and ${of} order by ${number} desc limit 1), 0)`;

/** The unjudged call that has this name of its caller's. */
export async function findUnjudged(
  tx: Tx,
  { sessionId, submitter }: NameSpace,
  clientCallId: string,
): Promise<UnjudgedCall | undefined> {
  const [row] = await sqlOf(tx).query<Row>(
    `select * from tool_call_unjudged where tenant_id = $1 and ${withinNames(sessionId)} and client_call_id = $3`,
    [tx.tenantId, namesOf(submitter, sessionId), clientCallId, ...(sessionId === null ? [] : [sessionId])],
  );
  return row && callOf(row);
}

const callOf = (row: Row): UnjudgedCall => ({
  id: row.id,
  sessionId: row.session_id,
  submitter: submitterFromColumns(row),
  clientCallId: row.client_call_id,
  turnId: row.turn_id,
  tool: { name: row.tool_name, version: row.tool_version },
  environment: { name: row.environment_name },
  argumentsDigest: row.arguments_digest,
  code: row.code,
  errors: parsedPlainText(errorsSchema, row.errors, { table: 'tool_call_unjudged', column: 'errors', id: row.id }),
  bundleRevision: row.bundle_revision,
  askedAt: row.asked_at.getTime(),
});
