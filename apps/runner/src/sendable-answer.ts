import type { Json } from '#lib/canonical';
import type { ToolCallResponse } from '#lib/formats';

/** Countersign reads a body of up to a mebibyte. */
const MAX_BYTES = 900_000;

/** The answer in the form that Countersign accepts: text is well-formed and without NUL, and the whole is no larger than a body may be. */
export function sendable(answer: ToolCallResponse, reads: boolean): ToolCallResponse {
  const clean = cleaned(answer) as ToolCallResponse;
  if (Buffer.byteLength(JSON.stringify(clean)) <= MAX_BYTES) return clean;
  const message = `The result is larger than ${String(MAX_BYTES)} bytes. Ask for less of it.`;
  return { ok: false, effect: reads ? 'not_started' : 'done', error: { code: 'runner.result_too_large', message } };
}

function cleaned(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleaned(key) as string, cleaned(member)]));
}
