import { SdkHttpError } from '@modelcontextprotocol/client';
import { mcpProblem, type McpResult } from '#lib/mcp-client';
import { AddressRefusedError } from '#lib/outbound';
import { notStarted, type DispatchOutcome } from '../../application/tool-dispatcher.port.js';
import { codeBeforeSending, rootCause, saysNotCarriedOut } from '../connection-errors.js';
import { AnswerTooLongError, RedirectRefusedError } from './mcp-fetch.js';

const unknown = (code: string, message: string): DispatchOutcome => ({ kind: 'unknown', error: { code, message } });

/** The outcome that a result tells. */
export const outcomeOfMcpResult = (result: McpResult): DispatchOutcome =>
  result.ok ? { kind: 'succeeded', result: result.result } : { kind: 'failed', effect: 'done', error: result.error };

/** The facts about a call that ended with an error. */
interface EndedCall {
  readonly server: string;
  readonly seconds: number;
  /** True if the request of the call may have arrived. */
  readonly sent: boolean;
  /** Replaces the secrets of the call in the words of the server. */
  readonly hide: (said: string) => string;
}

/** The outcome of a call that ended with an error of the connection, of the protocol, or of the server. */
export function outcomeOfMcpError(error: unknown, { server, seconds, sent, hide }: EndedCall): DispatchOutcome {
  const cause = rootCause(error);
  if (cause instanceof AddressRefusedError) return notStarted(cause.code, `${cause.message}.`);
  const before = codeBeforeSending(cause);
  if (before !== null)
    return notStarted('dispatch.unreachable', `The MCP server ${server} cannot be reached (${before}).`);
  const refusal = refusalIn(cause);
  if (refusal !== null) return notStarted('dispatch.refused', `The MCP server ${server} answered with ${refusal}.`);
  const end = sent ? unknown : notStarted;
  if (cause instanceof AnswerTooLongError)
    return end('dispatch.bad_answer', `The MCP server ${server} answered with ${cause.message}.`);
  const problem = mcpProblem(error, { server, seconds, hide }) ?? mcpProblem(cause, { server, seconds, hide });
  if (problem !== null) return (problem.refused ? notStarted : end)(problem.code, problem.message);
  if (error instanceof SdkHttpError)
    return end('dispatch.bad_status', `The MCP server ${server} answered with status ${String(error.status)}.`);
  return end('dispatch.connection_lost', `The connection to the MCP server ${server} broke before it answered.`);
}

/** The answer over HTTP that says the request was not carried out; null for any other error. */
function refusalIn(cause: object): string | null {
  if (cause instanceof RedirectRefusedError) return cause.message;
  return cause instanceof SdkHttpError && saysNotCarriedOut(cause.status) ? `status ${String(cause.status)}` : null;
}
