import { effectAt, type Effect } from './effect.js';
import type { Argument } from './inspection.js';
import { LIMITS } from './limits.js';
import { assignmentEffect } from './judge-assignment.js';
import { addEffect, partAt } from './judged-part.js';
import { readArithmetic, type Arithmetic } from './read-arithmetic.js';
import { expandsToNumber } from './read-word.js';
import { Refusal } from './refusal.js';
import { isSecretVariable } from './secret-variables.js';
import { isSetByShell } from './set-by-shell.js';
import { SHELL_INTEGERS } from './shell-integers.js';
import type { Stored } from './spelled-values.js';
import { movedReadEffect, reachedFolders } from './moved-reads.js';
import { mayBeOption, variableReadEffect, variablesOf, type Variables } from './variable-reads.js';
import type { Part, Shell } from './verdict.js';

/** Names by which bash and zsh set `$0`, and `$1` and those that follow. */
const NAMES_PARAMETERS = /^(?:BASH_ARGV0|argv|\d+)$/;

/** Collects the parts of a line while its tree is walked, and holds the caps on work. */
export class Judgement {
  readonly parts: Part[] = [];
  network = false;
  /** The functions that the line defines, each with the names that its body calls. */
  #functions: Map<string, Set<string>> | null = null;
  #inside: string[] | null = null;
  #evaluated: Set<string> | null = null;
  readonly #stored: Stored[] = [];
  readonly #reads: { readonly word: Argument; readonly splits: boolean }[] = [];
  readonly #trusting: Argument[] = [];
  readonly #mayRecurse: Argument[] = [];
  #moves = false;
  readonly #folders: Argument[] = [];
  #words = 0;
  #commands = 0;

  constructor(readonly shell: Shell) {}

  add(part: Part): void {
    this.parts.push(part);
  }

  /** Adds a part for a construct that is no command. */
  construct(effect: Effect): void {
    const part = partAt(effect.start, effect.end, null);
    addEffect(part, effect);
    this.parts.push(part);
  }

  enterFunction(name: string): void {
    this.#inside ??= [];
    this.#inside.push(name);
    this.#functions ??= new Map();
    if (!this.#functions.has(name)) this.#functions.set(name, new Set());
  }

  leaveFunction(): void {
    this.#inside?.pop();
  }

  /** Notes a call, which is a function's if the line defines one of that name. */
  call(name: string): void {
    if (this.#inside === null) return;
    for (const caller of this.#inside) this.#functions?.get(caller)?.add(name);
  }

  /** The name of a function that calls itself, through others or directly: a fork bomb does. */
  recursion(): string | null {
    if (this.#functions === null) return null;
    for (const name of this.#functions.keys()) {
      // Sets keep their order and grow while they are iterated.
      const reached = new Set(this.#functions.get(name));
      for (const callee of reached) {
        if (callee === name) return name;
        for (const next of this.#functions.get(callee) ?? []) reached.add(next);
      }
    }
    return null;
  }

  /** Notes variables: arithmetic, or a builtin, takes their values for expressions. */
  evaluate(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#evaluated ??= new Set();
    for (const name of names) this.#evaluated.add(name);
  }

  /** Notes and judges the variables of an expression: those that it assigns to may change which program runs. */
  calculate({ names, assigned }: Arithmetic, at: { readonly start: number; readonly end: number }): void {
    this.evaluate(names);
    const secret = names.find(isSecretVariable);
    if (secret !== undefined) {
      const message = `A shell prints the value of ${secret}, which may be a secret, if it is no number.`;
      this.construct(effectAt(at, 'READ_ONLY', 2, 'shell.reads_secret', message));
    }
    const chosen = names.find(isSetByShell);
    if (chosen !== undefined) {
      const message = `${chosen} is evaluated, and the shell gives it a text that another command chose.`;
      this.construct(effectAt(at, 'UNKNOWN', 2, 'shell.evaluates_unknown_text', message));
    }
    for (const name of assigned) {
      const effect = assignmentEffect(name, null, false, at);
      if (effect !== null) this.construct(effect);
    }
  }

  /** Notes the value that the line gives a variable; `given` if the line does not show it. The shell evaluates it at once if the variable is one of its own integers. */
  store(name: string, value: Argument, given = false): void {
    this.#stored.push({ name: NAMES_PARAMETERS.test(name) ? '@' : name, value, given });
    if (SHELL_INTEGERS.has(name)) this.evaluate([name]);
  }

  /**
   * Judges values that are evaluated as expressions: a subscript in them executes commands, out of single quotes too.
   * Values that were set before the line count as trusted; the line must not set others.
   */
  judgeEvaluated(): void {
    if (this.#evaluated === null) return;
    // Sets keep their order and grow while they are iterated: names in values are evaluated in turn.
    for (const name of this.#evaluated) {
      const stored = this.#stored.flatMap((each) => (each.name === name ? [each.value] : []));
      const together = stored.flatMap(({ value }) => value ?? []).join(' ');
      for (const value of stored) {
        const { start, end } = value;
        const said = name === '@' ? 'a parameter' : name;
        if (value.patterns.some((pattern) => /[$`]/.test(pattern))) {
          const message = `The value of ${said} is evaluated, and executes the command in it.`;
          this.construct({ class: 'UNKNOWN', tier: 3, code: 'shell.evaluates_quoted_text', message, start, end });
        } else if (expandsToNumber(value)) {
          continue;
        } else if (value.value === null) {
          const message = `The value of ${said} is evaluated, and the line does not show it.`;
          this.construct({ class: 'UNKNOWN', tier: 2, code: 'shell.evaluates_unknown_text', message, start, end });
        } else {
          this.calculate(
            { names: readArithmetic(value.value)?.names ?? [], assigned: looselyAssigned(together) },
            value,
          );
        }
      }
    }
  }

  /** Notes a file that the line reads; `splits` if the shell makes several words of a value outside quotes. */
  read(word: Argument, splits: boolean): void {
    this.#reads.push({ word, splits });
  }

  /** Judges files that variables of the line name, or folders that it goes to. A loop can read one before the line that sets it. */
  judgeReads(): void {
    let variables: Variables | null = null;
    const folders = this.#folders.length === 0 ? null : reachedFolders(this.#folders);
    for (const { word, splits } of this.#reads) {
      if (word.value === null) {
        variables ??= variablesOf(this.#stored, this.shell);
        const effect = variableReadEffect(word, splits, variables);
        if (effect !== null) this.construct(effect);
      }
      const moved = folders === null ? null : movedReadEffect(word, folders);
      if (moved !== null) this.construct(moved);
    }
    for (const word of this.#mayRecurse) {
      if (!mayBeOption(word, this.#stored)) continue;
      const message = `${word.text} may be an option by which the program reads hidden files too.`;
      this.construct(effectAt(word, 'READ_ONLY', 2, 'shell.reads_secret', message));
    }
  }

  /** Notes a word that makes its program read hidden files, if it is an option. */
  mayRecurse(word: Argument): void {
    this.#mayRecurse.push(word);
  }

  /** Notes that a command works in another folder than the one where the line starts. */
  move(to?: Argument): void {
    this.#moves = true;
    if (to !== undefined) this.#folders.push(to);
  }

  /** Notes a program that executes commands from the configuration of its folder. */
  trustFolder(program: Argument): void {
    this.#trusting.push(program);
  }

  /** Judges programs in other folders: ordinary files of any folder can make it a repository. Loops and functions hide the order of commands. */
  judgeMoves(): void {
    if (!this.#moves) return;
    for (const program of this.#trusting) {
      const message = `${program.text} may work in another folder, and executes the programs that its configuration names.`;
      this.construct(effectAt(program, 'UNKNOWN', 2, 'shell.trusts_other_folder', message));
    }
  }

  /** @throws Refusal at the command that is one too many. */
  countCommand(start: number, end: number): void {
    if (++this.#commands > LIMITS.commands) {
      const most = String(LIMITS.commands);
      throw new Refusal('shell.too_many_commands', `The line holds more than ${most} commands. Split it.`, start, end);
    }
  }

  /** @throws Refusal at the word that is one too many. */
  countWord(start: number, end: number): void {
    if (++this.#words > LIMITS.words) {
      const most = String(LIMITS.words);
      throw new Refusal('shell.too_many_words', `The line holds more than ${most} words. Split it.`, start, end);
    }
  }

  /** @throws Refusal if constructs stand inside each other too deeply. */
  checkDepth(depth: number, start: number, end: number): void {
    if (depth > LIMITS.depth) {
      const most = String(LIMITS.depth);
      throw new Refusal(
        'shell.too_deep',
        `More than ${most} constructs stand inside each other. Flatten them.`,
        start,
        end,
      );
    }
  }
}

/**
 * The names in a part of an expression, if the whole may assign to them. `PATH=` alone assigns nothing, and `x+==5`
 * appends to `x`.
 */
const looselyAssigned = (text: string): readonly string[] =>
  /[-+=]/.test(text) ? (text.match(/[A-Za-z_]\w*/g) ?? []) : [];
