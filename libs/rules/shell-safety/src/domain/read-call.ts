import type { Argument, Call, OptionUse } from './inspection.js';
import type { Mode } from './mode.js';
import { takesValue, worstOf, type ListedOption, type OptionKind } from './option-index.js';
import { argumentOf, literal, unknown, withPatterns } from './read-word.js';
import type { ReadyRow } from './ready-row.js';

interface JudgedOption extends OptionUse {
  readonly kind: OptionKind;
}

/** A call as its row reads it. */
export interface ReadCall extends Call {
  /** Those behind the program. */
  readonly words: readonly Argument[];
  /** That of the subcommand, or of the row alone. */
  readonly mode: Mode;
  readonly options: readonly JudgedOption[];
  /** True if an option makes the program write the files that it reads. */
  readonly writes: boolean;
  /** True if the program reads everything below its folders. */
  readonly recurses: boolean;
  /** Options that the row does not list. */
  readonly unlisted: readonly Argument[];
  /** Words that may turn out to be any option. */
  readonly open: readonly Argument[];
  /** Words `NAME=value` before an inner command. */
  readonly assignments: readonly Argument[];
  /** The commands of `-exec`, with unknown words for `{}`. */
  readonly clauses: readonly (readonly Argument[])[];
}

/** Sorts the words after a program into options, subcommand, operands and the words of an inner command. */
export function readCall(words: readonly Argument[], ready: ReadyRow): ReadCall {
  const reader = new CallReader(words, ready);
  reader.read();
  return reader;
}

const DASH = 45;

class CallReader implements ReadCall {
  mode: Mode;
  subcommand = '';
  readonly options: JudgedOption[] = [];
  writes = false;
  recurses = false;
  readonly unlisted: Argument[] = [];
  readonly open: Argument[] = [];
  readonly operands: Argument[] = [];
  readonly assignments: Argument[] = [];
  readonly clauses: (readonly Argument[])[] = [];
  command: readonly Argument[] | null = null;
  #seeking: boolean;
  #at = 0;

  constructor(
    readonly words: readonly Argument[],
    readonly ready: ReadyRow,
  ) {
    this.mode = ready.alone.mode;
    this.#seeking = ready.alone.goesOn;
  }

  read(): void {
    const { style } = this.ready;
    let reads = style !== 'none';
    for (; this.#at < this.words.length; this.#at++) {
      const word = this.words[this.#at];
      if (word === undefined) return;
      const dashed = reads && word.prefix.charCodeAt(0) === DASH;
      if (reads && style === 'assignments') {
        this.#assignment(word);
      } else if (dashed && word.value === '--') {
        // Programs of the style `single_dash` differ on `--`: reading on is the safe side.
        reads = style === 'single_dash';
      } else if (dashed && word.prefix.length > 1) {
        if (style === 'gnu' && word.prefix.charCodeAt(1) !== DASH && !this.#isListed(word.prefix)) this.#bundle(word);
        else this.#named(word, style === 'single_dash');
      } else if (reads && word.value === null && (word.prefix === '' || word.prefix === '-')) {
        this.open.push(word);
        // It may be an option, or the program: the command that begins here has a dynamic one.
        if (this.#operand(word)) return;
      } else if (this.#operand(word)) {
        return;
      }
    }
  }

  /** True if the word begins an inner command, which takes all words from here on. */
  #operand(word: Argument): boolean {
    if (this.#seeking) {
      if (word.value !== null && this.#descend(word.value)) return false;
      this.#seeking = false;
      if (word.value === null) this.open.push(word);
    }
    const { mode } = this;
    if (mode.operands === 'command' && this.operands.length >= mode.skip) {
      if (mode.assigns && /^[A-Za-z_]\w*=/.test(word.prefix)) {
        this.assignments.push(word);
        return false;
      }
      this.command = this.words.slice(this.#at);
      return true;
    }
    this.operands.push(word);
    return false;
  }

  /** True if the row lists the option as it stands. */
  #isListed(prefix: string): boolean {
    return (prefix.length === 2 || this.mode.hasWords) && this.mode.option(prefix) !== undefined;
  }

  /** True if the word continues the name of a listed subcommand. */
  #descend(value: string): boolean {
    const name = this.subcommand === '' ? value : `${this.subcommand} ${value}`;
    const branch = this.ready.branch(name);
    if (branch === undefined) return false;
    this.subcommand = name;
    this.mode = branch.mode;
    this.#seeking = branch.goesOn;
    return true;
  }

  /** `--name`, `--name=value`, or a short option that is listed as a whole (`-name`). */
  #named(word: Argument, single: boolean): void {
    const equals = word.prefix.indexOf('=');
    if (equals < 0 && word.value === null) {
      this.open.push(word);
      return;
    }
    const name = equals < 0 ? word.prefix : word.prefix.slice(0, equals);
    let found = this.mode.option(name) ?? (single ? this.mode.option(twinOf(name)) : undefined);
    if (found === undefined && !single) {
      const candidates = this.mode.abbreviatedBy(name);
      found = worstOf(candidates);
      const values = candidates.filter(({ kind }) => takesValue(kind)).length;
      if (equals < 0 && values > 0 && values < candidates.length) this.unlisted.push(word);
    }
    if (found === undefined) this.unlisted.push(word);
    else this.#use(found, word, equals < 0 ? null : after(word, equals + 1));
  }

  /** `-abc`, `-ofile`, `-o file`. */
  #bundle(word: Argument): void {
    let attached = false;
    for (let index = 1; index < word.prefix.length; index++) {
      const code = word.prefix.charCodeAt(index);
      const found = this.mode.short(code);
      if (found === undefined) {
        if (!attached) this.unlisted.push(word);
        return;
      }
      if (takesValue(found.kind)) {
        const rest = index + 1 < word.prefix.length || word.value === null;
        this.#use(found, word, rest ? after(word, index + 1) : null);
        return;
      }
      this.#note(found, null, word);
      if (found.kind === 'optional') return;
      // `sed -i.bak`: the rest may belong to the option. Letters that are options of the row are read as such all the same.
      attached ||= found.kind === 'writes';
    }
    if (word.value === null) this.open.push(word);
  }

  #use(found: ListedOption, word: Argument, attached: Argument | null): void {
    let value = attached;
    if (found.kind === 'executesWords') this.#clause(word);
    if (value === null && takesValue(found.kind)) {
      const next = this.words[this.#at + 1];
      if (next !== undefined) {
        this.#at += 1;
        value = next;
        if (next.words === 'many') this.open.push(next);
      }
    }
    this.#note(found, value, word);
  }

  #note({ name, kind }: ListedOption, value: Argument | null, at: Argument): void {
    this.options.push({ name, kind, value, at });
    if (kind === 'writes') this.writes = true;
    else if (kind === 'recurses') this.recurses = true;
  }

  /** The words of `-exec … ;`. `{}` in them stands for paths, which begin as the starting points do. */
  #clause(word: Argument): void {
    const ends = this.words.findIndex(
      ({ value }, index) =>
        index > this.#at && (value === ';' || (value === '+' && this.words[index - 1]?.value === '{}')),
    );
    const end = ends < 0 ? this.words.length : ends;
    const many = this.words[end]?.value === '+';
    const [point, another] = this.operands;
    const start = point === undefined ? './' : (point.value ?? '');
    const prefix = another === undefined && !(word.value ?? '').endsWith('dir') ? start : '';
    const found = (at: Argument): Argument => {
      const begins = at.value === '{}' ? prefix : at.prefix.slice(0, at.prefix.indexOf('{}'));
      const word = unknown(at.text, many ? 'many' : 'one', begins, at.start, at.end);
      // A path below a folder: `.` itself is no beginning of a name.
      if (at.value === '{}') return withPatterns(word, [`${begins}/**`]);
      return withPatterns(
        word,
        at.patterns.map((pattern) => pattern.replaceAll('{}', '**')),
      );
    };
    const inner = this.words.slice(this.#at + 1, end);
    // An expansion may turn out to be the `;`, so that options of the program follow it.
    this.open.push(...inner.filter(({ value, prefix: begins }) => value === null && begins === ''));
    // fd adds the path if no `{}` stands for it.
    if (this.ready.style !== 'single_dash' && !inner.some((each) => each.prefix.includes('{}'))) {
      inner.push(unknown('a path', 'many', '', word.start, word.end));
    }
    this.clauses.push(inner.map((each) => (each.prefix.includes('{}') ? found(each) : each)));
    this.#at = end;
  }

  /** `key=value`, the words of dd. */
  #assignment(word: Argument): void {
    const equals = word.prefix.indexOf('=');
    const found = equals < 0 ? undefined : this.mode.option(word.prefix.slice(0, equals));
    if (found !== undefined) this.#note(found, after(word, equals + 1), word);
    else if (word.value === null) this.open.push(word);
    else this.unlisted.push(word);
  }
}

/** The same option with one dash for two, or two for one. */
const twinOf = (name: string): string => (name.startsWith('--') ? name.slice(1) : `-${name}`);

/** The rest of a word from an offset into its literal beginning. */
function after(word: Argument, offset: number): Argument {
  const plain = word.text.startsWith(word.prefix.slice(0, offset)) && word.end - word.start === word.text.length;
  const start = plain ? word.start + offset : word.start;
  if (word.value !== null)
    return literal(word.text.slice(plain ? offset : 0), word.value.slice(offset), start, word.end);
  const patterns = word.patterns.map((pattern) => pattern.slice(offset));
  return argumentOf(word.text, null, word.prefix.slice(offset), word.words, patterns, start, word.end);
}
