import type { Command, ParsedScript, Word, WordPart } from 'unbash';
import { meansMore } from './shell-characters.js';

/** The command of a line that is one program and its words: no operator, redirection, assignment or expansion. Null for others. */
export function plainCommand(script: ParsedScript, text: string): Command | null {
  const [statement, another] = script.commands;
  if (statement === undefined || another !== undefined || statement.background === true) return null;
  const { command } = statement;
  if (command.type !== 'Command' || command.prefix.length > 0) return null;
  // `ls;` and `ls # comment` end with more than the command.
  if (command.end < text.length && text.slice(command.end).trim() !== '') return null;
  if (command.name === undefined || !isPlain(command.name)) return null;
  return command.suffix.every((node) => node.type === 'Word' && isPlain(node)) ? command : null;
}

const isPlain = (word: Word): boolean =>
  !meansMore(word.text) || word.parts === undefined || word.parts.every(isPlainPart);

function isPlainPart(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true;
    case 'DoubleQuoted':
      return part.parts.every(isPlainPart);
    case 'Glob':
      return part.parts === undefined || part.parts.every(isPlainPart);
    default:
      return false;
  }
}
