import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** The effort after which the search for the smallest difference stops. */
const MAX_EDITS = 2_000;

/** The unified diff of two sources, with three lines around each change. Empty if they are equal. */
export function unifiedDiff(
  before: { readonly name: string; readonly source: string },
  after: { readonly name: string; readonly source: string },
): string {
  if (before.source === after.source) return '';
  const patch = createTwoFilesPatch(before.name, after.name, before.source, after.source, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return (
    patch ?? `--- ${before.name}\n+++ ${after.name}\n${prefixed('-', before.source)}${prefixed('+', after.source)}`
  );
}

const prefixed = (sign: string, source: string): string =>
  source
    .split('\n')
    .map((line) => `${sign}${line}\n`)
    .join('');
