/** A piece of output, of either stream. */
export interface OutputChunk {
  readonly seq: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The end of an output, and the number of lines before it. */
export interface OutputTail {
  readonly chunks: readonly OutputChunk[];
  readonly hiddenLines: number;
}

const MAX_LINES = 12;
const MAX_CHARACTERS = 1_600;

const linesIn = (text: string): number => text.split('\n').length - 1;

/** The last lines of an output, where a program says how it ended. A line that is longer than the room is cut at its start. */
export function outputTail(chunks: readonly OutputChunk[]): OutputTail {
  const whole = chunks.map(({ text }) => text).join('');
  const from = startOfTail(whole);
  const kept: OutputChunk[] = [];
  let at = 0;
  for (const chunk of chunks) {
    const text = chunk.text.slice(Math.max(0, from - at));
    at += chunk.text.length;
    if (text !== '') kept.push({ ...chunk, text });
  }
  return { chunks: kept, hiddenLines: from === 0 ? 0 : Math.max(1, linesIn(whole.slice(0, from))) };
}

function startOfTail(whole: string): number {
  // The line end at the very end begins no line.
  let from = whole.endsWith('\n') ? whole.length - 1 : whole.length;
  for (let lines = 0; lines < MAX_LINES; lines += 1) {
    const before = from === 0 ? -1 : whole.lastIndexOf('\n', from - 1);
    if (before < 0) {
      from = 0;
      break;
    }
    from = before;
  }
  const start = from === 0 && !whole.startsWith('\n') ? 0 : from + 1;
  return Math.max(start, whole.length - MAX_CHARACTERS);
}
