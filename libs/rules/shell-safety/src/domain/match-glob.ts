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
