import { oneLine } from '../output.js';

const WIDTH = 100;

/** A run of names that count up by one: `web-01…web-05`. Nothing is left out that the reader could not name. */
interface Stretch {
  readonly first: string;
  readonly last: string;
  readonly length: number;
}

/** Names, with consecutive numbers drawn together, in lines of a readable width. */
export function namesLines(names: readonly string[]): string[] {
  const words = stretches(names).map(({ first, last, length }) => {
    if (length < 3) return length === 1 ? oneLine(first) : `${oneLine(first)} ${oneLine(last)}`;
    return `${oneLine(first)}…${oneLine(last)}`;
  });
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

export const namesText = (names: readonly string[]): string => namesLines(names).join(' ');

function stretches(names: readonly string[]): Stretch[] {
  const found: Stretch[] = [];
  for (const name of names) {
    const before = found.at(-1);
    if (before !== undefined && follows(before.last, name)) {
      found[found.length - 1] = { ...before, last: name, length: before.length + 1 };
    } else found.push({ first: name, last: name, length: 1 });
  }
  return found;
}

/** Whether `next` is `name` with its last number one higher, and written alike. */
function follows(name: string, next: string): boolean {
  const here = numbered(name);
  const there = numbered(next);
  return (
    here !== null &&
    there !== null &&
    here.stem === there.stem &&
    here.digits.length === there.digits.length &&
    Number(there.digits) === Number(here.digits) + 1
  );
}

function numbered(name: string): { stem: string; digits: string } | null {
  const [, stem, digits] = /^(.*?)(\d{1,9})$/.exec(name) ?? [];
  return stem === undefined || digits === undefined ? null : { stem, digits };
}
