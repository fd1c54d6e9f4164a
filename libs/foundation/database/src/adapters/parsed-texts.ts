import type { z } from 'zod';
import { parseStrictJson } from '#lib/canonical';
import { FailureError } from '#lib/kernel';
import { parsedBy, recordMalformed } from '../application/record-malformed.js';

/** As many texts as the tools, tasks and documents in use at once, and more. */
const MAX_TEXTS = 2_000;

/**
 * The documents in stored JSON texts. Each text is parsed once, and its readers share the value. The text used longest ago goes
 * first. A text of another shape fails with `record.malformed`.
 */
export class ParsedTexts<T> {
  readonly #known = new Map<string, T>();

  /** @param table the table of the texts, for the message of a malformed one. */
  constructor(
    private readonly table: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  of(text: string): T {
    const known = this.#known.get(text) ?? this.#parse(text);
    this.#known.delete(text);
    this.#known.set(text, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TEXTS && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  #parse(text: string): T {
    let value: unknown;
    try {
      value = parseStrictJson(text);
    } catch {
      throw new FailureError(recordMalformed(this.table, 'It is no JSON, or no strict one.'));
    }
    return parsedBy(this.schema, value, this.table);
  }
}
