import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(__dirname, '../..');
const DECISION = 'docs/adr/0026-ports-without-a-fake.md';

/** Texts by their paths. */
type Files = ReadonlyMap<string, string>;

const FAKE = /\/fake-[^/]+(?<!spec)\.ts$/;
const ADAPTER = /\/adapters\/(sql|typeorm|pg)-[^/]+(?<!spec)\.ts$/;
const CONTRACT = /[.-]contract\.ts$/;
/** Makes the adapters of a library. */
const CREATOR = /\/create-[^/]+(?<!spec)\.ts$/;
const PORTS = /\/application\/[^/]+(?<!spec|contract)\.ts$|^libs\/foundation\/kernel\/src\/[^/]+(?<!spec)\.ts$/;
const COMMENT = /\/\*[^]*?\*\/|^ *\/\/.*$/gm;

const files: Files = new Map(
  ['libs', 'test/database', 'test/stages', 'test/support']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll(COMMENT, '')]),
);

const decision = readFileSync(join(root, DECISION), 'utf8');

const namesIn = (text: string): readonly string[] => text.match(/\b[A-Z]\w+\b/g) ?? [];
const filesOf = (among: Files, wanted: RegExp): Files => new Map([...among].filter(([path]) => wanted.test(path)));

/** The interfaces of `application` and of the kernel. */
const declaredIn = (among: Files): ReadonlySet<string> =>
  new Set(
    [...filesOf(among, PORTS)]
      .filter(([path]) => !FAKE.test(path))
      .flatMap(([, text]) => [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)),
  );

interface ClassOfPorts {
  readonly name: string;
  /** The ports that it implements. */
  readonly ports: readonly string[];
}

function classesOf(among: Files, wanted: RegExp): readonly ClassOfPorts[] {
  const declared = declaredIn(among);
  return [...filesOf(among, wanted)]
    .flatMap(([, text]) => [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)([^{]*)\{/gm)])
    .map(([, name = '', heritage = '']) => {
      const [, implemented = ''] = heritage.split(/\bimplements\b/);
      return { name, ports: namesIn(implemented).filter((port) => declared.has(port)) };
    });
}

/** The ports that PostgreSQL keeps. */
const portsOf = (among: Files): readonly string[] =>
  [...new Set(classesOf(among, ADAPTER).flatMap(({ ports }) => ports))].sort();

/** The classes that reach PostgreSQL, and are no port's. */
const portless = (among: Files): readonly string[] =>
  classesOf(among, ADAPTER)
    .filter(({ ports }) => ports.length === 0)
    .map(({ name }) => name);

/** The modules that a module imports by their path. */
const importsOf = (among: Files, path: string): readonly string[] =>
  [...(among.get(path) ?? '').matchAll(/ from '(\.[^']+)\.js'/g)].map(([, name = '']) =>
    posix.join(posix.dirname(path), `${name}.ts`),
  );

/** The texts of a file and of those that it imports. */
const textsAround = (among: Files, path: string, imported = /./): readonly string[] =>
  [path, ...importsOf(among, path).filter((each) => imported.test(each))].map((each) => among.get(each) ?? '');

/**
 * The names in a spec and in the modules that it imports. Also those in the functions that make a library's adapters for them.
 */
function namesOfSpec(among: Files, spec: string): ReadonlySet<string> {
  const texts = textsAround(among, spec);
  const called = new Set(texts.flatMap((text) => text.match(/\bcreate[A-Z]\w+/g) ?? []));
  const creators = [...filesOf(among, CREATOR).values()].filter((text) =>
    [...text.matchAll(/^export (?:const|function) (create\w+)/gm)].some(([, name = '']) => called.has(name)),
  );
  return new Set([...texts, ...creators].flatMap(namesIn));
}

/** The contracts of which a spec calls the suite. */
const contractsCalledIn = (among: Files, spec: string): readonly string[] =>
  importsOf(among, spec).filter((path) => {
    if (!CONTRACT.test(path)) return false;
    const suites = [...(among.get(path) ?? '').matchAll(/^export function (describe\w+)/gm)].map(
      ([, name = '']) => name,
    );
    return suites.some((suite) => new RegExp(`^ *${suite}\\(`, 'm').test(among.get(spec) ?? ''));
  });

/** The ports with a suite that a spec calls for a fake, and a spec for an adapter. */
function heldIn(among: Files): ReadonlySet<string> {
  const [fakes, adapters] = [classesOf(among, FAKE), classesOf(among, ADAPTER)];
  const calls = [...among.keys()]
    .filter((path) => path.endsWith('.spec.ts'))
    .flatMap((spec) =>
      contractsCalledIn(among, spec).map((contract) => ({ contract, names: namesOfSpec(among, spec) })),
    );
  /** The contracts that are called for one of the classes of a port. */
  const calledFor = (classes: readonly ClassOfPorts[], port: string): ReadonlySet<string> => {
    const names = classes.filter(({ ports }) => ports.includes(port)).map(({ name }) => name);
    return new Set(calls.filter((call) => names.some((name) => call.names.has(name))).map(({ contract }) => contract));
  };
  return new Set(
    portsOf(among).filter((port) => {
      const [forFake, forAdapter] = [calledFor(fakes, port), calledFor(adapters, port)];
      return [...forFake].some(
        (contract) =>
          forAdapter.has(contract) && textsAround(among, contract, CONTRACT).flatMap(namesIn).includes(port),
      );
    }),
  );
}

/** The ports and classes that a list of a decision names, each with its reason. */
const namedIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/\n(?=\n|- )/)
      .filter((paragraph) => paragraph.startsWith('- '))
      .flatMap((paragraph) => [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
  );

/** The ports without a suite for fake and adapter and without a reason. Also the classes without a port and a reason. */
function lacking(among: Files, reasons: string): readonly string[] {
  const [held, named] = [heldIn(among), namedIn(reasons)];
  const untested = portsOf(among).filter((port) => !held.has(port));
  return [...untested, ...portless(among)].filter((name) => !named.has(name));
}

/** The methods of ports that answer undefined if there is no record. */
const undefinedIn = (among: Files): readonly string[] =>
  [...filesOf(among, /\.ports?\.ts$/)].flatMap(([path, text]) =>
    [...text.matchAll(/\b(\w+)\([^;]*Promise<[^;]*\| undefined>;/g)].map(([, method = '']) => `${path}: ${method}`),
  );

it('a port answers null if there is no record', () => {
  expect(undefinedIn(files)).toEqual([]);
  const port = 'export interface Shelf {\n  find(tx: Tx, id: BookId): Promise<Book | undefined>;\n}';
  expect(undefinedIn(new Map([['shelf.ports.ts', port]]))).toEqual(['shelf.ports.ts: find']);
});

describe('a port that PostgreSQL keeps', () => {
  it('has a suite that is called for its fake and its adapter, or its reason in ADR 26', () => {
    expect(portsOf(files).length).toBeGreaterThan(80);
    expect(lacking(files, decision)).toEqual([]);
  });

  describe('is caught', () => {
    const [application, adapters] = ['libs/stages/task/src/application', 'libs/stages/task/src/adapters'];
    const suite = "import { describeShelf } from './shelf.contract.js';\n";
    const complete = {
      [`${application}/shelf.ports.ts`]: 'export interface Shelf {\n  all(tx: Tx): Promise<void>;\n}',
      [`${application}/fake-shelf.ts`]: 'export class FakeShelf implements Shelf {\n}',
      [`${application}/shelf.contract.ts`]: 'export function describeShelf(open: () => Shelf): void {',
      [`${application}/fake-shelf.spec.ts`]: `${suite}describeShelf(() => new FakeShelf());`,
      [`${adapters}/sql-shelf.ts`]: 'export class SqlShelf implements Shelf {\n}',
      [`${adapters}/sql-shelf.db.spec.ts`]: `${suite.replace('./', '../application/')}describeShelf(() => new SqlShelf());`,
    };
    const withOne = (path: string, text: string): Files => new Map(Object.entries({ ...complete, [path]: text }));

    it('not if a suite is called for its fake and for its adapter', () => {
      expect(lacking(withOne('libs/stages/task/src/index.ts', ''), '')).toEqual([]);
      const created = withOne(
        'libs/stages/task/src/create-task.ts',
        'export const createShelf = () => new SqlShelf();',
      );
      const spec = `${suite.replace('./', '../application/')}describeShelf(createShelf);`;
      expect(lacking(new Map([...created, [`${adapters}/sql-shelf.db.spec.ts`, spec]]), '')).toEqual([]);
    });

    it.each([
      ['it has no fake', `${application}/fake-shelf.ts`, ''],
      ['its fake is no class of the port', `${application}/fake-shelf.ts`, 'export class FakeShelf {\n}'],
      ['its contract names it nowhere', `${application}/shelf.contract.ts`, 'export function describeShelf(): void {'],
      ['no suite is called for its fake', `${application}/fake-shelf.spec.ts`, `${suite}new FakeShelf();`],
      ['no suite is called for its adapter', `${adapters}/sql-shelf.db.spec.ts`, 'new SqlShelf();'],
      [
        'its suite is called for another adapter',
        `${adapters}/sql-shelf.db.spec.ts`,
        `${suite.replace('./', '../application/')}describeShelf(() => new SqlRack());`,
      ],
    ])('if %s', (_what, path, text) => {
      expect(lacking(withOne(path, text), '')).toEqual(['Shelf']);
      expect(lacking(withOne(path, text), 'Text.\n\n- lists: `Shelf`;\n')).toEqual([]);
      expect(lacking(withOne(path, text), 'The port `Shelf` has no reason here.')).toEqual(['Shelf']);
    });
  });

  it.each([
    ['no interface', 'SqlShelf'],
    ['an interface of its own', 'SqlShelf implements OwnShelf'],
    ['a parent alone', 'SqlShelf extends Shelves'],
  ])('is missed if a class has %s: %#', (_what, heritage) => {
    const path = 'libs/stages/task/src/adapters/sql-shelf.ts';
    const shelf: Files = new Map([[path, `export interface OwnShelf {}\nexport class ${heritage} {\n}`]]);
    expect(lacking(shelf, '')).toEqual(['SqlShelf']);
    expect(lacking(shelf, 'Text.\n\n- classes: `SqlShelf`;\n')).toEqual([]);
  });

  it('has no reason in ADR 26 once it has such a suite, or is gone', () => {
    const held = heldIn(files);
    const interfaces = new Set(
      [...files.values()].flatMap((text) =>
        [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name),
      ),
    );
    const named = [...namedIn(decision)];
    const known = new Set([...interfaces, ...portless(files)]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.filter((port) => held.has(port))).toEqual([]);
  });
});
