import { dashedPatterns } from './dashed-patterns.js';
import { effectAt, type Effect } from './effect.js';
import { endOf, EXPANSION, expansionFrom, nameOf, namesIn } from './expansions.js';
import type { Argument } from './inspection.js';
import { holdsChoices } from './read-braces.js';
import { readsOutside } from './outside-paths.js';
import { namesFolderOfSecrets, namesSecret } from './paths.js';
import { literal } from './read-word.js';
import { isSetByShell } from './set-by-shell.js';
import { joinEach, MAX_TEXTS, spelledOut, type Stored } from './spelled-values.js';
import type { Shell } from './verdict.js';

/** The variables of a line, by the values that it gives them. */
export interface Variables {
  readonly stored: readonly Stored[];
  /** Those whose values the line does not show. */
  readonly unshown: ReadonlySet<string>;
  /** Those that hold a path that was found. */
  readonly found: ReadonlySet<string>;
  readonly shell: Shell;
}

export function variablesOf(given: readonly Stored[], shell: Shell): Variables {
  if (given.length === 0) return { stored: given, unshown: NO_NAMES, found: NO_NAMES, shell };
  const stored = spelledOut(given);
  const passed = passedOn(stored);
  return {
    stored,
    unshown: namesWith(stored, passed, isUnshownBeside(stored)),
    found: namesWith(stored, passed, isFound),
    shell,
  };
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Operations that take the value as it is, or a text that the line shows instead. */
const KEEPS_VALUE = /^(?:\}|:?[-=?+])/;

/** A modifier of zsh, which cuts or changes the value: `$x:t`, `$x:s/a/b/`. */
const MODIFIER = /^:(?:g?s\W|[a-zA-Z](?:\W|$))/;

/**
 * The effect of reading a file that variables of the line name, or null. A literal value was judged where it stands.
 * Only its parts can make a secret's name (`x=.e; cat ${x}nv`), and only data can hide one (`read f < list; cat $f`).
 * Variables that were set before the line count as trusted, as a whole. A part of one may be any text (`${PWD:0:1}`).
 *
 * @param splits true if the shell makes several words of a value outside quotes
 */
export function variableReadEffect(word: Argument, splits: boolean, variables: Variables): Effect | null {
  const only = onlyExpansion(word.text);
  if (only !== null) return onlyReadEffect(word, nameOf(only), splits, variables);
  const { stored, unshown, found, shell } = variables;
  let texts: readonly string[] = [''];
  let from = 0;
  for (let match = expansionFrom(word.text, 0); match !== null; match = expansionFrom(word.text, endOf(match))) {
    const { 0: whole, 1: plain, 2: indirect, 3: braced, 4: subscript, index } = match;
    const name = nameOf(plain ?? braced ?? '');
    const values = valuesOf(name, stored);
    const rest = word.text.slice(index + whole.length);
    // The operation cuts or changes the text; in zsh, a subscript cuts a character out.
    const operates = !KEEPS_VALUE.test(rest) || (values.length > 0 && !rest.startsWith('}'));
    const changed =
      plain === undefined ? operates || (shell !== 'bash' && /\d/.test(subscript ?? '')) : MODIFIER.test(rest);
    // A name that a glob finds may hold a blank, and the name of a secret behind it.
    const split = splits && found.has(name) && !isQuoted(word.text, index);
    if (indirect !== undefined || unshown.has(name) || isSetByShell(name) || changed || split)
      return unshownEffect(word, name);
    if (NAMES_SECRETS.test(name)) return secretEffect(word);
    const before = word.text.slice(from, index);
    from = index + whole.length + (plain === undefined && rest.startsWith('}') ? 1 : 0);
    texts = joinEach(texts, before, values);
    if (texts.length > MAX_TEXTS) return unshownEffect(word, name);
  }
  return readEffect(word, texts, word.text.slice(from));
}

/** The same for a word that is one expansion as a whole. */
function onlyReadEffect(word: Argument, name: string, splits: boolean, variables: Variables): Effect | null {
  const { stored, unshown, found } = variables;
  const quote = word.text.charCodeAt(0) === QUOTE ? '"' : '';
  if (unshown.has(name) || isSetByShell(name) || (splits && quote === '' && found.has(name)))
    return unshownEffect(word, name);
  if (NAMES_SECRETS.test(name)) return secretEffect(word);
  const values = stored.length === 0 ? NO_VALUES : valuesOf(name, stored);
  // A value that the line does not show is no path of the lists.
  if (values.every(({ value }) => value === null)) return null;
  const texts = joinEach([''], quote, values);
  return texts.length > MAX_TEXTS ? unshownEffect(word, name) : readEffect(word, texts, quote);
}

/** Variables that programs look into for the path of their credentials. */
const NAMES_SECRETS =
  /^(?:KUBECONFIG|NETRC|PGPASSFILE|HISTFILE|GNUPGHOME|KRB5CCNAME|npm_config_userconfig|NPM_CONFIG_USERCONFIG)$/;

const secretEffect = (word: Argument): Effect =>
  effectAt(word, 'READ_ONLY', 2, 'shell.reads_secret', `${word.text} may name a file that holds secrets.`);

/** The effect of reading one of the files that begin with these texts, and end with the rest. */
function readEffect(word: Argument, texts: readonly string[], rest: string): Effect | null {
  let outside = false;
  for (const text of texts) {
    if (holdsChoices(text)) return secretEffect(word);
    for (const path of pathsIn(text + rest)) {
      const named = literal(word.text, path, word.start, word.end);
      if (namesSecret(named) || namesFolderOfSecrets(named)) return secretEffect(word);
      outside ||= readsOutside(named);
    }
  }
  if (!outside) return null;
  return effectAt(word, 'READ_ONLY', 2, 'shell.reads_outside', `${word.text} may lie outside the workspace.`);
}

/** The variable of a word that is one expansion as a whole, in double quotes or not: `$f`, `"${f}"`, `"$@"`. Null for any other. */
function onlyExpansion(text: string): string | null {
  const quoted = text.charCodeAt(0) === QUOTE;
  let [from, to] = quoted ? [1, text.length - 1] : [0, text.length];
  if (text.charCodeAt(from) !== DOLLAR || (quoted && text.charCodeAt(to) !== QUOTE)) return null;
  from += 1;
  if (text.charCodeAt(from) === BRACE) {
    from += 1;
    to -= 1;
    if (text.charCodeAt(to) !== CLOSING_BRACE) return null;
  }
  const name = text.slice(from, to);
  return ONLY_NAME.test(name) ? name : null;
}

const QUOTE = 34;
const DOLLAR = 36;
const BRACE = 123;
const CLOSING_BRACE = 125;
const ONLY_NAME = /^(?:[A-Za-z_]\w*|[0-9@*])$/;

const NO_VALUES: readonly Argument[] = [];

function valuesOf(name: string, stored: readonly Stored[]): readonly Argument[] {
  const values: Argument[] = [];
  for (const each of stored) if (each.name === name) values.push(each.value);
  return values;
}

/**
 * True if the line gives a variable of the word a text that may begin with a dash. That text is `-r`, or a file that
 * the glob `*` finds.
 */
export function mayBeOption(word: Argument, stored: readonly Stored[]): boolean {
  const named = new Set(namesIn(word.text));
  // Sets grow while they are iterated: a variable may have its value from another one.
  for (const name of named) {
    const values = valuesOf(name, stored);
    if (values.some(beginsWithDash)) return true;
    for (const { value, prefix, text } of values)
      if (value === null && prefix === '') for (const from of namesIn(text)) named.add(from);
  }
  return false;
}

const beginsWithDash = (word: Argument): boolean => /(?:^|\s)-/.test(word.prefix) || dashedPatterns(word).length > 0;

const unshownEffect = (word: Argument, name: string): Effect => {
  const said = name === '@' ? 'a parameter' : name;
  return effectAt(word, 'UNKNOWN', 2, 'shell.unknown_input', `The line does not show the file that ${said} names.`);
};

/**
 * True of a value that the line does not show, or takes from a variable of the shell's own. True, too, of one that it
 * puts together from others: `x=.en; x=${x}v`.
 */
function isUnshownBeside(stored: readonly Stored[]): (each: Stored) => boolean {
  const spelled = new Set(
    stored.flatMap(({ name, value }) => (value.value === null || /^\d*$/.test(value.value) ? [] : [name])),
  );
  return ({ given, value }) =>
    given || namesIn(value.text).some((name) => isSetByShell(name) || (value.value === null && spelled.has(name)));
}

/** True of paths that a glob, find or xargs gives. */
const isFound = ({ value: { value, text } }: Stored): boolean =>
  value === null && (!text.includes('$') || /[*?[]/.test(text.replaceAll(EXPANSION, '')));

const UNPLAIN = /["'\\\s[]/;

/** The globs that the shell makes of a text with quotes and blanks. */
const pathsIn = (text: string): readonly string[] =>
  UNPLAIN.test(text)
    ? text
        .replaceAll(/["'\\]/g, '')
        .split(/\s+/)
        .map(asGlob)
    : [text];

/** A text with `[…]` as the `*` that matches as much: outside quotes, the shell matches it against files. */
const asGlob = (value: string): string => value.replace(/\[[^/]*\]/g, '*');

/** True if double quotes are open before the offset. */
function isQuoted(text: string, offset: number): boolean {
  const before = text.slice(0, offset).replaceAll(/\\[\s\S]/g, '');
  return (before.match(/"/g) ?? []).length % 2 === 1;
}

/** By a variable, those that the line gives its value, as a whole or in part. */
function passedOn(stored: readonly Stored[]): ReadonlyMap<string, readonly string[]> {
  const passed = new Map<string, string[]>();
  for (const { name, value } of stored) {
    if (value.value !== null) continue;
    for (const from of namesIn(value.text)) {
      const before = passed.get(from);
      if (before === undefined) passed.set(from, [name]);
      else before.push(name);
    }
  }
  return passed;
}

/** The variables with such a value, and those that get it in turn. */
function namesWith(
  stored: readonly Stored[],
  passed: ReadonlyMap<string, readonly string[]>,
  is: (each: Stored) => boolean,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const each of stored) if (is(each)) names.add(each.name);
  // Sets grow while they are iterated.
  for (const from of names) for (const name of passed.get(from) ?? []) names.add(name);
  return names;
}
