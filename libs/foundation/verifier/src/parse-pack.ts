import { canonicalJson, CanonicalJsonError, MAX_RESULT_VALUES, parseStrictJson, StrictJsonError } from '#lib/canonical';
import { PackShapeError, readPack, type Pack } from './pack-shape.js';
import { refuse, type VerificationCode } from './verification-failure.js';

/** Deep enough for every document that the server accepts, inside its own envelope. */
const MAX_DEPTH = 320;
/** A plan has at most 500 calls. The result of each stands in its attempt and in the entry about it. */
export const RESULTS_OF_PLAN = 2 * 500;
/** The largest results of a plan, and five million other values. ADR 3 says which packs are beyond. */
export const MAX_PACK_VALUES = RESULTS_OF_PLAN * MAX_RESULT_VALUES + 5_000_000;
/** The longest string of V8, just under 512 MiB. A larger pack is not read. */
export const MAX_PACK_BYTES = 2 ** 29 - 24;

const CODES: Partial<Record<StrictJsonError['code'], VerificationCode>> = {
  'json.duplicate_key': 'pack.duplicate_key',
  'json.too_many_values': 'pack.too_large',
};

const unread = ({ message }: Error): string => `The file cannot be read as a pack: ${message}.`;

const notJson = (error: Error): string => `${unread(error)} If it was cut off on its way, fetch it again.`;

/**
 * Reads a pack that is text, strict and canonical JSON, and of the known shape.
 *
 * @param mostValues how many values it may hold. Tests give fewer, since millions take seconds.
 */
export function parsePack(bytes: Uint8Array, mostValues = MAX_PACK_VALUES): Pack {
  if (bytes.length > MAX_PACK_BYTES)
    return refuse('pack.too_large', 'The file is larger than any pack may be: 512 MiB.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('pack.not_text', 'The file is not UTF-8 text. If it is compressed, unpack it first.');
  }
  try {
    const value = parseStrictJson(text, MAX_DEPTH, mostValues);
    // Then every byte means something, and each is covered by a check below.
    if (canonicalJson(value) !== text)
      return refuse(
        'pack.not_canonical',
        'The file is not canonical JSON (RFC 8785): it was changed after it was made.',
      );
    return readPack(value);
  } catch (error) {
    if (error instanceof StrictJsonError) {
      const code = CODES[error.code];
      return code === undefined ? refuse('pack.not_json', notJson(error)) : refuse(code, unread(error));
    }
    if (error instanceof CanonicalJsonError) return refuse('pack.not_json', notJson(error), error.pointer);
    if (error instanceof PackShapeError) return refuse('pack.format', error.message, error.pointer);
    throw error;
  }
}
