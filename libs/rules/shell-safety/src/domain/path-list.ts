import { differ, isAimed, matchesGlob, mayOverlap, overlapOfGlobs } from './match-glob.js';
import { NameIndex } from './name-index.js';
import { MAY_NAME, NameFilter, NO_NAME } from './name-filter.js';

/** The last components of a path: `.docker/config.json`. */
interface Tail {
  /** In lower case: macOS and Windows take no notice of case. */
  readonly components: readonly string[];
  /** The codes of the first character of the first component, and of its last. */
  readonly opens: number;
  readonly closes: number;
  /** True if the first component stands at the root. */
  readonly rooted: boolean;
  /** True if it stands for everything below it, and not for the path itself. */
  readonly below: boolean;
}

/** The first components of a tail. */
interface Beginning {
  readonly tail: Tail;
  readonly length: number;
}

const STAR = 42;
const SLASH = 47;
const QUESTION = 63;
const ONLY_WILD = /^[*?]+$/;

const hasWildcard = (path: string): boolean => path.includes('*') || path.includes('?');

/** Longer components match: they are no name of a file. */
const MAX_NAME = 255;

/**
 * A list of paths by their last components, separated by spaces. `/` in front anchors at the root, `/` behind means everything below.
 * A first component may hold a `*` for any text.
 */
export class PathList {
  readonly #tails: readonly Tail[];
  /** Those of more than one component. */
  readonly #long: readonly Tail[];
  /** The tails by their first component. */
  readonly #byFirst = new NameIndex<Tail>();
  /** Of every component. */
  readonly #components = new NameFilter();
  /** By a character, the tails that begin with it or with any text. */
  readonly #byCharacter = new Map<number, Tail[]>();
  readonly #beginWild: readonly Tail[];
  /** The beginnings of tails by their last component: a folder above a tail ends with it. */
  readonly #beginnings = new NameIndex<Beginning>();
  readonly #lasts = new NameFilter();
  /** The first components that hold a `*`. */
  readonly #wild: readonly string[];
  /** Every literal component. */
  readonly #names = new Set<string>();
  /** The names of hidden files at the end of a tail, with a letter for any text. */
  readonly #hidden = new Set<string>();

  constructor(paths: string) {
    this.#tails = paths.split(' ').map(tailOf);
    if (this.#tails.some(({ components }) => components[0] === '*'))
      throw new Error('A listed path begins with a name.');
    this.#long = this.#tails.filter(({ components }) => components.length > 1);
    this.#wild = [
      ...new Set(this.#tails.flatMap(({ components: [first = ''] }) => (first.includes('*') ? [first] : []))),
    ];
    this.#beginWild = this.#tails.filter(({ components: [first = ''] }) => first.startsWith('*'));
    for (const tail of this.#tails) {
      const { components, below } = tail;
      const code = components[0]?.charCodeAt(0) ?? 0;
      if (!this.#byCharacter.has(code))
        this.#byCharacter.set(
          code,
          this.#tails.filter(({ components: [first = ''] }) => first.charCodeAt(0) === code || first.startsWith('*')),
        );
      this.#byFirst.add(components[0] ?? '', tail);
      const longest = below ? components.length : components.length - 1;
      for (let length = 1; length <= longest; length++) {
        this.#beginnings.add(components[length - 1] ?? '', { tail, length });
        this.#lasts.add(components[length - 1] ?? '');
      }
      for (const name of components) {
        this.#components.add(name);
        if (!name.includes('*')) this.#names.add(name);
      }
      const last = components.at(-1) ?? '';
      if (!below && last.startsWith('.')) this.#hidden.add(last.replaceAll('*', 'x'));
    }
  }

  /**
   * True if the path is on the list, or a glob names a listed path on purpose: `/etc/sh*` does, `*` does not.
   *
   * @param pattern a path; `*` and `?` as in a glob, `**` for an unknown text
   */
  has(pattern: string): boolean {
    if ((this.#components.marksOf(pattern) & MAY_NAME) === 0) return false;
    const path = pattern.toLowerCase();
    const rooted = path.charCodeAt(0) === SLASH;
    const components = componentsOf(path);
    return hasWildcard(path) ? this.#hasGlob(components, rooted) : this.#hasLiteral(components, rooted);
  }

  /**
   * True if paths of the list can be below a folder of this name: `.config` for `.config/git/`. A name without a
   * leading dot tells it only at the root, or if everything below it is listed. A folder `library` is an ordinary one.
   */
  leadsTo(path: string): boolean {
    if (this.#lasts.marksOf(path) === NO_NAME) return false;
    if (hasWildcard(path)) return false;
    const components = componentsOf(path.toLowerCase());
    const rooted = path.startsWith('/');
    const last = components.at(-1);
    if (last === undefined) return rooted;
    return this.#beginnings.some(last, (beginning) => isAbove(components, rooted, beginning));
  }

  /** True if the glob matches a hidden name of the list. Its wildcards match a dot in front too. */
  hidesBehind(glob: string): boolean {
    const wanted = glob.toLowerCase().slice(glob.lastIndexOf('/') + 1);
    if (!hasWildcard(wanted)) return this.#hidden.has(wanted);
    const afterDot = wanted.startsWith('?') ? wanted.slice(1) : null;
    const loose = unhidden(wanted);
    for (const name of this.#hidden) {
      if (afterDot === null ? matchesGlob(loose, name) : matchesGlob(afterDot, name.slice(1))) return true;
    }
    return false;
  }

  /** The tails that may begin with a component. One that is no clue begins only longer tails. */
  #mayBegin(name: string, clue: boolean): readonly Tail[] {
    const code = name.charCodeAt(0);
    if (code === STAR || code === QUESTION || name.length > MAX_NAME) return clue ? this.#tails : this.#long;
    return this.#byCharacter.get(code) ?? this.#beginWild;
  }

  #hasLiteral(components: readonly string[], rooted: boolean): boolean {
    for (let at = 0; at < components.length; at++) {
      const name = components[at] ?? '';
      if (name.length > MAX_NAME || this.#byFirst.some(name, (tail) => fits(components, rooted, at, tail))) return true;
    }
    return false;
  }

  #hasGlob(components: readonly string[], rooted: boolean): boolean {
    const clues = components.map((name) => this.#isClue(name));
    if (!clues.includes(true)) return false;
    for (let at = 0; at < components.length; at++) {
      const name = components[at] ?? '';
      const clue = clues[at] === true;
      if (!clue && at === components.length - 1) continue;
      const long = name.length > MAX_NAME;
      const [opens, closes] = [name.charCodeAt(0), name.charCodeAt(name.length - 1)];
      for (const tail of this.#mayBegin(name, clue)) {
        if (!long && (differ(opens, tail.opens) || differ(closes, tail.closes))) continue;
        if (matches(components, clues, rooted, at, tail)) return true;
      }
    }
    return false;
  }

  /** False if no component at the beginning of a tail can be meant by this one alone. */
  #isClue(name: string): boolean {
    if (ONLY_WILD.test(name)) return false;
    if (this.#names.has(name) || name.length > MAX_NAME) return true;
    if (this.#byFirst.some(name, ({ components }) => matchesGlob(unhidden(components[0] ?? ''), name))) return true;
    if (!hasWildcard(name)) return false;
    return isAimed(name) || this.#wild.some((listed) => aimsAt(name, listed));
  }
}

/** The glob, which matches a dot in front too. */
const unhidden = (glob: string): string => (glob.startsWith('*') ? `*${glob}` : glob);

function tailOf(path: string): Tail {
  const components = path
    .toLowerCase()
    .split('/')
    .filter((name) => name !== '');
  const first = components[0] ?? '';
  return {
    components,
    opens: first.charCodeAt(0),
    closes: first.charCodeAt(first.length - 1),
    rooted: path.startsWith('/'),
    below: path.endsWith('/'),
  };
}

/** The components of a path, `.` and `x/..` resolved. */
function componentsOf(path: string): string[] {
  if (!path.includes('/')) return [path];
  const components: string[] = [];
  for (let start = 0; start < path.length;) {
    const slash = path.indexOf('/', start);
    const name = path.slice(start, slash < 0 ? path.length : slash);
    start += name.length + 1;
    if (name === '' || name === '.') continue;
    const before = components.at(-1);
    if (name === '..' && before !== undefined && before !== '..') components.pop();
    else components.push(name);
  }
  return components;
}

/** True if a tail can end a path there: at its root, with the right number of components behind it. */
function stands(components: readonly string[], rooted: boolean, at: number, tail: Tail): boolean {
  const end = at + tail.components.length;
  if (tail.below ? components.length <= end : components.length !== end) return false;
  return !tail.rooted || standsAtRoot(components, rooted, at);
}

/** True if the component can stand at the root. A relative path that climbs, or begins with an unknown text, can reach it. */
function standsAtRoot(components: readonly string[], rooted: boolean, at: number): boolean {
  const first = components[0] ?? '';
  return rooted ? at === 0 : at > 0 && (first.startsWith('..') || first.startsWith('**'));
}

/** True if the path ends with the beginning of the tail. */
function isAbove(components: readonly string[], rooted: boolean, { tail, length }: Beginning): boolean {
  const at = components.length - length;
  if (at < 0) return false;
  if (
    tail.rooted ? !standsAtRoot(components, rooted, at) : length < tail.components.length && !isHidden(components[at])
  )
    return false;
  return areListed(components, at, tail, length);
}

const isHidden = (name: string | undefined): boolean => name?.startsWith('.') === true;

const isListed = (name: string, listed: string): boolean =>
  name === listed || (listed.includes('*') && matchesGlob(listed, name));

/** True if a literal path ends with the tail, from this component on. */
const fits = (components: readonly string[], rooted: boolean, at: number, tail: Tail): boolean =>
  stands(components, rooted, at, tail) && areListed(components, at, tail, tail.components.length);

/** True if components of the path, from one on, are the first of the tail. */
function areListed(components: readonly string[], at: number, tail: Tail, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (!isListed(components[at + index] ?? '', tail.components[index] ?? '')) return false;
  }
  return true;
}

/** True if a glob fits the tail from this component on. At least one of its components is more than a wildcard. */
const matches = (
  components: readonly string[],
  clues: readonly boolean[],
  rooted: boolean,
  at: number,
  tail: Tail,
): boolean =>
  !(tail.components.length === 1 && clues[at] === false) &&
  stands(components, rooted, at, tail) &&
  matchesAt(components, at, tail);

function matchesAt(components: readonly string[], at: number, tail: Tail): boolean {
  let aimed = false;
  for (let index = 0; index < tail.components.length; index++) {
    const match = matchOf(components[at + index] ?? '', tail.components[index] ?? '');
    if (match === 'none') return false;
    aimed ||= match === 'aimed';
  }
  return aimed;
}

/** All names of an ending, which is no part of a longer one: `*.ts` is not aimed at `*.config.ts`. */
const ENDING = /^[*?]+\.[^*?.]+$/;

/** True if two literal characters of the globs, or more, can stand for each other: `*tfvars` and `*.tfvars`. */
const aimsAt = (name: string, listed: string): boolean =>
  mayOverlap(name, listed) &&
  sharesTwo(name, listed) &&
  sharesTwo(listed, name) &&
  !ENDING.test(name) &&
  overlapOfGlobs(name, listed) >= 2;

/** True if two literal characters of the glob, or more, occur in the other one. Most pairs of globs have fewer. */
function sharesTwo(other: string, glob: string): boolean {
  let shared = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (char !== '*' && char !== '?' && other.includes(char) && ++shared === 2) return true;
  }
  return false;
}

function matchOf(name: string, listed: string): 'none' | 'wild' | 'aimed' {
  if (name.length > MAX_NAME || isListed(name, listed)) return 'aimed';
  if (listed.includes('*')) return aimsAt(name, listed) ? 'aimed' : 'none';
  if (!matchesGlob(name, listed)) return 'none';
  return isAimed(name) ? 'aimed' : 'wild';
}
