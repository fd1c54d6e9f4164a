import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Which libraries each library imports; the import rules see to it that it says so by `#lib/<name>` alone. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const TEST = /(\.(spec|contract)\.ts|\/fake-[^/]+\.ts)$/;

function importsOf(files: Iterable<readonly [path: string, text: string]>): Imports {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const library = path.split('/')[2] ?? '';
    const imported = imports.get(library) ?? new Set();
    for (const [, name = ''] of text.matchAll(/(?:from|import\() ?'#lib\/([^']+)'/g)) imported.add(name);
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
  .filter((path) => path.endsWith('.ts') && !TEST.test(path))
  .map((path) => join('libs', path))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

describe('libraries', () => {
  it('import one another in one direction', () => {
    expect(circleIn(importsOf(files))).toBeNull();
  });

  it('are caught if two of them import each other through different files', () => {
    const back = ['libs/registry/tenancy/src/adapters/a.ts', "import type { AuditLog } from '#lib/audit';"] as const;
    const circle = circleIn(importsOf([...files, back])) ?? [];
    expect(new Set(circle)).toEqual(new Set(['tenancy', 'audit']));
  });
});
