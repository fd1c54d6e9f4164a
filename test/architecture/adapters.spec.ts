import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

type Files = readonly (readonly [path: string, text: string])[];

/** The database library is under both kinds of adapter, and has names of its own. The web UI reaches no database. */
const files: Files = ['libs', 'apps']
  .flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).map((path) => `${part}/${path}`),
  )
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.includes('node_modules'))
  .filter((path) => !/^(?:libs\/foundation\/database|apps\/web)\//.test(path))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

/** A statement by hand, or a call of a function of the database. An announcement is neither. */
const SENDS =
  /\bsqlOf\(\w+\)(?!\s*\.announce\()|\.query(?:<[^(]*>)?\(|\b(?:enqueueReturned|dropOldRows)\(|\bcreateQueryBuilder\(/;
const CALLS = /\bimport\b[^;]*\bSystemQuery\b/;
/** The text of a statement, for another file to send. */
const TEXT = /`\s*(?:select|insert into|update|delete from|with)\s[^`]*?\b(?:from|values|set|as)\b/;
const BY_ENTITY = /\b(?:rowsOf|managerOf)\(/;

const isByHand = (text: string): boolean => SENDS.test(text) || CALLS.test(text) || TEXT.test(text);

/** The prefix that its statements give an adapter; null if it has none. */
function prefixOf(text: string): 'sql' | 'typeorm' | null {
  // A repository of several modules is made of theirs.
  if (isByHand(text) || /from '\.\/sql-[^']+'/.test(text)) return 'sql';
  return BY_ENTITY.test(text) ? 'typeorm' : null;
}

const isAdapter = (path: string): boolean => /^libs\/.*\/(?:adapters|channels)\//.test(path);
const namedAs = (path: string): string | null => /\/(sql|typeorm)-[^/]+$/.exec(path)?.[1] ?? null;
const CLASS_PREFIX = { sql: 'Sql', typeorm: 'Typeorm' } as const;

/** Files whose name, or the name of a class in them, says another kind of statement than they have (ADR 1). Apps have no statements. */
const misnamed = (among: Files): string[] =>
  among.flatMap(([path, text]) => {
    if (!isAdapter(path)) return SENDS.test(text) || BY_ENTITY.test(text) ? [path] : [];
    const prefix = prefixOf(text);
    if (prefix !== namedAs(path)) return [path];
    const classes = [...text.matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name);
    return prefix !== null && classes.some((name) => !name.startsWith(CLASS_PREFIX[prefix])) ? [path] : [];
  });

/** Entities that nothing reads or writes by: their tables are mapped by hand beside them. */
function unused(among: Files): string[] {
  const entities = among.filter(([path]) => path.endsWith('.entity.ts'));
  const users = among.filter(([path]) => !/(\.entity|\/index|\/entities)\.ts$/.test(path)).map(([, text]) => text);
  const used = new Set(users.flatMap((text) => text.match(/\b\w+Entity\b/g) ?? []));
  return entities
    .flatMap(([, text]) => [...text.matchAll(/^export const (\w+) = entity\(/gm)].map(([, name = '']) => name))
    .filter((name) => !used.has(name));
}

describe('an adapter', () => {
  it('is called sql- if a statement of it is by hand, and typeorm- if entities say all of them', () => {
    expect(misnamed(files)).toEqual([]);
  });

  it.each([
    ['adapters/typeorm-a.ts', 'await rowsOf(tx, a).find({}); await sqlOf(tx).execute(lock);'],
    ['adapters/typeorm-a.ts', "const rows = await client.query<Row>('select 1');"],
    ['adapters/typeorm-a.ts', "import type { SystemQuery } from '#lib/database';"],
    ['adapters/typeorm-a.ts', "import * as table from './sql-table.js';"],
    ['adapters/a-table.ts', 'await sqlOf(tx).execute(lock);'],
    ['adapters/a-table.ts', 'export const A = `\n  select a.id\n    from a`;'],
    ['adapters/a-table.ts', 'await rowsOf(tx, a).find({});'],
    ['adapters/sql-a.ts', 'await rowsOf(tx, a).find({});'],
    ['adapters/sql-a.ts', 'export class TypeormA { a = (tx: Tx) => sqlOf(tx).execute(lock); }'],
    ['channels/a/typeorm-a.ts', 'await sqlOf(tx).execute(lock);'],
    ['create-a.ts', 'await sqlOf(tx).execute(lock);'],
    ['create-a.ts', 'await rowsOf(tx, a).find({});'],
  ])('is caught as %s with %j', (name, text) => {
    const path = `libs/stages/task/src/${name}`;
    expect(misnamed([[path, text]])).toEqual([path]);
  });
});

describe('an app', () => {
  it.each(['await sqlOf(tx).execute(lock);', "await client.query('select 1');", 'await rowsOf(tx, a).find({});'])(
    'is caught with the statement %j, which belongs into an adapter of a library',
    (text) => {
      expect(misnamed([['apps/worker/src/adapters/sql-a.ts', text]])).toEqual(['apps/worker/src/adapters/sql-a.ts']);
    },
  );
});

describe('an entity', () => {
  it('is used by an adapter', () => {
    expect(unused(files)).toEqual([]);
  });

  it('is caught if no adapter uses it', () => {
    const idle = ['libs/stages/task/src/adapters/idle.entity.ts', "export const idleEntity = entity('idle');"] as const;
    expect(unused([...files, idle])).toEqual(['idleEntity']);
  });
});
