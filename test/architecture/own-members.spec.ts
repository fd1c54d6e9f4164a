import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$|(^|\/)(fake-[^/]+|node_modules\/.*)$/.test(path))
    .map((path): readonly [path: string, text: string] => [
      `${folder}/${path}`,
      readFileSync(join(root, folder, path), 'utf8'),
    ]),
);

/** The tables of a module with any text as a key. */
const tablesOf = (text: string): string[] =>
  [...text.matchAll(/^(?:export )?const (\w+): (?:Readonly<)?(?:Partial<)?Record<string,/gm)].map(
    ([, name = '']) => name,
  );

const importedBy = (text: string): string[] =>
  [...text.matchAll(/import \{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(/[\s,]+/));

const shared = new Set(sources.flatMap(([, text]) => tablesOf(text.replaceAll(/^const /gm, ''))));

/** The reads of such tables by a name that is no literal. */
const reads = ([path, text]: readonly [string, string]): string[] =>
  [...tablesOf(text), ...importedBy(text).filter((name) => shared.has(name))].flatMap((name) =>
    [...text.matchAll(new RegExp(`\\b${name}(?:\\?\\.)?\\[(?!['\\]])|\\bin ${name}\\b(?!\\.)`, 'g'))].map(
      ([found]) => `${path}: ${found}`,
    ),
  );

it('a table is read by a name from outside through ownMember, so that it has no constructor', () => {
  expect(sources.flatMap(reads)).toEqual([]);
});

it.each([
  'const WORDS: Readonly<Record<string, string>> = {};\nconst said = WORDS[code] ?? code;',
  'export const WORDS: Record<string, string> = {};\nif (code in WORDS) return;',
  'const WORDS: Readonly<Partial<Record<string, string>>> = {};\nWORDS?.[code];',
])('the look finds %j', (text) => {
  expect(reads(['a.ts', text])).toHaveLength(1);
});
