import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, type CallToolResult } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '#lib/canonical';
import { AddressRefusedError } from '#lib/outbound';
import { notStarted, type DispatchOutcome } from '../../application/tool-dispatcher.port.js';
import { codeBeforeSending, rootCause, saysNotCarriedOut } from '../connection-errors.js';
import { TooManyToolsError } from './mcp-connection.js';
import { AnswerTooLongError, RedirectRefusedError } from './mcp-fetch.js';

/** A server's own words in an error, in characters. */
const MAX_WORDS = 1_000;

/** JSON-RPC 2.0 section 5.1, of a request that was refused as it stands: method not found, and invalid parameters. */
const REFUSALS: readonly number[] = [-32601, -32602];

const unknown = (code: string, message: string): DispatchOutcome => ({ kind: 'unknown', error: { code, message } });

/** The outcome that a result tells. A tool that says it failed did run, and may have changed something. */
export function outcomeOfMcpResult({ content, structuredContent, isError }: CallToolResult): DispatchOutcome {
  const result = { content, ...(structuredContent === undefined ? {} : { structuredContent }) } as Json & JsonObject;
  if (isError !== true) return { kind: 'succeeded', result };
  const said = content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
  const message = said === '' ? 'The tool failed, and did not say why.' : said.slice(0, MAX_WORDS);
  return { kind: 'failed', effect: 'done', error: { code: 'mcp.tool_failed', message } };
}

/** The facts about a call that ended with an error. */
interface EndedCall {
  readonly server: string;
  readonly seconds: number;
  /** True if the request of the call may have arrived. */
  readonly sent: boolean;
}

/** The outcome of a call that ended with an error of the connection, of the protocol, or of the server. */
export function outcomeOfMcpError(error: unknown, { server, seconds, sent }: EndedCall): DispatchOutcome {
  const cause = rootCause(error);
  if (cause instanceof AddressRefusedError) return notStarted(cause.code, `${cause.message}.`);
  const before = codeBeforeSending(cause);
  if (before !== null)
    return notStarted('dispatch.unreachable', `The MCP server ${server} cannot be reached (${before}).`);
  const refusal = refusalIn(cause);
  if (refusal !== null) return notStarted('dispatch.refused', `The MCP server ${server} answered with ${refusal}.`);
  const end = sent ? unknown : notStarted;
  if (cause instanceof TooManyToolsError) return notStarted('mcp.too_many_tools', cause.message);
  if (cause instanceof AnswerTooLongError)
    return end('dispatch.bad_answer', `The MCP server ${server} answered with ${cause.message}.`);
  const { name } = cause as { readonly name?: unknown };
  if (name === 'TimeoutError' || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout))
    return end('dispatch.timed_out', `The MCP server ${server} did not answer within ${String(seconds)} seconds.`);
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return end(
      'mcp.asks_for_input',
      `The MCP server ${server} asked for a prompt, an answer or files in place of a result. Countersign gives it none.`,
    );
  if (error instanceof SdkHttpError)
    return end('dispatch.bad_status', `The MCP server ${server} answered with status ${String(error.status)}.`);
  if (error instanceof ProtocolError)
    return end(
      'mcp.protocol_error',
      `The MCP server ${server} answered with error ${String(error.code)}: ${words(error)}`,
    );
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return end('dispatch.bad_answer', `The MCP server ${server} answered in a form that is not that of its protocol.`);
  return end('dispatch.connection_lost', `The connection to the MCP server ${server} broke before it answered.`);
}

const words = ({ message }: Error): string => message.slice(0, MAX_WORDS);

/** The answer that says the request was not carried out; null for any other error. */
function refusalIn(cause: object): string | null {
  if (cause instanceof RedirectRefusedError) return cause.message;
  if (cause instanceof SdkHttpError && saysNotCarriedOut(cause.status)) return `status ${String(cause.status)}`;
  if (cause instanceof ProtocolError && REFUSALS.includes(cause.code))
    return `error ${String(cause.code)}: ${words(cause)}`;
  return null;
}
