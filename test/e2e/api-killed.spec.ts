import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PersonId } from '#lib/kernel';
import { startApiProcess, type ApiProcess } from '../support/api-process.js';
import { assignByHand, expectStatus, operatorToken, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
      require_approval: true
      allowed_approvers: [SRELead]
`;
const LINE = { tool: 'shell', arguments: { command: 'mkdir made' }, client_call_id: 'made-once' };

/** On the same database and data folder: one where people answer, and two that agents ask. */
let api: TestApi;
let replicas: readonly ApiProcess[] = [];
const data = mkdtempSync(join(tmpdir(), 'countersign-killed-'));
let admin: HttpAs;
let owner: Record<string, string>;
let bot: { readonly id: string; readonly token: string };

beforeAll(async () => {
  api = await testApi({ config: { keyDirectory: join(data, 'keys') } });
  const tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  owner = await pageOf(api, (await cameIn(api, await operatorToken(api, tenant.id, id))).cookie);
  bot = await api.agent(tenant, { id, email: '', token: '' });
  replicas = [await startApiProcess(api.db.url, data), await startApiProcess(api.db.url, data)];
}, 120_000);
afterAll(async () => {
  await Promise.all(replicas.map(({ kill }) => kill()));
  await api.close();
  rmSync(data, { recursive: true, force: true });
});

it('a call that waits when its api is killed is answered at another replica, once', async () => {
  const [first, second] = replicas;
  if (first === undefined || second === undefined) throw new Error('there are two replicas');
  const wanted = { environment: 'staging', agent_ids: [bot.id] };
  const session = expectStatus(await api.http().post('/v1/sessions', wanted, owner), 201).body.id as string;
  const path = `/v1/sessions/${session}/tool-calls`;
  const ask = async ({ url }: ApiProcess): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}${path}?wait_seconds=60`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bot.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(LINE),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const waiting = async (): Promise<readonly { readonly id: string; readonly request_id: string | null }[]> =>
    expectStatus(await admin.get(path), 200).body.items as never;

  const cut = ask(first).then(
    () => 'answered',
    () => 'cut off',
  );
  // The test's own time limit ends a wait in vain.
  while ((await waiting()).length === 0) await delay(20);
  await first.kill();
  expect(await cut).toBe('cut off');

  const again = ask(second);
  const [call, ...others] = await waiting();
  expect(others).toEqual([]);
  const request = `/v1/approval-requests/${String(call?.request_id)}`;
  const detail = expectStatus(await api.http().get(request, owner), 200).body as { subject: { digest: string } };
  const review = { verdict: 'approve', subject_digest: detail.subject.digest };
  expectStatus(await api.http().post(`${request}/reviews`, review, owner), 201);

  expect(await again).toMatchObject({ id: call?.id, outcome: 'allowed', decided_as: 'approved' });
  const { items } = expectStatus(await admin.get(`/v1/audit?session_id=${session}`), 200).body;
  expect((items as { decision: string }[]).map(({ decision }) => decision)).toEqual(['approved']);
}, 60_000);
