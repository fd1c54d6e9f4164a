import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expectStatus, testApi, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { compiledPackage } from '../support/compiled-package.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { acceptInvitation, cameIn } from '../support/passkey-accounts.js';
import { workerOf } from '../support/worker.js';

const run = promisify(execFile);
const WITHIN_MS = 40_000;

describe('the operator’s commands on the server, as processes of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-operator-'));
  let api: TestApi;
  let mail: LocalMail;
  let worker: Awaited<ReturnType<typeof workerOf>>;
  let tenant: TestTenant;
  let noor: TestPerson;

  const environment = (): Record<string, string> => ({ DATABASE_URL: api.db.url, COUNTERSIGN_DATA: folder });

  /** The answer of the command, or its exit code and its standard error. */
  const command = (...argv: readonly string[]) => commandWith(environment(), ...argv);

  async function commandWith(
    settings: Record<string, string>,
    ...argv: readonly string[]
  ): Promise<{ code: number; out: string }> {
    const script = join(compiledPackage(), 'dist', 'programs', 'cli', 'main.js');
    const env = { PATH: process.env.PATH, ...settings };
    return run(process.execPath, [script, ...argv], { env, timeout: WITHIN_MS }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      (error: unknown) => {
        const { code, stderr } = error as { code: number; stderr: string };
        return { code, out: stderr };
      },
    );
  }

  const operator = (...argv: readonly string[]) => command('bootstrap', ...argv);

  /** The invitation's secret, as it stands in the fragment of the link that was printed. */
  async function letIn(...argv: readonly string[]): Promise<string> {
    const { code, out } = await operator(...argv, '--json');
    expect([code, out]).toEqual([0, expect.stringContaining('#cs_')]);
    const { invitation_url: link } = JSON.parse(out) as { invitation_url: string };
    expect(link).toMatch(/^http:\/\/localhost:8420\/invitation#/);
    return new URL(link).hash.slice(1);
  }

  async function untilMailed(to: string, text: string): Promise<void> {
    const deadline = performance.now() + WITHIN_MS;
    while (!mail.mails.some((one) => one.to === to && one.text.includes(text))) {
      if (performance.now() > deadline) throw new Error(`${to} was not told "${text}"`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const people = async (query = ''): Promise<readonly Record<string, unknown>[]> =>
    expectStatus(await api.http(tenant.admin.token).get(`/v1/people${query}`), 200).body.items as Record<
      string,
      unknown
    >[];

  beforeAll(async () => {
    mail = await localMail();
    api = await testApi({ config: { keyDirectory: join(folder, 'keys'), mail: mail.config } });
    worker = await workerOf(api);
    tenant = await api.tenant();
    noor = await api.person(tenant, 'PlatformAdmin');
  }, 120_000);
  afterAll(async () => {
    await worker.stop();
    await api.close();
    await mail.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it(
    'let an admin in again by a link; it ends their former credentials, and every admin is told',
    async () => {
      const former = api.http(noor.token);
      expectStatus(await former.get('/v1/me'), 200);
      const token = await letIn('--admin', noor.email);
      await untilMailed(tenant.admin.email, 'The operator of the server made a link for');
      await untilMailed(noor.email, noor.email);
      const { cookie } = await cameIn(api, token);
      expect((await api.http().get('/v1/browser-sessions/current', { cookie })).body).toMatchObject({
        signed_in: true,
        person: { id: noor.id, roles: ['PlatformAdmin'] },
      });
      const ended = await former.get('/v1/me');
      expect([ended.status, ended.body.code]).toEqual([401, 'credential.revoked']);
      const again = await acceptInvitation(api, token).then(
        () => 'let in twice',
        (error: unknown) => String(error),
      );
      expect(again).toContain('enrolment.refused');
    },
    2 * WITHIN_MS,
  );

  it(
    'let a new person in, with a vote of their own',
    async () => {
      await cameIn(api, await letIn('--person', 'lea@example.com', '--name', 'Lea', '--tenant', tenant.slug));
      await untilMailed(tenant.admin.email, 'made a link for Lea');
      const lea = (await people()).find(({ email }) => email === 'lea@example.com');
      expect(lea).toMatchObject({
        display_name: 'Lea',
        came_in_at: expect.any(String),
        standing: { known: true, known_by: [{ basis: 'operator' }], shares_vote_with: [] },
      });
      expect((await people('?without_issuer=true')).map(({ email }) => email)).toContain('lea@example.com');
    },
    2 * WITHIN_MS,
  );

  it('name the effect of a link for a new person and for an admin', async () => {
    const { out: person } = await operator('--person', 'ida@example.com', '--name', 'Ida');
    expect(person).toContain('has a vote of their own. Somebody new has no role yet');
    expect(person).not.toContain('of that admin');
    const { out: admin } = await operator('--admin', tenant.admin.email);
    expect(admin).toContain('every factor and token of that admin ends');
    expect(admin).not.toContain('Somebody new');
  });

  it('rotate the key that signs grants: the next one is published at once', async () => {
    const { code, out } = await command('grant-key', 'rotate', '--json');
    expect([code, out]).toEqual([0, expect.stringContaining('signs_from')]);
    const { key_id: kid } = JSON.parse(out) as { key_id: string };
    const { keys } = (await api.http().get('/.well-known/jwks.json')).body as { keys: { kid: string }[] };
    expect(keys).toHaveLength(2);
    expect(keys.map((key) => key.kid)).toContain(kid);
  });

  it('refuse a wrong setting of any part before the first start makes a database', async () => {
    const fresh = join(folder, 'fresh');
    const started = await commandWith({ COUNTERSIGN_DATA: fresh, COUNTERSIGN_LOOK_MS: '-1' }, 'start');
    expect(started).toEqual({ code: 4, out: expect.stringContaining('COUNTERSIGN_LOOK_MS must be') as string });
    expect(existsSync(fresh)).toBe(false);
  });

  // The other refusals are in let-in-by-operator.spec.ts.
  it('refuse somebody of no tenant', async () => {
    const refused = await operator('--person', 'lea@example.com', '--tenant', 'none-such');
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('operator.tenant')]);
  });

  describe('start at another host', () => {
    /** `countersign start` until it serves or has ended by itself. @returns its exit code, null if it served, and its words. */
    async function start(...options: readonly string[]): Promise<{ code: number | null; said: string }> {
      const server = spawn(process.execPath, ['dist/programs/cli/main.js', 'start', '--api-only', ...options], {
        cwd: compiledPackage(),
        env: {
          PATH: process.env.PATH,
          ...environment(),
          COUNTERSIGN_PORT: '0',
          COUNTERSIGN_METRICS_PORT: '0',
          COUNTERSIGN_PUBLIC_URL: 'https://countersign.example',
        },
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: WITHIN_MS,
        killSignal: 'SIGKILL',
      });
      const ended = once(server, 'close') as Promise<[number | null]>;
      let said = '';
      const serves = new Promise<void>((resolve) => {
        server.stderr.on('data', (chunk: Buffer) => {
          said += chunk.toString('utf8');
          if (/^web /m.test(said)) resolve();
        });
      });
      const code = await Promise.race([ended.then(([by]) => by), serves.then(() => null)]);
      server.kill('SIGTERM');
      await ended;
      return { code, said };
    }

    it(
      'says how many passkeys stop working, and starts once the operator accepted it',
      async () => {
        const refused = await start();
        expect(refused.code).toBe(4);
        expect(refused.said).toContain(
          '2 passkeys were made for another host and will not work at https://countersign.example.',
        );
        expect(refused.said).toContain('start.passkeys_lost');
        expect((await start('--accept')).code).toBeNull();
        expect(await start()).toMatchObject({ code: null, said: expect.not.stringContaining('passkeys') });
      },
      4 * WITHIN_MS,
    );
  });
});
