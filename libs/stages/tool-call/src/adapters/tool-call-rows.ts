import { canonicalJson, type Json } from '#lib/canonical';
import { anyJsonObject, parsedText, type RowOf } from '#lib/database';
import type { SealedRow, Tx } from '#lib/kernel';
import { storedSubmitter, submitterIn } from '#lib/task';
import type { AllowedAs, ToolCall, ToolCallFacts, ToolCallProgress } from '../domain/tool-call.js';
import type { toolCallEntity } from './tool-call.entity.js';

export type CallRow = RowOf<typeof toolCallEntity>;

/** The columns that change with the state. */
type ProgressColumns = Pick<
  CallRow,
  | 'state'
  | 'requestId'
  | 'decidedAs'
  | 'decidedAt'
  | 'denial'
  | 'allowedUntil'
  | 'attempt'
  | 'dispatchedAt'
  | 'leaseUntil'
  | 'result'
  | 'error'
  | 'finishedAt'
>;

/** The columns of a call but for its seal. */
export function rowOfCall(call: ToolCall): Omit<CallRow, 'seal'> {
  const { id, sessionId, submitter, clientCallId, turnId, reason, tool, executor, environment } = call;
  const { argumentsDigest, targets, shell, paths, askedAt, decisionId } = call;
  return {
    ...{ id, sessionId, clientCallId, turnId, reason, argumentsDigest, targets, shell, paths, askedAt, decisionId },
    ...storedSubmitter(submitter),
    toolName: tool.name,
    toolVersion: tool.version,
    executorName: executor?.name ?? null,
    executorVersion: executor?.version ?? null,
    executorDigest: executor?.digest ?? null,
    answeredBy: executor?.answeredBy ?? null,
    environmentId: environment.id,
    environmentName: environment.name,
    environmentDigest: environment.digest,
    arguments: canonicalJson(call.arguments),
    ...progressColumns(call),
  };
}

/** The columns that change with the state. */
export const progressColumns = (call: ToolCallProgress): ProgressColumns => ({
  state: call.state,
  requestId: call.requestId,
  decidedAs: call.state === 'pending' ? null : call.decidedAs,
  decidedAt: call.state === 'pending' ? null : call.decidedAt,
  denial: 'denial' in call ? call.denial : null,
  allowedUntil: 'allowedUntil' in call ? call.allowedUntil : null,
  attempt: 'attempt' in call ? call.attempt : 0,
  dispatchedAt: 'dispatchedAt' in call ? call.dispatchedAt : null,
  leaseUntil: 'leaseUntil' in call ? call.leaseUntil : null,
  result: 'result' in call ? call.result : null,
  error: 'error' in call ? call.error : null,
  finishedAt: 'finishedAt' in call ? call.finishedAt : null,
});

/** The inverse of {@link rowOfCall}. */
export function callOf(row: CallRow): ToolCall {
  const { id, sessionId, clientCallId, turnId, reason, argumentsDigest, targets, shell, paths } = row;
  const { askedAt, decisionId } = row;
  const facts: ToolCallFacts = {
    ...{ id, sessionId, clientCallId, turnId, reason, argumentsDigest, targets, shell, paths, askedAt, decisionId },
    submitter: submitterIn(row),
    tool: { name: row.toolName, version: row.toolVersion },
    executor:
      row.executorName === null
        ? null
        : {
            name: row.executorName,
            version: there(row, row.executorVersion),
            digest: there(row, row.executorDigest),
            answeredBy: there(row, row.answeredBy),
          },
    environment: { id: row.environmentId, name: row.environmentName, digest: row.environmentDigest },
    arguments: parsedText(anyJsonObject, row.arguments, { table: 'tool_call', column: 'arguments', id }),
  };
  return { ...facts, ...progressOf(row) };
}

function progressOf(row: CallRow): ToolCallProgress {
  const { state, requestId } = row;
  if (state === 'pending') return { state, requestId: there(row, row.requestId) };
  if (state === 'denied') {
    const decidedAt = there(row, row.decidedAt);
    return row.denial === null
      ? { state, requestId, decidedAs: row.decidedAs === 'rejected' ? 'rejected' : 'denied', decidedAt }
      : { state, requestId, decidedAs: unansweredAs(row), decidedAt, denial: row.denial };
  }
  const allowed = {
    requestId,
    decidedAs: allowedAs(row),
    decidedAt: there(row, row.decidedAt),
    allowedUntil: there(row, row.allowedUntil),
  };
  if (state === 'allowed') return { ...allowed, state };
  if (state === 'expired') return { ...allowed, state, finishedAt: there(row, row.finishedAt) };
  const dispatched = { ...allowed, attempt: row.attempt, dispatchedAt: there(row, row.dispatchedAt) };
  if (state === 'executing') return { ...dispatched, state, leaseUntil: there(row, row.leaseUntil) };
  const finished = { ...dispatched, finishedAt: there(row, row.finishedAt) };
  if (state === 'succeeded') return { ...finished, state, result: row.result };
  const error = there(row, row.error);
  return state === 'failed' ? { ...finished, state, result: row.result, error } : { ...finished, state, error };
}

function allowedAs({ id, decidedAs }: CallRow): AllowedAs {
  if (decidedAs === 'auto_approved' || decidedAs === 'approved' || decidedAs === 'trusted') return decidedAs;
  throw new Error(`the tool call ${id} is allowed, and was decided as ${String(decidedAs)}`);
}

function unansweredAs({ id, decidedAs }: CallRow) {
  if (decidedAs === 'rejected' || decidedAs === 'timeout' || decidedAs === 'cancelled') return decidedAs;
  throw new Error(`the tool call ${id} has a denial, and was decided as ${String(decidedAs)}`);
}

/** A value that the checks of the table require in this state. */
function there<T>(row: CallRow, value: T | null): T {
  if (value === null) throw new Error(`the tool call ${row.id} is ${row.state}, and lacks a column of that state`);
  return value;
}

/**
 * The question, who asked it, and that it was allowed. The agent's own words are left out, and so is the course of an
 * execution. A report or a lost lease lets nothing be executed.
 */
export const sealedCall = (tx: Tx, row: Omit<CallRow, 'seal'>): SealedRow => ({
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
    executor_name: row.executorName,
    executor_version: row.executorVersion,
    executor_digest: row.executorDigest,
    answered_by: row.answeredBy,
    environment_id: row.environmentId,
    environment_name: row.environmentName,
    environment_digest: row.environmentDigest,
    arguments: row.arguments,
    arguments_digest: row.argumentsDigest,
    targets: [...row.targets],
    // The entity parsed both verdicts; an interface has no index signature, so the compiler does not take one for JSON.
    shell: row.shell as unknown as Json,
    // The same.
    paths: row.paths as unknown as Json,
    asked_at: row.askedAt,
    decision_id: row.decisionId,
    request_id: row.requestId,
    state: row.state,
    decided_as: row.decidedAs,
    decided_at: row.decidedAt,
    allowed_until: row.allowedUntil,
    attempt: row.attempt,
  },
});
