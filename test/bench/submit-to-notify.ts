import { Client } from 'pg';
import { migrateDatabase, openDatabase } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { newId, type RunId, type TenantId } from '#lib/kernel';
import { figureOf, type Figure } from './figure.js';
import { spreadOf, timeOf } from './percentile.js';
import { slackInstallation, type SlackInstallation } from './slack-installation.js';

const ROUNDS = 5;
const CALLS = 30;
const WARM_UP = 40;
const WITHIN_MS = 10_000;

/**
 * `submit-to-notify`: p99 from asking for approval of a simulated plan over HTTP to its message at Slack, against a bare job of
 * the same queue, on the same server, from its transaction to its start. Every request goes to a channel of its own, since
 * a channel takes one message a second, and its message is its first. `/median` is the same at the median, and `/answer` of that what
 * passes until the request itself is answered.
 */
export async function submitToNotify(): Promise<readonly Figure[]> {
  const installation = await slackInstallation();
  try {
    return await measure(installation);
  } finally {
    await installation.close();
  }
}

async function measure(installation: SlackInstallation): Promise<readonly Figure[]> {
  const queue = await bareQueue(installation);
  const [ratios, medians, answers]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let call = 0; call < WARM_UP; call += 1) {
      await queue.time();
      await notified(installation);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ours, theirs, answered]: [number[], number[], number[]] = [[], [], []];
      for (let each = 0; each < CALLS; each += 1) {
        const call = await notified(installation);
        ours.push(call.message);
        answered.push(call.answer);
        theirs.push(await queue.time());
      }
      const [our, their] = [spreadOf(ours), spreadOf(theirs)];
      ratios.push(our.p99 / their.p99);
      medians.push(our.median / their.median);
      answers.push(spreadOf(answered).median / their.median);
    }
  } finally {
    await queue.close();
  }
  return [
    figureOf('submit-to-notify', ratios),
    figureOf('submit-to-notify/median', medians),
    figureOf('submit-to-notify/answer', answers),
  ];
}

let channels = 0;

/** Nanoseconds from the request to its message, and to its own answer. */
async function notified({
  slack,
  send,
  prepare,
  adminToken,
}: SlackInstallation): Promise<{ readonly message: number; readonly answer: number }> {
  const { planId, token } = await prepare();
  channels += 1;
  const channel = `C0BENCH${String(channels)}`;
  Object.assign(slack.workspace.channels, { [channel]: channel });
  await send('PUT', '/v1/slack/routes', { channels: { '': channel }, on_duty: [] }, adminToken);
  const started = process.hrtime.bigint();
  const posted = new Promise<bigint>((resolve, reject) => {
    const deadline = setTimeout(() => {
      reject(new Error(`no message came within ${String(WITHIN_MS)} ms`));
    }, WITHIN_MS);
    slack.once('message', () => {
      clearTimeout(deadline);
      resolve(process.hrtime.bigint());
    });
  });
  await send('POST', `/v1/plans/${planId}/approval-requests`, { start: 'manual' }, token);
  const answered = process.hrtime.bigint();
  const at = await posted;
  if (slack.in(channel).length !== 1) throw new Error(`${String(slack.in(channel).length)} messages in ${channel}`);
  return { message: Number(at - started), answer: Number(answered - started) };
}

/** Jobs of the same queue with nothing to do, taken by a worker in this process; in a database of their own on the same server, where no other worker takes them. */
async function bareQueue({
  databaseUrl,
  adminUrl,
  tenantId,
}: SlackInstallation): Promise<{ time: () => Promise<number>; close: () => Promise<void> }> {
  const ignore = (): void => undefined;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query('create database bench_queue');
  await admin.end();
  const [owner, url] = [adminUrl, databaseUrl].map((address) =>
    Object.assign(new URL(address), { pathname: '/bench_queue' }),
  );
  if (owner === undefined || url === undefined) throw new Error('two addresses went in');
  await migrateDatabase({ adminUrl: owner.href, appPassword: url.password });
  const database = await openDatabase(
    { kind: 'external', url: url.href },
    { applicationName: 'countersign-bench', entities: ENTITIES, poolSize: 4, onError: ignore },
  );
  let started: () => void = ignore;
  database.jobWorker.register('slack.interaction', () => {
    started();
    return Promise.resolve(null);
  });
  database.jobWorker.start({ lookMs: 1_000, onFailure: ignore });
  return {
    time: () =>
      timeOf(async () => {
        const begun = new Promise<void>((resolve) => (started = resolve));
        await database.uow.run(tenantId as TenantId, (tx) =>
          database.jobQueue.enqueue(tx, 'slack.interaction', newId<RunId>()),
        );
        await begun;
      }),
    close: () => database.close(),
  };
}
