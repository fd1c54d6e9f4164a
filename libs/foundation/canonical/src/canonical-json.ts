/** A value of JSON (RFC 8259). Numbers are the doubles of JavaScript. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A value without a canonical form; `pointer` is the JSON Pointer (RFC 6901) to the fault. */
export class CanonicalJsonError extends Error {
  constructor(
    readonly pointer: string,
    readonly problem: string,
  ) {
    super(`${problem} at ${pointer === '' ? 'the top level' : pointer}`);
    this.name = 'CanonicalJsonError';
  }
}

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The canonical form of a JSON value (RFC 8785). It has no white space and keys in UTF-16 code unit order; numbers and
 * strings are as ECMAScript writes them.
 *
 * @throws {CanonicalJsonError} for lone surrogates, integers beyond 2^53, numbers that are not finite, and values that
 * JSON lacks, such as `undefined`.
 */
export function canonicalJson(value: Json): string {
  // To track the position costs more than writing. It is tracked only once a mistake is known.
  return writePlain(value) ?? write(value, '');
}

/** Text that JSON writes between quotation marks as it is: it has nothing to escape, and no surrogate. */
const UNESCAPED = /^[\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]*$/;
/** To look through longer text by the pattern takes longer than to write it. */
const SHORT_TEXT = 100;

/** The text in quotation marks; null for a lone surrogate. Most texts are short and plain, and `JSON.stringify` takes thrice as long. */
function quoted(text: string): string | null {
  if (text.length <= SHORT_TEXT && UNESCAPED.test(text)) return `"${text}"`;
  return text.isWellFormed() ? JSON.stringify(text) : null;
}

/** The canonical form, or null if there is none; {@link write} then finds out where and why. */
function writePlain(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? String(value) : null;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) {
      const written = writePlain(item);
      if (written === null) return null;
      text += text === '' ? written : `,${written}`;
    }
    return `[${text}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  // Its prototype says that it is a plain object.
  const members = value as Record<string, unknown>;
  // The default sort compares UTF-16 code units, which is the order of RFC 8785 section 3.2.3.
  for (const key of Object.keys(members).sort()) {
    const [name, written] = [quoted(key), writePlain(members[key])];
    if (name === null || written === null) return null;
    text += text === '' ? `${name}:${written}` : `,${name}:${written}`;
  }
  return `{${text}}`;
}

/** The same, with the place of the value that has no canonical form. */
function write(value: unknown, pointer: string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value, pointer);
  if (typeof value === 'number') return writeNumber(value, pointer);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => write(item, `${pointer}/${String(index)}`)).join(',')}]`;
  }
  if (typeof value === 'object') {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      throw new CanonicalJsonError(pointer, 'a value that is not plain JSON');
    }
    // The default sort compares UTF-16 code units, which is the order of RFC 8785 section 3.2.3.
    const members = Object.entries(value as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${members
      .map(([key, member]) => {
        const path = `${pointer}/${escapePointer(key)}`;
        return `${writeString(key, path)}:${write(member, path)}`;
      })
      .join(',')}}`;
  }
  throw new CanonicalJsonError(pointer, `a value of type ${typeof value}, which JSON does not have`);
}

function writeString(text: string, pointer: string): string {
  if (!text.isWellFormed()) throw new CanonicalJsonError(pointer, 'a lone surrogate');
  return JSON.stringify(text);
}

function writeNumber(value: number, pointer: string): string {
  if (!Number.isFinite(value)) throw new CanonicalJsonError(pointer, 'a number that is not finite');
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new CanonicalJsonError(pointer, 'an integer beyond 2^53');
  }
  return JSON.stringify(value);
}
