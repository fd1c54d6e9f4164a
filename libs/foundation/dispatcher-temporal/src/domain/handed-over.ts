/** How long a look leaves a run alone after it was handed over: its workflow has it, or a queue before that. */
const LEFT_ALONE_MS = 15_000;
/** More than so many are looked through for those that are over. */
const MANY = 10_000;

/** The runs that this process handed over lately. It saves signals; if it forgets, a run gets one signal more. */
export class HandedOver {
  readonly #until = new Map<string, number>();

  /** Whether a run that a look found is left alone. */
  recently(id: string, now: number): boolean {
    return (this.#until.get(id) ?? 0) > now;
  }

  note(id: string, now: number): void {
    if (this.#until.size >= MANY) {
      for (const [other, until] of this.#until) if (until <= now) this.#until.delete(other);
    }
    this.#until.set(id, now + LEFT_ALONE_MS);
  }
}
