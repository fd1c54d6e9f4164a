import { CommandError, EXIT } from './exit-codes.js';

/** One line of an input, counted from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const NEWLINE = 0x0a;

/**
 * Splits an input into lines as it comes in. Never holds more than one line and one piece of the input.
 *
 * @throws CommandError `input.line_too_long` or `input.not_utf8`, with the number of the line
 */
export async function* jsonLines(pieces: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<NumberedLine> {
  let number = 1;
  let held: Uint8Array[] = [];
  let size = 0;
  const hold = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > longest)
      throw refusal('input.line_too_long', `Line ${String(number)} is longer than ${String(longest)} bytes.`);
    held.push(piece);
  };
  const line = (): NumberedLine => {
    const text = decode(Buffer.concat(held), number);
    [held, size] = [[], 0];
    return { number: number++, text };
  };
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      hold(piece.subarray(start, end));
      start = end + 1;
      yield line();
    }
    hold(piece.subarray(start));
  }
  if (size > 0) yield line();
}

function decode(bytes: Uint8Array, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal('input.not_utf8', `Line ${String(number)} is not UTF-8.`);
  }
}

const refusal = (code: string, message: string): CommandError =>
  new CommandError(EXIT.usage, message, 'Correct the line. The lines before it have their answers.', [], code);
