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
  if (endDifferently(glob, name)) return false;
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

/** True if the literal ends of two globs, or of a glob and a name, differ: no name matches both. */
function endDifferently(glob: string, other: string): boolean {
  return differ(glob.charCodeAt(glob.length - 1), other.charCodeAt(other.length - 1));
}

/** True for two literal characters that differ. Behind the end, a code is NaN: it stands for none. */
export const differ = (code: number, other: number): boolean =>
  code !== other &&
  code !== STAR &&
  code !== QUESTION &&
  other !== STAR &&
  other !== QUESTION &&
  code === code &&
  other === other;

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

/** False if two globs begin or end with different literal texts: no name matches both. */
export function mayOverlap(glob: string, other: string): boolean {
  const length = Math.min(glob.length, other.length);
  for (let at = 0; at < length; at++) {
    const [code, beside] = [glob.charCodeAt(at), other.charCodeAt(at)];
    if (isWild(code) || isWild(beside)) break;
    if (code !== beside) return false;
  }
  for (let back = 1; back <= length; back++) {
    const [code, beside] = [glob.charCodeAt(glob.length - back), other.charCodeAt(other.length - back)];
    if (isWild(code) || isWild(beside)) break;
    if (code !== beside) return false;
  }
  return true;
}

const isWild = (code: number): boolean => code === STAR || code === QUESTION;

/**
 * How many literal characters of two globs stand in the same places of a name that both match, at most. -1 if no name matches both. A
 * leading dot as in {@link matchesGlob}. Its work is the product of their lengths.
 */
export function overlapOfGlobs(glob: string, other: string): number {
  const first = glob.charCodeAt(0);
  if (other.charCodeAt(0) === DOT && (first === QUESTION || (first === STAR && glob.charCodeAt(1) !== STAR))) return -1;
  if (!mayOverlap(glob, other)) return -1;
  const ends = overlapOfEnds(glob, other) ?? overlapOfEnds(other, glob);
  if (ends !== null) return ends;
  // By position in `glob` and in `other`: the best of their rests. Behind the ends stand empty rests.
  const width = other.length + 1;
  const best = roomFor((glob.length + 1) * width);
  for (let at = glob.length; at >= 0; at--) {
    const code = at < glob.length ? glob.charCodeAt(at) : END;
    for (let index = other.length; index >= 0; index--) {
      const cell = at * width + index;
      best[cell] = bestFrom(code, index < other.length ? other.charCodeAt(index) : END, best, cell, width);
    }
  }
  return best[0] ?? -1;
}

/** The same for `text*` and `*text`, where an end of the one stands on a beginning of the other. Null for any other two globs. */
function overlapOfEnds(begins: string, ends: string): number | null {
  const last = begins.length - 1;
  if (begins.indexOf('*') !== last || ends.charCodeAt(0) !== STAR || ends.lastIndexOf('*') !== 0) return null;
  if (begins.includes('?') || ends.includes('?')) return null;
  for (let length = Math.min(last, ends.length - 1); length > 0; length--) {
    if (begins.startsWith(ends.slice(1, length + 1), last - length)) return length;
  }
  return 0;
}

/** Taken again for each pair of short globs: every cell is written before it is read. */
const ROOM = new Int16Array(4096);

const roomFor = (cells: number): Int16Array => (cells > ROOM.length ? new Int16Array(cells) : ROOM);

/** Stands for the code behind the end of a glob. */
const END = -1;

/** The best of two rests that begin with these codes, by those of the shorter rests. */
function bestFrom(code: number, other: number, best: Int16Array, cell: number, width: number): number {
  if (code === END && other === END) return 0;
  let most = -1;
  if (code === STAR) most = best[cell + width] ?? -1;
  if (other !== END && (code === STAR || other === STAR)) most = Math.max(most, best[cell + 1] ?? -1);
  if (other === STAR && code !== END) most = Math.max(most, best[cell + width] ?? -1);
  if (code === END || other === END || code === STAR || other === STAR) return most;
  const rest = best[cell + width + 1] ?? -1;
  if (rest < 0) return most;
  if (code === QUESTION || other === QUESTION) return Math.max(most, rest);
  return code === other ? Math.max(most, rest + 1) : most;
}
