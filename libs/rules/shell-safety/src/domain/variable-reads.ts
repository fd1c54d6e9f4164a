import { effectAt, type Effect } from './effect.js';
import type { Argument } from './inspection.js';
import { readsOutside } from './outside-paths.js';
import { namesFolderOfSecrets, namesSecret } from './paths.js';
import { literal } from './read-word.js';

/** A value that the line gives a variable. */
export interface Stored {
  readonly name: string;
  readonly value: Argument;
  /** True if the line does not show it: it comes out of data, or is added to another one. */
  readonly given: boolean;
}

/** More combinations of values than this count as unknown. */
const MOST_TEXTS = 64;

/** `$name`, `${name}`, or `${name` before an operation. */
const EXPANSION = /\$(?:([A-Za-z_]\w*|[1-9@*])|\{(?:([A-Za-z_]\w*|[1-9]\d*|[@*])(\})?))/g;

/** `@` stands for all positional parameters. */
const nameOf = (name: string): string => (/^[1-9*]/.test(name) ? '@' : name);

/**
 * The effect of reading a file that variables of the line name, or null. A literal value was judged where it stands: only its parts can
 * make a secret's name (`x=.e; cat ${x}nv`), and only data can hide one (`read f < list; cat $f`). Variables that were set before the
 * line count as trusted.
 */
export function variableReadEffect(word: Argument, stored: readonly Stored[]): Effect | null {
  const unshown = unshownNames(stored);
  let texts = [''];
  let from = 0;
  for (const { 0: whole, 1: plain, 2: braced, 3: closed, index } of word.text.matchAll(EXPANSION)) {
    const name = nameOf(plain ?? braced ?? '');
    const values = stored.filter((each) => each.name === name);
    const literals = values.flatMap(({ value }) => value.value ?? []);
    // The operation cuts or changes the text.
    const changed = plain === undefined && closed === undefined && literals.length > 0;
    if (unshown.has(name) || changed) return unshownEffect(word, name);
    const before = word.text.slice(from, index);
    from = index + whole.length;
    const wildcards = values.length === literals.length && values.length > 0 ? literals : [...literals, '**'];
    texts = texts.flatMap((text) => wildcards.map((value) => text + before + value));
    if (texts.length > MOST_TEXTS) return unshownEffect(word, name);
  }
  const rest = word.text.slice(from);
  const named = texts.map((text) => literal(word.text, (text + rest).replaceAll(/["'\\]/g, ''), word.start, word.end));
  if (named.some((each) => namesSecret(each) || namesFolderOfSecrets(each))) {
    return effectAt(word, 'READ_ONLY', 2, 'shell.reads_secret', `${word.text} may name a file that holds secrets.`);
  }
  if (!named.some(readsOutside)) return null;
  return effectAt(word, 'READ_ONLY', 2, 'shell.reads_outside', `${word.text} may lie outside the workspace.`);
}

const unshownEffect = (word: Argument, name: string): Effect => {
  const said = name === '@' ? 'a parameter' : name;
  return effectAt(word, 'UNKNOWN', 2, 'shell.unknown_input', `The line does not show the file that ${said} names.`);
};

/** The variables whose values the line does not show, and those that get such a value in turn. */
function unshownNames(stored: readonly Stored[]): ReadonlySet<string> {
  const names = new Set(stored.flatMap(({ name, given }) => (given ? [name] : [])));
  // Sets grow while they are iterated.
  for (const unshown of names) {
    for (const { name, value } of stored) {
      if (value.value !== null) continue;
      for (const { 1: plain, 2: braced } of value.text.matchAll(EXPANSION)) {
        if (nameOf(plain ?? braced ?? '') === unshown) names.add(name);
      }
    }
  }
  return names;
}
