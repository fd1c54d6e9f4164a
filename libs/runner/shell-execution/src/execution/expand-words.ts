import { closeSync } from 'node:fs';
import type { TreePiece, TreeWord } from '#lib/shell-safety';
import { matchFiles } from '../adapters/match-files.js';
import { readSubstitution } from '../adapters/read-substitution.js';
import { fieldsOf, isPattern, textOf, type Field, type ValuedPiece } from '../domain/field.js';
import { variableValue } from '../domain/shell-environment.js';
import { CommandFailure } from '../domain/stop.js';
import { folderOf, type Descriptors, type Line, type ShellState, type RunList } from './line.js';

/** The arguments of a program. A pattern without a match stays as it is. @throws Stop */
export async function argumentsOf(
  words: readonly TreeWord[],
  line: Line,
  state: ShellState,
  descriptors: Descriptors,
  run: RunList,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const word of words) {
    const fields = fieldsOf(await valuesOf(word, line, state, descriptors, run));
    for (const field of fields) texts.push(...filesOf(field, line, state));
  }
  return texts;
}

/** The one text of a word that is neither split nor a pattern: of a here-document. @throws Stop */
export async function contentOf(
  pieces: readonly TreePiece[],
  line: Line,
  state: ShellState,
  descriptors: Descriptors,
  run: RunList,
): Promise<string> {
  return fieldsOf(await valuesOf(pieces, line, state, descriptors, run))
    .map(textOf)
    .join('');
}

function filesOf(field: Field, line: Line, state: ShellState): readonly string[] {
  if (!isPattern(field)) return [textOf(field)];
  try {
    const found = matchFiles(field, line.folders, state.folder, line.budget);
    return found.length > 0 ? found : [textOf(field)];
  } catch (error) {
    // The folder that the pattern begins in does not exist, or is none.
    if (error instanceof CommandFailure) return [textOf(field)];
    throw error;
  }
}

async function valuesOf(
  pieces: readonly TreePiece[],
  line: Line,
  state: ShellState,
  descriptors: Descriptors,
  run: RunList,
): Promise<ValuedPiece[]> {
  const values: ValuedPiece[] = [];
  for (const piece of pieces) {
    if (piece.type === 'text' || piece.type === 'glob') {
      values.push(piece);
    } else if (piece.type === 'variable') {
      const value = variableValue(piece.name, line.environment, {
        folder: folderOf(line, state),
        status: state.status,
      });
      values.push({ type: 'value', value, split: piece.split });
    } else {
      const value = await substitute(piece, line, state, descriptors, run);
      values.push({ type: 'value', value, split: piece.split });
    }
  }
  return values;
}

/** The output of commands, which run in a copy of the state. Their status is the one that `$?` has behind them. */
async function substitute(
  { list }: Extract<TreePiece, { type: 'substitution' }>,
  line: Line,
  state: ShellState,
  descriptors: Descriptors,
  run: RunList,
): Promise<string> {
  const { read, write } = line.pipes.take();
  const inner = { ...state };
  const output = readSubstitution(read, line.limits.substitutionBytes, line.signal);
  const ran = (async () => {
    try {
      await run(list, line, inner, new Map([...descriptors, [1, write]]));
    } finally {
      closeSync(write);
    }
  })();
  // Output beyond the cap ends the line at once: the commands may write for ever.
  output.catch(line.stop);
  const [text, commands] = await Promise.allSettled([output, ran]);
  if (commands.status === 'rejected') throw commands.reason;
  if (text.status === 'rejected') throw text.reason;
  state.status = inner.status;
  return text.value;
}
