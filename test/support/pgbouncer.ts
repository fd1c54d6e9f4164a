import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverPort } from './server-port.js';
import { testServer, usePooler } from './database.js';
import { until } from './until.js';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);
const NOBODY = 65_534;
/** Fewer than clients, so that transactions of different tenants and processes share each. */
const CONNECTIONS = 4;

export interface Pooler {
  stop(): Promise<void>;
}

/**
 * A PgBouncer in transaction mode in front of the test server. Every test database that is made from now on has it.
 *
 * @throws {Error} that names the package if PgBouncer is not installed.
 */
export async function startPgBouncer(): Promise<Pooler> {
  if (PROGRAM === undefined) throw new Error('PgBouncer is missing: apt-get install pgbouncer');
  const server = new URL(await (await testServer()).url('countersign_app', 'postgres'));
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pgbouncer-'));
  const port = await serverPort();
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"countersign_app" "${decodeURIComponent(server.password)}"\n`);
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${String(CONNECTIONS)}
max_client_conn = 500
`,
  );
  // PgBouncer refuses to run as root.
  const root = process.getuid?.() === 0;
  for (const [path, mode] of [
    [folder, 0o755],
    [users, 0o644],
    [settings, 0o644],
  ] as const)
    chmodSync(path, mode);
  const child = spawn(PROGRAM, ['-q', settings], { stdio: 'ignore', ...(root ? { uid: NOBODY, gid: NOBODY } : {}) });
  await until(() => listens(child, port));
  usePooler((url) => {
    const pooled = new URL(url);
    pooled.port = String(port);
    return pooled.href;
  });
  return {
    stop: async () => {
      usePooler(null);
      const exited = once(child, 'exit');
      if (child.kill('SIGTERM')) await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listens(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${String(child.exitCode)}.`);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
