import type { ToolCallResponse } from '#lib/formats';
import { cleaned } from '#lib/kernel';

/** Countersign reads a body of up to a mebibyte. */
const MAX_BYTES = 900_000;

/**
 * The answer in the form that Countersign accepts. Text is well-formed and without NUL, and the whole is no larger than a body
 * may be.
 */
export function sendable(answer: ToolCallResponse, reads: boolean): ToolCallResponse {
  const clean = cleaned(answer);
  if (Buffer.byteLength(JSON.stringify(clean)) <= MAX_BYTES) return clean;
  const message = `The result is larger than ${String(MAX_BYTES)} bytes. Ask for less of it.`;
  return { ok: false, effect: reads ? 'not_started' : 'done', error: { code: 'runner.result_too_large', message } };
}
