import type { Json } from './canonical-json.js';

/** Text that is not JSON with one meaning. `position` counts UTF-16 code units from 0. */
export class StrictJsonError extends Error {
  constructor(
    readonly code:
      | 'json.syntax'
      | 'json.duplicate_key'
      | 'json.lone_surrogate'
      | 'json.unsafe_integer'
      | 'json.number_lost'
      | 'json.too_deep'
      | 'json.too_many_values',
    readonly problem: string,
    readonly position: number,
  ) {
    super(`${problem} at position ${String(position)}`);
    this.name = 'StrictJsonError';
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;
/** The largest character of white space in JSON. */
const SPACE = 0x20;

/**
 * Parses JSON (RFC 8259). Refuses text that two parsers could read differently (RFC 7493). Such text has a key that
 * stands twice, lone surrogates, integers beyond 2^53, or numbers that would become 0. Objects come without a
 * prototype's setters: `__proto__` is a key like any other.
 *
 * @param maxDepth how many arrays and objects may be nested.
 * @param maxValues how many values the text may hold. An empty object is two characters of it, and 50 bytes of memory.
 * @throws {StrictJsonError}
 */
export function parseStrictJson(text: string, maxDepth = 64, maxValues = Infinity): Json {
  let at = 0;
  let values = 0;

  const refuse = (code: StrictJsonError['code'], problem: string, position = at): never => {
    throw new StrictJsonError(code, problem, position);
  };
  const skipSpace = (): void => {
    // Most values have none around them, and a look costs less than a pattern.
    if (text.charCodeAt(at) > SPACE) return;
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return undefined;
    const start = at;
    at = pattern.lastIndex;
    return text.slice(start, at);
  };
  const literal = (word: string, value: Json): Json => {
    if (!text.startsWith(word, at)) refuse('json.syntax', 'not a JSON value');
    at += word.length;
    return value;
  };

  const readString = (): string => {
    const start = at;
    at = endOfString(text, start);
    const value =
      stringOrNull(text.slice(start, at)) ??
      refuse('json.syntax', 'a string that does not end, or has a bad escape or a control character', start);
    if (!value.isWellFormed()) refuse('json.lone_surrogate', 'a lone surrogate in a string', start);
    return value;
  };
  const readNumber = (): number => {
    const start = at;
    const written = take(number) ?? refuse('json.syntax', 'not a JSON value');
    const value = Number(written);
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      refuse('json.unsafe_integer', 'a number too large to be exact (beyond 2^53)', start);
    }
    if (value === 0 && /^[^eE]*[1-9]/.test(written))
      refuse('json.number_lost', 'a number so close to zero that it would be read as 0', start);
    return value;
  };
  const readArray = (depth: number): Json[] => {
    const items: Json[] = [];
    at += 1;
    skipSpace();
    if (text[at] === ']') {
      at += 1;
      return items;
    }
    for (;;) {
      items.push(readValue(depth));
      skipSpace();
      if (text[at] === ']') break;
      if (text[at] !== ',') refuse('json.syntax', 'expected "," or "]"');
      at += 1;
    }
    at += 1;
    return items;
  };
  const readObject = (depth: number): Json => {
    const members = new Map<string, Json>();
    at += 1;
    skipSpace();
    if (text[at] === '}') {
      at += 1;
      return {};
    }
    for (;;) {
      skipSpace();
      const start = at;
      const key = readString();
      if (members.has(key))
        refuse('json.duplicate_key', `the key ${JSON.stringify(key.slice(0, 100))} stands twice in one object`, start);
      skipSpace();
      if (text[at] !== ':') refuse('json.syntax', 'expected ":"');
      at += 1;
      members.set(key, readValue(depth));
      skipSpace();
      if (text[at] === '}') break;
      if (text[at] !== ',') refuse('json.syntax', 'expected "," or "}"');
      at += 1;
    }
    at += 1;
    // fromEntries defines own properties, so that no key can reach a prototype.
    return Object.fromEntries(members);
  };
  const readValue = (depth: number): Json => {
    skipSpace();
    values += 1;
    if (values > maxValues) refuse('json.too_many_values', `more than ${maxValues.toLocaleString('en')} values`);
    if (depth >= maxDepth && (text[at] === '{' || text[at] === '[')) {
      refuse('json.too_deep', `nested more than ${String(maxDepth)} levels deep`);
    }
    switch (text[at]) {
      case '{':
        return readObject(depth + 1);
      case '[':
        return readArray(depth + 1);
      case '"':
        return readString();
      case 't':
        return literal('true', true);
      case 'f':
        return literal('false', false);
      case 'n':
        return literal('null', null);
      default:
        return readNumber();
    }
  };

  const value = readValue(0);
  skipSpace();
  if (at < text.length) refuse('json.syntax', 'something after the end of the JSON value');
  return value;
}

/** The position behind the quote that ends a string. A pattern would need stack for each character of a long one. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (text[escapes - 1] === '\\') escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function stringOrNull(written: string): string | null {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
