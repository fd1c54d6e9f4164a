import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { inDuration, stateInWords, textPieces, thousands } from '#lib/words';
import type { Io } from './io.js';

/** The outputs of a command: results to standard output, everything else to standard error. */
export interface Output {
  readonly json: boolean;
  /** The command's result: `lines` for people, or `value` as JSON with --json. */
  result(value: unknown, lines: readonly string[]): void;
  /** One of many results: a line for people, or `value` as one line of JSON. */
  event(value: unknown, line: string): void;
  /** Progress and hints; silent with --json. */
  readonly note: (text: string) => void;
}

export function terminalOutput(json: boolean, io: Pick<Io, 'out' | 'err'>): Output {
  return {
    json,
    result: (value, lines) => {
      io.out(json ? `${jsonText(value, 2)}\n` : `${lines.join('\n')}\n`);
    },
    event: (value, line) => {
      io.out(`${json ? jsonText(value) : line}\n`);
    },
    note: (text) => {
      if (!json) io.err(`${text}\n`);
    },
  };
}

/** JSON that a terminal shows as it is. JSON lets characters stand that a terminal would obey or hide, so these are escaped. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join(''),
  );

// Text of agents and of tool servers ends up in a terminal. A character is shown by its code if it could move the cursor or turn
// the terminal's writing around. So is one that could hide there or pass for another.
const visible = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** Text from outside, with control, zero-width and bidirectional-formatting characters made visible (T10). */
export const safe = (text: string, order: 'word' | 'whole' = 'word'): string =>
  textPieces(text, order)
    .map((piece) => (piece.hidden ? `<${piece.text}>` : piece.text.replaceAll('\r', '<U+000D>')))
    .join('');

/** The same on one line: a line break cannot pretend to be a line of ours. */
export const oneLine = (text: string): string => onOneLine(safe(text));

/** A command line or a value on one line, which a machine reads from left to right. Letters of the other direction are named. */
export const valueLine = (text: string): string => onOneLine(safe(text, 'whole'));

const onOneLine = (text: string): string => text.replace(/[\n\t]/g, visible);

/** Somebody else's words, line by line behind a bar, so that they cannot be taken for ours. */
export const quoted = (text: string): string[] =>
  safe(text)
    .split('\n')
    .map((line) => `${pc.dim('│')} ${line}`);

export const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? line : `  ${line}`));

/** Names and values under each other; a value may have colours, and must be safe already. */
export function fields(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${pc.dim(name.padEnd(width))}  ${value}`.trimEnd());
}

/** A text from anywhere, or one with the colour that it gets once it is safe. A text that has colours already is not safe. */
export type Cell = string | { readonly text: string; readonly colour: (text: string) => string };

/** Between two columns, and before those that continue a row below. */
const GAP = '  ';
const BELOW = '    ';

/**
 * Columns of text, each as wide as its widest cell. A terminal may be too narrow for a row. Then its last columns stand below the
 * others, in every row the same ones.
 *
 * @param states the columns that hold states, to be coloured.
 * @param room characters in a line; without a terminal there is no end to it.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  states: readonly number[] = [],
  room: number = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string[] {
  const cells = rows.map((row) =>
    row.map((cell, column) => {
      if (typeof cell !== 'string') return cell.colour(oneLine(cell.text));
      return states.includes(column) && cell !== '' ? state(oneLine(cell)) : oneLine(cell);
    }),
  );
  const widthOf = (cell: string): number => stripVTControlCharacters(cell).length;
  const widths = header.map((name, column) => Math.max(name.length, ...cells.map((row) => widthOf(row[column] ?? ''))));
  const lines = columnsOfLines(widths, room);
  const linesOf = (row: readonly string[]): string[] =>
    lines.map((columns, line) => {
      const padded = columns.map((column) => {
        const cell = row[column] ?? '';
        return cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
      });
      return ((line === 0 ? '' : BELOW) + padded.join(GAP)).trimEnd();
    });
  return [...linesOf(header).map((line) => pc.dim(line)), ...cells.flatMap(linesOf)];
}

/** The columns of each line of a row. */
function columnsOfLines(widths: readonly number[], room: number): number[][] {
  const lines: number[][] = [];
  let left = -1;
  for (const [column, width] of widths.entries()) {
    if (lines.length === 0 || width + GAP.length > left) {
      left = room - (lines.length === 0 ? 0 : BELOW.length) + GAP.length;
      lines.push([]);
    }
    left -= width + GAP.length;
    lines.at(-1)?.push(column);
  }
  return lines;
}

const good = new Set([
  'approved',
  'completed',
  'executed',
  'succeeded',
  'consumed',
  'validated',
  'simulated',
  'compensated',
  'allow',
  'approve',
]);
const bad = new Set([
  'denied',
  'rejected',
  'failed',
  'rollback_failed',
  'compensation_failed',
  'invalid',
  'expired',
  'voided',
  'deny',
  'reject',
  'rolled_back',
  'unknown',
  'cancelled',
]);

/** A state in words, in the colour of its meaning. */
export function state(name: string): string {
  const words = stateInWords(name);
  if (good.has(name)) return pc.green(words);
  return bad.has(name) ? pc.red(words) : pc.yellow(words);
}

/** `2026-11-21 23:31:10 UTC`. */
export const moment = (timestamp: string): string => `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;

/** A length of time, as much of it as matters. */
export const duration = (seconds: number): string => inDuration(Math.round(seconds) * 1_000);

/** `1 target`, `2 targets`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${thousands(count)} ${count === 1 ? noun : plural}`;
