import type { ProgramRow } from './program-row.js';
import type { Shell, ShellClass, Tier } from './verdict.js';

/** A word that a program is called with, as far as the line tells it. */
export interface Argument {
  /** As the line spells it, quotes included. */
  readonly text: string;
  /** The word without its quotes; null if an expansion, a glob or the input of xargs decides it. */
  readonly value: string | null;
  /** The literal beginning of the word, without quotes. Equal to `value` for a literal. */
  readonly prefix: string;
  /** `one` word exactly, or `many`: any number of words, none included. Each of many begins with `prefix`. */
  readonly words: 'one' | 'many';
  /** The word as globs, one of which it matches; `**` stands for an unknown text. For comparison with paths. */
  readonly patterns: readonly string[];
  /** UTF-16 offsets into the command line, half open. */
  readonly start: number;
  readonly end: number;
}

/**
 * An effect that an inspection found.
 * - `effect`: the program does this. Without `tier`, the class decides, as for a row.
 * - `command`: the program executes these words as a command of their own.
 * - `assignment`: the program sets a variable, `NAME=value` or `NAME` to an unknown value; `exported` if programs see it, `given` if
 *   the value comes out of data: a shell's own integer evaluates it.
 * - `evaluates`: the shell evaluates the word, quoted or not: as the name of a variable with its subscript, or as arithmetic.
 * - `script`: a shell evaluates this word; without `shell`, the shell of the line. `loose` if the word need not be
 *   a script, so that its errors do not count.
 * - `input`: a shell evaluates the standard input.
 * - `moves`: the program works, or has others work, in another folder than the one where the line starts; `to` names it if the line does.
 * - `trustsFolder`: the program executes what the configuration of its folder names.
 */
export type Finding =
  | {
      readonly kind: 'effect';
      readonly class: ShellClass;
      readonly tier?: Tier;
      /** Stable: `shell.writes_file`. */
      readonly code: string;
      /** One clause that completes "it …". */
      readonly does: string;
      /** The word that shows it; without one, the whole command. */
      readonly at?: Argument;
    }
  | { readonly kind: 'command'; readonly words: readonly Argument[] }
  | { readonly kind: 'assignment'; readonly word: Argument; readonly exported: boolean; readonly given?: true }
  | { readonly kind: 'evaluates'; readonly word: Argument; readonly as: 'name' | 'number' }
  | { readonly kind: 'script'; readonly source: Argument; readonly shell?: Shell; readonly loose?: true }
  | { readonly kind: 'input'; readonly shell?: Shell }
  | { readonly kind: 'moves'; readonly to?: Argument }
  | { readonly kind: 'trustsFolder' };

/** The words of a call, sorted by the options of its row. */
export interface Call {
  /** The subcommand that the row lists, or an empty text. */
  readonly subcommand: string;
  /** Every option that was found, with its value if it has one. Names as the row spells them: `--output`, `-o`. */
  readonly options: readonly OptionUse[];
  /** The words that are neither options nor their values, nor the subcommand. */
  readonly operands: readonly Argument[];
  /** The words of the command that the program executes, for a row with `operands: 'command'`. The inspection is to return it. */
  readonly command: readonly Argument[] | null;
}

export interface OptionUse {
  readonly name: string;
  readonly value: Argument | null;
  readonly at: Argument;
}

/**
 * Reads the words of one call if options cannot say its effect: the programs of sed and awk. Its findings come on top
 * of the row's own.
 *
 * @param words the words after the program, subcommand and options included
 */
export type Inspect = (words: readonly Argument[], row: ProgramRow, call: Call) => readonly Finding[];
