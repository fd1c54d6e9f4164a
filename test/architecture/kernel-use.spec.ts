import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const kernel = 'libs/foundation/kernel/src';

/** A file with fewer users belongs to the first group that uses it. Apps are a group of users, too. */
const MIN_LIBRARIES = 5;
const MIN_GROUPS = 3;
/** A name with fewer users belongs to one of them. */
const MIN_LIBRARIES_OF_A_NAME = 3;

/** By name: the reason why it stands here with fewer users. */
const FOR_FEW: Readonly<Record<string, string>> = {
  LogExporter: 'The audit log calls siem, which stands before it and may not import it.',
  LogProgress: 'siem asks the audit log, which it may not import.',
};

const TEST = /(\.(spec|contract)\.ts|\/fake-[^/]+\.ts)$/;
type Files = readonly (readonly [path: string, text: string])[];

const sourcesIn = (folder: string): Files =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts') && !TEST.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

/** The names between the braces of an import or export. */
const namesIn = (names: string): string[] =>
  names
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '');

/** The libraries and apps that import each name of the kernel, as `libs/<group>/<library>` and `apps/<app>`. */
function usersOf(files: Files): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const library = path
      .split('/')
      .slice(0, path.startsWith('apps/') ? 2 : 3)
      .join('/');
    for (const [, names = ''] of text.matchAll(/import (?:type )?\{([^}]*)\} from '#lib\/kernel'/g))
      for (const name of namesIn(names)) users.set(name, (users.get(name) ?? new Set()).add(library));
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
    return libraries.size >= MIN_LIBRARIES && groups.size >= MIN_GROUPS ? [] : [path];
  });
}

/** The declarations of a file's exports by name, without comments: each up to the next export. */
const declarationsOf = (text: string): (readonly [name: string, declaration: string])[] =>
  text
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .split(/^(?=export )/m)
    .flatMap((declaration) => {
      const [, name] =
        /^export (?:async )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/.exec(declaration) ?? [];
      return name === undefined ? [] : [[name, declaration] as const];
    });

/** The names that the index gives to other libraries: all of a file, or those in braces. */
function namesOfIndex(index: string, files: ReadonlyMap<string, string>): string[] {
  const all = [...index.matchAll(/^export \* from '\.\/(.+)\.js';/gm)].flatMap(([, file = '']) =>
    declarationsOf(files.get(`${kernel}/${file}.ts`) ?? '').map(([name]) => name),
  );
  const named = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => namesIn(names));
  return [...all, ...named];
}

/** The names of the kernel with too few users, but for those that the declaration of a shared name needs. */
function namesForFew(kernelFiles: Files, users: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const files = new Map(kernelFiles);
  const declared = new Map(kernelFiles.flatMap(([, text]) => declarationsOf(text)));
  const names = namesOfIndex(files.get(`${kernel}/index.ts`) ?? '', files);
  const shared = new Set(names.filter((name) => (users.get(name)?.size ?? 0) >= MIN_LIBRARIES_OF_A_NAME));
  // A set that grows while it is walked is walked to its end.
  for (const name of shared)
    for (const [word] of (declared.get(name) ?? '').matchAll(/\w+/g)) if (declared.has(word)) shared.add(word);
  return names.filter((name) => !shared.has(name));
}

const allKernelFiles = sourcesIn(kernel);
const kernelFiles = allKernelFiles.filter(([path]) => !path.endsWith('/index.ts'));
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

describe('each name of the kernel', () => {
  it('is used by three libraries or apps at least, or stands in the declaration of one that is', () => {
    expect(namesForFew(allKernelFiles, usersOf(others)).toSorted()).toEqual(Object.keys(FOR_FEW).toSorted());
  });

  it.each([
    ['only two libraries use it', ['plan', 'run'], ['Lonely', 'InLonely']],
    ['nobody uses it', [], ['Lonely', 'InLonely']],
    ['three use it, and so the names of its declaration', ['plan', 'run', 'task'], []],
  ])('is caught by itself: %s', (_case, stages, caught) => {
    const text = 'export type Lonely = readonly InLonely[];\n/** Of no Lonely. */\nexport type InLonely = string;\n';
    const files: Files = [
      [`${kernel}/index.ts`, "export * from './lonely.js';\n"],
      [`${kernel}/lonely.ts`, text],
    ];
    const uses = stages.map(
      (stage) => [`libs/stages/${stage}/src/index.ts`, "import type { Lonely } from '#lib/kernel';"] as const,
    );
    expect(namesForFew(files, usersOf(uses))).toEqual(caught);
  });
});
