import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { openCellMap, type OpenCellMap } from '#lib/cell-map';
import { HELD_STALE_MS, openDatabase, packageRoot, startEmbeddedPostgres, type EmbeddedPostgres } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { lineReceiver, openSourceCell, openTargetCell, serveReceiver, type MoveState } from '#lib/tenant-move';
import { openKeyring } from '#lib/tenancy';
import { leaving, routersMap } from '../../apps/cli/src/move-tenant-as-operator.js';
import { targetKeys, type InstallationParts } from '../../apps/cli/src/receive-tenant.js';
import { testApi, type TestApi, type TestApiOptions } from './api.js';
import { testDatabase } from './database.js';

const ignore = (): void => undefined;

const LOOK_MS = 20;

interface HowToMove {
  readonly undo?: boolean;
  /** Told of each state. May throw, to interrupt the move. */
  readonly reached?: (state: MoveState) => void;
  /** Called each time that the move waits. May throw, too. */
  readonly looks?: () => void;
  readonly freezeMs?: number;
  /** The cell of the map that takes the tenant, if it is another one. */
  readonly cell?: string;
}

/** An installation on a PostgreSQL of its own. */
export interface TestCell {
  readonly api: TestApi;
  /** The address of an operator who is no superuser and has the rights that docs/operating.md states. */
  readonly operatorUrl: string;
  /** Everything that the server has written to its log. It has each statement of the operator. */
  serverLog(): Promise<string>;
  close(): Promise<void>;
}

async function testCell(options: TestApiOptions, rights: (database: string) => string): Promise<TestCell> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-cell-'));
  const server: EmbeddedPostgres = await startEmbeddedPostgres({
    directory,
    root: packageRoot(),
    port: 0,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // The copy of each table logs in.
      scram_iterations: '1',
      max_sync_workers_per_subscription: '4',
      max_logical_replication_workers: '8',
      max_worker_processes: '16',
    },
  });
  const db = await testDatabase(server);
  const api = await testApi({ ...options, db });
  const operatorUrl = new URL(db.adminUrl);
  await asSuperuser(db.adminUrl, rights(operatorUrl.pathname.slice(1)));
  Object.assign(operatorUrl, OPERATOR);
  return {
    api,
    operatorUrl: operatorUrl.href,
    serverLog: () => readFile(join(directory, 'server.log'), 'utf8'),
    close: async () => {
      await api.close();
      await db.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Two installations, and the move of a tenant from one to the other and back. */
export async function twoCells(options: TestApiOptions = {}) {
  const [source, target] = await Promise.all([testCell(options, RIGHTS), testCell(options, RIGHTS)]);
  const mapUrl = new URL(source.api.db.adminUrl);
  await asSuperuser(mapUrl.href, 'create database router');
  mapUrl.pathname = '/router';
  const openMap = (): Promise<OpenCellMap> => openCellMap({ url: mapUrl.href }, ignore);
  const map = await openMap();
  await map.putCell('eu1', 'http://localhost:1');
  await map.putCell('eu2', 'http://localhost:2');
  /** Of the logins that were made for moves. */
  const passwords: string[] = [];
  const parts = { openMap, passwords };
  return {
    source: source.api,
    target: target.api,
    map,
    passwords,
    serverLogs: () => Promise.all([source.serverLog(), target.serverLog()]),
    /** Begins the move, goes on with it, or undoes it. */
    move: (slug: string, how: HowToMove = {}) => movedBetween(source, target, slug, { ...parts, cell: 'eu2', ...how }),
    moveBack: (slug: string, how: HowToMove = {}) =>
      movedBetween(target, source, slug, { ...parts, cell: 'eu1', ...how }),
    forgetAtSource: (slug: string) => forgottenAt(source, slug),
    close: async () => {
      await map.close();
      await Promise.all([source.close(), target.close()]);
    },
  };
}

async function forgottenAt({ api, operatorUrl }: TestCell, slug: string) {
  const source = await openSourceCell(operatorUrl);
  try {
    return await leaving(source, await partsOf(api)).forgetTenant.execute(slug);
  } finally {
    await source.close();
  }
}

const OPERATOR = { username: 'operator', password: 'operator' };

/** The rights that docs/operating.md states, of a source and of a target. */
const RIGHTS = (database: string): string => `
  create role operator login password 'operator' createrole replication bypassrls;
  grant countersign_owner, pg_create_subscription to operator;
  grant create on database ${database} to operator;
  grant set on parameter session_replication_role to operator;
  alter role operator set log_statement = 'all'`;

async function asSuperuser(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

const partsOf = async ({ config, db, keyDirectory }: TestApi): Promise<InstallationParts> => ({
  config,
  keyring: await openKeyring({}, keyDirectory),
  open: (moveId) =>
    openDatabase(
      { kind: 'external', url: db.url },
      {
        applicationName: 'countersign-test-move',
        entities: ENTITIES,
        poolSize: 4,
        onError: ignore,
        ...(moveId === undefined ? {} : { moveId }),
      },
    ),
});

async function movedBetween(
  from: TestCell,
  to: TestCell,
  slug: string,
  {
    undo = false,
    reached = ignore,
    looks = ignore,
    freezeMs = 120_000,
    ...parts
  }: HowToMove & { readonly cell: string; readonly openMap: () => Promise<OpenCellMap>; readonly passwords: string[] },
) {
  const here = await partsOf(from.api);
  const there = await partsOf(to.api);
  const [requests, answers] = [new PassThrough(), new PassThrough()];
  const serving = serveReceiver(requests, answers, await targetKeys(there, to.api.database));
  const source = await openSourceCell(from.operatorUrl);
  const target = await openTargetCell(to.operatorUrl);
  const prepare = target.prepare.bind(target);
  target.prepare = async (...how) => {
    const password = await prepare(...how);
    parts.passwords.push(password);
    return password;
  };
  const receiver = await lineReceiver(answers, requests, () => serving);
  try {
    const move = leaving(source, here).moveTo({
      target,
      receiver,
      map: { cell: parts.cell, cells: routersMap(slug, target, parts.openMap) },
      clock: {
        now: () => performance.now(),
        sleep: async (ms) => {
          if (ms === LOOK_MS) looks();
          await delay(ms);
        },
      },
      settings: {
        unawareMs: HELD_STALE_MS,
        drainMs: 60_000,
        freezeMs,
        copyMs: 60_000,
        lockMs: 30_000,
        lookMs: LOOK_MS,
      },
      reached,
    });
    return await (undo ? move.undo(slug) : move.execute(slug));
  } finally {
    await Promise.all([source.close(), target.close(), receiver.close()]);
  }
}
