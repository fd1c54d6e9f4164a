import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntitySchema } from 'typeorm';
import type { Entity } from '#lib/database';
import { columnsInWords, type MappedTables } from '../support/columns-in-words.js';

const root = join(__dirname, '../..');

type Files = readonly (readonly [path: string, text: string])[];

/** The database library is under both kinds of adapter, and has names of its own. The web UI reaches no database. */
const isElsewhere = (path: string): boolean => /^(?:libs\/foundation\/database|apps\/web)\//.test(path);

const filesOf = (...parts: readonly string[]): Files =>
  parts
    .flatMap((part) =>
      readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).map((path) => `${part}/${path}`),
    )
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules') && !isElsewhere(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

const all = filesOf('libs', 'apps', 'test');
const files = all.filter(([path]) => /^(?:libs|apps)\//.test(path) && !path.endsWith('.spec.ts'));

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

/**
 * Files whose name, or the name of a class in them, says another kind of statement than theirs (ADR 1). Apps have no statements.
 */
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

const libraryOf = (path: string): string => path.split('/').slice(0, 3).join('/');
const CREATES = /^libs\/[^/]+\/[^/]+\/src\/create-[^/]+\.ts$/;
const TESTS = /(?:\.spec|\.contract)\.ts$|\/fake-[^/]+\.ts$/;
/** The composition root, and suites of one library that need the rows of others. A runner's folders are its own. */
const MAKERS = /^(?:libs\/assembly\/installation|libs\/runner|test\/database)\//;

/** The classes that implement a port, with their libraries. */
const implementing = (among: Files): readonly (readonly [name: string, library: string])[] =>
  among
    .filter(([path]) => path.includes('/adapters/') && !TESTS.test(path) && !MAKERS.test(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^export class (\w+)[^{]* implements /gm)].map(
        ([, name = '']) => [name, libraryOf(path)] as const,
      ),
    );

const NEW = /\bnew (\w+)(?:<[^(]*>)?\(/g;
const namesMade = (text: string): readonly string[] => [...text.matchAll(NEW)].map(([, name = '']) => name);

/** The adapters that a file makes although its library has a function for it (ADR 7). */
function madeByHand(among: Files): readonly string[] {
  const adapters = new Map(implementing(among));
  return among.flatMap(([path, text]) =>
    namesMade(text).flatMap((name) => {
      const owner = adapters.get(name);
      const isOwn = libraryOf(path) === owner && (isAdapter(path) || CREATES.test(path) || TESTS.test(path));
      return owner === undefined || isOwn || MAKERS.test(path) ? [] : [`${path}: ${name}`];
    }),
  );
}

/** Its `execute` tells a use case from the parts beside it, which `createKeys` makes with its adapters. */
const EXECUTES = /^ {2}(?:async )?execute\(/m;

/** The files with a use case. */
const useCaseFiles = (among: Files): Files =>
  among.filter(([path, text]) => path.includes('/src/application/') && !TESTS.test(path) && EXECUTES.test(text));

/** The adapters that a function makes beside use cases: a world with fakes could not call it. */
function madeBesideUseCases(among: Files): readonly string[] {
  const useCases = new Set(
    useCaseFiles(among).flatMap(([, text]) => [...text.matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name)),
  );
  return among
    .filter(([path]) => CREATES.test(path))
    .flatMap(([path, text]) => {
      const imported = [...text.matchAll(/^import \{([^}]+)\} from '\.\/adapters\//gm)];
      const adapters = new Set(imported.flatMap(([, names = '']) => names.match(/\w+/g) ?? []));
      return text
        .split(/^(?=export |function |async function |const )/m)
        .map((part) => [...part.matchAll(/\bnew (\w+)/g)].map(([, name = '']) => name))
        .filter((made) => made.some((name) => useCases.has(name)))
        .flatMap((made) => made.filter((name) => adapters.has(name)).map((name) => `${path}: ${name}`));
    });
}

/** The classes of application/ that have an `execute`, or that a create function of their library makes, each with its file. */
function useCases(among: Files): readonly (readonly [name: string, path: string])[] {
  const made = new Set(
    among
      .filter(([path]) => CREATES.test(path))
      .flatMap(([path, text]) => namesMade(text).map((name) => `${libraryOf(path)} ${name}`)),
  );
  return among
    .filter(([path]) => path.includes('/src/application/') && !TESTS.test(path))
    .flatMap(([path, text]) =>
      text.split(/^(?=export )/m).flatMap((part) => {
        const name = /^export class (\w+)/.exec(part)?.[1];
        const isUseCase = name !== undefined && (EXECUTES.test(part) || made.has(`${libraryOf(path)} ${name}`));
        return isUseCase ? [[name, path] as const] : [];
      }),
    );
}

/** The use cases that a file makes although its library has a function for it. The spec beside a use case may make that one (ADR 7). */
function useCasesByHand(among: Files): readonly string[] {
  const owners = new Map<string, readonly string[]>();
  for (const [name, path] of useCases(among)) owners.set(name, [...(owners.get(name) ?? []), path]);
  return among
    .filter(([path]) => !CREATES.test(path))
    .flatMap(([path, text]) =>
      namesMade(text).flatMap((name) => {
        const isOwn = new RegExp(`\\bclass ${name}\\b`).test(text);
        const tested = path.replace(/\.spec\.ts$/, '.ts');
        const files = owners.get(name) ?? [];
        return files.length === 0 || isOwn || files.includes(tested) ? [] : [`${path}: ${name}`];
      }),
    );
}

describe('a use case', () => {
  const useCase = ['libs/stages/task/src/application/open-shelf.ts', 'export class OpenShelf {}'] as const;
  const maker = [
    'libs/stages/task/src/create-tasks.ts',
    'export const createTasks = ({ shelf }) => ({ openShelf: new OpenShelf(shelf) });',
  ] as const;

  it('is made by the create function of its library, and in the spec beside it', () => {
    expect(useCases(all).length).toBeGreaterThan(300);
    expect(useCasesByHand(all)).toEqual([]);
  });

  it.each([
    'apps/worker/src/start-worker.ts',
    'libs/assembly/installation/src/compose.ts',
    'libs/stages/task/src/application/close-shelf.ts',
    'libs/stages/task/src/application/close-shelf.spec.ts',
    'libs/stages/task/src/application/fake-shelf-world.ts',
    'libs/stages/task/src/adapters/sql-shelf.db.spec.ts',
    'test/support/shelf-rows.ts',
    'test/database/shelf.spec.ts',
  ])('is caught if %s makes it', (path) => {
    const by = [path, 'const open = new OpenShelf(shelf);'] as const;
    expect(useCasesByHand([useCase, maker, by])).toEqual([`${path}: OpenShelf`]);
  });

  it('is caught if a use case makes it, and no create function does', () => {
    const inner = [useCase[0], 'export class OpenShelf {\n  execute(): void {}\n}'] as const;
    const by = ['libs/stages/task/src/application/close-shelf.ts', 'const open = new OpenShelf(shelf);'] as const;
    expect(useCasesByHand([inner, by])).toEqual([`${by[0]}: OpenShelf`]);
  });

  it.each([
    ['the spec beside it', 'libs/stages/task/src/application/open-shelf.spec.ts', 'new OpenShelf(shelf);'],
    ['a file with another class of that name', 'apps/runner/src/shelf.ts', 'class OpenShelf {}\nnew OpenShelf();'],
  ])('is not caught in %s', (_what, path, text) => {
    expect(useCasesByHand([useCase, maker, [path, text]])).toEqual([]);
  });
});

/** The libraries with use cases that have no function to make these. */
const withoutCreate = (among: Files): readonly string[] => {
  const indexes = new Map(
    among.filter(([path]) => path.endsWith('/src/index.ts')).map(([path, text]) => [libraryOf(path), text]),
  );
  return [...new Set(useCaseFiles(among).map(([path]) => libraryOf(path)))].filter(
    (library) => !/\bcreate[A-Z]\w+\b[^;]*from '\.\/create-/.test(indexes.get(library) ?? ''),
  );
};

describe('an adapter of a port', () => {
  const shelf = [
    'libs/stages/task/src/adapters/sql-shelf.ts',
    'export class SqlShelf<Row> extends Table<Row> implements Shelf {}',
  ] as const;

  it('is made by the create functions of its library, and in its tests', () => {
    expect(implementing(all).length).toBeGreaterThan(100);
    expect(madeByHand(all)).toEqual([]);
  });

  it.each([
    'apps/worker/src/start-worker.ts',
    'libs/stages/plan/src/create-plans.ts',
    'libs/stages/plan/src/adapters/sql-plans.ts',
    'libs/stages/plan/src/adapters/sql-plans.db.spec.ts',
    'libs/stages/task/src/application/open-shelf.ts',
    'test/support/shelf-rows.ts',
    'test/e2e/shelf.spec.ts',
  ])('is caught if %s makes it', (path) => {
    expect(madeByHand([shelf, [path, 'const shelf = new SqlShelf<Book>(seals);']])).toEqual([`${path}: SqlShelf`]);
  });

  it('is made by no function that makes use cases, too', () => {
    expect(madeBesideUseCases(all)).toEqual([]);
  });

  it('is caught in a function that makes use cases, and not beside it', () => {
    const path = 'libs/stages/task/src/create-tasks.ts';
    const useCase = ['libs/stages/task/src/application/a.ts', 'export class A {\n  execute(): void {}\n}'] as const;
    const creating = (text: string) =>
      madeBesideUseCases([shelf, useCase, [path, `import { SqlShelf } from './adapters/sql-shelf.js';\n${text}`]]);
    expect(creating('export const createTasks = () => new A(new SqlShelf<Book>());')).toEqual([`${path}: SqlShelf`]);
    const store = 'export const createTaskStore = () => new SqlShelf();\n';
    expect(creating(`${store}export const createTasks = (shelf: Shelf) => new A(shelf);`)).toEqual([]);
  });

  it.each([
    'libs/assembly/installation/src/compose.ts',
    'libs/stages/task/src/create-tasks.ts',
    'libs/stages/task/src/adapters/sql-shelf.db.spec.ts',
    'test/database/shelf.spec.ts',
  ])('is not caught in %s', (path) => {
    expect(madeByHand([shelf, [path, 'const shelf = new SqlShelf(seals);']])).toEqual([]);
  });
});

describe('a library with use cases', () => {
  it('exports a function that makes them', () => {
    expect(withoutCreate(all)).toEqual([]);
  });

  it('is caught without one', () => {
    const useCase = ['libs/stages/task/src/application/a.ts', 'export class A {\n  execute(): void {}\n}'] as const;
    const index = (text: string) => [useCase, ['libs/stages/task/src/index.ts', text]] as const;
    expect(withoutCreate(index("export { A } from './application/a.js';"))).toEqual(['libs/stages/task']);
    expect(withoutCreate(index("export { createTasks } from './create-tasks.js';"))).toEqual([]);
  });
});

const ROOT = 'libs/assembly/installation/';
/** A move and the demo's attacker work on keys without an installation. */
const KEYS_ALONE = ['createKeys', 'createSigningKeys'];

/** The create functions of libraries that the composition root calls, with the libraries. */
function composed(among: Files): ReadonlyMap<string, string> {
  const root = among.filter(([path]) => path.startsWith(ROOT)).map(([, text]) => text);
  const called = new Set(root.flatMap((text) => text.match(/\bcreate[A-Z]\w+(?=[<(])/g) ?? []));
  return new Map(
    among
      .filter(([path]) => CREATES.test(path))
      .flatMap(([path, text]) =>
        [...text.matchAll(/^export (?:const|(?:async )?function) (\w+)/gm)].map(
          ([, name = '']) => [name, libraryOf(path)] as const,
        ),
      )
      .filter(([name]) => called.has(name) && !KEYS_ALONE.includes(name)),
  );
}

/** The calls of these functions outside of the root and of tests: wiring by hand (ADR 7). */
function wiredByHand(among: Files): readonly string[] {
  const owners = composed(among);
  return among
    .filter(([path]) => /^(?:libs|apps)\//.test(path) && !path.startsWith(ROOT) && !TESTS.test(path))
    .flatMap(([path, text]) =>
      [...new Set(text.match(/\bcreate[A-Z]\w+(?=[<(])/g))]
        .filter((name) => owners.has(name) && owners.get(name) !== libraryOf(path))
        .map((name) => `${path}: ${name}`),
    );
}

describe('a create function of the composition root', () => {
  const library = [
    ['libs/stages/task/src/create-tasks.ts', 'export function createTasks(deps: TaskDeps) {}\ncreateTasks(deps);'],
    [`${ROOT}src/create-stages.ts`, 'const task = createTasks({ uow });'],
  ] as const;

  it('is called by the root alone', () => {
    expect(composed(all).size).toBeGreaterThan(50);
    expect(wiredByHand(all)).toEqual([]);
  });

  it.each(['apps/worker/src/main.ts', 'libs/stages/plan/src/create-plans.ts'])('is caught if %s calls it', (path) => {
    const calling = [path, 'const task = createTasks({ uow });'] as const;
    expect(wiredByHand([...library, calling])).toEqual([`${path}: createTasks`]);
  });

  it('is not caught in its own library and in tests', () => {
    const world = ['libs/stages/plan/src/fake-plan-world.ts', 'const task = createTasks({ uow });'] as const;
    expect(wiredByHand([...library, world])).toEqual([]);
  });
});

/** Rows that are those of no table: sums, unions, or the answer of a function. Every other row has its columns from an entity (ADR 1). */
const ROWS_OF_NO_TABLE: ReadonlySet<string> = new Set([
  'libs/evidence/report/src/adapters/sql-overview.ts',
  'libs/evidence/report/src/adapters/sql-production-changes.ts',
  'libs/people/idempotency/src/adapters/sql-idempotency-records.ts',
  'libs/people/identity/src/adapters/sql-credential-file.ts',
  'libs/people/identity/src/adapters/sql-seats.ts',
  'libs/people/sign-in/src/adapters/sql-sign-in-standings.ts',
  'libs/stages/approval/src/adapters/sql-statistics.ts',
  'libs/stages/simulation/src/adapters/sql-simulation-outcome.repository.ts',
  'libs/stages/tool-call/src/adapters/sql-call-facts.ts',
]);

/** Adapters with the type of a row that names columns by hand. A statement may add one or two to its row. */
const withRowsByHand = (among: Files): readonly string[] =>
  among
    .filter(([path]) => isAdapter(path) && namedAs(path) === 'sql')
    .filter(([, text]) =>
      [...text.matchAll(/\b(?:interface|type) \w+[^{;]*\{([^}]*)\}|\bquery<\{([^}]*)\}/g)].some(
        ([, members, inline]) => [...(members ?? inline ?? '').matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\??:/g)].length > 2,
      ),
    )
    .map(([path]) => path);

describe('the row of a table', () => {
  it('has its columns from an entity', () => {
    expect(new Set(withRowsByHand(files))).toEqual(ROWS_OF_NO_TABLE);
  });

  it.each([
    'interface TaskRow {\n  readonly created_at: Date;\n  readonly agent_id: string;\n  readonly person_id: string;\n}',
    "sql.query<{ created_at: Date; agent_id: string; person_id: string }>('select');",
  ])('is caught by hand in %j', (text) => {
    const path = 'libs/stages/task/src/adapters/sql-task.ts';
    expect(withRowsByHand([[path, text]])).toEqual([path]);
  });
});

/** Adapters, with the tables of which their SQL names a column in words although these have entities. */
const withColumnsByWords = (among: Files, tables: MappedTables): ReadonlySet<string> =>
  new Set(
    among
      .filter(([path]) => isAdapter(path) && namedAs(path) === 'sql')
      .flatMap(([path, text]) =>
        [...columnsInWords(text, tables)].map((column) => `${path}: ${column.replace(/\..*/, '')}`),
      ),
  );

/** The entities of all libraries. The column of the tenant is a word. */
async function mappedTables(): Promise<MappedTables> {
  const modules = await Promise.all(
    files
      .filter(([path]) => path.endsWith('.entity.ts'))
      .map(async ([path]) => (await import(join(root, path))) as Readonly<Record<string, unknown>>),
  );
  const entities = modules
    .flatMap((module) => Object.entries(module))
    .filter((named): named is [string, Entity<unknown>] => named[1] instanceof EntitySchema);
  return {
    columns: new Map(
      entities.map(([, { options, column }]) => [
        options.name,
        new Set(Object.values<string>(column).filter((name) => name !== 'tenant_id')),
      ]),
    ),
    byEntity: new Map(entities.map(([name, { options }]) => [name, options.name])),
  };
}

/** The tables of later libraries, of which these adapters may not import the entities (ADR 1). */
const OF_LATER_LIBRARIES: ReadonlySet<string> = new Set([
  'libs/people/identity/src/adapters/sql-enrolment.repository.ts: factor',
  'libs/people/identity/src/adapters/sql-left-behind.ts: absence',
  'libs/people/identity/src/adapters/sql-left-behind.ts: push_subscription',
  'libs/people/identity/src/adapters/sql-person.repository.ts: external_identity',
  'libs/people/identity/src/adapters/sql-person.repository.ts: issuer',
  'libs/people/identity/src/adapters/sql-person.repository.ts: sign_in_settings',
  'libs/people/identity/src/adapters/sql-role-directory.ts: autonomy_revision',
  'libs/people/identity/src/adapters/sql-role-directory.ts: issuer',
  'libs/people/identity/src/adapters/sql-seats.ts: external_identity',
  'libs/people/identity/src/adapters/sql-seats.ts: issuer',
  'libs/people/identity/src/adapters/sql-seats.ts: issuer_standing',
  'libs/registry/cell-map/src/adapters/sql-served-tenants.ts: slack_installation',
  'libs/registry/runner-pool/src/adapters/sql-old-runner-calls.ts: run_step',
  'libs/registry/runner-pool/src/adapters/sql-old-runner-calls.ts: tool_call',
  'libs/registry/tool/src/adapters/sql-tool-usage.ts: plan_tool',
  'libs/rules/autonomy/src/adapters/sql-notified-destinations.ts: incident_destination_check',
  'libs/rules/autonomy/src/adapters/sql-notified-destinations.ts: incident_setting',
  'libs/stages/approval/src/adapters/sql-statistics.ts: slack_message',
  'libs/stages/plan/src/adapters/sql-plan.repository.ts: run',
  'libs/stages/task/src/adapters/sql-task.repository.ts: approval_request',
  'libs/stages/task/src/adapters/sql-task.repository.ts: review',
  'libs/stages/task/src/adapters/sql-work-conditions.ts: approval_request',
  'libs/stages/task/src/adapters/sql-work-conditions.ts: plan',
  'libs/stages/task/src/adapters/sql-work-conditions.ts: review',
]);

describe('a column in SQL by hand', () => {
  const path = 'libs/stages/run/src/adapters/sql-steps.ts';
  let tables: MappedTables;
  beforeAll(async () => {
    tables = await mappedTables();
  });

  it('is named by the entity of its table', () => {
    expect(tables.columns.get('run_step')).toContain('lease_until');
    expect(tables.columns.get('plan')).toContain('agent_id');
    expect(withColumnsByWords(files, tables)).toEqual(OF_LATER_LIBRARIES);
  });

  it.each([
    ['run_step.step_id', 'const INSERT = `insert into run_step (tenant_id, step_id) values ($1, $2)`;'],
    ['run_step.seq', 'const INSERT = `insert into run_step (tenant_id, seq) select $1, seq from added`;'],
    [
      'run_step.seq',
      'const INSERT = `insert into ${runStepEntity.all.into} values ($1) on conflict (seq) do nothing`;',
    ],
    ['run_step.lease_until', 'const SELECT = `select step.lease_until from run_step as step`;'],
    ['run_step.state', 'const SELECT = `select state from run_step`;'],
    ['run_step.seq', 'const ORDER = `select ${STEP.id} from run_step order by seq`;'],
    ['run_step.seq', 'const UNION = `select ${RUN.id} from run union all select seq from run_step`;'],
    ['run_step.id', 'const JOIN = `select ${RUN.id} from run left join run_step step on step.id = ${RUN.id}`;'],
    ['run_step.seq', 'const SUM = `select sum(seq) filter (where ${STEP.id} = $2) from run_step`;'],
    ['run_step.state', "await sqlOf(tx).query('select from run_step where state = $2', []);"],
    ['run_step.state', 'const SET = `update run_step set state = ${state} where ${STEP.id} = $2`;'],
    ['run_step.state', 'const DELETE = `delete from run_step held where ${STEP.id} = $2 returning held.state`;'],
    ['run_step.seq', 'const WITHIN = `select ${RUN.id} from run where exists (select from run_step where seq > 1)`;'],
    ['run_step.seq', 'const AROUND = `delete from run_step held where exists (select from run where held.seq = 1)`;'],
    ['run_step.seq', 'const AROUND = `select ${STEP.id} from run_step where exists (select from run where seq = 1)`;'],
    [
      'run_step.seq',
      "const STEP = runStepEntity.as('step');\nconst IS_FIRST = `${STEP.attempts} = 1 and step.seq = 0`;",
    ],
    ['run_step.seq', 'const FROM = `select from run_step step`;\nconst IS_FIRST = `step.seq = 0`;'],
    ['run_step.seq', 'const { id } = runStepEntity.column;\nconst IS_FIRST = `${id} = $2 and seq = 0`;'],
    ['run_step.seq', "dropOldRows('run_step', COLUMN.finishedAt, 'old.seq < $2');"],
    ['run_step.finished_at', "dropOldRows('run_step', 'finished_at', `${OLD.finishedAt} < $2`);"],
    ['plan.agent_id', 'const OF_AGENT = `select from plan where agent_id = $2`;'],
  ])('is caught in words: %s in %j', (column, text) => {
    expect([...columnsInWords(text, tables)]).toEqual([column]);
    expect([...withColumnsByWords([[path, text]], tables)]).toEqual([`${path}: ${column.replace(/\..*/, '')}`]);
  });

  it.each([
    'const NAMED = `select ${STEP.leaseUntil} as lease_until, step_id(${STEP.id}) from run_step step`;',
    'const SORTED = `select ${STEP.seq} + 1 as seq from run_step order by seq`;',
    'const UNION = `select ${RUN.id} from run union select ${STEP.id} from run_step order by id`;',
    'const WITH = `with run_step as (select ${OLD.id} from run old) select id from run_step`;',
    'const LISTED = `with known (seq) as (select 1) select ${STEP.id} from known, run_step where ${STEP.seq} = known.seq`;',
    'const GIVEN = `select ${STEP.id} from run_step join unnest($2::int[]) as wanted (seq) on ${STEP.seq} = wanted.seq`;',
    'const GIVEN = `insert into ${STEP.into} select $1, id, seq from jsonb_to_recordset($2) as added (id uuid, seq int)`;',
    'const WITHIN = `select ${STEP.id} from run_step where exists (select seq from unnest($2::int[]) as wanted (seq))`;',
    'const ROW = `select ${STEP.id} from run_step state where is_shown(state)`;',
    'const QUOTED = `select ${STEP.state} = \'state\' as "state" from run_step -- by state`;',
    "const STEP = runStepEntity.as('step');\nconst PROSE = 'The step is in the state $2 = pending, which the table run_step has.';",
    "const STEP = runStepEntity.as('step');\nfail({ code: 'step.state', kind: 'conflict' });",
  ])('is not caught in %j', (text) => {
    expect([...columnsInWords(text, tables)]).toEqual([]);
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
