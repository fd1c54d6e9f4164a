import type { Options } from './program-row.js';

/** The effect of an option: the list of `Options` that names it. */
export type OptionKind = keyof Options;

/** From harmless to worst, for long options that abbreviate several. */
const WORST_LAST: readonly OptionKind[] = [
  ...([
    'informs',
    'plain',
    'optional',
    'value',
    'recurses',
    'reads',
    'network',
    'networkTo',
    'identifies',
    'writes',
    'writesTo',
  ] as const),
  ...(['executesWords', 'executes', 'executesHidden', 'destroys', 'denied'] as const),
];
const HARMLESS: ReadonlySet<OptionKind> = new Set(['informs', 'plain', 'optional', 'value', 'recurses', 'reads']);
/** Options that take a file with names of files. A program complains about a line that is no name, and shows it. */
export const NAMES_FILES: ReadonlySet<string> = new Set(['--files0-from', '-files0-from']);
/** Options that take a file of a format. A program complains about a text that is no format, and shows it. */
const NAMES_FORMAT: ReadonlySet<string> = new Set(['--format-file']);
const TAKES_VALUE: ReadonlySet<OptionKind> = new Set([
  'value',
  'reads',
  'writesTo',
  'executes',
  'networkTo',
  'identifies',
]);

export const takesValue = (kind: OptionKind): boolean => TAKES_VALUE.has(kind);

export interface ListedOption {
  readonly name: string;
  readonly kind: OptionKind;
}

/** The options of a row or subcommand by name, made once. */
export class OptionIndex {
  readonly #byName = new Map<string, ListedOption>();
  /** `-a`, `-b` by the code of their letter. */
  readonly #short: ListedOption[] = [];
  readonly #long: ListedOption[] = [];
  /** True if an option writes, deletes, executes or reaches for the network. */
  readonly harmful: boolean;
  /** True if an option names a file with names of files. */
  readonly takesLists: boolean;
  /** True if an option names a file of a format. */
  readonly takesFormats: boolean;
  /** True if an option of one dash has several letters: `-name`. */
  readonly hasWords: boolean;

  constructor(options: Options) {
    let [harmful, takesLists, takesFormats, hasWords] = [false, false, false, false];
    for (const kind of WORST_LAST) {
      for (const name of options[kind]?.split(' ') ?? []) {
        if (name === '') continue;
        const option = { name, kind };
        this.#byName.set(name, option);
        if (isShort(name)) this.#short[name.charCodeAt(1)] = option;
        else if (name.startsWith('--')) this.#long.push(option);
        else hasWords ||= name.startsWith('-');
        harmful ||= !HARMLESS.has(kind);
        takesLists ||= NAMES_FILES.has(name);
        takesFormats ||= NAMES_FORMAT.has(name);
      }
    }
    this.harmful = harmful;
    this.takesLists = takesLists;
    this.takesFormats = takesFormats;
    this.hasWords = hasWords;
  }

  get(name: string): ListedOption | undefined {
    return isShort(name) ? this.#short[name.charCodeAt(1)] : this.#byName.get(name);
  }

  /** The option of one letter, by the letter's code. */
  short(code: number): ListedOption | undefined {
    return this.#short[code];
  }

  /** The long options that a prefix abbreviates, as getopt_long(3) reads it. */
  abbreviatedBy(prefix: string): ListedOption[] {
    return this.#long.filter(({ name }) => name.startsWith(prefix));
  }
}

/** True of `-a`. */
const isShort = (name: string): boolean => name.length === 2 && name.charCodeAt(0) === DASH;

const DASH = 45;

export const NO_OPTIONS = new OptionIndex({});
const made = new WeakMap<Options, OptionIndex>();

export function indexOf(options: Options | undefined): OptionIndex {
  if (options === undefined) return NO_OPTIONS;
  const before = made.get(options);
  if (before !== undefined) return before;
  const index = new OptionIndex(options);
  made.set(options, index);
  return index;
}

/** The worst of the options that a word may stand for. */
export function worstOf(options: readonly ListedOption[]): ListedOption | undefined {
  return [...options].sort((a, b) => WORST_LAST.indexOf(b.kind) - WORST_LAST.indexOf(a.kind))[0];
}
