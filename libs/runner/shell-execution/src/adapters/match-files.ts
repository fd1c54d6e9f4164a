import { closeSync } from 'node:fs';
import { isPattern, type Field } from '../domain/field.js';
import { partsOf, type Component } from '../domain/path-pattern.js';
import { nameMatcher } from '../domain/match-name.js';
import { CommandFailure, Stop } from '../domain/stop.js';
import { namesIn, openStep, statIn, type ConfinedFolders } from './confined-folders.js';

/** Counts the names that the patterns of a line look at. */
export class EntryBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** @throws Stop `shell.too_many_files` */
  take(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    throw new Stop('shell.too_many_files', 'The patterns of the line look at too many files. Name a narrower folder.');
  }
}

/**
 * The files that a field matches, sorted by their bytes, or none. A match that begins with `-` is written with `./`
 * before it. So no program takes the name of a file for an option. Symbolic links to folders are names; they are not
 * entered.
 *
 * @throws Stop if the pattern leads outside, or looks at too many files
 */
export function matchFiles(
  field: Field,
  folders: ConfinedFolders,
  current: readonly string[],
  budget: EntryBudget,
): readonly string[] {
  const { start, components } = partsOf(field);
  const folder = folders.openFolder(folders.locate(current, start === '' ? '.' : start));
  const found: string[] = [];
  visit({ budget, found }, folder, components, start);
  return found.map((path) => (path.startsWith('-') ? `./${path}` : path)).sort(byBytes);
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

interface Search {
  readonly budget: EntryBudget;
  readonly found: string[];
}

/** Matches the first component inside a folder, and closes the folder. */
function visit(search: Search, folder: number, components: readonly Component[], written: string): void {
  try {
    const [component, ...rest] = components;
    if (component === undefined) return;
    for (const name of namesFor(search, folder, component)) {
      const path = written + name + component.slashes;
      if (rest.length === 0 && component.slashes === '') {
        if (statIn(folder, name) !== null) search.found.push(path);
        continue;
      }
      const inner = openIfFolder(folder, name);
      if (inner === null) continue;
      if (rest.length === 0) search.found.push(path);
      visit(search, inner, rest, path);
    }
  } finally {
    closeSync(folder);
  }
}

function namesFor({ budget }: Search, folder: number, { atoms }: Component): readonly string[] {
  if (!isPattern(atoms)) return [atoms.map(({ text }) => text).join('')];
  const names = namesIn(folder);
  budget.take(names.length);
  return names.filter(nameMatcher(atoms));
}

function openIfFolder(folder: number, name: string): number | null {
  try {
    return openStep(folder, name);
  } catch (error) {
    if (error instanceof CommandFailure || (error instanceof Stop && error.code === 'shell.symbolic_link')) return null;
    throw error;
  }
}
