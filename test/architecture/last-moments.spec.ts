import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

const sources = ['apps', 'libs', 'policies', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|rego|sql)$/.test(path) && !/\.spec\.tsx?$|_test\.rego$|(^|\/)node_modules\//.test(path))
    .map((path) => `${folder}/${path}`),
);

const END = String.raw`(expires_?at|until(_at)?|deadline|ends_?at)`;
const NOW = String.raw`((input\.)?now|clock_timestamp\(\)|statement_timestamp\(\)|Date\.now\(\)|\(await tx\.now\(\)\)|at(?= *$))`;
/** Comparisons after which an end is still in force at its own moment. */
const afterItsEnd = new RegExp(
  String.raw`\b${END}\)? *(<|>=) *${NOW}(?![\w.])|(?<![\w.])${NOW} *(>|<=) *[\w.$]*${END}\b`,
  'i',
);

const found = (text: string): string[] =>
  text.split('\n').filter((line) => !line.includes('performance.now') && afterItsEnd.test(line));

it('a time is over at the millisecond of its end, in TypeScript, Rego and SQL', () => {
  expect(
    sources.flatMap((path) => found(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line.trim()}`)),
  ).toEqual([]);
});

it.each([
  'if (now > work.deadline) return;',
  'if (request.expiresAt >= now) return;',
  'input.now <= delegation.until',
  'where request.expires_at < at',
  'and until_at >= clock_timestamp()',
  'if (Date.parse(message.expiresAt) < Date.now()) continue;',
])('the look finds %j', (line) => {
  expect(found(line)).toEqual([line]);
});
