const STAR = 42;
const DOT = 46;
const SLASH = 47;
const QUESTION = 63;
/** Longer components of a path are on every list. */
const MAX_NAME = 255;
const CELLS = 1 << 13;

/** The wildcards of a component so far: nothing but wildcards, those and an ending (`*.ts`), or a wildcard among other text. */
const ONLY_WILD = 1;
const ENDING = 2;
const AIMED = 3;

/** Nothing on the list can be a component of the path. */
export const NO_NAME = 0;
/** Something on the list may be one, or a component is a glob that may be aimed at one. */
export const MAY_NAME = 1;
/** A component is `.` or `..`, or the path has none, so that it names another file than its last component says. */
export const RESOLVES = 2;
/** The path holds a wildcard. */
export const WILD = 4;

/**
 * A Bloom filter. It passes over the characters of a path once. Of most paths it tells that no component is on a list. It never
 * says so of one that is: it compares less than the whole name. Upper case counts as lower case.
 */
export class NameFilter {
  /** By the hash of a name. */
  readonly #names = new Uint8Array(CELLS);
  /** By the hash of an ending, from the last dot on. */
  readonly #endings = new Uint8Array(CELLS);
  /** By the first two characters. */
  readonly #begins = new Uint8Array(CELLS * 2);
  /** By the last two characters. */
  readonly #ends = new Uint8Array(CELLS * 2);
  /** The fewest dots of a name that begins and ends with any text. */
  #dots = Number.POSITIVE_INFINITY;

  /** @param name in lower case; `*` stands for any text, and alone marks nothing: every path would have it */
  add(name: string): void {
    if (name === '*') return;
    const star = name.lastIndexOf('*');
    const dot = name.lastIndexOf('.');
    const [first, last] = [name.indexOf('*'), name.length - 1];
    if (star < 0) this.#names[cellOf(name)] = 1;
    else if (dot > star) this.#endings[cellOf(name.slice(dot))] = 1;
    else if (first > 0) mark(this.#begins, name.charCodeAt(0), first > 1 ? name.charCodeAt(1) : null);
    else if (star < last) mark(this.#ends, name.charCodeAt(last), last - star > 1 ? name.charCodeAt(last - 1) : null);
    else this.#dots = Math.min(this.#dots, name.split('.').length - 1);
  }

  /**
   * The marks `MAY_NAME`, `RESOLVES` and `WILD` of a path. Stops at the first that makes a closer look necessary. `*`, and `*.ts` for an
   * ending that is not on the list, are aimed at nothing.
   */
  marksOf(path: string): number {
    let hash = SEED;
    let ending = SEED;
    let dots = 0;
    let start = 0;
    let marks = 0;
    let names = 0;
    let first = 0;
    let second = 0;
    let before = 0;
    let last = 0;
    let wild = 0;
    for (let at = 0; at <= path.length; at++) {
      let code = at < path.length ? path.charCodeAt(at) : SLASH;
      if (code === SLASH) {
        const length = at - start;
        if (length > 0) {
          names += 1;
          if (length === dots && dots <= 2) marks |= RESOLVES;
          else if (
            wild === AIMED ||
            length > MAX_NAME ||
            this.#names[cell(hash)] === 1 ||
            (dots > 0 && this.#endings[cell(ending)] === 1) ||
            dots >= this.#dots ||
            this.#begins[first * 128 + second] === 1 ||
            this.#ends[last * 128 + before] === 1
          )
            return marks | MAY_NAME;
        }
        hash = SEED;
        ending = SEED;
        dots = 0;
        start = at + 1;
        first = 0;
        second = 0;
        before = 0;
        last = 0;
        wild = 0;
        continue;
      }
      if (code === STAR || code === QUESTION) {
        marks |= WILD;
        wild = at === start || wild === ONLY_WILD ? ONLY_WILD : AIMED;
      } else if (wild !== 0) {
        wild = code === DOT && wild === ONLY_WILD ? ENDING : code !== DOT && wild === ENDING ? ENDING : AIMED;
      }
      if (code > 127) return marks | MAY_NAME;
      if (code >= 65 && code <= 90) code += 32;
      hash = Math.imul(hash ^ code, PRIME);
      if (code === DOT) {
        ending = SEED;
        dots += 1;
      }
      ending = Math.imul(ending ^ code, PRIME);
      if (at === start) first = code;
      else if (at === start + 1) second = code;
      before = last;
      last = code;
    }
    return names === 0 ? marks | RESOLVES : marks;
  }
}

/** FNV-1a, which spreads short texts well. */
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

const cell = (hash: number): number => (hash ^ (hash >>> 15)) & (CELLS - 1);

function cellOf(text: string): number {
  let hash = SEED;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return cell(hash);
}

/** Marks two characters that stand side by side, or the one with every other. */
function mark(pairs: Uint8Array, code: number, beside: number | null): void {
  if (beside !== null) pairs[code * 128 + beside] = 1;
  else pairs.fill(1, code * 128, code * 128 + 128);
}
