import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { TooManyToolsError, VastMessageError } from './screen-messages.js';
import { words, type Hide } from './words.js';

/** JSON-RPC 2.0 section 5.1, of a request that was refused as it stands: method not found, and invalid parameters. */
const REFUSALS: readonly number[] = [-32601, -32602];

/** The reason why a request to a server has no result. */
export interface McpProblem {
  readonly code: string;
  readonly message: string;
  /** True if the server says that it did not carry the request out. */
  readonly refused: boolean;
}

/** The problem that an error of the protocol tells, `hide` works on the server's words; null for an error of the connection. */
export function mcpProblem(
  error: unknown,
  {
    server,
    seconds,
    hide = (said) => said,
  }: { readonly server: string; readonly seconds: number; readonly hide?: Hide },
): McpProblem | null {
  const problem = (code: string, message: string, refused = false): McpProblem => ({ code, message, refused });
  if (error instanceof TooManyToolsError) return problem('mcp.too_many_tools', error.message);
  if (error instanceof VastMessageError)
    return problem('dispatch.bad_answer', `The MCP server ${server} answered with ${error.message}.`);
  if (isSdkError(error, SdkErrorCode.ListPaginationExceeded))
    return problem('mcp.too_many_tools', `The MCP server ${server} lists its tools on too many pages.`, true);
  if (error instanceof ProtocolError) {
    const said = `error ${String(error.code)}: ${words(error.message, hide)}`;
    return REFUSALS.includes(error.code)
      ? problem('dispatch.refused', `The MCP server ${server} answered with ${said}.`, true)
      : problem('mcp.protocol_error', `The MCP server ${server} answered with ${said}`);
  }
  const late = typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
  if (late || isSdkError(error, SdkErrorCode.RequestTimeout))
    return problem('dispatch.timed_out', `The MCP server ${server} did not answer within ${String(seconds)} seconds.`);
  if (isSdkError(error, SdkErrorCode.UnsupportedResultType))
    return problem(
      'mcp.asks_for_input',
      `The MCP server ${server} asked for a prompt, an answer or files in place of a result. Countersign gives it none.`,
    );
  if (isSdkError(error, SdkErrorCode.InvalidResult))
    return problem(
      'dispatch.bad_answer',
      `The MCP server ${server} answered in a form that is not that of its protocol.`,
    );
  return null;
}

const isSdkError = (error: unknown, code: SdkErrorCode): boolean => error instanceof SdkError && error.code === code;
