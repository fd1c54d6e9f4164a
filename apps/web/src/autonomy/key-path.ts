/** Where in a YAML document one types. */
export interface KeyPath {
  /** The keys above, outermost first. */
  readonly path: readonly string[];
  /** The key of the value at the cursor; null if the cursor is in a key. */
  readonly key: string | null;
}

const KEY = /^(\s*)(?:- )?(['"]?)([^\s'":#][^'":]*)\2\s*:/;

/**
 * The keys above the end of these lines, by their indentation; the last line is the one that is typed on. Reads block style,
 * which people type line by line; within a flow collection it answers the key that the collection belongs to.
 */
export function keyPathAt(lines: readonly string[]): KeyPath {
  const current = lines.at(-1) ?? '';
  const own = KEY.exec(current);
  let indent = own?.[1]?.length ?? current.length - current.trimStart().length;
  const path: string[] = [];
  for (const line of lines.slice(0, -1).reverse()) {
    const found = KEY.exec(line);
    const [, space = '', , name = ''] = found ?? [];
    if (found === null || space.length >= indent) continue;
    path.unshift(name);
    indent = space.length;
  }
  return { path, key: own?.[3] ?? null };
}
