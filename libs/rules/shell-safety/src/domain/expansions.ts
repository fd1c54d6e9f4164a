/** `$name`, `${name}`, or `${name` before an operation; `${!name` is another variable, a key, or a name. */
export const EXPANSION = /\$(?:([A-Za-z_]\w*|[0-9@*])|\{(!)?([A-Za-z_]\w*|\d+|[@*])(\[[@*\d]*\])?)/g;

/** `@` stands for all positional parameters. */
export const nameOf = (name: string): string => (/^[0-9*]/.test(name) ? '@' : name);

const NO_NAMES: readonly string[] = [];

/** The variables whose expansions a text holds. */
export function namesIn(text: string): readonly string[] {
  if (!text.includes('$')) return NO_NAMES;
  const names: string[] = [];
  for (let match = expansionFrom(text, 0); match !== null; match = expansionFrom(text, endOf(match)))
    names.push(nameOf(match[1] ?? match[3] ?? ''));
  return names;
}

/** The first expansion from a position on. `matchAll` would compile the pattern anew for each word. */
export function expansionFrom(text: string, position: number): RegExpExecArray | null {
  EXPANSION.lastIndex = position;
  return EXPANSION.exec(text);
}

export const endOf = ({ 0: whole, index }: RegExpExecArray): number => index + whole.length;
