import { z } from 'zod';
import { parsedPlainText, sqlOf } from '#lib/database';
import type { FieldError, SessionId, Tx } from '#lib/kernel';
import { storedSubmitter, submitterIn } from '#lib/task';
import type { NameSpace } from '../application/tool-call.port.js';
import { namesOf } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';
import { unjudgedCallEntity } from './tool-call.entity.js';

const COLUMN = unjudgedCallEntity.column;
const CALL = unjudgedCallEntity.as('call');

const UNJUDGED = unjudgedCallEntity.without('submitterNumber', 'sessionNumber');

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

/**
 * The condition on a caller's own names, which are `$2`. They are of calls with a `client_call_id` in a session, which
 * is `$4`, or outside one.
 */
export const withinNames = (sessionId: SessionId | null): string =>
  sessionId === null
    ? `${COLUMN.sessionId} is null and coalesce(${COLUMN.agentId}, ${COLUMN.credentialId}) = $2`
    : `${COLUMN.sessionId} = $4 and coalesce(${COLUMN.agentId}, ${COLUMN.personId}) = $2`;

/** Sent before the next statement, and awaited with it. */
export function insertUnjudged(tx: Tx, call: UnjudgedCall): void {
  const { kind } = call.submitter;
  const columns = ['tenant_id', ...UNJUDGED.names];
  const own = (column: string): string => `${column} = $${String(columns.indexOf(column) + 1)}`;
  sqlOf(tx).executeAhead(
    `insert into tool_call_unjudged (${columns.join(', ')}, ${COLUMN.submitterNumber}, ${COLUMN.sessionNumber})
     values (${columns.map((_, index) => `$${String(index + 1)}`).join(', ')},
             ${next(COLUMN.submitterNumber, own(COLUMN[`${kind}Id`]))},
             ${call.sessionId === null ? 'null' : next(COLUMN.sessionNumber, own(COLUMN.sessionId))})`,
    [tx.tenantId, ...UNJUDGED.parametersOf(rowOf(call))],
  );
}

const next = (number: string, of: string): string =>
  `1 + coalesce((select ${number} from tool_call_unjudged where tenant_id = $1 and ${of} order by ${number} desc limit 1), 0)`;

/** The unjudged call that has this name of its caller's. */
export async function findUnjudged(
  tx: Tx,
  { sessionId, submitter }: NameSpace,
  clientCallId: string,
): Promise<UnjudgedCall | null> {
  const [row] = await sqlOf(tx).query<object>(
    `select ${UNJUDGED.columns('call')} from tool_call_unjudged call
      where tenant_id = $1 and ${withinNames(sessionId)} and ${CALL.clientCallId} = $3`,
    [tx.tenantId, namesOf(submitter, sessionId), clientCallId, ...(sessionId === null ? [] : [sessionId])],
  );
  return row === undefined ? null : callOf(UNJUDGED.row(row));
}

type Row = NonNullable<typeof UNJUDGED.holds>;

const rowOf = ({ submitter, tool, environment, errors, ...call }: UnjudgedCall): Row => ({
  ...call,
  ...storedSubmitter(submitter),
  toolName: tool.name,
  toolVersion: tool.version,
  environmentName: environment.name,
  errors: JSON.stringify(errors),
});

/** The inverse of {@link rowOf}. */
const callOf = (row: Row): UnjudgedCall => {
  const { id, sessionId, clientCallId, turnId, argumentsDigest, code, bundleRevision, askedAt } = row;
  return {
    ...{ id, sessionId, clientCallId, turnId, argumentsDigest, code, bundleRevision, askedAt },
    submitter: submitterIn(row),
    tool: { name: row.toolName, version: row.toolVersion },
    environment: { name: row.environmentName },
    errors: parsedPlainText(errorsSchema, row.errors, { table: 'tool_call_unjudged', column: 'errors', id }),
  };
};
