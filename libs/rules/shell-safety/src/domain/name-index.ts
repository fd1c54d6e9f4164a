const STAR = 42;

/** Things by the name of a file, which may hold a `*` for any text. Tells quickly of all things but those that may have a given name. */
export class NameIndex<Item> {
  readonly #literal = new Map<string, Item[]>();
  /** `*.pem` by its ending. */
  readonly #byEnding = new Map<string, Item[]>();
  /** `id_*` by its first character. */
  readonly #byFirst = new Map<number, Item[]>();
  readonly #others: Item[] = [];

  add(name: string, item: Item): void {
    const star = name.lastIndexOf('*');
    const dot = name.lastIndexOf('.');
    if (star < 0) push(this.#literal, name, item);
    else if (dot > star) push(this.#byEnding, name.slice(dot), item);
    else if (name.charCodeAt(0) !== STAR) push(this.#byFirst, name.charCodeAt(0), item);
    else this.#others.push(item);
  }

  /** True if `test` holds for a thing that may have this name. The test is to compare the name if it is a glob. */
  some(name: string, test: (item: Item) => boolean): boolean {
    const dot = name.lastIndexOf('.');
    return (
      this.#literal.get(name)?.some(test) === true ||
      (dot >= 0 && this.#byEnding.get(name.slice(dot))?.some(test) === true) ||
      this.#byFirst.get(name.charCodeAt(0))?.some(test) === true ||
      this.#others.some(test)
    );
  }
}

function push<Key, Item>(items: Map<Key, Item[]>, key: Key, item: Item): void {
  const before = items.get(key);
  if (before === undefined) items.set(key, [item]);
  else before.push(item);
}
