/** The place in a YAML document at which a person types. */
export interface KeyPath {
  /** The keys above, outermost first. */
  readonly path: readonly string[];
  /** The key of the value at the cursor; null if the cursor is in a key. */
  readonly key: string | null;
}

const KEY = /^(\s*)(- +)?(['"]?)([^\s'":#][^'":]*)\3\s*:/;
const ITEM = /^(\s*)- /;

/**
 * The keys above the end of these lines, by their indentation. The last line is the one that is typed on. Reads block style,
 * which people type line by line. Within a flow collection it answers the key that the collection belongs to. An entry of a
 * list adds nothing to the path.
 */
export function keyPathAt(lines: readonly string[]): KeyPath {
  const current = lines.at(-1) ?? '';
  const own = KEY.exec(current);
  let above = aboveOf(current);
  const path: string[] = [];
  for (const line of lines.slice(0, -1).reverse()) {
    const [, space = '', dash = '', , name] = KEY.exec(line) ?? [];
    const column = (space + dash).length;
    if (name === undefined || column > above) continue;
    if (column < above) path.unshift(name);
    above = aboveOf(line);
  }
  return { path, key: own?.[4] ?? null };
}

/** Keys above this line begin before this column. A list may begin in the column of its key. */
function aboveOf(line: string): number {
  const item = ITEM.exec(line);
  return item === null ? line.length - line.trimStart().length : (item[1]?.length ?? 0) + 0.5;
}
