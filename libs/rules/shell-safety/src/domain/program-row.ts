import type { ShellClass, Tier } from './verdict.js';

/**
 * How a program reads its options.
 * - `gnu`: `-abc` bundles short options, `-ofile` and `-o file`, `--long=value`, `--lo` abbreviates `--long`, `--` ends them
 * - `single_dash`: `-name value` or `-name=value`, also with two dashes, never bundled (find, terraform, Go's flag package)
 * - `assignments`: `key=value` words (dd)
 * - `none`: the program has no options; every word is an operand (echo)
 */
export type OptionStyle = 'gnu' | 'single_dash' | 'assignments' | 'none';

/**
 * The options of a program by their effect. Each member lists option names with their dashes, separated by spaces
 * (`'-n -r --reverse'`). An option of no list is unknown, which makes the command Tier 2.
 */
export interface Options {
  /**
   * As the only word, makes the program print about itself and do nothing else: `-v`. It holds for every class. `--help` and `--version`
   * need no listing.
   */
  readonly informs?: string;
  /** Takes no value and changes nothing. */
  readonly plain?: string;
  /** Takes a value (the next word, or attached) and changes nothing. */
  readonly value?: string;
  /** May have a value, attached only (`--color`, `--color=always`), and changes nothing. */
  readonly optional?: string;
  /** Its value is a file that the program reads: a path that holds secrets lifts the command to Tier 2. */
  readonly reads?: string;
  /** Takes no value, or an attached one, and makes the program write: `sed -i`, `--in-place`. WRITE. */
  readonly writes?: string;
  /** Its value is a file that the program writes: `sort -o`. WRITE, and the path is judged as a redirection's is. */
  readonly writesTo?: string;
  /** Makes the program delete: `find -delete`. DESTRUCTIVE, Tier 2. */
  readonly destroys?: string;
  /** Its value names a program or command line that will be executed: `sort --compress-program`, `man -P`, `rg --pre`. */
  readonly executes?: string;
  /** Begins a command that ends at `;` or `+`: `find -exec`. The command is judged as if it stood alone. */
  readonly executesWords?: string;
  /** Makes the program read everything below the folders that it is given: `grep -r`. */
  readonly recurses?: string;
  /** As `executes`, without a value: it makes the program execute something that the line does not show. */
  readonly executesHidden?: string;
  /** As `network`, with a value. */
  readonly networkTo?: string;
  /** Its value makes the program act under another identity, or is a credential: `--token`, `--as`. NETWORK. */
  readonly identifies?: string;
  /** Makes the program use the network. NETWORK. */
  readonly network?: string;
  /** Always Tier 3. */
  readonly denied?: string;
}

/**
 * The meaning of the words that are no options.
 * - `any`: text that nothing is done with (echo)
 * - `none`: the row knows none; one makes the command Tier 2
 * - `reads`: files or folders that are read (cat)
 * - `pattern_then_reads`: the first is a pattern unless `-e` or `-f` gave one (grep, sed-like readers)
 * - `writes`: files that are written (tee, touch, mkdir)
 * - `command`: the first operand begins a command, which is judged as if it stood alone (nice, env, timeout after its value)
 */
export type Operands = 'any' | 'none' | 'reads' | 'pattern_then_reads' | 'writes' | 'command';

/** The effect of a program when it is called so. */
export interface Behaviour {
  readonly class: ShellClass;
  /** By default READ_ONLY is 1, ESCALATION is 3, every other class is 2. */
  readonly tier?: Tier;
  /** One clause that completes "it …": `reads files`, `deletes a resource of the cluster`. */
  readonly does: string;
  readonly options?: Options;
  readonly operands?: Operands;
  /** Words between the program and `operands: 'command'`: `timeout 5 cmd` has 1. */
  readonly skip?: number;
  /** True if words `NAME=value` may stand before the command, and set its variables (env). With `operands: 'command'`. */
  readonly assigns?: true;
  /** True if the program reads everything below the folders that it is given (rg). */
  readonly recursive?: true;
  /** True if the program reaches for a network, though only by its own configuration (kubectl get). */
  readonly network?: true;
  /** Names the function in `inspect/` that reads the words where a list of options cannot: awk's and sed's programs. */
  readonly inspect?: string;
}

/** One row of the command table: a program, and its effect by subcommand, options and operands. */
export interface ProgramRow extends Behaviour {
  /** The names the row holds for, without a path. */
  readonly names: readonly string[];
  /** True if the program executes code of the project at every start, `--version` included (yarn, mvn). */
  readonly loadsProject?: true;
  /** True if the program takes words of its command from its input (xargs). */
  readonly readsWords?: true;
  readonly style?: OptionStyle;
  /**
   * By subcommand, which may be of several words (`stash list`); the longest that fits is taken. Options before the subcommand are
   * the row's own `options`, options after it are the row's and the subcommand's. A subcommand that is not listed is judged by the
   * row's own class, so give such a row `class: 'UNKNOWN'`.
   */
  readonly subcommands?: Readonly<Record<string, Behaviour>>;
}
