import { isAimed, matchesGlob } from './match-glob.js';

/** The last components of a path: `.docker/config.json`. */
interface Tail {
  /** In lower case: macOS and Windows take no notice of case. */
  readonly components: readonly string[];
  /** True if the first component stands at the root. */
  readonly rooted: boolean;
  /** True if it stands for everything below it, and not for the path itself. */
  readonly below: boolean;
}

/** Longer components match: they are no name of a file. */
const LONGEST_NAME = 255;

/**
 * A list of paths by their last components, separated by spaces. `/` in front anchors at the root, `/` behind means everything below.
 * A first component may hold a `*` for any text.
 */
export class PathList {
  readonly #tails: readonly Tail[];
  /** The tails by their first component, if it is literal; `*.pem` by its ending; and the few others. */
  readonly #byFirst = new Map<string, Tail[]>();
  readonly #byEnding = new Map<string, Tail[]>();
  readonly #others: Tail[] = [];
  /** Every literal component. */
  readonly #names = new Set<string>();

  constructor(paths: string) {
    this.#tails = paths.split(' ').map(tailOf);
    for (const tail of this.#tails) {
      const first = tail.components[0] ?? '';
      if (!first.includes('*')) add(this.#byFirst, first, tail);
      else if (first.lastIndexOf('*') === 0 && first.lastIndexOf('.') === 1) add(this.#byEnding, first.slice(1), tail);
      else this.#others.push(tail);
      for (const name of tail.components) if (!name.includes('*')) this.#names.add(name);
    }
  }

  /**
   * True if the path is on the list, or if a glob names a path of the list on purpose: `/etc/sh*` does, `*` does not.
   *
   * @param pattern a path; `*` and `?` as in a glob, `**` for an unknown text
   */
  has(pattern: string): boolean {
    const path = pattern.toLowerCase();
    const rooted = path.charCodeAt(0) === 47;
    const components = componentsOf(path);
    if (!path.includes('*') && !path.includes('?')) return this.#hasLiteral(components, rooted);
    if (!components.some((name) => this.#isClue(name))) return false;
    return this.#tails.some((tail) => matches(components, rooted, tail));
  }

  /**
   * True if paths of the list can be below a folder of this name: `.config` for `.config/git/`. A name without a dot in front tells it
   * only at the root, or if everything below it is on the list: a folder `library` is an ordinary one.
   */
  leadsTo(path: string): boolean {
    if (path.includes('*') || path.includes('?')) return false;
    const components = componentsOf(path.toLowerCase());
    const rooted = path.startsWith('/');
    if (components.length === 0) return rooted;
    return this.#tails.some((tail) => isAbove(components, rooted, tail));
  }

  /** True if the glob matches a hidden name of the list. Its wildcards match a dot in front too. */
  hidesBehind(glob: string): boolean {
    const wanted = glob.toLowerCase().slice(glob.lastIndexOf('/') + 1);
    const loose = wanted.startsWith('?') ? wanted.slice(1) : wanted.replace(/^\*+/, '**');
    return this.#tails.some(({ components, below }) => {
      const name = (components.at(-1) ?? '').replaceAll('*', 'x');
      return !below && name.startsWith('.') && matchesGlob(loose, wanted.startsWith('?') ? name.slice(1) : name);
    });
  }

  #hasLiteral(components: readonly string[], rooted: boolean): boolean {
    for (let at = 0; at < components.length; at++) {
      const name = components[at] ?? '';
      if (name.length > LONGEST_NAME) return true;
      const ending = name.slice(Math.max(name.lastIndexOf('.'), 0));
      if (
        anyFits(this.#byFirst.get(name), components, rooted, at) ||
        anyFits(this.#byEnding.get(ending), components, rooted, at) ||
        anyFits(this.#others, components, rooted, at)
      ) {
        return true;
      }
    }
    return false;
  }

  /** False if no component of the list can be meant by this one alone. */
  #isClue(name: string): boolean {
    if (this.#names.has(name) || name.length > LONGEST_NAME) return true;
    if (this.#byEnding.has(name.slice(Math.max(name.lastIndexOf('.'), 0)))) return true;
    if (this.#others.some(({ components }) => matchesGlob(components[0] ?? '', name))) return true;
    return (name.includes('*') || name.includes('?')) && isAimed(name);
  }
}

function add(tails: Map<string, Tail[]>, key: string, tail: Tail): void {
  const before = tails.get(key);
  if (before === undefined) tails.set(key, [tail]);
  else before.push(tail);
}

function tailOf(path: string): Tail {
  return {
    components: path
      .toLowerCase()
      .split('/')
      .filter((name) => name !== ''),
    rooted: path.startsWith('/'),
    below: path.endsWith('/'),
  };
}

/** The components of a path, `.` and `x/..` resolved. */
function componentsOf(path: string): string[] {
  if (!path.includes('/')) return [path];
  const components: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    const before = components.at(-1);
    if (name === '..' && before !== undefined && before !== '..') components.pop();
    else components.push(name);
  }
  return components;
}

/** True if a tail can end a path there: at its root, and with the right number of components behind it. */
function stands(components: readonly string[], rooted: boolean, at: number, tail: Tail): boolean {
  const end = at + tail.components.length;
  if (tail.below ? components.length <= end : components.length !== end) return false;
  return !tail.rooted || standsAtRoot(components, rooted, at);
}

/** True if the component can stand at the root: a relative path that climbs, or begins with an unknown text, can reach it. */
function standsAtRoot(components: readonly string[], rooted: boolean, at: number): boolean {
  const first = components[0] ?? '';
  return rooted ? at === 0 : at > 0 && (first.startsWith('..') || first.startsWith('**'));
}

/** True if the path ends with the beginning of the tail. */
function isAbove(components: readonly string[], rooted: boolean, tail: Tail): boolean {
  const whole = tail.components.length;
  for (let length = Math.min(tail.below ? whole : whole - 1, components.length); length > 0; length--) {
    const at = components.length - length;
    if (tail.rooted ? !standsAtRoot(components, rooted, at) : length < whole && !components[at]?.startsWith('.'))
      continue;
    if (tail.components.slice(0, length).every((listed, index) => isListed(components[at + index] ?? '', listed)))
      return true;
  }
  return false;
}

const isListed = (name: string, listed: string): boolean =>
  name === listed || (listed.includes('*') && matchesGlob(listed, name));

function anyFits(
  tails: readonly Tail[] | undefined,
  components: readonly string[],
  rooted: boolean,
  at: number,
): boolean {
  if (tails === undefined) return false;
  return tails.some(
    (tail) =>
      stands(components, rooted, at, tail) &&
      tail.components.every((listed, index) => isListed(components[at + index] ?? '', listed)),
  );
}

/** True if a glob fits the tail somewhere, and at least one of its components is more than a wildcard. */
function matches(components: readonly string[], rooted: boolean, tail: Tail): boolean {
  return components.some((_name, at) => {
    if (!stands(components, rooted, at, tail)) return false;
    const found = tail.components.map((listed, index) => matchOf(components[at + index] ?? '', listed));
    return !found.includes('none') && found.includes('aimed');
  });
}

function matchOf(name: string, listed: string): 'none' | 'wild' | 'aimed' {
  if (name.length > LONGEST_NAME || isListed(name, listed)) return 'aimed';
  if (listed.includes('*') || !matchesGlob(name, listed)) return 'none';
  return isAimed(name) ? 'aimed' : 'wild';
}
