import { createHash } from 'node:crypto';

/** A statement is worth a plan of its own once it was sent this often. */
const USES_BEFORE_PREPARING = 20;
/** Each takes memory in every connection. */
const MAX_PREPARED = 100;
/** Beyond these a process is making texts up as it goes, and counting them would only grow. */
const MAX_COUNTED = 1_000;

/**
 * The statements that PostgreSQL keeps parsed and planned in each connection: those sent most. Planning a short
 * statement costs more than running it, and more again under row-level security.
 */
export class PreparedStatements {
  /** @param pooled whether a pooler gives each transaction another connection: then none is prepared. */
  constructor(private readonly pooled = false) {}

  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The name a statement is prepared under, or undefined while it is not worth one. Counts the use. */
  nameOf(text: string): string | undefined {
    if (this.pooled) return undefined;
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= MAX_PREPARED) return name;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < USES_BEFORE_PREPARING) {
      if (uses > 1 || this.#uses.size < MAX_COUNTED) this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    // Of the text alone: the same statement has the same name wherever it is sent from.
    const prepared = createHash('sha256').update(text).digest('base64url');
    this.#names.set(text, prepared);
    return prepared;
  }
}
