import { isPattern, type Atom, type Field } from './field.js';
import { Stop } from './stop.js';

/** The part of a pattern between slashes, and the slashes behind it. */
export interface Component {
  readonly atoms: readonly Atom[];
  readonly slashes: string;
}

/** A pattern for paths: the folder that it begins in, as spelled, and its components from the first pattern on. */
export interface PathPattern {
  readonly start: string;
  readonly components: readonly Component[];
}

/**
 * Parts a field at its slashes.
 *
 * @throws Stop `shell.pattern_with_parent` if `..` stands behind a pattern
 */
export function partsOf(field: Field): PathPattern {
  const components: { atoms: Atom[]; slashes: string }[] = [{ atoms: [], slashes: '' }];
  for (const atom of field) {
    for (const text of atom.type === 'glob' ? [atom.text] : atom.text.split(/(\/+)/)) {
      const last = components.at(-1);
      if (text === '' || last === undefined) continue;
      if (atom.type === 'text' && text.startsWith('/')) last.slashes += text;
      else if (last.slashes === '') last.atoms.push({ ...atom, text });
      else components.push({ atoms: [{ ...atom, text }], slashes: '' });
    }
  }
  const first = components.findIndex(({ atoms }) => isPattern(atoms));
  const textOf = ({ atoms, slashes }: Component): string => atoms.map(({ text }) => text).join('') + slashes;
  const matched = components.slice(first);
  if (matched.some((component) => /^\.\.?\/*$/.test(textOf(component)))) {
    throw new Stop(
      'shell.pattern_with_parent',
      'A pattern stands before . or .. in a path. Write the path without them.',
    );
  }
  return { start: components.slice(0, first).map(textOf).join(''), components: matched };
}
