/** As many texts as the tools, tasks and documents in use at once, and more. */
const MAX_TEXTS = 2_000;

/** The values of stored texts. Each text is parsed once, and its readers share the value. The text used longest ago goes first. */
export class ParsedTexts<T> {
  readonly #known = new Map<string, T>();

  constructor(private readonly parse: (text: string) => T) {}

  of(text: string): T {
    const known = this.#known.get(text) ?? this.parse(text);
    this.#known.delete(text);
    this.#known.set(text, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_TEXTS && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}
