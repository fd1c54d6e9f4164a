import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { makeFolder } from '#lib/folders';

import { freePort } from './free-port.js';
import { DATA_THROUGH_WORKING_DIRECTORY, initialiseData, serverEnvironment, SUPERUSER } from './initialise-data.js';
import { nativeBinaries, type NativeBinaries } from './native-binaries.js';
import { postmasterFile, readPostmasterFile } from './postmaster-file.js';
import { identityOf, isAlive, isPostgres, type ProcessIdentity } from './processes.js';
import { belongsTo, giveTo, serverAccount, type ServerAccount } from './server-account.js';
import { keptPassword, readServerRecord, writeServerRecord } from './server-record.js';
import { SERVER_SETTINGS } from './server-settings.js';
import { withStartLock } from './start-lock.js';
import { until } from './until.js';

const DEFAULT_PORT = 54_329;
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;
const PORT_ATTEMPTS = 5;

export interface EmbeddedPostgresOptions {
  /** Everything is kept here: data, passwords, log. */
  readonly directory: string;
  /** The package root, from which PostgreSQL's programs are resolved. */
  readonly root: string;
  /** The port to try first; without it the one used last time. Another is taken, and recorded, when it is in use. */
  readonly port?: number;
  /** Server settings (`fsync`, `max_connections`). */
  readonly settings?: Readonly<Record<string, string>>;
  /** The process that is to own the server; without it this one. */
  readonly ownerPid?: number;
}

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  readonly port: number;
  readonly pid: number;
  /** How this process came by it: `adopted` from an owner that died, `shared` with one that lives. */
  readonly origin: 'started' | 'adopted' | 'shared';
  /** The superuser's address of the database `postgres`. */
  readonly adminUrl: string;
  /** The address of another database, or of another role with a password kept here. */
  url(role: string, database: string): Promise<string>;
  /** Whether the server still runs. */
  runs(): Promise<boolean>;
  /** Stops the server, if this process owns it; a sharer only lets go. */
  stop(): Promise<void>;
  /** Asks the server to stop without waiting, for a process that is exiting; nothing if it is not the owner. */
  stopAtExit(): void;
}

interface RunningServer {
  readonly port: number;
  readonly pid: number;
}

/**
 * Starts PostgreSQL on `directory`, or joins the one that already runs there.
 *
 * It listens on 127.0.0.1 alone and asks for a generated password (SCRAM). It survives the death of Node: the next
 * start adopts it. A second process on the same directory shares the first one's server, and only the owner stops it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory);
  await makeFolder(directory);
  return withStartLock(join(directory, 'start.lock'), START_DEADLINE_MS, async () => {
    const dataFolder = join(directory, 'data');
    const password = await keptPassword(directory, SUPERUSER);
    const self = await ownerIdentity(options.ownerPid ?? process.pid);

    const running = await findRunning(dataFolder, password);
    if (running !== undefined) {
      const owner = (await readServerRecord(directory))?.owner;
      const shared = owner !== undefined && owner.pid !== self.pid && (await isAlive(owner));
      if (!shared) await writeServerRecord(directory, { port: running.port, owner: self });
      return handle(directory, running, password, shared ? 'shared' : 'adopted');
    }

    const account = await serverAccount(dataFolder);
    // The server's account only has to enter the folder it is given as working directory.
    const binaries = await nativeBinaries(options.root, account !== undefined);
    await initialiseData(binaries, dataFolder, account, password, options.settings?.fsync !== 'off');
    // Data of a version that gave it to `nobody`, the account of other services.
    if (account !== undefined && !(await belongsTo(dataFolder, account))) await giveTo(dataFolder, account);
    const started = await startOnFreePort(options, { directory, dataFolder, binaries, account, password });
    await writeServerRecord(directory, { port: started.port, owner: self });
    return handle(directory, started, password, 'started');
  });
}

async function ownerIdentity(pid: number): Promise<ProcessIdentity> {
  const identity = await identityOf(pid);
  if (identity === undefined) throw new Error(`There is no process ${String(pid)} to own the embedded PostgreSQL.`);
  return identity;
}

/**
 * The server that runs on this data, if one does. A `postmaster.pid` left by a crash counts for nothing: its number
 * belongs to no process, or to another program by now.
 */
async function findRunning(dataFolder: string, password: string): Promise<RunningServer | undefined> {
  const written = await readPostmasterFile(dataFolder);
  if (written === undefined) return undefined;
  if (!(await isPostgres(written.pid))) {
    // PostgreSQL itself would refuse to start if some other program had the number.
    await rm(postmasterFile(dataFolder), { force: true });
    return undefined;
  }
  // It may still be starting, or replaying its log after a crash.
  const found = await until(`the PostgreSQL process ${String(written.pid)} to answer`, START_DEADLINE_MS, async () => {
    const answer = await whoAnswers(written.port, password);
    if (answer?.pid === written.pid) return 'running';
    if (answer !== undefined) {
      throw new Error(
        `${postmasterFile(dataFolder)} names process ${String(written.pid)} on port ${String(written.port)}, and that is not the server of this data. Stop that process, or remove the file if nothing uses the data.`,
      );
    }
    return (await isPostgres(written.pid)) ? undefined : 'ended';
  });
  return found === 'running' ? written : findRunning(dataFolder, password);
}

async function whoAnswers(port: number, password: string): Promise<{ pid: number } | undefined> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: string }>(
      `select (regexp_split_to_array(pg_read_file('postmaster.pid'), '\\n'))[1] as pid`,
    );
    return { pid: Number(rows[0]?.pid) };
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The folders, programs, account and password that a server is started with. */
interface PreparedServer {
  readonly directory: string;
  readonly dataFolder: string;
  readonly binaries: NativeBinaries;
  /** Undefined if it runs as we do. */
  readonly account: ServerAccount | undefined;
  /** The superuser's. */
  readonly password: string;
}

async function startOnFreePort(options: EmbeddedPostgresOptions, prepared: PreparedServer): Promise<RunningServer> {
  const { directory } = prepared;
  const recorded = (await readServerRecord(directory))?.port;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? (options.port ?? recorded ?? DEFAULT_PORT) : 0);
    const outcome = await startServer({ ...options.settings, port: String(port) }, prepared);
    if (typeof outcome !== 'string') return outcome;
    // Between our look and its start somebody may have taken the port.
    if (!outcome.includes('could not bind') || attempt === PORT_ATTEMPTS) {
      throw new Error(`The embedded PostgreSQL did not start. Its log (${logFile(directory)}) ends:\n${outcome}`);
    }
  }
}

/** The running server, or the end of the log of one that exited. */
async function startServer(
  own: Readonly<Record<string, string>> & { readonly port: string },
  { directory, dataFolder, binaries, account, password }: PreparedServer,
): Promise<RunningServer | string> {
  const settings: Record<string, string> = { ...SERVER_SETTINGS, ...own };
  const port = Number(own.port);
  const log = await open(logFile(directory), 'a', 0o600);
  let child: ChildProcess;
  let logStart: number;
  let exited = false;
  let spawnError: Error | undefined;
  try {
    logStart = (await log.stat()).size;
    child = spawn(
      binaries.postgres,
      [
        '-D',
        account === undefined ? dataFolder : DATA_THROUGH_WORKING_DIRECTORY,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // Detached: an interrupt typed at the terminal is for us. We stop the server when we are done with it.
      { ...account, cwd: dataFolder, env: serverEnvironment(), detached: true, stdio: ['ignore', log.fd, log.fd] },
    );
    // At once: a server that refuses its settings is gone before anything else is awaited.
    child.once('error', (error) => {
      spawnError = error;
      exited = true;
    });
    child.once('exit', () => {
      exited = true;
    });
  } finally {
    await log.close();
  }
  child.unref();
  return until('the embedded PostgreSQL to answer', START_DEADLINE_MS, async () => {
    if (exited) {
      const logged = (await readFile(logFile(directory))).subarray(logStart).toString('utf8').slice(-4_000);
      return spawnError === undefined ? logged : `${logged}${spawnError.message}`;
    }
    const answer = await whoAnswers(port, password);
    return answer !== undefined && answer.pid === child.pid ? { pid: answer.pid, port } : undefined;
  });
}

const logFile = (directory: string): string => join(directory, 'server.log');

function handle(
  directory: string,
  server: RunningServer,
  password: string,
  origin: EmbeddedPostgres['origin'],
): EmbeddedPostgres {
  const address = (role: string, secret: string, database: string): string =>
    `postgres://${role}:${secret}@127.0.0.1:${String(server.port)}/${database}`;
  const signal = (name: NodeJS.Signals): boolean => {
    try {
      return process.kill(server.pid, name);
    } catch {
      return false; // it is gone already
    }
  };
  let stopped = origin === 'shared';
  return {
    ...server,
    origin,
    adminUrl: address(SUPERUSER, password, 'postgres'),
    url: async (role, database) => address(role, await keptPassword(directory, role), database),
    runs: () => isPostgres(server.pid),
    stop: async () => {
      if (stopped) return;
      stopped = true;
      signal('SIGINT'); // fast shutdown: database sessions are ended, everything is written
      await until('the embedded PostgreSQL to stop', STOP_DEADLINE_MS, async () =>
        (await isPostgres(server.pid)) ? undefined : true,
      );
    },
    stopAtExit: () => {
      if (!stopped) signal('SIGINT');
    },
  };
}
