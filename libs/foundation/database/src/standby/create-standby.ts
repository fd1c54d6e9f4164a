import { appendFile, chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client, escapeLiteral } from 'pg';
import { makeFolder } from '#lib/folders';
import { fail } from '#lib/kernel';

import type { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { freePort } from '../embedded/free-port.js';
import { keptPassword, writeServerRecord } from '../embedded/server-record.js';
import { copyServer } from './base-backup.js';

/** Reads the log and nothing else: the login of standbys. */
const STANDBY_ROLE = 'countersign_standby';

export interface StandbyOptions {
  /** The running primary, and the folder it keeps everything in. */
  readonly primary: EmbeddedPostgres;
  readonly primaryDirectory: string;
  /** A folder for the standby: new, or empty. */
  readonly directory: string;
  /** The port to try first. */
  readonly port: number;
}

export interface CreatedStandby {
  /** As the primary knows it: in its statistics, and among those that its commits wait for. */
  readonly name: string;
  readonly port: number;
}

/**
 * Makes a standby of the embedded server: a copy of its data, and the way to its log. The primary keeps the log that the standby
 * still needs, up to a bound. The standby is not started.
 *
 * @throws {FailureError} `standby.folder_used`.
 */
export async function createStandby(options: StandbyOptions): Promise<CreatedStandby> {
  const { primary, primaryDirectory } = options;
  const directory = resolve(options.directory);
  await makeFolder(directory);
  if ((await readdir(directory)).length > 0) {
    fail({
      kind: 'conflict',
      code: 'standby.folder_used',
      message: `${directory} is not empty.`,
      action: 'Name a new folder for the standby, or move that one away.',
    });
  }
  const port = await freePort(options.port);
  const name = `standby_${String(port)}`;
  const password = await prepareRole(primary, primaryDirectory, name);
  const unfinished = join(directory, 'data.unfinished');
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await copyServer(`postgres://${STANDBY_ROLE}:${password}@127.0.0.1:${String(primary.port)}/postgres`, unfinished);
    await follow(unfinished, {
      primary_conninfo: `host=127.0.0.1 port=${String(primary.port)} user=${STANDBY_ROLE} password=${password} application_name=${name}`,
      primary_slot_name: name,
      // Once promoted it would wait for itself.
      synchronous_standby_names: '',
    });
    // The roles are copied with the data, so their passwords are the primary's.
    for (const file of await readdir(primaryDirectory)) {
      if (!file.endsWith('.password')) continue;
      await copyFile(join(primaryDirectory, file), join(directory, file));
      await chmod(join(directory, file), 0o600);
    }
    const nobody = { pid: 1, started: '' };
    await writeServerRecord(directory, { port, owner: nobody });
    await rename(unfinished, join(directory, 'data'));
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return { name, port };
}

/** The role of standbys, and the place in the log that is kept for this one. @returns the role's password. */
async function prepareRole(primary: EmbeddedPostgres, directory: string, slot: string): Promise<string> {
  const password = await keptPassword(directory, STANDBY_ROLE);
  const admin = new Client({ connectionString: primary.adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query('select from pg_roles where rolname = $1', [STANDBY_ROLE]);
    if (rows.length === 0)
      await admin.query(`create role ${STANDBY_ROLE} login replication noinherit connection limit 10`);
    await admin.query(`alter role ${STANDBY_ROLE} password ${escapeLiteral(password)}`);
    await admin.query(
      `select pg_create_physical_replication_slot($1, true)
        where not exists (select from pg_replication_slots where slot_name = $1)`,
      [slot],
    );
  } finally {
    await admin.end();
  }
  return password;
}

/** The file of settings that ALTER SYSTEM writes is part of the copy; its last line of a name counts. */
async function follow(dataFolder: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${escapeLiteral(value)}\n`);
  await appendFile(join(dataFolder, 'postgresql.auto.conf'), lines.join(''));
  await writeFile(join(dataFolder, 'standby.signal'), '', { mode: 0o600 });
}
