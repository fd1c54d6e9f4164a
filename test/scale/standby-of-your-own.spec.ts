import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { processIo } from '../../apps/cli/src/io.js';
import { freePort } from '../../libs/foundation/database/src/embedded/free-port.js';
import { DatabaseHosts, openDataSource, readServerState, serverAddresses } from '#lib/database';
import { until } from '../support/until.js';

/** Debian's, and no server of Countersign's. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const ACCOUNT = 'postgres';
const PASSWORD = 'of-a-test';

const base = mkdtempSync(join(tmpdir(), 'countersign-own-'));
const [primary, standby] = [join(base, 'a'), join(base, 'b')];
const ports = { primary: 0, standby: 0 };

/** PostgreSQL refuses to run as root. */
function as(program: string, ...words: readonly string[]): void {
  const command = [join(PROGRAMS, program), ...words];
  const all = process.getuid?.() === 0 ? ['runuser', '-u', ACCOUNT, '--', ...command] : command;
  execFileSync(all[0] ?? '', all.slice(1), {
    stdio: 'ignore',
    cwd: base,
    env: { ...process.env, PGPASSWORD: PASSWORD },
  });
}

const start = (folder: string, port: number): void => {
  const settings = `\nport = ${String(port)}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n`;
  appendFileSync(join(folder, 'postgresql.conf'), settings);
  as('pg_ctl', '-D', folder, '-l', `${folder}.log`, '-w', 'start');
};
const addressOf = (port: number): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${String(port)}/postgres`;
const both = (): string =>
  `postgres://postgres:${PASSWORD}@127.0.0.1:${String(ports.primary)},127.0.0.1:${String(ports.standby)}/postgres`;

/** Runs `countersign` with these words. @returns what it prints, and its exit code. */
async function countersign(...words: readonly string[]): Promise<readonly [number, string]> {
  let printed = '';
  const io = processIo(() => Promise.resolve(null));
  const add = (text: string): void => {
    printed += text;
  };
  return [await runCommandLine([...words], { ...io, out: add, err: add }), printed];
}

async function ask(port: number, text: string): Promise<void> {
  const client = new Client({ connectionString: addressOf(port) });
  await client.connect();
  await client.query(text);
  await client.end();
}

beforeAll(async () => {
  if (!existsSync(PROGRAMS)) throw new Error('PostgreSQL 15 is missing: apt-get install postgresql-15');
  chmodSync(base, 0o755);
  const password = join(base, 'password');
  writeFileSync(password, PASSWORD);
  if (process.getuid?.() === 0) {
    const id = Number(execFileSync('id', ['-u', ACCOUNT], { encoding: 'utf8' }));
    for (const path of [base, password]) chownSync(path, id, id);
  }
  ports.primary = await freePort(0);
  as('initdb', '-D', primary, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', password);
  start(primary, ports.primary);
  await ask(ports.primary, `create role countersign_standby login replication password '${PASSWORD}'`);
  const from = `host=127.0.0.1 port=${String(ports.primary)} user=countersign_standby password=${PASSWORD} application_name=standby_db2`;
  as('pg_basebackup', '-d', from, '-D', standby, '-R', '-X', 'stream', '-C', '-S', 'standby_db2');
  ports.standby = await freePort(0);
  start(standby, ports.standby);
  Object.assign(process.env, { DATABASE_URL: both(), COUNTERSIGN_MIGRATE_URL: both() });
}, 120_000);
afterAll(() => {
  delete process.env.DATABASE_URL;
  delete process.env.COUNTERSIGN_MIGRATE_URL;
  for (const folder of [primary, standby])
    if (existsSync(join(folder, 'postmaster.pid'))) as('pg_ctl', '-D', folder, '-m', 'immediate', 'stop');
  rmSync(base, { recursive: true, force: true });
});

it('a standby of your own PostgreSQL is seen and promoted, and the hosts of DATABASE_URL go on there', async () => {
  await until(async () => (await countersign('standby', 'synchronous', 'on'))[1].includes('wait for standby_db2'));
  await until(async () => {
    const [, status] = await countersign('standby', 'status');
    return /primary, timeline 1[^]*standby_db2 {2}streaming, synchronous[^]*standby, receives the log/.test(status);
  });
  const hosts = new DatabaseHosts(serverAddresses(both()));
  const dataSource = await openDataSource({ url: both(), hosts, poolSize: 2, applicationName: 'own' });
  hosts.watch();
  await dataSource.query('create table kept (n integer)');
  expect(await countersign('standby', 'promote')).toEqual([1, expect.stringContaining('standby.primary_alive')]);

  // As the loss of the machine.
  const running = join(primary, 'postmaster.pid');
  process.kill(Number(readFileSync(running, 'utf8').split('\n')[0]), 'SIGKILL');
  rmSync(running);
  await until(async () => {
    const state = await readServerState(addressOf(ports.standby));
    return state.role === 'standby' && !state.receives;
  });
  expect(await countersign('standby', 'promote')).toEqual([
    0,
    expect.stringContaining(`127.0.0.1:${String(ports.standby)} is the primary`),
  ]);
  await until(() =>
    dataSource.query('insert into kept values (1)').then(
      () => true,
      () => null,
    ),
  );
  hosts.close();
  await dataSource.destroy();
}, 120_000);
