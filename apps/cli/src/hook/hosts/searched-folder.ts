import { isAbsolute, join } from 'node:path';

const HAS_WILDCARD = /[*?[{(!]/;

/**
 * The input of a search for files, with the folder at which the pattern begins. A pattern may be absolute, or climb with `..`, and a
 * search is judged by its folder.
 */
export function withSearchedFolder(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { pattern, path } = input;
  if (typeof pattern !== 'string' || !(/^[/~\s]/.test(pattern) || pattern.split('/').includes('..'))) return input;
  const names = pattern.split('/');
  const first = names.findIndex((name) => HAS_WILDCARD.test(name));
  // Names that climb behind a wildcard lead anywhere.
  const literal = names.slice(0, first < 0 ? names.length - 1 : first);
  const climbs = names.slice(literal.length).filter((name) => name === '..');
  const folder = [...literal, ...climbs].join('/') || '/';
  return { ...input, path: isAbsolute(folder) || typeof path !== 'string' ? folder : join(path, folder) };
}
