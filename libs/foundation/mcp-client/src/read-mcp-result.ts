import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '#lib/canonical';
import { words, type Hide } from './words.js';

/** The answer of a tool. One that failed did run, and may have changed something. */
export type McpResult =
  | { readonly ok: true; readonly result: Json & JsonObject }
  | { readonly ok: false; readonly error: { readonly code: 'mcp.tool_failed'; readonly message: string } };

/** Reads the result of a tool. Its content is data, and nothing in it is interpreted. `hide` works on the error of one that failed. */
export function readMcpResult(
  { content, structuredContent, isError }: CallToolResult,
  hide: Hide = (said) => said,
): McpResult {
  // It came as JSON.
  const result = { content, ...(structuredContent === undefined ? {} : { structuredContent }) } as Json & JsonObject;
  if (isError !== true) return { ok: true, result };
  const said = words(content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n'), hide);
  const message = said === '' ? 'The tool failed, and did not say why.' : said;
  return { ok: false, error: { code: 'mcp.tool_failed', message } };
}
