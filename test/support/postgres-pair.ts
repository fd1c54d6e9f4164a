import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  createStandby,
  packageRoot,
  promoteStandby,
  readServerState,
  setSynchronousCommit,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#lib/database';
import { until } from './until.js';

/** A primary and its standby, each an embedded server with a folder of its own. */
export interface PostgresPair {
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
  /** The folder of each. */
  readonly folders: { readonly primary: string; readonly standby: string };
  /** The address of both, with the primary first. */
  url(role: string, database: string): Promise<string>;
  /** Lets commits wait for the standby, or for none. */
  synchronous(on: boolean): Promise<void>;
  /** Until the standby has all of the primary's log. */
  caughtUp(): Promise<void>;
  /** Lets the standby receive nothing more. */
  cut(): Promise<void>;
  /** SIGKILL of the primary, and until it is gone. */
  killPrimary(): Promise<void>;
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** No test's data has to survive a power cut. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };

export async function postgresPair(): Promise<PostgresPair> {
  const base = mkdtempSync(join(tmpdir(), 'countersign-pair-'));
  chmodSync(base, 0o755);
  const folders = { primary: join(base, 'a'), standby: join(base, 'b') };
  const start = (directory: string): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ directory, root: packageRoot(), settings: SETTINGS });
  const primary = await startEmbeddedPostgres({
    directory: folders.primary,
    root: packageRoot(),
    port: 0, // any that is free
    settings: SETTINGS,
  });
  // Both know it: the files of passwords are copied with the data.
  await primary.url('countersign_app', 'postgres');
  await createStandby({ primary, primaryDirectory: folders.primary, directory: folders.standby, port: 0 });
  const standby = await start(folders.standby);
  const streams = async (): Promise<true | null> => {
    const state = await readServerState(primary.adminUrl);
    return state.role === 'primary' && state.standbys.some((each) => each.state === 'streaming') ? true : null;
  };
  const silent = async (): Promise<true | null> => {
    const state = await readServerState(standby.adminUrl);
    return state.role === 'standby' && !state.receives ? true : null;
  };
  return {
    ...{ primary, standby, folders },
    url: async (role, database) => {
      const at = new URL(await primary.url(role, database));
      return `postgres://${at.username}:${at.password}@127.0.0.1:${at.port},127.0.0.1:${String(standby.port)}${at.pathname}`;
    },
    synchronous: async (on) => {
      if (on) await until(streams);
      await setSynchronousCommit([primary.adminUrl], on);
    },
    caughtUp: () =>
      until(async () => {
        const state = await readServerState(primary.adminUrl);
        return state.role === 'primary' && state.standbys.some((each) => each.behindBytes === 0) ? undefined : null;
      }),
    cut: async () => {
      const admin = new Client({ connectionString: standby.adminUrl });
      await admin.connect();
      await admin.query(`alter system set primary_conninfo = ''`);
      await admin.query('select pg_reload_conf()');
      await admin.end();
      await until(silent);
    },
    killPrimary: async () => {
      process.kill(primary.pid, 'SIGKILL');
      await until(async () => ((await primary.runs()) ? null : true));
    },
    promote: async () => {
      // The standby notices at its next word to the primary that there is none.
      await until(silent);
      await promoteStandby([standby.adminUrl], false);
    },
    close: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}
