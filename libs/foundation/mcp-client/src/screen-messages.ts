import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { countValues, MAX_RESULT_VALUES } from '#lib/canonical';
import { MAX_MCP_TOOLS } from './read-mcp-definition.js';

/** Values of one message, without those of structured content, which the SDK does not check. */
const MAX_VALUES = 20_000;
/** Blocks of content in one result. A wrong block costs ten times as much to check as another wrong value. */
const MAX_BLOCKS = 1_000;

/** A message that would take long to check. */
export class VastMessageError extends Error {}

/** The server lists more tools than anybody could judge. */
export class TooManyToolsError extends Error {
  constructor() {
    super(`The server lists more than ${String(MAX_MCP_TOOLS)} tools.`);
  }
}

/**
 * Drops the messages of a server that are too vast, and tells of them. The SDK keeps an error for each value that is
 * wrong. A mebibyte of them takes a gigabyte, and 17 s of CPU in which the process does nothing else.
 */
export function screenMessages(transport: Transport, refuse: (error: Error) => void): void {
  let take: Transport['onmessage'];
  // The SDK sets its listeners one after the other.
  Object.defineProperty(transport, 'onmessage', {
    get: () => take,
    set: (listener: Transport['onmessage']) => {
      take =
        listener &&
        ((message, extra) => {
          const problem = problemOf(message);
          if (problem === null) listener(message, extra);
          else refuse(problem);
        });
    },
  });
}

function problemOf(message: JSONRPCMessage): Error | null {
  const result: Readonly<Record<string, unknown>> = 'result' in message ? message.result : {};
  const { tools, content, structuredContent, ...others } = result;
  if (Array.isArray(tools) && tools.length > MAX_MCP_TOOLS) return new TooManyToolsError();
  if (Array.isArray(content) && content.length > MAX_BLOCKS)
    return new VastMessageError(`a result of more than ${String(MAX_BLOCKS)} blocks of content`);
  if (countValues(structuredContent, MAX_RESULT_VALUES) > MAX_RESULT_VALUES)
    return new VastMessageError(`structured content of more than ${String(MAX_RESULT_VALUES)} values`);
  const checked = 'result' in message ? [tools, content, others] : [message];
  return countValues(checked, MAX_VALUES) > MAX_VALUES
    ? new VastMessageError(`a message of more than ${String(MAX_VALUES)} values`)
    : null;
}
