import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { loopbackRelay, type LoopbackRelay } from '../support/loopback-relay.js';
import { keepTestKeyring } from '../support/seals.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { until } from '../support/until.js';
import { webhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

jest.setTimeout(180_000);

/** An agent has at most twenty open sessions. */
const EVENTS = 18;

const data = mkdtempSync(join(tmpdir(), 'countersign-webhook-'));
let api: TestApi;
let admin: HttpAs;
let tenant: TestTenant;
let receiver: WebhookReceiver;
let webhookId: string;
let worker: WorkerProcess;
let mail: LocalMail;
let relay: LoopbackRelay;
/** The mail server answers no command while true. */
let silent = false;
let heldConnections = 0;

const startWorker = (): Promise<WorkerProcess> =>
  startWorkerProcess({
    DATABASE_URL: api.db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PUBLIC_URL: api.config.publicUrl,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(receiver.url).host,
    COUNTERSIGN_LOOK_MS: '200',
    COUNTERSIGN_SMTP_URL: relay.url,
    COUNTERSIGN_MAIL_FROM: mail.config.from,
  });

/** SIGKILL, and the lease of each delivery that the worker held expires. */
async function killed(): Promise<void> {
  await worker.kill();
  await api.db.owner.query(
    `update webhook_delivery set leased_until = null, next_attempt_at = now() where leased_until is not null`,
  );
}

/** Raises an event for each session that an agent opens. @returns the sessions. */
async function raised(count: number): Promise<readonly string[]> {
  const agent = api.http((await api.agent(tenant, tenant.admin)).token);
  const opened: string[] = [];
  for (let index = 0; index < count; index += 1)
    opened.push(String(expectStatus(await agent.post('/v1/sessions', { environment: 'staging' }), 201).body.id));
  return opened;
}

/** The webhook-ids under which the event of a session came. */
const idsOf = (session: string): readonly string[] =>
  receiver.received
    .filter(({ body }) => JSON.stringify(body).includes(session) && body.event === 'session.opened')
    .map(({ id }) => id);

beforeAll(async () => {
  mail = await localMail();
  relay = await loopbackRelay(mail.config.url, (client, upstream) => {
    if (silent) heldConnections += 1;
    else client.pipe(upstream).pipe(client);
  });
  receiver = await webhookReceiver();
  keepTestKeyring(data);
  api = await testApi({
    config: { allowedPrivateHosts: [new URL(receiver.url).host], keyDirectory: join(data, 'keys') },
  });
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  const settings = { url: receiver.url, events: ['session.*'], ca: TEST_AUTHORITY };
  webhookId = String(expectStatus(await admin.post('/v1/webhooks', settings), 201).body.id);
  const { secret } = expectStatus(await admin.post(`/v1/webhooks/${webhookId}/secret`), 201).body as { secret: string };
  receiver.secrets.push(secret);
  worker = await startWorker();
});
afterAll(async () => {
  await worker.kill();
  await api.close();
  await receiver.close();
  await relay.close();
  await mail.close();
  rmSync(data, { recursive: true });
});

it('T27: workers that are killed while they deliver lose no event, and a repetition has the same webhook-id', async () => {
  // The receiver takes the first messages, and the worker dies before it hears so.
  receiver.answers = { status: null, headers: {}, afterMs: 0 };
  const sessions = [...(await raised(EVENTS))];
  await until(() => receiver.received.length >= 4);
  await killed();
  const unanswered = receiver.received.map(({ id }) => id);
  expect(unanswered).toHaveLength(4);

  // More events happen while no worker is there. The next one dies among answers, wherever it is then.
  receiver.answers = { status: 204, headers: {}, afterMs: 100 };
  sessions.push(...(await raised(EVENTS)));
  worker = await startWorker();
  await until(() => receiver.received.length >= 12);
  await killed();

  worker = await startWorker();
  await until(() => sessions.every((session) => idsOf(session).length > 0));
  await until(async () => {
    const path = `/v1/webhooks/${webhookId}/deliveries?state=pending`;
    return (expectStatus(await admin.get(path), 200).body.items as unknown[]).length === 0;
  });
  for (const session of sessions) expect(new Set(idsOf(session)).size).toBe(1);
  for (const id of unanswered) expect(receiver.received.filter((each) => each.id === id).length).toBeGreaterThan(1);
  expect(receiver.forged()).toBe(0);
});

it('T27: a mail of a worker that is killed while it sends is leased for seconds, then another sends it', async () => {
  const { email } = await api.person(tenant, 'PlatformAdmin');
  silent = true;
  const { id } = await api.person(tenant);
  expectStatus(await admin.post(`/v1/people/${id}/roles`, { role: 'SRELead' }), 202);
  await until(() => heldConnections > 0);
  await worker.kill();
  const { rows } = await api.db.owner.query<{ leased: boolean }>(
    `select next_attempt_at between clock_timestamp() and clock_timestamp() + interval '15 seconds' as leased
       from outbox_message where destination like 'email:%' and state = 'pending' and attempts = 1`,
  );
  expect(rows).toEqual([{ leased: true }]);
  await api.db.owner.query(`update outbox_message set next_attempt_at = clock_timestamp() where state = 'pending'`);
  silent = false;
  worker = await startWorker();
  await until(() => mail.mails.length > 0);
  expect(mail.mails).toMatchObject([{ to: email }]);
});
