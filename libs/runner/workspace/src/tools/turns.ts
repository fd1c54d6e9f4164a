/** Lets the changes of one workspace take turns: each looks at the files after the one before it has written. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(root: string, turn: () => Promise<T>): Promise<T> {
    const before = this.#last.get(root) ?? Promise.resolve();
    const mine = before.then(turn, turn);
    const settled = mine.catch(() => undefined);
    this.#last.set(root, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(root) === settled) this.#last.delete(root);
    }
  }
}
