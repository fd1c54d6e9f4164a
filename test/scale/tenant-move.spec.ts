import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverPort } from '../support/server-port.js';
import { compiledPackage } from '../support/compiled-package.js';
import { until } from '../support/until.js';

const WITHIN_MS = 300_000;
const SECRET = 'hunter2-of-acme';

/** An installation as an operator starts it: api, worker and embedded PostgreSQL. */
interface Cell {
  readonly data: string;
  readonly url: string;
  readonly process: ChildProcess;
}

const cli = (): string => join(compiledPackage(), 'dist/programs/cli/main.js');

async function startCell(): Promise<Cell> {
  const data = await mkdtemp(join(tmpdir(), 'countersign-cell-'));
  await chmod(data, 0o755);
  const port = String(await serverPort());
  const child = spawn(process.execPath, [cli(), 'start'], {
    cwd: compiledPackage(),
    env: environment(data, {
      COUNTERSIGN_PORT: port,
      COUNTERSIGN_METRICS_PORT: '0',
      COUNTERSIGN_PG_PORT: String(await serverPort()),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => {
    if (child.exitCode !== null) throw new Error(output);
    return /^worker +at work/m.test(output);
  });
  return { data, url: `http://127.0.0.1:${port}`, process: child };
}

const environment = (data: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  COUNTERSIGN_DATA: data,
  COUNTERSIGN_PUBLIC_URL: 'http://localhost:8430',
  ...more,
});

const databaseOf = ({ data }: Cell): URL => {
  const [, , , port = ''] = readFileSync(join(data, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(join(data, 'postgres/postgres.password'), 'utf8').trim();
  return new URL(`postgres://postgres:${password}@127.0.0.1:${port}/countersign`);
};

describe('`countersign tenant move` between two installations', () => {
  let source: Cell;
  let target: Cell;
  let token: string;

  const call = async (
    cell: Cell,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const answer = await fetch(`${cell.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  const put = async (cell: Cell, path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${cell.url}${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  };

  /** Runs the command; with a state, kills it with -9 as soon as it prints that. */
  const move = async (killedAt: string | null, ...more: readonly string[]) => {
    const to = databaseOf(target);
    const password = to.password;
    to.password = '';
    // The first host of the list is not there.
    const list = to.href.replace(to.host, `127.0.0.1:1,${to.host}`);
    return command(password, killedAt, [
      ...['move', 'acme', '--to', list, '--receiver'],
      `env COUNTERSIGN_DATA=${target.data} ${process.execPath} ${cli()} tenant receive`,
      ...more,
    ]);
  };

  const command = async (password: string, killedAt: string | null, parameters: readonly string[]) => {
    const child = spawn(process.execPath, [cli(), 'tenant', ...parameters], {
      cwd: compiledPackage(),
      env: environment(source.data, { PGPASSWORD: password }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (killedAt !== null && output.includes(killedAt)) child.kill('SIGKILL');
      });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(output).not.toContain(password);
    return { code, output };
  };

  beforeAll(async () => {
    [source, target] = await Promise.all([startCell(), startCell()]);
    token = '';
    const bootstrap = readFileSync(join(source.data, 'bootstrap-token'), 'utf8').trim();
    const founded = await call(source, '/v1/bootstrap', {
      bootstrap_token: bootstrap,
      tenant: { slug: 'acme', name: 'Acme' },
      admin: { email: 'ada@acme.example', display_name: 'Ada' },
    });
    const { enrolment_token: enrolment } = founded.body.enrolment as { enrolment_token: string };
    const scopes = ['read', 'submit', 'run', 'halt', 'audit', 'admin'];
    token = (await call(source, '/v1/enrolment', { enrolment_token: enrolment, name: 'cli', scopes })).body
      .token as string;
    await put(source, '/v1/secrets/root', { value: SECRET });
  }, WITHIN_MS);
  afterAll(async () => {
    for (const { process: started, data } of [source, target]) {
      started.kill('SIGTERM');
      await once(started, 'exit');
      await rm(data, { recursive: true, force: true });
    }
  });

  it(
    'is killed with -9 at each state, undone once, and then goes on to its end',
    async () => {
      expect((await move('copied, and followed')).code).toBeNull();
      expect(await move(null, '--undo')).toMatchObject({ code: 0 });
      expect((await call(source, '/v1/people')).status).toBe(200);

      for (const state of [
        'being copied',
        'copied, and followed',
        'waits for calls',
        'frozen',
        'found equal',
        'handed over',
      ])
        await move(state);
      const last = await move(null);
      expect(last).toMatchObject({ code: 0 });
      await until(async () => (await call(target, '/v1/people')).status === 200);
      expect(await call(source, '/v1/people')).toMatchObject({ status: 503, body: { code: 'tenant.moved' } });
      expect((await call(target, '/v1/secrets')).body.items).toHaveLength(1);
      expect((await call(target, '/v1/audit/keys')).body.items).toHaveLength(1);

      const forget = (): ReturnType<typeof command> => command('none', null, ['forget', 'acme']);
      expect(await forget()).toMatchObject({
        code: 0,
        output: expect.stringContaining('is forgotten here') as unknown,
      });
      await until(async () => (await call(source, '/v1/people')).status === 401);
      expect((await forget()).output).toContain('tenant_move.not_moved');
      expect((await call(target, '/v1/people')).status).toBe(200);
    },
    WITHIN_MS,
  );
});
