import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const folders = (path: string): string[] => readdirSync(join(root, path)).sort();

const { imports } = read('package.json') as { imports: Readonly<Record<string, { types: string; default: string }>> };
const { compilerOptions } = read('tsconfig.paths.json') as { compilerOptions: { paths: unknown } };
// oxlint-disable-next-line typescript/no-require-imports -- the configuration is CommonJS
const { forbidden } = require('../../.dependency-cruiser.cjs') as { forbidden: readonly { name: string }[] };
const ordered = forbidden.flatMap(({ name }) => /^group-order-(.+)$/.exec(name)?.[1] ?? []);
const groups = [...ordered, 'assembly'];

describe('the folders of libs/', () => {
  it('are the groups of the import rules, and README.md tells of each', () => {
    expect(folders('libs')).toEqual([...groups].sort());
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    expect(groups.filter((group) => !readme.includes(`\`libs/${group}\``))).toEqual([]);
  });

  it('hold the libraries that the aliases name, for Node and for the build', () => {
    const libraries = groups.flatMap((group) => folders(`libs/${group}`).map((name) => [name, group] as const));
    expect(imports).toEqual(
      Object.fromEntries(
        libraries.map(([name, group]) => [
          `#lib/${name}`,
          {
            types: `./libs/${group}/${name}/src/index.ts`,
            default: `./dist/libs/${group}/${name}/src/index.js`,
          },
        ]),
      ),
    );
  });

  it('have the same aliases in tsconfig, for tools that read no package.json', () => {
    expect(compilerOptions.paths).toEqual(
      Object.fromEntries(Object.entries(imports).map(([alias, { types }]) => [alias, [types]])),
    );
  });
});
