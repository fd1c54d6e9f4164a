import { v7 } from 'uuid';
import { completeDefinition, createToolStore, type ToolVersion } from '#lib/tool';
import { createAutonomyStore } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import { digestOf, digestText, newId, type EnvironmentId, type PersonId, type TenantId } from '#lib/kernel';
import { somebodyWaits, testDatabase, type TestDatabase } from '../support/database.js';
import { testSeals } from '../support/seals.js';

let db: TestDatabase;
const { tools, executors } = createToolStore();
const { revisions: autonomy } = createAutonomyStore(testSeals());

interface Tenant {
  readonly id: TenantId;
  readonly person: PersonId;
  readonly environment: EnvironmentId;
}

beforeAll(async () => {
  db = await testDatabase();
}, 120_000);
afterAll(async () => {
  await db.close();
});

async function tenant(): Promise<Tenant> {
  const [id, person, environment] = [newId<TenantId>(), newId<PersonId>(), newId<EnvironmentId>()];
  await db.owner.query('insert into tenant values ($1, $2, $2, now())', [id, `t-${v7()}`]);
  await db.owner.query(
    `insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, 'a@b', 'Ada', now())`,
    [id, person],
  );
  await db.owner.query(
    `insert into environment (tenant_id, id, name, production, version, created_at, updated_at) values ($1, $2, 'production', true, 1, now(), now())`,
    [id, environment],
  );
  return { id, person, environment };
}

function version(name: string, number: number, description: string): ToolVersion & { readonly text: string } {
  const completed = completeDefinition(name, { description, risk: 'read_only', idempotent: true, scope: 'asset' }, '');
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  const text = canonicalJson(completed.value as Json);
  return {
    id: newId<never>(),
    name,
    version: number,
    digest: digestText('tool', text),
    definition: completed.value,
    text,
  };
}

const put = (by: Tenant, tool: ToolVersion & { readonly text: string }) =>
  db.uow.run(by.id, async (tx) => {
    await tools.addVersion(tx, tool, tool.text, by.person, await tx.now());
  });

/** Holds a transaction open until told to end, so that another has to wait for its locks. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    opened,
    open: () => {
      open();
    },
  };
}

describe('tools in PostgreSQL', () => {
  it('are read back as they were written, with the digest that covers them', async () => {
    const by = await tenant();
    const [first, second] = [version('t', 1, 'one'), version('t', 2, 'two')];
    await put(by, first);
    await put(by, second);
    await db.uow.run(by.id, async (tx) => {
      const current = await tools.resolve(tx, 't');
      expect(current).toMatchObject({
        id: second.id,
        version: 2,
        digest: second.digest,
        definition: second.definition,
      });
      expect(digestOf('tool', current?.definition as Json)).toBe(second.digest);
      expect(await tools.get(tx, 't', 1)).toMatchObject({ id: first.id, definition: { description: 'one' } });
      expect(await tools.get(tx, 't', 3)).toBeNull();
      expect([...(await tools.getMany(tx, [first.id, second.id])).keys()].sort()).toEqual([first.id, second.id].sort());
      expect([...(await tools.resolveMany(tx, ['t', 'unknown', 't'])).keys()]).toEqual(['t']);
    });
  });

  it('that were removed resolve to nothing, and keep their versions', async () => {
    const by = await tenant();
    await put(by, version('gone', 1, 'one'));
    await db.uow.run(by.id, async (tx) => {
      await tools.remove(tx, 'gone', await tx.now());
    });
    await db.uow.run(by.id, async (tx) => {
      expect(await tools.resolve(tx, 'gone')).toBeNull();
      expect(await tools.list(tx)).toEqual([]);
      expect(await tools.get(tx, 'gone', 1)).not.toBeNull();
      expect((await tools.heads(tx)).get('gone')).toMatchObject({ removed: true, current: { version: 1 } });
    });
  });

  it('T19: are invisible to another tenant', async () => {
    const [by, other] = [await tenant(), await tenant()];
    const mine = version('mine', 1, 'one');
    await put(by, mine);
    await db.uow.run(other.id, async (tx) => {
      expect(await tools.resolve(tx, 'mine')).toBeNull();
      expect((await tools.getMany(tx, [mine.id])).size).toBe(0);
    });
  });

  it('a version never changes, not even by the owner (CS001)', async () => {
    const by = await tenant();
    await put(by, version('fixed', 1, 'one'));
    await expect(
      db.owner.query(`update tool_version set definition = '{}' where tenant_id = $1`, [by.id]),
    ).rejects.toMatchObject({ code: 'CS001' });
    await expect(db.owner.query('delete from tool_version where tenant_id = $1', [by.id])).rejects.toMatchObject({
      code: 'CS001',
    });
  });

  it('T01: a reader that waited for a change sees the new version', async () => {
    const by = await tenant();
    await put(by, version('moving', 1, 'one'));
    const held = gate();
    const written = gate();
    const changing = db.uow.run(by.id, async (tx) => {
      const next = version('moving', 2, 'two');
      await tools.addVersion(tx, next, next.text, by.person, await tx.now());
      written.open();
      await held.opened;
    });
    await written.opened;
    const reading = db.uow.run(by.id, (tx) => tools.resolveMany(tx, ['moving'], { lock: 'share' }));
    await somebodyWaits(db.owner);
    held.open();
    await changing;
    expect((await reading).get('moving')).toMatchObject({ version: 2, definition: { description: 'two' } });
  });
});

describe('executors in PostgreSQL', () => {
  it('T01: a changed address is another digest under the same id', async () => {
    const by = await tenant();
    const record = {
      id: newId<never>(),
      name: 'fleet',
      kind: 'http' as const,
      url: 'https://a.example/',
      audience: 'a',
      sharedAudience: false,
      secret: null,
      settings: {},
      version: 1,
      digest: digestOf('executor', 1),
    };
    const save = (changed: object) =>
      db.uow.run(by.id, async (tx) => {
        await executors.save(tx, by.environment, { ...record, ...changed }, by.person, await tx.now());
      });
    await save({});
    await save({ url: 'https://b.example/', version: 2, digest: digestOf('executor', 2) });
    await db.uow.run(by.id, async (tx) => {
      const found = (await executors.resolveMany(tx, by.environment, ['fleet', 'none'])).get('fleet');
      expect(found).toMatchObject({
        id: record.id,
        version: 2,
        url: 'https://b.example/',
        digest: digestOf('executor', 2),
      });
      expect((await executors.resolveMany(tx, newId<EnvironmentId>(), ['fleet'])).size).toBe(0);
    });
    const { rowCount } = await db.owner.query('select from executor_version where tenant_id = $1', [by.id]);
    expect(rowCount).toBe(2);
  });
});

describe('autonomy documents in PostgreSQL', () => {
  const putDocument = (by: Tenant, number: number, hold?: Promise<void>, written?: () => void) =>
    db.uow.run(by.id, async (tx) => {
      await autonomy.lockForChange(tx);
      const source = `# ${String(number)}\r\n\tä`;
      const document = { autonomy: { mode: 'plan_only' as const, max_batch_percent: number } };
      await autonomy.put(tx, {
        revisionId: newId<never>(),
        number,
        document,
        digest: digestOf('autonomy', document),
        source,
        sourceSha256: 'a'.repeat(64),
        createdAt: await tx.now(),
        createdBy: by.person,
      });
      written?.();
      await hold;
    });

  it('the last one put is in force, and its source is kept byte for byte', async () => {
    const by = await tenant();
    await db.uow.run(by.id, async (tx) => {
      expect(await autonomy.current(tx)).toBeNull();
    });
    await putDocument(by, 1);
    await putDocument(by, 2);
    await db.uow.run(by.id, async (tx) => {
      expect(await autonomy.current(tx)).toMatchObject({ number: 2, document: { autonomy: { max_batch_percent: 2 } } });
      expect(await autonomy.find(tx, 1)).toMatchObject({ source: '# 1\r\n\tä', createdByName: 'Ada' });
      expect((await autonomy.list(tx, { before: null, limit: 10 })).map(({ number }) => number)).toEqual([2, 1]);
      expect((await autonomy.list(tx, { before: 2, limit: 10 })).map(({ number }) => number)).toEqual([1]);
    });
    await expect(
      db.owner.query(`update autonomy_revision set source = 'x' where tenant_id = $1`, [by.id]),
    ).rejects.toMatchObject({ code: 'CS001' });
  });

  it('a decision that waited for a change is taken under the new one', async () => {
    const by = await tenant();
    await putDocument(by, 1);
    const [held, written] = [gate(), gate()];
    const changing = putDocument(by, 2, held.opened, written.open);
    await written.opened;
    const reading = db.uow.run(by.id, (tx) => autonomy.current(tx, { lock: 'share' }));
    await somebodyWaits(db.owner);
    held.open();
    await changing;
    expect(await reading).toMatchObject({ number: 2 });
  });

  it('a change waits for the decisions under way', async () => {
    const by = await tenant();
    await putDocument(by, 1);
    const [held, locked] = [gate(), gate()];
    const deciding = db.uow.run(by.id, async (tx) => {
      await autonomy.current(tx, { lock: 'share' });
      locked.open();
      await held.opened;
      return autonomy.current(tx);
    });
    await locked.opened;
    const changing = putDocument(by, 2);
    await somebodyWaits(db.owner);
    held.open();
    expect(await deciding).toMatchObject({ number: 1 });
    await changing;
  });
});
