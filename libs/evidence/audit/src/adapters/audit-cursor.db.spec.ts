import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import {
  openDataSource,
  packageRoot,
  startEmbeddedPostgres,
  TypeormSystemQuery,
  TypeormUnitOfWork,
  type EmbeddedPostgres,
} from '#lib/database';
import { newId, type AuditEntryId, type TenantId, type Tx } from '#lib/kernel';
import { auditLogOver } from '../../../../../test/support/audit-log.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { until } from '../../../../../test/support/until.js';
import type { AuditLog } from '../create-audit.js';
import * as entities from './audit.entity.js';

const FOLDERS: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'countersign-cursor-'));
  FOLDERS.push(made);
  return made;
};
afterAll(() => Promise.all(FOLDERS.map((each) => rm(each, { recursive: true, force: true }))));

type Database = Pick<TestDatabase, 'uow' | 'systemQuery' | 'owner'>;

/** A log with the steps and questions of a test. */
class World {
  private constructor(
    readonly db: Database,
    readonly directory: string,
    readonly tenant: TenantId,
    readonly log: AuditLog,
  ) {}

  /** @param before the same log, where it was until now. */
  static async on(db: Database, before?: World): Promise<World> {
    const directory = before?.directory ?? (await folder());
    const log = auditLogOver(db, join(directory, 'keys'));
    return new World(db, directory, before?.tenant ?? newId<TenantId>(), log);
  }

  append(tx: Tx, subject: string): Promise<void> {
    return this.log.sink.record(tx, {
      action: 'thing.done',
      actor: { kind: 'person', id: 'p', display_name: 'Ada', credential_id: null, on_behalf_of: null },
      level: 'basic',
      subject: { type: 'thing', id: subject },
      payload: {},
    });
  }

  record(...subjects: string[]): Promise<void> {
    return this.db.uow.run(this.tenant, async (tx) => {
      for (const subject of subjects) await this.append(tx, subject);
    });
  }

  /** Works as a worker does: waiting entries get their leaf, and the cursor moves on. */
  async work(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await this.log.backlog.settle();
      for (const { tenantId, entries } of await this.log.backlog.unsequenced())
        await this.log.sequence.execute(tenantId, entries);
    }
  }

  /** The subjects in the order of their leaves. */
  async leaves(): Promise<readonly string[]> {
    const { rows } = await this.db.owner.query<{ subject_id: string }>(
      `select entry.subject_id from audit_leaf leaf
         join audit_entry entry on entry.tenant_id = leaf.tenant_id and entry.id = leaf.entry_id
        where leaf.tenant_id = $1 order by leaf.leaf_index`,
      [this.tenant],
    );
    return rows.map(({ subject_id }) => subject_id);
  }

  /** Whether the cursor counts here. */
  async counts(): Promise<boolean> {
    const { rows } = await this.db.owner.query<{ counts: boolean }>('select audit_seen() is not null as counts');
    return rows[0]?.counts === true;
  }

  /** Entries as another cluster's files hold them: they name its transactions. */
  async load(...entries: readonly (readonly [subject: string, xid: string])[]): Promise<void> {
    for (const [subject, xid] of entries) {
      await this.#numberBy(`'${xid}'::xid8`);
      await this.move(subject);
    }
    await this.#numberBy('pg_current_xact_id()');
  }

  /** An entry as an operator inserts it who moves a tenant. */
  move(subject: string, by: Pick<Pool, 'query'> = this.db.owner, xid?: string): Promise<unknown> {
    return by.query(
      `insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence, payload_digest${xid === undefined ? '' : ', xid'})
       values ($1, $2, 'basic', 'thing.done', '{"kind":"person","id":"p","display_name":"Ada","credential_id":null,"on_behalf_of":null}',
         'thing', $3, '[]', '[]', sha256('')${xid === undefined ? '' : `, '${xid}'`})`,
      [this.tenant, newId<AuditEntryId>(), subject],
    );
  }

  #numberBy(expression: string): Promise<unknown> {
    return this.db.owner.query(
      `create or replace function audit_entry_own_xid(id uuid) returns xid8 language plpgsql immutable
         as $$ begin return ${expression}; end $$`,
    );
  }
}

describe('the cursor of the sequencer', () => {
  let db: TestDatabase;
  let world: World;
  beforeEach(async () => {
    db = await testDatabase();
    world = await World.on(db);
  });
  afterEach(() => db.close());

  it('moves past entries with a leaf, and never past a transaction under way', async () => {
    await world.record('before');
    await world.work();
    expect(await world.counts()).toBe(true);
    let commit: () => void = () => undefined;
    let wrote: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (wrote = resolve));
    const late = db.uow.run(world.tenant, async (tx) => {
      await world.append(tx, 'late');
      await tx.now();
      wrote();
      await new Promise<void>((resolve) => (commit = resolve));
    });
    await written;
    for (const subject of ['one', 'two', 'three']) {
      await world.record(subject);
      await world.work();
    }
    expect(await world.leaves()).toEqual(['before', 'one', 'two', 'three']);
    commit();
    await late;
    await world.work();
    expect(await world.leaves()).toEqual(['before', 'one', 'two', 'three', 'late']);
  });

  it('leaves nothing to look at once everything has its leaf', async () => {
    await world.record('one', 'two');
    await world.work();
    const { rows } = await db.owner.query(
      'select from audit_entry where audit_arrived(xid, audit_seen()) and audit_seen() is not null',
    );
    expect(rows).toEqual([]);
    expect(await world.counts()).toBe(true);
  });

  it('goes on without a tenant that cannot be sequenced, and finds its entries again', async () => {
    await world.record('before');
    await world.work();
    await db.owner.query(`alter table audit_leaf add constraint none check (entry_id is null) not valid`);
    await world.record('stuck');
    await expect(world.log.sequence.execute(world.tenant)).rejects.toThrow();
    for (let round = 0; round < 3; round += 1) {
      await world.log.backlog.unsequenced();
      await world.log.backlog.settle();
    }
    expect((await world.log.backlog.unsequenced()).map(({ tenantId }) => tenantId)).toEqual([world.tenant]);
    const { rows } = await db.owner.query('select from audit_entry where audit_arrived(xid, audit_seen())');
    expect(rows).toEqual([]);
    await db.owner.query('alter table audit_leaf drop constraint none');
    await world.work();
    expect(await world.leaves()).toEqual(['before', 'stuck']);
    expect(await world.log.backlog.unsequenced()).toEqual([]);
  });

  it('looks through a long backlog once: the rest of the first batch is set aside, and the cursor moves on', async () => {
    await world.record('before');
    await world.work();
    const subjects = Array.from({ length: 1_100 }, (_, n) => String(n));
    await world.record(...subjects);
    expect(await world.log.sequence.execute(world.tenant)).toEqual({ sequenced: 1_000, more: true });
    for (let round = 0; round < 3; round += 1) {
      await world.log.backlog.unsequenced();
      await world.log.backlog.settle();
    }
    const { rows } = await db.owner.query('select from audit_entry where audit_arrived(xid, audit_seen())');
    expect(rows).toEqual([]);
    expect(await world.log.sequence.execute(world.tenant)).toEqual({ sequenced: 100, more: false });
    expect(await world.leaves()).toEqual(['before', ...subjects]);
  });

  it('does not count in another cluster: leaves decide there, not the transactions that a dump names', async () => {
    await world.load(['old', '5']);
    await world.work();
    await world.load(['low', '7'], ['high', '900000000000']);
    // The rows of a dump come with the cursor of the cluster it was taken from.
    await db.owner.query(`update audit_cursor set cluster = '1/00000001', seen = '800000000000:800000000000:'`);
    expect(await world.counts()).toBe(false);
    await world.record('new');
    await world.work();
    expect(await world.leaves()).toEqual(['old', 'low', 'high', 'new']);
    expect(await world.counts()).toBe(true);
    await world.record('newer');
    await world.work();
    expect(await world.leaves()).toEqual(['old', 'low', 'high', 'new', 'newer']);
  });

  it('does not count if the counter of transactions went back', async () => {
    await world.record('one');
    await world.work();
    await db.owner.query(`update audit_cursor set seen = '800000000000:800000000000:'`);
    expect(await world.counts()).toBe(false);
    await world.record('two');
    await world.work();
    expect(await world.leaves()).toEqual(['one', 'two']);
    expect(await world.counts()).toBe(true);
  });

  it('is not moved by a look at another history, in which a transaction under way here was over', async () => {
    await world.record('one');
    await world.work();
    const before = (await db.owner.query<{ seen: string }>('select seen from audit_cursor')).rows;
    const open = await db.owner.connect();
    try {
      await open.query('begin');
      const { rows } = await open.query<{ xid: string }>('select pg_current_xact_id() as xid');
      const next = String(BigInt(rows[0]?.xid ?? '0') + 1n);
      await db.owner.query('select pg_current_xact_id()');
      await db.owner.query('select pg_current_xact_id()');
      await db.app.query('select audit_settle($1)', [`${next}:${next}:`]);
      expect((await db.owner.query('select seen from audit_cursor')).rows).toEqual(before);
    } finally {
      await open.query('rollback');
      open.release();
    }
  });

  it('finds the entries of a tenant that moves in: no entry names a transaction of elsewhere (428C9)', async () => {
    await world.record('here');
    await world.work();
    const admin = new Pool({ connectionString: db.adminUrl });
    try {
      for (const by of [db.owner, admin])
        await expect(world.move('hidden', by, '3')).rejects.toMatchObject({ code: '428C9' });
    } finally {
      await admin.end();
    }
    await world.move('moved');
    await world.move('moved too');
    await world.work();
    expect(await world.leaves()).toEqual(['here', 'moved', 'moved too']);
    await world.work();
    expect(await world.leaves()).toHaveLength(3);
  });
});

describe('the cursor of the sequencer, in another server', () => {
  const settings = { wal_level: 'replica', fsync: 'off' };
  const running = new Map<EmbeddedPostgres, string>();
  const start = async (directory: string, more: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ directory, root: packageRoot(), settings: { ...settings, ...more } });
    running.set(server, directory);
    return server;
  };
  const stop = async (server: EmbeddedPostgres): Promise<void> => {
    running.delete(server);
    await server.stop();
  };
  afterEach(async () => {
    for (const server of running.keys()) await stop(server);
  });

  /** The folder of a server that is stopped, with a migrated template. Each test begins with a copy, since it takes seconds. */
  let prepared: string;
  beforeAll(async () => {
    prepared = await folder();
    const server = await start(prepared);
    await (await testDatabase(server)).close();
    await stop(server);
  }, 60_000);

  async function copied(from: string): Promise<string> {
    const directory = await folder();
    const names = (await readdir(from)).filter((name) => name === 'data' || name.endsWith('.password'));
    // A program: Node needs seconds for thousands of files.
    await promisify(execFile)('cp', ['-a', ...names.map((name) => join(from, name)), directory]);
    return directory;
  }

  /** Stops a server, copies its folder and starts it again. @returns it, and the copy. */
  async function copyOf(server: EmbeddedPostgres, from: string): Promise<[EmbeddedPostgres, string]> {
    await stop(server);
    const directory = await copied(from);
    return [await start(from), directory];
  }

  /** The server on a copy of another one's folder, following that one from here on. */
  async function standbyOf(primary: EmbeddedPostgres, from: string): Promise<[EmbeddedPostgres, EmbeddedPostgres]> {
    const [again, directory] = await copyOf(primary, from);
    await writeFile(join(directory, 'data', 'standby.signal'), '');
    return [again, await start(directory, { primary_conninfo: again.adminUrl })];
  }

  /** Connections to a database of a server; `close` ends them. */
  async function connect(server: EmbeddedPostgres, name: string): Promise<Database & { close(): Promise<unknown> }> {
    const url = await server.url('countersign_app', name);
    const dataSource = await openDataSource({
      url,
      poolSize: 4,
      applicationName: 'countersign-test',
      entities: Object.values(entities),
    });
    const owner = new Pool({ connectionString: addressOf(server, name), options: '-c role=countersign_owner' });
    owner.on('error', () => undefined);
    return {
      uow: new TypeormUnitOfWork(dataSource),
      systemQuery: new TypeormSystemQuery(dataSource),
      owner,
      close: () => Promise.all([dataSource.destroy(), owner.end()]),
    };
  }

  it('loses no entry of a promoted standby, and gives none two leaves', async () => {
    const directory = await copied(prepared);
    const first = await start(directory);
    const made = await testDatabase(first);
    const name = new URL(made.url).pathname.slice(1);
    const before = await World.on(made);
    await before.record('one');
    await before.work();
    const [primary, standby] = await standbyOf(first, directory);
    await before.record('two', 'three');
    await before.log.backlog.settle();

    const owner = new Pool({ connectionString: addressOf(standby, name), options: '-c role=countersign_owner' });
    owner.on('error', () => undefined);
    await until(async () => (await owner.query('select from audit_entry')).rowCount === 3);
    // Numbers that the primary gives out and the standby never hears of.
    await made.owner.query('select pg_current_xact_id() from generate_series(1, 3)');
    await stop(primary);
    await owner.end();
    const superuser = new Pool({ connectionString: addressOf(standby, name) });
    await superuser.query('select pg_promote()');
    await superuser.end();
    const promoted = await connect(standby, name);
    try {
      const after = await World.on(promoted, before);
      expect(await after.counts()).toBe(false);
      await after.record('four');
      await after.work();
      expect(await after.leaves()).toEqual(['one', 'two', 'three', 'four']);
      expect(await after.counts()).toBe(true);
    } finally {
      await promoted.close();
    }
  }, 60_000);

  it.each([
    ['started as it was', true],
    ['recovered to its last transaction', false],
  ])(
    'loses no entry of a backup that is %s, though a worker still holds a look at later entries',
    async (_how, sameTimeline) => {
      const directory = await copied(prepared);
      const first = await start(directory);
      const made = await testDatabase(first);
      const name = new URL(made.url).pathname.slice(1);
      let now: Pick<Database, 'systemQuery'> = made;
      const systemQuery: Database['systemQuery'] = {
        call: (...parameters) => now.systemQuery.call(...parameters),
        work: (...parameters) => now.systemQuery.work(...parameters),
        read: (...parameters) => now.systemQuery.read(...parameters),
      };
      const before = await World.on({ ...made, systemQuery });
      await before.record('one');
      await before.work();
      const [original, backup] = await copyOf(first, directory);
      for (const lost of ['two', 'three', 'four']) {
        await before.record(lost);
        await before.work();
      }
      await before.record('five');
      await before.log.backlog.settle();
      await before.log.backlog.unsequenced();
      await stop(original);

      if (!sameTimeline) await writeFile(join(backup, 'data', 'recovery.signal'), '');
      const restored = await start(backup, sameTimeline ? {} : { restore_command: 'false' });
      await until(async () => !(await inRecovery(restored, name)));
      const connected = await connect(restored, name);
      now = connected;
      try {
        const after = await World.on(connected, before);
        expect(await after.counts()).toBe(sameTimeline);
        for (const subject of ['2', '3', '4', '5', '6']) await after.record(subject);
        await before.log.backlog.settle();
        await after.work();
        expect(await after.leaves()).toEqual(['one', '2', '3', '4', '5', '6']);
        await after.record('7');
        await after.work();
        expect(await after.leaves()).toEqual(['one', '2', '3', '4', '5', '6', '7']);
        expect(await after.counts()).toBe(true);
      } finally {
        await connected.close();
      }
    },
    60_000,
  );
});

const addressOf = (server: EmbeddedPostgres, database: string): string => {
  const address = new URL(server.adminUrl);
  address.pathname = `/${database}`;
  return address.href;
};

async function inRecovery(server: EmbeddedPostgres, name: string): Promise<boolean> {
  const pool = new Pool({ connectionString: addressOf(server, name) });
  try {
    const { rows } = await pool.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
    return rows[0]?.recovering === true;
  } finally {
    await pool.end();
  }
}
