import { parse, type ParsedScript, type Redirection, type Word } from 'unbash';
import type { CommandTable } from './command-table.js';
import type { Argument } from './inspection.js';
import { judgeWords } from './judge-words.js';
import { effectAt } from './effect.js';
import type { Judgement } from './judgement.js';
import { expandsHistory, readOtherwise } from './other-shells.js';
import {
  deeper,
  endOf,
  lineOf,
  readBy,
  startOf,
  substitutionIn,
  textIn,
  type SourceContext,
} from './source-context.js';
import type { ReadCall } from './read-call.js';
import { literal, readWord } from './read-word.js';
import type { Node, Reader, CommandContext } from './reader.js';
import { unparsable } from './refusal.js';
import { meansMore } from './shell-characters.js';
import { uncoveredText } from './uncovered-text.js';
import type { Shell } from './verdict.js';
import { walkStatements } from './walk-nodes.js';
import { walkParts } from './walk-parts.js';
import { walkRedirections } from './walk-redirections.js';

/** Walks the tree of a line. The only place that parses. */
export class Walk implements Reader {
  /** True while a text is read that need not be a script: its errors do not count. */
  #lenient = false;

  constructor(
    readonly judgement: Judgement,
    readonly table: CommandTable,
  ) {}

  /** @throws Refusal if the line cannot be read. */
  line(text: string, shell: Shell): ParsedScript {
    const script = parse(text);
    this.#read(script, lineOf(text, shell));
    return script;
  }

  script(script: ParsedScript | undefined, context: SourceContext, at: Node): void {
    const span = { start: startOf(context, at.pos), end: endOf(context, at.end) };
    this.judgement.checkDepth(context.depth + 1, span.start, span.end);
    if (script === undefined) throw unparsable('The substitution has no end.', span.start, span.end);
    // The parser decodes the backslashes of nested backticks: positions in them are positions of another text.
    const inner = script.source === undefined ? context : textIn(context, script.source, 0, span);
    this.#read(script, substitutionIn(inner));
  }

  again(text: string, position: number, context: SourceContext): void {
    this.#leniently(text, textIn(context, text, context.shift + position, context.whole));
  }

  evaluated(source: Argument, context: SourceContext, shell: Shell = context.shell): void {
    this.judgement.checkDepth(context.depth + 1, source.start, source.end);
    const { value, text } = source;
    const inner = readBy(deeper(context), shell);
    if (value !== null) {
      this.#read(parse(value), wordIn(inner, source, value));
      return;
    }
    const effect = effectAt(source, 'UNKNOWN', 2, 'shell.dynamic_script', `${text} decides which commands run.`);
    this.judgement.construct(effect);
    const shown = /^(["'])[\s\S]*\1$/.test(text) ? text.slice(1, -1) : text;
    this.#leniently(shown, wordIn(inner, source, shown));
  }

  loosely(source: Argument, context: SourceContext): void {
    const { parts } = this.judgement;
    const before = parts.length;
    const text = source.value ?? source.text;
    this.#leniently(text, wordIn(context, source, text));
    // A path or a setting looks like an unknown program, which would be a false name to show.
    const known = parts
      .slice(before)
      .filter(({ reasons }) => reasons.some(({ code }) => code !== 'shell.unknown_program'));
    parts.splice(before, parts.length - before, ...known);
  }

  word(word: Word, context: SourceContext): Argument {
    const start = startOf(context, word.pos);
    const end = endOf(context, word.end);
    this.judgement.countWord(start, end);
    const { text } = word;
    // Such a word has no parts, and no shell reads it as anything but its text.
    if (!meansMore(text)) return literal(text, text, start, end);
    const otherwise = readOtherwise(word, context.source, context.shell);
    if (otherwise !== null) {
      this.judgement.construct(effectAt({ start, end }, 'UNKNOWN', 3, 'shell.other_shell', `${otherwise}.`));
    }
    if (expandsHistory(word)) {
      const message = 'An interactive shell puts an earlier line in the place of !.';
      this.judgement.construct(effectAt({ start, end }, 'UNKNOWN', 2, 'shell.history_expansion', message));
    }
    if (word.parts !== undefined) walkParts(word.parts, context, this);
    return readWord(word, context);
  }

  redirections(redirections: readonly Redirection[], context: SourceContext): void {
    walkRedirections(redirections, context, this);
  }

  words(words: readonly Argument[], commandContext: CommandContext, direct: boolean): ReadCall | null {
    return judgeWords(words, commandContext, direct, this);
  }

  #read(script: ParsedScript, context: SourceContext): void {
    this.#check(script, context);
    walkStatements(script.commands, context, null, this);
    // Words are parsed when they are walked: errors can appear in the meantime.
    this.#check(script, context);
    this.#checkCovered(script, context);
  }

  #check(script: ParsedScript, context: SourceContext): void {
    const error = script.errors?.[0];
    if (error === undefined || this.#lenient) return;
    const start = startOf(context, error.pos);
    throw unparsable(`The line is no valid command: ${error.message}.`, start, start);
  }

  #checkCovered(script: ParsedScript, context: SourceContext): void {
    const lost = this.#lenient ? null : uncoveredText(script, context.source);
    if (lost === null) return;
    const start = startOf(context, lost);
    throw unparsable('The line is no valid command: this text has no meaning here.', start, start);
  }

  #leniently(text: string, context: SourceContext): void {
    const before = this.#lenient;
    this.#lenient = true;
    try {
      const { depth } = context;
      this.judgement.checkDepth(depth + 1, startOf(context, 0), endOf(context, text.length));
      walkStatements(parse(text).commands, deeper(context), null, this);
    } finally {
      this.#lenient = before;
    }
  }
}

/** Positions in a quoted word are positions of the line if the quotes hide nothing else. */
function wordIn(context: SourceContext, { text: spelled, start, end }: Argument, text: string): SourceContext {
  const length = end - start;
  if (length === spelled.length && spelled === text) return textIn(context, text, start, null);
  if (length === text.length + 2 && spelled.startsWith(text, 1)) return textIn(context, text, start + 1, null);
  return textIn(context, text, 0, { start, end });
}
