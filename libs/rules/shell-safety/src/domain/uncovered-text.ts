import type { ParsedScript } from 'unbash';
import { TextReading } from './text-reading.js';
import { readScript } from './read-tree.js';

/**
 * Finds text that the tree of a script does not account for. The parser drops some tokens that bash refuses (`ls (`), so that the tree
 * alone shows a harmless command. Each character has to belong to a leaf of the tree, or to an operator or reserved
 * word around it. White space, comments and line continuations belong to nothing.
 *
 * @param source the text that the tree's positions index
 * @returns the position of the first character that nothing covers, or null
 */
export function uncoveredText(script: ParsedScript, source: string): number | null {
  const reading = new TextReading(source, script.pos, script.end);
  readScript(script, reading);
  return reading.lost;
}
