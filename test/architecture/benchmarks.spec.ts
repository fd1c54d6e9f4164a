import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');

/** Modules that a module of the tests loads, and the modules that those load; the compiler removes imports of types. */
function loadedBy(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  if (!existsSync(path)) return found;
  // A text in backquotes may be the script of another process.
  const code = readFileSync(path, 'utf8').replaceAll(/`[^`]*`/g, '');
  for (const [, name = ''] of code.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'(\.[^']+)'/gm))
    loadedBy(join(dirname(path), name.replace(/\.js$/, '.ts')), found);
  return found;
}

describe('The benchmarks', () => {
  it('load nothing that the build does not compile, since they run from dist/', () => {
    const loaded = [...loadedBy(join(root, 'test/bench/run.ts'))].map((path) => relative(root, path));
    expect(loaded).toContain('test/bench/commit-to-notify.ts');
    expect(loaded.filter((path) => !path.endsWith('.ts') || !existsSync(join(root, path)))).toEqual([]);
  });
});
