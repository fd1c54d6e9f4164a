import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const kernel = 'libs/foundation/kernel/src';

/** A file with fewer users belongs to the first group that uses it. Apps are a group of users, too. */
const LEAST_LIBRARIES = 5;
const LEAST_GROUPS = 3;

const TEST = /(\.(spec|contract)\.ts|\/fake-[^/]+\.ts)$/;
type Files = readonly (readonly [path: string, text: string])[];

const sourcesIn = (folder: string): Files =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts') && !TEST.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

/** The libraries and apps that import each name of the kernel, as `libs/<group>/<library>` and `apps/<app>`. */
function usersOf(files: Files): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const library = path
      .split('/')
      .slice(0, path.startsWith('apps/') ? 2 : 3)
      .join('/');
    for (const [, names = ''] of text.matchAll(/import (?:type )?\{([^}]*)\} from '#lib\/kernel'/g))
      for (const name of names.split(',').map((one) => one.trim().replace(/^type /, '')))
        users.set(name, (users.get(name) ?? new Set()).add(library));
  }
  return users;
}

/** The files of the kernel with too few users, or with users of too few groups. */
function notShared(kernelFiles: Files, users: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return kernelFiles.flatMap(([path, text]) => {
    const names = [
      ...text.matchAll(/^export (?:async )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/gm),
    ];
    const libraries = new Set(names.flatMap(([, name = '']) => [...(users.get(name) ?? [])]));
    const groups = new Set(
      [...libraries].map((library) => (library.startsWith('apps/') ? 'apps' : library.split('/')[1])),
    );
    return libraries.size >= LEAST_LIBRARIES && groups.size >= LEAST_GROUPS ? [] : [path];
  });
}

const kernelFiles = sourcesIn(kernel).filter(([path]) => !path.endsWith('/index.ts'));
const others = [...sourcesIn('libs'), ...sourcesIn('apps')].filter(([path]) => !path.startsWith(kernel));

describe('each file of the kernel', () => {
  it('is used by five libraries or apps of three groups at least', () => {
    expect(kernelFiles.length).toBeGreaterThan(10);
    expect(notShared(kernelFiles, usersOf(others))).toEqual([]);
  });

  it('is caught if only one group uses it', () => {
    const lonely = [`${kernel}/lonely.ts`, 'export const lonely = 1;\n'] as const;
    const uses = ['task', 'plan', 'simulation', 'approval', 'run'].map(
      (stage) => [`libs/stages/${stage}/src/index.ts`, "import { lonely } from '#lib/kernel';"] as const,
    );
    expect(notShared([...kernelFiles, lonely], usersOf([...others, ...uses]))).toEqual([lonely[0]]);
  });
});
