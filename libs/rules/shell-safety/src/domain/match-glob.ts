const STAR = 42;
const QUESTION = 63;
const DOT = 46;

/**
 * True if the glob matches the name of a file, of one component. A leading dot matches only a dot, or an unknown text (`**`).
 * Compares without backtracking over more than one `*`: quadratic at worst.
 */
export function matchesGlob(glob: string, name: string): boolean {
  const first = glob.charCodeAt(0);
  if (name.charCodeAt(0) === DOT && (first === QUESTION || (first === STAR && glob.charCodeAt(1) !== STAR)))
    return false;
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let index = 0; index < name.length;) {
    const code = glob.charCodeAt(at);
    if (code === STAR) {
      star = at++;
      retry = index;
    } else if (code === QUESTION || code === name.charCodeAt(index)) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++retry;
    } else {
      return false;
    }
  }
  while (glob.charCodeAt(at) === STAR) at++;
  return at === glob.length;
}

/** True if a glob has literal text before its first wildcard, or two characters of it before its extension. */
export function isAimed(glob: string): boolean {
  const first = glob.charCodeAt(0);
  if (first !== STAR && first !== QUESTION) return true;
  const dot = glob.lastIndexOf('.');
  const end = dot > 0 ? dot : glob.length;
  let literal = 0;
  for (let at = 0; at < end; at++) {
    const code = glob.charCodeAt(at);
    if (code !== STAR && code !== QUESTION) literal += 1;
  }
  return literal >= 2;
}

/**
 * How many literal characters of two globs stand in the same places of a name that both match, at most; -1 if no name matches both. A
 * leading dot as in {@link matchesGlob}. Its work is the product of their lengths.
 */
export function overlapOfGlobs(glob: string, other: string): number {
  const first = glob.charCodeAt(0);
  if (other.charCodeAt(0) === DOT && (first === QUESTION || (first === STAR && glob.charCodeAt(1) !== STAR))) return -1;
  // The row of the rest of `glob` behind the position; columns are positions in `other`.
  let below: number[] = [];
  for (let at = glob.length; at >= 0; at--) {
    const row: number[] = [];
    for (let index = other.length; index >= 0; index--) {
      row[index] = bestFrom(glob.charCodeAt(at), other.charCodeAt(index), below, row, index);
    }
    below = row;
  }
  return below[0] ?? -1;
}

/** A code is NaN behind the end. */
function bestFrom(
  code: number,
  other: number,
  below: readonly number[],
  row: readonly number[],
  index: number,
): number {
  const [left, right, both] = [below[index] ?? -1, row[index + 1] ?? -1, below[index + 1] ?? -1];
  if (Number.isNaN(code) && Number.isNaN(other)) return 0;
  let best = -1;
  if (code === STAR) best = Math.max(left, right);
  if (other === STAR) best = Math.max(best, left, right);
  if (Number.isNaN(code) || Number.isNaN(other) || code === STAR || other === STAR || both < 0) return best;
  if (code === QUESTION || other === QUESTION) return Math.max(best, both);
  return code === other ? Math.max(best, both + 1) : best;
}
