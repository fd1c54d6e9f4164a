import type { Inspect } from './inspection.js';
import { INSPECTIONS } from './inspections.js';
import { indexOf, NO_OPTIONS, type ListedOption, type OptionIndex } from './option-index.js';
import type { Behaviour, Operands, ProgramRow } from './program-row.js';
import type { ShellClass, Tier } from './verdict.js';

/** The code of a program's own effect. */
const CODES: Readonly<Record<ShellClass, string>> = {
  READ_ONLY: 'shell.read_only',
  BUILD_TEST: 'shell.build_test',
  WRITE: 'shell.write',
  NETWORK: 'shell.network',
  UNKNOWN: 'shell.unknown',
  DESTRUCTIVE: 'shell.destructive',
  ESCALATION: 'shell.escalation',
};

/** The tier of a class that gives none of its own. */
export const tierOf = (shellClass: ShellClass): Tier => {
  if (shellClass === 'READ_ONLY') return 1;
  return shellClass === 'ESCALATION' ? 3 : 2;
};

/**
 * A row together with one of its subcommands, or alone: everything that a call asks of them, worked out once. The table stays data; this
 * is its form for reading, in which a word of a call is one lookup.
 */
export class Mode {
  readonly class: ShellClass;
  readonly tier: Tier;
  readonly code: string;
  readonly does: string;
  readonly operands: Operands;
  /** As the row or the subcommand has them: rows have many shapes, and a mode has one. */
  readonly skip: number;
  readonly assigns: boolean;
  readonly recursive: boolean;
  readonly network: boolean;
  /** True if an option of one dash has several letters, so that `-name` is not four options. */
  readonly hasWords: boolean;
  /** True if an expansion that turned out to be an option could do more than read. */
  readonly harmful: boolean;
  /** True if an option names a file with names of files. */
  readonly takesLists: boolean;
  /** True if an option of the row itself names a file of a format. */
  readonly takesFormats: boolean;
  /** True if the program reads everything below its folders, or an option makes it do so. */
  readonly mayRecurse: boolean;
  readonly inspects: readonly Inspect[];
  readonly #common: OptionIndex;
  readonly #own: OptionIndex;

  constructor(
    row: ProgramRow,
    /** That of the subcommand, or the row itself. */
    readonly behaviour: Behaviour,
  ) {
    const common = indexOf(row.options);
    const own = indexOf(behaviour.options);
    this.#common = common;
    this.#own = own === common ? NO_OPTIONS : own;
    this.class = behaviour.class;
    this.does = behaviour.does;
    this.skip = behaviour.skip ?? 0;
    this.assigns = behaviour.assigns === true;
    this.recursive = behaviour.recursive === true;
    this.hasWords = common.hasWords || own.hasWords;
    this.tier = behaviour.tier ?? tierOf(behaviour.class);
    this.code = CODES[behaviour.class];
    this.operands = behaviour.operands ?? (behaviour.class === 'READ_ONLY' ? 'none' : 'any');
    this.network = row.network === true || behaviour.network === true;
    const names = [...new Set([behaviour.inspect, row.inspect])].filter((name) => name !== undefined);
    this.inspects = names.map((name) => INSPECTIONS.get(name) ?? uninspected);
    this.harmful = common.harmful || own.harmful || names.length > 0 || behaviour.operands === 'command';
    this.takesLists = common.takesLists || own.takesLists;
    this.takesFormats = common.takesFormats;
    this.mayRecurse = row.options?.recurses !== undefined || this.recursive;
  }

  option(name: string): ListedOption | undefined {
    return this.#own.get(name) ?? this.#common.get(name);
  }

  /** The option of one letter, by the letter's code. */
  short(code: number): ListedOption | undefined {
    return this.#own.short(code) ?? this.#common.short(code);
  }

  /** True if the row or the subcommand lists the option for a file that the program reads. */
  readsBy(name: string): boolean {
    return this.#own.get(name)?.kind === 'reads' || this.#common.get(name)?.kind === 'reads';
  }

  /** The long options that a prefix abbreviates, as getopt_long(3) reads it. */
  abbreviatedBy(prefix: string): readonly ListedOption[] {
    return [...this.#own.abbreviatedBy(prefix), ...this.#common.abbreviatedBy(prefix)];
  }
}

/** A row that names no function would go uninspected: it is never judged harmless. */
const uninspected: Inspect = () => [
  { kind: 'effect', class: 'UNKNOWN', tier: 2, code: 'shell.unknown_inspection', does: 'cannot be inspected' },
];
