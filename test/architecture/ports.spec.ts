import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const DECISION = 'docs/adr/0026-ports-without-a-fake.md';

type Files = readonly (readonly [path: string, text: string])[];

const FAKE = /\/fake-[^/]+\.ts$/;
const ADAPTER = /\/adapters\/(sql|typeorm|pg)-[^/]+\.ts$/;
const PORTS = /\/application\/[^/]+\.ts$/;

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

/** The ports that PostgreSQL keeps: interfaces of `application`, which an adapter implements. */
function portsOf(among: Files): readonly string[] {
  const declared = new Set(
    among
      .filter(([path]) => PORTS.test(path) && !isFake(path) && !isContract(path))
      .flatMap(([, text]) => [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)),
  );
  const implemented = among
    .filter(([path]) => ADAPTER.test(path))
    .flatMap(([, text]) => [...text.matchAll(/\bimplements ([^{]+)\{/g)].flatMap(([, names = '']) => namesIn(names)));
  return [...new Set(implemented)].filter((name) => declared.has(name)).sort();
}

/** The ports that a list of a decision names, each with its reason. */
const namedIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/\n(?=\n|- )/)
      .filter((paragraph) => paragraph.startsWith('- '))
      .flatMap((paragraph) => [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
  );

/** The ports that lack a fake or a contract, and a reason. */
function lacking(among: Files, reasons: string): readonly string[] {
  const [faked, held, named] = [inFilesOf(among, isFake), inFilesOf(among, isContract), namedIn(reasons)];
  return portsOf(among).filter((port) => !(faked.has(port) && held.has(port)) && !named.has(port));
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

  it('has no reason in ADR 26 once it has a fake and a contract, or is gone', () => {
    const [faked, held] = [inFilesOf(files, isFake), inFilesOf(files, isContract)];
    const interfaces = new Set(
      files.flatMap(([, text]) =>
        [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name),
      ),
    );
    const named = [...namedIn(decision)];
    expect(named.filter((port) => !interfaces.has(port))).toEqual([]);
    expect(named.filter((port) => faked.has(port) && held.has(port))).toEqual([]);
  });
});
