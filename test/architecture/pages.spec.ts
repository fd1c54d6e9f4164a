import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE_PATHS } from '../../apps/api/src/web/page-paths.js';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ''))].sort();

const routes = found(read('apps/web/src/routes.tsx'), /path: '\/([^']*)'/g);
const navigation = found(read('apps/web/src/shell/navigation.ts'), /path: '\/([^']*)'/g);

/** Pages that another page leads to, or a link from outside. */
const NOT_IN_NAVIGATION = [
  'audit/reports',
  'audit/verify',
  'automations/new',
  'automations/safe-tools',
  'found',
  'invitation',
  'welcome',
];

describe('a page of the web UI', () => {
  it('has its path in apps/web/src/routes.tsx and in apps/api/src/web/page-paths.ts, which serves it', () => {
    expect([...PAGE_PATHS].sort()).toEqual(routes);
  });

  it('stands in apps/web/src/shell/navigation.ts, unless it shows one thing or another page leads to it', () => {
    const lists = routes.filter((path) => !path.includes(':'));
    expect(lists.filter((path) => !navigation.includes(path))).toEqual(NOT_IN_NAVIGATION);
    expect(navigation.filter((path) => !routes.includes(path))).toEqual([]);
  });
});

/** A list that says it is empty as soon as it is not being read. It says so also if it could not be read. */
const emptyUnread = (source: string): string[] =>
  found(source, /(!\w+\.isPending &&(?! \w+\.error === null)[^&?;]*\.length === 0)/g);

it('a list of a page says that it is empty only if it was read', () => {
  const folder = join(root, 'apps/web/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((name) => emptyUnread(readFileSync(join(folder, name), 'utf8')).length > 0)).toEqual([]);
  expect(emptyUnread('{!list.isPending && list.items.length === 0 && <p>None.</p>}')).toHaveLength(1);
  expect(emptyUnread('{!list.isPending && list.error === null && list.items.length === 0 && <p>None.</p>}')).toEqual(
    [],
  );
});

describe('a page of the web UI, in tests', () => {
  const tests = readdirSync(join(root, 'test/browser')).map((name) => read(`test/browser/${name}`));
  const PARAMETER = /(?:\$\{[^}]*\}|[^'"`/{}]+)/.source;
  /** Its address as a text of its own, with a name or an id in the place of each parameter. It is no path of the API. */
  const opens = (path: string): RegExp =>
    new RegExp(`(?<!/v1)['"\`}]/${path.replaceAll(/:\w+/g, () => PARAMETER)}['"\`?#]`);

  it('is opened by a test in test/browser, where axe looks at it', () => {
    const unopened = routes.filter((path) => !tests.some((text) => opens(path).test(text)));
    // A test follows the link of a row.
    expect(unopened).toEqual(['settings/webhooks/:id']);
  });
});

describe('a path of the API', () => {
  const controllers = readdirSync(join(root, 'apps/api/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.controller.ts') && !path.startsWith('web/'))
    .map((path) => read(`apps/api/src/${path}`));

  it('is passed on by tools/dev.mjs, which answers every other path with a page', () => {
    const first = (text: string, decorator: string): string[] =>
      found(text, new RegExp(`@${decorator}\\('([^'/]+)`, 'g'));
    const segments = controllers.flatMap((text) =>
      text.includes('@Controller()') ? first(text, '(?:Get|Post)') : first(text, 'Controller'),
    );
    const [, passed = ''] = /const apiPaths = '\^\/\(([^)]+)\)/.exec(read('tools/dev.mjs')) ?? [];
    expect(passed.replaceAll('\\', '').split('|').sort()).toEqual([...new Set(segments)].sort());
  });
});

describe('the keys that lead to a page after g', () => {
  it('are one letter each, and differ', () => {
    const text = read('apps/web/src/shell/navigation.ts');
    const keys = [...text.matchAll(/path: '[^']*',[^}]*\bkey: '([^']*)'/g)].map(([, key]) => key ?? '');
    expect(keys).toHaveLength([...text.matchAll(/path: '/g)].length);
    expect(keys.filter((key) => !/^[a-z]$/.test(key))).toEqual([]);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('a change that the database tells of', () => {
  it('has its paths in AFFECTED of apps/web/src/api/affected-paths.ts', () => {
    const migrations = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'));
    const told = migrations.flatMap((name) =>
      found(
        read(`migrations/${name}`),
        /(?:select countersign_live\('\w+', |execute function countersign_tell_change\()'(\w+)'/g,
      ),
    );
    const [, affected = ''] =
      /const AFFECTED[^]*? = \{([^]*?)\n\};/.exec(read('apps/web/src/api/affected-paths.ts')) ?? [];
    expect(found(affected, /^ {2}(\w+): \[/gm)).toEqual([...new Set(told)].sort());
  });
});
