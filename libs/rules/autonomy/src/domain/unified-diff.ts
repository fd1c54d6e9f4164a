import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Beyond this, finding the smallest difference takes longer than it is worth. */
const MAX_EDITS = 2_000;

/** How two sources differ, as a unified diff of three lines around each change; empty where they are the same. */
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
