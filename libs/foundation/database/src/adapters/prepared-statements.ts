import { createHash } from 'node:crypto';

/** A statement is worth a plan of its own once it was sent this often. */
const USES_BEFORE_PREPARING = 20;
/** The same for transactions that send few other statements than those of the transactions before. */
const USES_IF_PLANNED_ONCE = 2;
/** Each takes memory in every connection. */
const MAX_PREPARED = 100;
/** Beyond these a process is making texts up as it goes, and counting them would only grow. */
const MAX_COUNTED = 1_000;

/** Names statements; see {@link PreparedStatements.nameOf}. */
export interface StatementNames {
  nameOf(text: string): string | undefined;
}

/**
 * Which statements PostgreSQL keeps parsed and planned in each connection: those sent most, so that planning, which costs
 * a short statement more than running it, and more again under row-level security, is done once.
 */
export class PreparedStatements implements StatementNames {
  /** @param pooled whether a pooler gives each transaction another connection: then none is prepared. */
  constructor(private readonly pooled = false) {}

  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();
  /** For transactions whose statements are planned once: each is prepared at its second use. */
  readonly sooner: StatementNames = { nameOf: (text) => this.#nameOf(text, USES_IF_PLANNED_ONCE) };

  /** The name a statement is prepared under, or undefined while it is not worth one. Counts the use. */
  nameOf(text: string): string | undefined {
    return this.#nameOf(text, USES_BEFORE_PREPARING);
  }

  #nameOf(text: string, usesBefore: number): string | undefined {
    if (this.pooled) return undefined;
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= MAX_PREPARED) return name;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < usesBefore) {
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
