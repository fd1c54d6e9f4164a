import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { HELD_STALE_MS, openDatabase, packageRoot, startEmbeddedPostgres, type EmbeddedPostgres } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import {
  lineReceiver,
  MoveTenant,
  PgCell,
  PgSourceCell,
  PgTargetCell,
  serveReceiver,
  type MoveState,
} from '#lib/tenant-move';
import { openKeyring } from '#lib/tenancy';
import { sourceKeys, sourceLog } from '../../apps/cli/src/move-tenant-as-operator.js';
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
}

/** An installation on a PostgreSQL of its own. */
export interface TestCell {
  readonly api: TestApi;
  close(): Promise<void>;
}

async function testCell(options: TestApiOptions): Promise<TestCell> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-cell-'));
  const server: EmbeddedPostgres = await startEmbeddedPostgres({
    directory,
    root: packageRoot(),
    port: 0,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_sync_workers_per_subscription: '4',
      max_logical_replication_workers: '8',
      max_worker_processes: '16',
    },
  });
  const db = await testDatabase(server);
  const api = await testApi({ ...options, db });
  return {
    api,
    close: async () => {
      await api.close();
      await db.close();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Two installations, and the move of a tenant from one to the other. */
export async function twoCells(options: TestApiOptions = {}) {
  const [source, target] = await Promise.all([testCell(options), testCell(options)]);
  return {
    source: source.api,
    target: target.api,
    /** Begins the move, goes on with it, or undoes it. */
    move: (slug: string, how: HowToMove = {}) => movedBetween(source.api, target.api, slug, how),
    close: async () => {
      await Promise.all([source.close(), target.close()]);
    },
  };
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
  source: TestApi,
  target: TestApi,
  slug: string,
  { undo = false, reached = ignore, looks = ignore }: HowToMove,
) {
  const here = await partsOf(source);
  const there = await partsOf(target);
  const [requests, answers] = [new PassThrough(), new PassThrough()];
  const serving = serveReceiver(requests, answers, await targetKeys(there, target.database));
  const url = new URL(source.db.adminUrl);
  const cells = {
    source: new PgSourceCell(await PgCell.connect(source.db.adminUrl), {
      host: url.hostname,
      port: Number(url.port),
      sslMode: null,
    }),
    target: new PgTargetCell(await PgCell.connect(target.db.adminUrl)),
  };
  const receiver = await lineReceiver(answers, requests, () => serving);
  try {
    const move = new MoveTenant({
      ...cells,
      receiver,
      keys: sourceKeys(here),
      log: sourceLog(here),
      map: null,
      clock: {
        now: () => performance.now(),
        sleep: async (ms) => {
          if (ms === LOOK_MS) looks();
          await delay(ms);
        },
      },
      settings: { unawareMs: HELD_STALE_MS, drainMs: 30_000, copyMs: 30_000, lookMs: LOOK_MS },
      reached,
    });
    return await (undo ? move.undo(slug) : move.execute(slug));
  } finally {
    await Promise.all([cells.source.close(), cells.target.close(), receiver.close()]);
  }
}
