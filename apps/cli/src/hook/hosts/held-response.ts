import type { Json } from '#lib/canonical';

const LONGEST = 8_192;

/** The response of a host's tool as a report holds it: whole, or its length if it is long. */
export function heldResponse(response: unknown): Json {
  // The types of TypeScript leave out the undefined that stringify gives for undefined.
  const text = JSON.stringify(response) as string | undefined;
  if (text === undefined) return null;
  // `JSON.parse` gives JSON.
  return text.length <= LONGEST ? (JSON.parse(text) as Json) : { response_characters: text.length };
}
