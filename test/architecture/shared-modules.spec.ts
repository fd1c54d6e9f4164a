import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isShared } from '../support/shared-modules.mjs';

const root = join(__dirname, '../..');
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  imports: Readonly<Record<string, { readonly types: string }>>;
};

/** Variables that a file may leave changed for the next file of its worker, each with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  'libs/evidence/precedent/src/domain/project-vector.ts signsOf': 'computed of its key alone',
  'libs/foundation/database/src/adapters/package-root.ts found': 'the same for the whole process',
  'libs/foundation/dispatcher-temporal/src/adapters/connect-temporal.ts logger': 'of the process, as its package is',
  'libs/rules/autonomy/src/adapters/stored-document.ts documents': 'parsed of its key alone',
  'libs/registry/tool/src/adapters/sql-tool-repository.ts definitions': 'parsed of its key alone',
  'libs/registry/tool/src/domain/validate-arguments.ts compiled': 'computed of its key alone',
  'libs/registry/tool/src/domain/validate-arguments.ts compiledTexts': 'computed of its key alone',
  'libs/registry/tool/src/domain/validate-arguments.ts shared': 'a compiler, made anew after enough schemas',
  'libs/stages/approval/src/application/read-requests.ts NO_PLANS': 'never written',
  'libs/stages/approval/src/application/read-requests.ts NO_CALLS': 'never written',
  'libs/stages/task/src/adapters/sql-task.repository.ts specs': 'parsed of its key alone',
};

const shared = ['libs', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => isShared(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

/**
 * Names of a module's own variables that can change. A WeakMap ends with its keys, which one file makes. A read-only type is
 * never written. A raw string is the script of a page.
 */
const stateOf = (text: string): string[] =>
  [
    ...text
      .replace(/String\.raw`[^`]*`/g, "''")
      .matchAll(
        /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly|readonly)[^\n]+?)? = (?:new (?:(?:Map|Set|AsyncLocalStorage)(?:<[^\n]*>)?\(\)|ParsedTexts\b)|\[\];|\{\};))/gm,
      ),
  ].map(([, changing, empty]) => changing ?? empty ?? '');

/** Test files that mock a shared module, and so share none. */
const sharingNothing = ['libs', 'apps', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') }))
    .filter(({ path, text }) =>
      [...text.matchAll(/^jest\.mock\('(\.[^']+)\.js'/gm)].some(([, name = '']) =>
        isShared(join(root, dirname(path), `${name}.ts`)),
      ),
    ),
);

/** Calls that leave a database for the next file that shares modules. */
const KEEPS = /\btestDatabase\(\)|\btestApi\((?!\{ db\b)/;

/** Paths of the modules of the product that a module imports at run time. */
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'|\bimport\('([^']+)'\)/gm)]
    .map(([, first, late]) => first ?? late ?? '')
    .flatMap((name) => {
      if (name.startsWith('.')) return [join(root, dirname(path), name.replace(/\.js$/, '.ts'))];
      const library = imports[name];
      return library === undefined ? [join(root, 'node_modules', name, 'index.js')] : [join(root, library.types)];
    });

describe('the modules that test files of a worker share', () => {
  it('are nearly all of the product', () => {
    expect(shared.length).toBeGreaterThan(2000);
    expect(shared.map(({ path }) => path)).toContain('libs/stages/run/src/application/advance-run.ts');
  });

  it('keep no state from one file for the next, but the named variables', () => {
    const found = shared.flatMap(({ path, text }) => stateOf(text).map((name) => `${path} ${name}`));
    expect(found.sort()).toEqual(Object.keys(KEPT).sort());
  });

  it('import shared modules alone: each file would have another copy of the others', () => {
    const foreign = shared.flatMap(({ path, text }) =>
      importsOf(path, text)
        .filter((target) => !isShared(target) && !target.includes('/@opentelemetry/'))
        .map((target) => `${path} imports ${target.slice(root.length + 1)}`),
    );
    expect(foreign).toEqual([]);
  });

  it('are shared by each file that keeps its database: a later file would not find it', () => {
    const keeping = sharingNothing.filter(({ text }) => KEEPS.test(text)).map(({ path }) => path);
    expect(sharingNothing.map(({ path }) => path)).toContain('test/e2e/tool-call.spec.ts');
    expect(keeping).toEqual([]);
  });

  it.each([
    ['let last = 0;', ['last']],
    ['export const seen = new Set<string>();', ['seen']],
    ['const byId: Map<string, number> = new Map();', ['byId']],
    ['const documents = new ParsedTexts(parse, 10);', ['documents']],
    ['const found: string[] = [];', ['found']],
    ['const NONE: readonly string[] = [];', []],
    ['const NO_NAMES: ReadonlySet<string> = new Set();', []],
    ['const SCRIPT = String.raw`\nlet last = 0;\n`;', []],
    ['const NAMES = new Set([1]);\n  let inside = 1;\nconst held = new WeakMap<object, string>();', []],
  ])('judges %j', (text, names) => {
    expect(stateOf(text)).toEqual(names);
  });
});
