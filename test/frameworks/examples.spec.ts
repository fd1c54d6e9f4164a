import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PersonId } from '#lib/kernel';
import { serverPort } from '../support/server-port.js';
import { assignByHand, expectStatus, operatorToken, testApi, type TestAgent, type TestApi } from '../support/api.js';
import { compiledPackage } from '../support/compiled-package.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';

const CONFIG = 'examples/langgraph-python/config';
const WITHIN_MS = 60_000;
jest.setTimeout(180_000);

interface Call {
  readonly client_call_id: string;
  readonly request_id: string | null;
  readonly state: string;
  readonly decision: string | null;
}

let api: TestApi;
/** Another process, which serves the browser. */
let pages: TestApi;
let bot: TestAgent;
let url: string;
let page: Record<string, string>;
const folders: string[] = [];

beforeAll(async () => {
  const port = await serverPort();
  url = `http://127.0.0.1:${String(port)}`;
  api = await testApi({ config: { publicUrl: url } });
  await api.app.listen(port, '127.0.0.1');
  pages = await testApi({ db: api.db, config: { keyDirectory: api.keyDirectory } });
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', readFileSync(`${CONFIG}/tools.yaml`, 'utf8')), 200);
  expectStatus(await admin.put('/v1/environments/staging/executors/hands', { kind: 'agent' }), 200);
  expectStatus(await admin.put('/v1/autonomy', readFileSync(`${CONFIG}/autonomy.yaml`, 'utf8')), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  page = await pageOf(pages, (await cameIn(pages, await operatorToken(api, tenant.id, id))).cookie);
  bot = await api.agent(tenant, { id, email: '', token: '' });
}, 120_000);
afterAll(async () => {
  await pages.close();
  await api.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The example in a folder of its own, with its packages from npm and Countersign beside them. */
function installed(example: string): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${example}-`));
  folders.push(folder);
  cpSync(`examples/${example}`, folder, { recursive: true });
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (npm.status !== 0) throw new Error(`npm install ended with ${String(npm.status)}: ${npm.stderr}`);
  symlinkSync(compiledPackage(), join(folder, 'node_modules', 'countersign'));
  writeFileSync(join(folder, 'agent.token'), bot.token, { mode: 0o600 });
  return folder;
}

const calls = async (): Promise<readonly Call[]> => {
  const agent = api.http(bot.token);
  const { items } = expectStatus(await agent.get('/v1/sessions?limit=1'), 200).body as { items: { id: string }[] };
  if (items[0] === undefined) return [];
  return expectStatus(await agent.get(`/v1/sessions/${items[0].id}/tool-calls`), 200).body.items as Call[];
};

/** The owner answers a call in the browser, once both wait. */
async function answer(name: string, verdict: 'approve' | 'reject'): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const call = (await calls()).find(({ client_call_id: id, state }) => id === name && state === 'pending');
    if (call !== undefined) {
      const path = `/v1/approval-requests/${call.request_id ?? ''}`;
      const { subject } = expectStatus(await pages.http().get(path, page), 200).body as { subject: { digest: string } };
      expectStatus(await pages.http().post(`${path}/reviews`, { verdict, subject_digest: subject.digest }, page), 201);
      return;
    }
    if (performance.now() > deadline) throw new Error(`${name} does not wait`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('an agent on a framework', () => {
  it.each(['langgraph-js', 'openai-agents', 'vercel-ai'])(
    '%s is interrupted, and executes the approved call alone, once',
    async (example) => {
      const folder = installed(example);
      const agent = spawn(process.execPath, ['agent.mjs'], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          COUNTERSIGN_URL: url,
          COUNTERSIGN_TOKEN_FILE: join(folder, 'agent.token'),
        },
      });
      const said = Promise.all([text(agent.stdout), text(agent.stderr), once(agent, 'exit')]);
      const answers = answer('label-sandbox-1', 'approve').then(() => answer('label-sandbox-2', 'reject'));
      // An agent that ends before it was answered has failed, and says why.
      await Promise.race([answers, said.then((ended) => Promise.reject(new Error(ended.join('\n'))))]);
      const [out, err, [exitCode]] = await said;
      expect([exitCode, err]).toEqual([0, '']);
      expect(out.match(/^labelling .*$/gm)).toEqual(['labelling sandbox-1']);
      expect(out).toContain('{"labelled":1}; ');
      const made = await calls();
      expect(made.map(({ client_call_id: id, state, decision }) => [id, state, decision]).sort()).toEqual([
        ['label-sandbox-1', 'succeeded', 'approved'],
        ['label-sandbox-2', 'denied', 'rejected'],
      ]);
    },
  );
});
