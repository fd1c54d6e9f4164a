import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** The TypeScript files of these folders, with their texts. */
const textsOf = (...folders: readonly string[]): readonly (readonly [path: string, text: string])[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules/'))
      .map((path) => [`${folder}/${path}`, readFileSync(join(root, folder, path), 'utf8')] as const),
  );

/** Tests, suites of contracts, and the fakes that hold tables for them. */
const IS_TEST = /\.(spec|contract)\.tsx?$|\/fake-[^/]*$|^test\//;

const texts = textsOf('apps', 'libs', 'test').filter(([path]) => path !== 'test/architecture/stable-codes.spec.ts');
const named = new Set(
  texts.flatMap(([path, text]) => (IS_TEST.test(path) ? [...(text.match(/[a-z_]+\.[a-z_.]*[a-z_]/g) ?? [])] : [])),
);
const codes = new Set(
  texts.flatMap(([path, text]) =>
    IS_TEST.test(path) ? [] : [...text.matchAll(/\bcode: '([a-z_]+\.[a-z_.]+)'/g)].map(([, code = '']) => code),
  ),
);

describe('a stable code', () => {
  it('is found in the sources', () => {
    expect(codes.size).toBeGreaterThan(500);
    expect([...codes]).toEqual(expect.arrayContaining(['run.paths_differ', 'shell.fork_bomb', 'router.wrong_target']));
  });

  it('stands in a test by its full name', () => {
    expect([...codes].filter((code) => !named.has(code))).toEqual([]);
  });
});
