import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const DECISION = 'docs/adr/0026-ports-without-a-fake.md';

type Files = readonly (readonly [path: string, text: string])[];

const FAKE = /\/fake-[^/]+\.ts$/;
const ADAPTER = /\/adapters\/(sql|typeorm|pg)-[^/]+\.ts$/;
const PORTS = /\/application\/[^/]+\.ts$|^libs\/foundation\/kernel\/src\/[^/]+\.ts$/;

const files: Files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
  .map((path) => `libs/${path}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

const decision = readFileSync(join(root, DECISION), 'utf8');

const namesIn = (text: string): readonly string[] => text.match(/\b[A-Z]\w+\b/g) ?? [];
const isFake = (path: string): boolean => FAKE.test(path);
const isContract = (path: string): boolean => path.endsWith('contract.ts');
const inFilesOf = (among: Files, wanted: (path: string) => boolean): ReadonlySet<string> =>
  new Set(among.filter(([path]) => wanted(path)).flatMap(([, text]) => namesIn(text)));

/** The interfaces of `application` and of the kernel. */
const declaredIn = (among: Files): ReadonlySet<string> =>
  new Set(
    among
      .filter(([path]) => PORTS.test(path) && !isFake(path) && !isContract(path))
      .flatMap(([, text]) => [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)),
  );

interface AdapterClass {
  readonly name: string;
  /** The ports that it implements. */
  readonly ports: readonly string[];
}

/** The classes that reach PostgreSQL. */
function classesOf(among: Files): readonly AdapterClass[] {
  const declared = declaredIn(among);
  return among
    .filter(([path]) => ADAPTER.test(path))
    .flatMap(([, text]) => [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)([^{]*)\{/gm)])
    .map(([, name = '', heritage = '']) => {
      const [, implemented = ''] = heritage.split(/\bimplements\b/);
      return { name, ports: namesIn(implemented).filter((port) => declared.has(port)) };
    });
}

/** The ports that PostgreSQL keeps. */
const portsOf = (among: Files): readonly string[] =>
  [...new Set(classesOf(among).flatMap(({ ports }) => ports))].sort();

/** The classes that reach PostgreSQL, and are no port's. */
const portless = (among: Files): readonly string[] =>
  classesOf(among)
    .filter(({ ports }) => ports.length === 0)
    .map(({ name }) => name);

/** The ports and classes that a list of a decision names, each with its reason. */
const namedIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/\n(?=\n|- )/)
      .filter((paragraph) => paragraph.startsWith('- '))
      .flatMap((paragraph) => [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
  );

/** The ports that lack a fake or a contract and a reason, and the classes that lack a port and a reason. */
function lacking(among: Files, reasons: string): readonly string[] {
  const [faked, held, named] = [inFilesOf(among, isFake), inFilesOf(among, isContract), namedIn(reasons)];
  const untested = portsOf(among).filter((port) => !(faked.has(port) && held.has(port)));
  return [...untested, ...portless(among)].filter((name) => !named.has(name));
}

describe('a port that PostgreSQL keeps', () => {
  it('has a fake and a contract for both, or its reason in ADR 26', () => {
    expect(portsOf(files).length).toBeGreaterThan(80);
    expect(lacking(files, decision)).toEqual([]);
  });

  it.each<[string, string, boolean]>([
    ['neither', '', true],
    ['a fake alone', 'class FakeShelf implements Shelf {}', true],
    ['a fake and a contract', 'class FakeShelf implements Shelf {} contract', false],
  ])('is caught if it has %s: %#', (_what, text, caught) => {
    const [application, adapters] = ['libs/stages/task/src/application', 'libs/stages/task/src/adapters'];
    const shelf: Files = [
      [`${application}/shelf.ports.ts`, 'export interface Shelf {\n  all(tx: Tx): Promise<void>;\n}'],
      [`${adapters}/sql-shelf.ts`, 'export class SqlShelf implements Shelf {\n}'],
      [`${application}/fake-shelf.ts`, text],
      [`${application}/shelf.contract.ts`, text.endsWith('contract') ? 'const shelf: Shelf = open();' : ''],
    ];
    expect(lacking(shelf, '')).toEqual(caught ? ['Shelf'] : []);
    expect(lacking(shelf, 'Text.\n\n- lists: `Shelf`;\n')).toEqual([]);
    expect(lacking(shelf, 'The port `Shelf` has no reason here.')).toEqual(caught ? ['Shelf'] : []);
  });

  it.each([
    ['no interface', 'SqlShelf'],
    ['an interface of its own', 'SqlShelf implements OwnShelf'],
    ['a parent alone', 'SqlShelf extends Shelves'],
  ])('is missed if a class has %s: %#', (_what, heritage) => {
    const path = 'libs/stages/task/src/adapters/sql-shelf.ts';
    const shelf: Files = [[path, `export interface OwnShelf {}\nexport class ${heritage} {\n}`]];
    expect(lacking(shelf, '')).toEqual(['SqlShelf']);
    expect(lacking(shelf, 'Text.\n\n- classes: `SqlShelf`;\n')).toEqual([]);
  });

  it('has no reason in ADR 26 once it has a fake and a contract, or is gone', () => {
    const [faked, held] = [inFilesOf(files, isFake), inFilesOf(files, isContract)];
    const interfaces = new Set(
      files.flatMap(([, text]) =>
        [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name),
      ),
    );
    const named = [...namedIn(decision)];
    const known = new Set([...interfaces, ...portless(files)]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.filter((port) => faked.has(port) && held.has(port))).toEqual([]);
  });
});
