import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createSigningKeys } from '#lib/audit';
import { cellMapConfigFrom, openCellMap, type OpenCellMap } from '#lib/cell-map';
import {
  connecting,
  databaseConfigFrom,
  HELD_STALE_MS,
  operatorAddress,
  packageRoot,
  dataDirectory,
  serverAddresses,
} from '#lib/database';
import { compose, type Installation } from '#lib/installation';
import { FailureError } from '#lib/kernel';
import {
  checkNames,
  createTenantMove,
  lineReceiver,
  openSourceCell,
  openTargetCell,
  type CellMap,
  type MoveResult,
  type MoveState,
  type SourceCell,
  type SourceKeys,
  type SourceLog,
} from '#lib/tenant-move';
import { createKeys, keysToHandOver } from '#lib/tenancy';
import { CommandError, EXIT } from './exit-codes.js';
import { configuredParts, reachedDatabase, type InstallationParts } from './receive-tenant.js';

export interface MoveCommand {
  readonly slug: string;
  /** The operator's address of the target's database. */
  readonly to: string;
  readonly undo: boolean;
  /** Starts the receiver: a program and its arguments, with spaces between. */
  readonly receiver: string;
  /** `host:port` of the source's server as the target's server reaches it; null: as this command does. */
  readonly sourceAddress: string | null;
  /** How long the tenant may be frozen, in seconds. */
  readonly maxFreeze: number;
  /** The target in the router's map, which is told of the switch; null without a router. */
  readonly cell: string | null;
  readonly reached: (state: MoveState) => void;
}

const SETTINGS = {
  unawareMs: HELD_STALE_MS + 500,
  drainMs: 120_000,
  copyMs: 24 * 3_600_000,
  lockMs: 30_000,
  lookMs: 200,
};

const ignore = (): void => undefined;

/** Moves a tenant of the installation that the settings of this process name, or undoes its move. */
export async function moveTenantAsOperator(command: MoveCommand): Promise<MoveResult> {
  const names = checkNames({ slug: command.slug, to: addressesOf(command.to) });
  if (!names.ok) throw new FailureError(names.error);
  const address = await operatorAddress(databaseConfigFrom(process.env, packageRoot()));
  const closing: (() => Promise<unknown>)[] = [() => address.close()];
  try {
    const source = await connecting(address.url, 'COUNTERSIGN_MIGRATE_URL', () =>
      openSourceCell(address.url, (client) => seenAt(command.sourceAddress, client, address.url)),
    );
    closing.push(() => source.close());
    const { moveTo, undoAtSource } = leaving(source, await configuredParts());
    const { target, receiver } = await reach(command, closing).catch(async (error: unknown) => {
      if (!command.undo) throw error;
      // The tenant would stay frozen until somebody repairs the target.
      const refused = await undoAtSource(command.slug);
      throw refused.ok ? error : new FailureError(refused.error, { cause: error });
    });
    const move = moveTo({
      target,
      receiver,
      map:
        command.cell === null ? null : { cell: command.cell, cells: routersMap(command.slug, target, openRoutersMap) },
      clock: { now: () => performance.now(), sleep: (ms) => delay(ms) },
      settings: { ...SETTINGS, freezeMs: command.maxFreeze * 1_000 },
      reached: command.reached,
    });
    const result = await (command.undo ? move.undo(command.slug) : move.execute(command.slug));
    if (!result.ok) throw new FailureError(result.error);
    return result.value;
  } finally {
    for (const close of closing.reverse()) await close().catch(ignore);
  }
}

/** Connects to the other installation: to its database, and to the process that holds its keyring. */
async function reach({ to, receiver: program }: MoveCommand, closing: (() => Promise<unknown>)[]) {
  const target = await connecting(to, '--to', () => openTargetCell(to));
  closing.push(() => target.close());
  const receiver = await startReceiver(program);
  closing.push(() => receiver.close());
  return { target, receiver };
}

/** The use cases of an installation that tenants leave. */
export const leaving = (source: SourceCell, parts: InstallationParts) =>
  createTenantMove({ source, keys: sourceKeys(parts), log: sourceLog(parts) });

/** The keyring of the installation that the tenant leaves. */
function sourceKeys({ config, keyring }: Pick<InstallationParts, 'config' | 'keyring'>): SourceKeys {
  const { wrapping } = createKeys(keyring);
  const store = createSigningKeys(config.keyDirectory, wrapping);
  return {
    open: (purpose, wrapped) => wrapping.unwrap(purpose, wrapped),
    signingKey: (tenantId, name) => store.handOver(tenantId, name),
    keysToHandOver: (tenantId) => keysToHandOver(keyring, tenantId),
    forgetSigningKeys: (tenantId) => store.forget(tenantId),
  };
}

/** The log of the installation that the tenant leaves. */
function sourceLog({ config, open }: Pick<InstallationParts, 'config' | 'open'>): SourceLog {
  const within = async (moveId: string, work: (audit: Installation['audit']) => Promise<void>): Promise<void> => {
    const database = await open(moveId);
    try {
      await work((await compose(config, database)).audit);
    } finally {
      await database.close();
    }
  };
  return {
    reachedDatabase: (moveId) => reachedDatabase(open, moveId),
    end: (tenantId, moveId) =>
      within(moveId, async ({ recordMove, log }) => {
        await recordMove.execute(tenantId, 'tenant.leaving', moveId);
        while ((await log.sequence.execute(tenantId)).sequenced > 0);
      }),
    stay: (tenantId, moveId) =>
      within(moveId, ({ recordMove }) => recordMove.execute(tenantId, 'tenant.stayed', moveId)),
  };
}

/** The map of the routers, at COUNTERSIGN_ROUTER_DATABASE_URL. */
const openRoutersMap = (): Promise<OpenCellMap> =>
  openCellMap(cellMapConfigFrom(process.env, dataDirectory(process.env, packageRoot())), ignore);

/** The map as a move uses it. */
export function routersMap(
  slug: string,
  target: Awaited<ReturnType<typeof openTargetCell>>,
  open: () => Promise<OpenCellMap>,
): CellMap {
  const within = async <T>(work: (map: OpenCellMap) => Promise<T>): Promise<T> => {
    const map = await open();
    try {
      return await work(map);
    } finally {
      await map.close();
    }
  };
  return {
    read: () =>
      within(async (map) => ({
        cells: (await map.read()).all.map(({ name }) => name),
        tenants: await map.tenants(),
      })),
    switch: (tenantId, cell) =>
      within(async (map) => {
        const switched = await map.switch(tenantId, cell);
        // A tenant of the default cell may not be in the map: then it enters it in its new cell.
        if (!switched.ok && switched.error.code !== 'cell_map.unknown_tenant') throw new FailureError(switched.error);
        const placed = await map.place(cell, [{ id: tenantId, slug }], await target.slackTeams(tenantId));
        if (!placed.ok) throw new FailureError(placed.error);
      }),
  };
}

/** One address for each host of the target; none if it is no address. */
function addressesOf(to: string): readonly string[] {
  try {
    return serverAddresses(to);
  } catch {
    return [];
  }
}

/** @param client of the source: with several hosts, of the one that writes. */
function seenAt(
  stated: string | null,
  client: { readonly host: string; readonly port: number },
  url: string,
): { host: string; port: number; sslMode: string | null } {
  const host = stated === null ? client.host : stated.slice(0, stated.lastIndexOf(':'));
  const port = Number(stated === null ? client.port : stated.slice(stated.lastIndexOf(':') + 1));
  if (host === '' || !/^[A-Za-z0-9.:-]+$/.test(host) || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandError(
      EXIT.usage,
      'The address of the source is no host and port.',
      'Write --source-address host:port.',
      [],
      'tenant_move.source_address',
    );
  const [first = ''] = serverAddresses(url);
  return { host, port, sslMode: new URL(first).searchParams.get('sslmode') };
}

/** Starts the program without a shell. Its standard error is ours. */
async function startReceiver(command: string) {
  const [program = '', ...parameters] = command.trim().split(/\s+/);
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw new CommandError(
      EXIT.usage,
      `The receiver ${program} does not start (${error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'}).`,
      'Say with --receiver how `countersign tenant receive` is started with the settings of the target.',
      [],
      'tenant_move.receiver',
    );
  });
  const ended = once(child, 'close');
  // A receiver that ends early is noticed by its missing answer.
  child.stdin.on('error', ignore);
  failed.catch(ignore);
  ended.catch(ignore);
  const receiving = lineReceiver(child.stdout, child.stdin, async () => {
    await ended;
  });
  // One that writes something else would wait for us, and this process for it.
  receiving.catch(() => child.kill());
  return Promise.race([failed, receiving]);
}
