import type { CommandNode, ParsedScript, PipeOperator, Redirection, Word } from 'unbash';
import type { CommandTable } from './command-table.js';
import type { Argument } from './inspection.js';
import type { Judgement } from './judgement.js';
import type { SourceContext } from './source-context.js';
import type { ReadCall } from './read-call.js';
import type { Shell } from './verdict.js';

/** A piece of the tree, by its positions. */
export interface Node {
  readonly pos: number;
  readonly end: number;
}

/** The commands of a pipeline that feed a command, or null if none does. */
export interface Input {
  readonly pipeline: readonly CommandNode[];
  /** The signs between them: `|&` passes complaints on. */
  readonly operators: readonly PipeOperator[];
  /** How many of them. */
  readonly count: number;
  /** As the rows of their programs read them; null if the table has no row. */
  readonly calls: readonly (ReadCall | null)[];
  /** The input of the first of them. */
  readonly input: Input | null;
}

/** The context of a command. */
export interface CommandContext {
  readonly context: SourceContext;
  readonly input: Input | null;
  readonly redirections: readonly Redirection[];
}

/** The parts of the visitor, as they need each other. */
export interface Reader {
  readonly judgement: Judgement;
  readonly table: CommandTable;
  /** Walks a script of the tree, a substitution for example. */
  script(script: ParsedScript | undefined, context: SourceContext, at: Node): void;
  /** Parses a piece of the line a second time, as commands. Its own errors do not count. */
  again(text: string, position: number, context: SourceContext): void;
  /** Parses a word that a shell evaluates. */
  evaluated(source: Argument, context: SourceContext, shell?: Shell): void;
  /** As `evaluated`, for a word that may be no script: its errors do not count. */
  loosely(source: Argument, context: SourceContext): void;
  /** Reads one word, and everything that the shell executes to expand it. */
  word(word: Word, context: SourceContext): Argument;
  redirections(redirections: readonly Redirection[], context: SourceContext): void;
  /**
   * Judges words as a command. `direct` is false for the command of a wrapper, which is never a function.
   *
   * @returns the words as the row of their program reads them; null if the table has no row.
   */
  words(words: readonly Argument[], commandContext: CommandContext, direct: boolean): ReadCall | null;
}
