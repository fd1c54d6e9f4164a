import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');

type File = readonly [path: string, text: string];
/** Which libraries each library imports: by `#lib/<name>`, and in its tests by the path of another library's fake, too. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** The library of a path; undefined for one of `test` or of an app. */
const libraryAt = (path: string): string | undefined => /^libs\/[^/]+\/([^/]+)\//.exec(path)?.[1];

function importsOf(files: Iterable<File>): Imports {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const library = libraryAt(path) ?? '';
    const imported = imports.get(library) ?? new Set();
    for (const [, name, way] of text.matchAll(/(?:from|import\() ?'(?:#lib\/([^']+)|(\.[^']+))'/g)) {
      const other = name ?? libraryAt(join(dirname(path), way ?? ''));
      if (other !== undefined && (other !== library || name !== undefined)) imported.add(other);
    }
    imports.set(library, imported);
  }
  return imports;
}

/** A way that leads from a library back to it, or null. */
function circleIn(imports: Imports): readonly string[] | null {
  const done = new Set<string>();
  const follow = (library: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(library)) return [...way.slice(way.indexOf(library)), library];
    if (done.has(library)) return null;
    for (const next of imports.get(library) ?? []) {
      const found = follow(next, [...way, library]);
      if (found !== null) return found;
    }
    done.add(library);
    return null;
  };
  for (const library of imports.keys()) {
    const found = follow(library, []);
    if (found !== null) return found;
  }
  return null;
}

const files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join('libs', path))
  .map((path): File => [path, readFileSync(join(root, path), 'utf8')]);

describe('libraries', () => {
  it('import one another in one direction, in their tests and fakes, too', () => {
    expect(circleIn(importsOf(files))).toBeNull();
  });

  it.each<[string, string, string]>([
    ['code', 'adapters/a.ts', "import type { AuditLog } from '#lib/audit';"],
    ['a test', 'adapters/a.db.spec.ts', "import { createAudit } from '#lib/audit';"],
    ['a fake', 'fake-a.ts', "import { fakeLog } from '../../../evidence/audit/src/application/fake-audit-log.js';"],
  ])('are caught if two of them import each other through different files, one of them %s', (_what, name, text) => {
    const circle = circleIn(importsOf([...files, [`libs/registry/tenancy/src/${name}`, text]])) ?? [];
    expect(new Set(circle)).toEqual(new Set(['tenancy', 'audit']));
  });
});
