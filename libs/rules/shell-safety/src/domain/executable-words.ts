import type { BraceExpansionPart, DoubleQuotedChild, GlobPart, HereDocBody, Word, WordPart } from 'unbash';
import type { ReadScript } from './read-script.js';
import { NotExecutable } from './not-executable.js';
import { endOf, startOf, substitutionIn, textIn, type SourceContext } from './source-context.js';
import { checkTilde, joinText } from './tree-pieces.js';
import { BRACKET_PATTERN, TREE_VARIABLES, type TreePiece, type TreeVariable, type TreeWord } from './shell-tree.js';

/** More words than this of one word with braces are refused. */
const MAX_ALTERNATIVES = 64;
const BRACES = /^\{[\w./@+-]*(?:,[\w./@+-]*)+\}$/;

/** The words that a word of the line is: several if it holds `{a,b}`, none if such an alternative is empty. */
export function executableWords(word: Word, context: SourceContext, readScript: ReadScript): readonly TreeWord[] {
  const reading = new Reading(word, context, readScript);
  const parts = partsOf(word);
  checkTilde(parts, word, context);
  for (const [index, part] of parts.entries()) reading.part(part, index, parts);
  return reading.words.map(joinText).filter((pieces) => pieces.length > 0);
}

/** The text of a here-string or a here-document: expanded, neither split nor matched against files. */
export function executableContent(
  word: Word | HereDocBody,
  context: SourceContext,
  readScript: ReadScript,
): readonly TreePiece[] {
  const parts = partsOf(word);
  // A here-document has no tildes, quotes or patterns of its own: the parser says so by its parts.
  if (word.type === 'Word') checkTilde(parts, word, context);
  const reading = new Reading(word, context, readScript);
  for (const [index, part] of parts.entries()) {
    if (part.type === 'BraceExpansion') reading.append({ type: 'text', text: part.text });
    else reading.part(part, index, parts);
  }
  const pieces = (reading.words[0] ?? []).map((piece): TreePiece => {
    if (piece.type === 'glob') return { type: 'text', text: piece.pattern };
    return piece.type === 'text' ? piece : { ...piece, split: false };
  });
  return joinText(pieces).filter((piece) => piece.type !== 'text' || piece.text !== '');
}

const partsOf = (word: Word | HereDocBody): readonly WordPart[] =>
  word.parts ?? [
    { type: 'Literal', pos: word.pos, end: word.end, value: 'value' in word ? word.value : word.text, text: word.text },
  ];

class Reading {
  words: TreePiece[][] = [[]];

  constructor(
    readonly node: Word | HereDocBody,
    readonly context: SourceContext,
    readonly readScript: ReadScript,
  ) {}

  append(piece: TreePiece): void {
    for (const pieces of this.words) pieces.push(piece);
  }

  part(part: WordPart, index: number, parts: readonly WordPart[]): void {
    switch (part.type) {
      case 'Literal':
        this.#literal(part.value, part.text, index);
        return;
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        this.append({ type: 'text', text: part.value });
        return;
      case 'DoubleQuoted':
        // `""` is a word of its own; `"$x"` is one too, however empty.
        if (part.parts.length === 0) this.append({ type: 'text', text: '' });
        for (const child of part.parts) this.#quoted(child);
        return;
      case 'Glob':
        // The parser gives `**` as one part.
        for (const pattern of part.kind === 'star' ? part.text : [this.#pattern(part)])
          this.append({ type: 'glob', pattern });
        return;
      case 'BraceExpansion':
        this.#braces(part, parts[index - 1]);
        return;
      case 'LocaleString':
        throw this.#refusal(part, 'Write the text in plain double quotes.');
      case 'ExtendedGlob':
        throw this.#refusal(part, 'Write plain patterns: *, ? and [a-z].');
      case 'ArithmeticExpansion':
        throw this.#refusal(part, 'Write the number itself.');
      case 'ProcessSubstitution':
        throw this.#refusal(part, 'Write to a file first, and read that file.');
      case 'SimpleExpansion':
      case 'ParameterExpansion':
      case 'CommandExpansion':
        this.#expansion(part, this.node.type === 'Word');
    }
  }

  #quoted(part: DoubleQuotedChild): void {
    if (part.type === 'Literal') this.append({ type: 'text', text: part.value });
    else if (part.type === 'ArithmeticExpansion') throw this.#refusal(part, 'Write the number itself.');
    else this.#expansion(part, false);
  }

  #expansion(
    part: Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' }>,
    split: boolean,
  ): void {
    if (part.type === 'CommandExpansion') {
      this.append({ type: 'substitution', list: this.#substitution(part), split });
      return;
    }
    const plain = part.type === 'SimpleExpansion' || (part.prefix ?? part.index ?? part.operation) === undefined;
    const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : part.parameter;
    if (!plain || !isVariable(name))
      throw this.#refusal(part, `Write the value itself, or use ${TREE_VARIABLES.join(', ')}.`);
    this.append({ type: 'variable', name, split });
  }

  #substitution(part: Extract<WordPart, { type: 'CommandExpansion' }>): ReturnType<ReadScript> {
    const { context } = this;
    const { script } = part;
    const span = { start: startOf(context, part.pos), end: endOf(context, part.end) };
    // The parser decodes the backslashes of nested backticks: positions in them are positions of another text.
    const inner = script?.source === undefined ? context : textIn(context, script.source, 0, span);
    const list = script === undefined ? [] : this.readScript(script, substitutionIn(inner));
    const only = list.length === 1 && list[0]?.commands.length === 1 ? list[0].commands[0] : undefined;
    if (list.length === 0 || only?.program === null)
      throw this.#refusal(part, 'Write $(cat file) instead of $(<file).');
    return list;
  }

  #literal(value: string, raw: string, index: number): void {
    if (index === 0 && this.node.type === 'Word' && /^~(?:\/|$)/.test(raw)) {
      this.append({ type: 'variable', name: 'HOME', split: false });
      if (value !== '~') this.append({ type: 'text', text: value.slice(1) });
    } else if (value !== '') {
      this.append({ type: 'text', text: value });
    }
  }

  #pattern(part: GlobPart): string {
    const { text, parts } = part;
    const plain = parts?.every((inner) => inner.type === 'Literal' && inner.text === inner.value) ?? true;
    if (!plain || (text.startsWith('[') && !BRACKET_PATTERN.test(text))) {
      throw this.#refusal(part, 'Write *, ? and sets of plain characters: [a-z].');
    }
    return text;
  }

  #braces(part: BraceExpansionPart, before: WordPart | undefined): void {
    // `$HOME{a,b}` is `$HOMEa $HOMEb`: bash takes braces for text before it looks for names.
    if (!BRACES.test(part.text) || before?.type === 'SimpleExpansion') {
      throw this.#refusal(part, 'Write each word out, or use {a,b} with plain words.');
    }
    const alternatives = part.text.slice(1, -1).split(',');
    if (this.words.length * alternatives.length > MAX_ALTERNATIVES) {
      throw this.#refusal(part, `Write at most ${String(MAX_ALTERNATIVES)} words by braces.`);
    }
    this.words = this.words.flatMap((pieces) =>
      alternatives.map((text) => (text === '' ? [...pieces] : [...pieces, { type: 'text' as const, text }])),
    );
  }

  #refusal(part: WordPart, advice: string): NotExecutable {
    return new NotExecutable(part.type, advice, this.context, part);
  }
}

const isVariable = (name: string): name is TreeVariable => TREE_VARIABLES.some((one) => one === name);
