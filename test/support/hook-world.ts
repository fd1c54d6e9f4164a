import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolCallView } from '#lib/api-schemas';
import type { PersonId } from '#lib/kernel';
import {
  assignByHand,
  expectStatus,
  operatorToken,
  testApi,
  type TestAgent,
  type TestApi,
  type TestTenant,
} from './api.js';
import { compiledPackage } from './compiled-package.js';
import { runHook, runHookHere, type HookRun } from './hook-process.js';
import { cameIn, pageOf } from './passkey-accounts.js';
import { until } from './until.js';

const CONFIG = 'examples/coding-agents/config';
const configFile = (name: string): string => readFileSync(`${CONFIG}/${name}.yaml`, 'utf8');

/** A tenant with the tools of coding agents. It has an agent in a folder of its own, and its owner in a browser. */
export interface HookWorld {
  readonly api: TestApi;
  readonly tenant: TestTenant;
  readonly bot: TestAgent;
  readonly url: string;
  readonly workspace: string;
  /** Of the host's processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the hook in the environment development, without a process of its own. */
  hook(host: string, input: unknown, options?: HookOptions): Promise<HookRun>;
  /** The same as its host does. It is a process with JSON on standard input, which never ends if the input is null. */
  process(host: string, input: unknown, options?: HookOptions): Promise<HookRun & { readonly milliseconds: number }>;
  /** The request about the call of the newest session that waits for a person. */
  request(): Promise<HookRequest>;
  /** The owner answers it in the browser. */
  answer(verdict: 'approve' | 'reject', more?: object): Promise<void>;
  /** The calls of the newest session, newest first. */
  calls(): Promise<readonly SessionCall[]>;
  close(): Promise<void>;
}
interface HookRequest {
  readonly id: string;
  readonly digest: string;
}
interface HookOptions {
  readonly wait?: number;
  readonly argv?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** For a process: once it is there, the host stops its hook. */
  readonly stopped?: Promise<unknown>;
}
interface SessionCall {
  readonly tool: string;
  readonly request_id: string | null;
  readonly client_call_id: string | null;
  readonly turn_id: string | null;
  readonly reason: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly state: ToolCallView['outcome'];
  readonly decision: string | null;
  readonly denial: { readonly code: string } | null;
  readonly result: unknown;
  readonly error: { readonly code: string } | null;
}

const lineOf = (
  host: string,
  { wait = 30, argv = ['--environment', 'development'] }: HookOptions = {},
): readonly string[] => [host, ...argv, '--wait', String(wait)];

export async function hookWorld(): Promise<HookWorld> {
  // The first test has time for a process alone.
  compiledPackage();
  const api = await testApi();
  await api.app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${String((api.app.getHttpServer().address() as AddressInfo).port)}`;
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', configFile('tools')), 200);
  expectStatus(await admin.put('/v1/environments/development/executors/hands', { kind: 'agent' }), 200);
  // Each test has a session of its own.
  const autonomy = configFile('autonomy').replace('autonomy:\n', 'autonomy:\n  sessions_per_agent: 100\n');
  expectStatus(await admin.put('/v1/autonomy', autonomy), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id: ada } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: ada, role: 'SRELead', assignedBy: tenant.admin.id });
  const page = await pageOf(api, (await cameIn(api, await operatorToken(api, tenant.id, ada))).cookie);
  const bot = await api.agent(tenant, { id: ada, email: '', token: '' });

  const home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-hook-')));
  const workspace = join(home, 'shop');
  mkdirSync(join(workspace, 'src'), { recursive: true });
  writeFileSync(join(home, 'token'), bot.token, { mode: 0o600 });
  const environment = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    SHELL: '/bin/bash',
    CLAUDE_PROJECT_DIR: workspace,
    COUNTERSIGN_URL: url,
    COUNTERSIGN_TOKEN_FILE: join(home, 'token'),
  };

  const newest = async (): Promise<string> => {
    const { items } = expectStatus(await admin.get('/v1/sessions?limit=1'), 200).body as { items: { id: string }[] };
    return items[0]?.id ?? '';
  };
  const calls = async (): Promise<readonly SessionCall[]> => {
    const id = await newest();
    if (id === '') return [];
    return expectStatus(await admin.get(`/v1/sessions/${id}/tool-calls?limit=50`), 200).body.items as SessionCall[];
  };
  const request = async (): Promise<HookRequest> => {
    const id = await until(async () => (await calls()).find(({ state }) => state === 'pending')?.request_id ?? null);
    const { body } = expectStatus(await api.http().get(`/v1/approval-requests/${id}`, page), 200);
    return { id, digest: (body.subject as { digest: string }).digest };
  };
  const environmentOf = ({ environment: more = {} }: HookOptions = {}) => ({ ...environment, ...more });
  return {
    api,
    tenant,
    bot,
    url,
    workspace,
    environment,
    calls,
    hook: (host, input, options) => runHookHere(lineOf(host, options), input, environmentOf(options)),
    process: (host, input, options) => runHook(lineOf(host, options), input, environmentOf(options), options?.stopped),
    request,
    answer: async (verdict, more = {}) => {
      const { id, digest } = await request();
      const path = `/v1/approval-requests/${id}/reviews`;
      expectStatus(await api.http().post(path, { verdict, subject_digest: digest, ...more }, page), 201);
    },
    close: async () => {
      await api.close();
      rmSync(home, { recursive: true });
    },
  };
}
