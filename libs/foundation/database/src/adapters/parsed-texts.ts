import type { z } from 'zod';
import { deepFreeze } from '#lib/canonical';
import { parsedText } from '../application/record-malformed.js';

/** As many texts as the tools, tasks and documents in use at once, and more. */
const MAX_TEXTS = 2_000;

/**
 * The documents in stored JSON texts. Each text is parsed once, and its readers share the value, which is frozen. The text used
 * longest ago goes first. A text of another shape fails with `record.malformed`.
 */
export class ParsedTexts<T> {
  readonly #known = new Map<string, T>();

  /** @param table the table of the texts and their column, for the message of a malformed one. */
  constructor(
    private readonly table: string,
    private readonly column: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  /** @param id the row of the text. */
  of(text: string, id: string): T {
    const known = this.#known.get(text) ?? this.#parse(text, id);
    this.#known.delete(text);
    this.#known.set(text, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TEXTS && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  #parse(text: string, id: string): T {
    return deepFreeze(parsedText(this.schema, text, { table: this.table, column: this.column, id }));
  }
}
