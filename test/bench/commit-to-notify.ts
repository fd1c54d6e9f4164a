import { Client } from 'pg';
import { migrateDatabase, openDatabase, sqlOf, type Database } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { newId, type TenantId } from '#lib/kernel';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadOf, timeOf } from './percentile.js';
import { slackInstallation, type SlackInstallation } from './slack-installation.js';

const ROUNDS = 5;
const CALLS = 30;
const WARM_UP = 40;
const WITHIN_MS = 10_000;
/** The channel that wakes workers: a notification comes right after the commit. */
const COMMITTED = 'countersign_job';
const CHANGED = 'countersign_change';
const KIND = 'slack.interaction';

/**
 * `commit-to-notify`: p99 from the commit of a request for approval to its message at Slack. It is compared with a bare job of
 * the same queue on the same server. The job's time goes from its transaction to its start. `/sending` is the same against a bare
 * job with the least work of a delivery. The job takes its row, posts a message, and records that. `/median` are the medians.
 * Every request has a channel of its own, and its message is the channel's first. A channel takes one message a second.
 */
export async function commitToNotify(): Promise<readonly Measurement[]> {
  const installation = await slackInstallation();
  try {
    return await measure(installation);
  } finally {
    await installation.close();
  }
}

async function measure(installation: SlackInstallation): Promise<readonly Measurement[]> {
  const queue = await bareQueue(installation);
  const requests = await listening(installation.databaseUrl, CHANGED);
  const ratios: Record<'start' | 'startMedian' | 'sending' | 'sendingMedian', number[]> = {
    start: [],
    startMedian: [],
    sending: [],
    sendingMedian: [],
  };
  try {
    for (let call = 0; call < WARM_UP; call += 1) {
      await queue.start();
      await queue.send();
      await notified(installation, requests);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ours, starts, sends]: [number[], number[], number[]] = [[], [], []];
      for (let each = 0; each < CALLS; each += 1) {
        ours.push(await notified(installation, requests));
        starts.push(await queue.start());
        sends.push(await queue.send());
      }
      const [our, start, send] = [spreadOf(ours), spreadOf(starts), spreadOf(sends)];
      ratios.start.push(our.p99 / start.p99);
      ratios.startMedian.push(our.median / start.median);
      ratios.sending.push(our.p99 / send.p99);
      ratios.sendingMedian.push(our.median / send.median);
    }
  } finally {
    await requests.close();
    await queue.close();
  }
  return [
    measurementOf('commit-to-notify', ratios.start),
    measurementOf('commit-to-notify/median', ratios.startMedian),
    measurementOf('commit-to-notify/sending', ratios.sending),
    measurementOf('commit-to-notify/sending/median', ratios.sendingMedian),
  ];
}

const ignore = (): void => undefined;
const open = (url: string): Promise<Database> =>
  openDatabase(
    { kind: 'external', url },
    { applicationName: 'countersign-bench', entities: ENTITIES, poolSize: 4, onError: ignore },
  );

/** @returns when the next job of a kind is heard to be committed, in nanoseconds of the process's clock. */
async function listening(
  url: string,
  from = COMMITTED,
): Promise<Pick<Database, 'close'> & { next(kind: string): Promise<bigint> }> {
  const database = await open(url);
  let [wanted, heard]: [string, (at: bigint) => void] = ['', ignore];
  await new Promise<void>((resolve) => {
    database.notifications.subscribe(from, (payload) => {
      if (payload === null) resolve();
      else if (payload.includes(wanted)) heard(process.hrtime.bigint());
    });
  });
  return {
    next: (kind) =>
      new Promise((resolve) => {
        wanted = kind;
        heard = (at) => {
          heard = ignore;
          resolve(at);
        };
      }),
    close: () => database.close(),
  };
}

type Listening = Awaited<ReturnType<typeof listening>>;

let channels = 0;
const newChannel = ({ slack }: SlackInstallation): string => {
  channels += 1;
  const channel = `C0BENCH${String(channels)}`;
  Object.assign(slack.workspace.channels, { [channel]: channel });
  return channel;
};

/** When the next message is posted. */
const posted = ({ slack }: SlackInstallation): Promise<bigint> =>
  new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      reject(new Error(`no message came within ${String(WITHIN_MS)} ms`));
    }, WITHIN_MS);
    slack.once('message', () => {
      clearTimeout(deadline);
      resolve(process.hrtime.bigint());
    });
  });

/** Nanoseconds from the commit of a request to its message. */
async function notified(installation: SlackInstallation, committed: Listening): Promise<number> {
  const { slack, send, prepare, adminToken } = installation;
  const { planId, token } = await prepare();
  const channel = newChannel(installation);
  await send('PUT', '/v1/slack/routes', { channels: { '': channel }, on_duty: [] }, adminToken);
  const [begun, message] = [committed.next(':approval_request:'), posted(installation)];
  await send('POST', `/v1/plans/${planId}/approval-requests`, { start: 'manual' }, token);
  const nanoseconds = Number((await message) - (await begun));
  if (slack.in(channel).length !== 1) throw new Error(`${String(slack.in(channel).length)} messages in ${channel}`);
  return nanoseconds;
}

interface BareQueue {
  /** Nanoseconds from a job's transaction to the job's start. */
  start(): Promise<number>;
  /** Nanoseconds from a job's commit to its message. */
  send(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Jobs of the same queue, taken by a worker in this process. They are in a database of their own on the same server, where no
 * other worker takes them.
 */
async function bareQueue(installation: SlackInstallation): Promise<BareQueue> {
  const { databaseUrl, adminUrl, slack } = installation;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query('create database bench_queue');
  await admin.end();
  const [owner, url] = [adminUrl, databaseUrl].map((address) =>
    Object.assign(new URL(address), { pathname: '/bench_queue' }),
  );
  if (owner === undefined || url === undefined) throw new Error('two addresses went in');
  await migrateDatabase({ adminUrl: owner.href, appPassword: url.password });
  const tenantId = newId<TenantId>();
  const [database, committed] = [await open(url.href), await listening(url.href)];
  await database.uow.run(tenantId, (tx) =>
    sqlOf(tx).execute("insert into tenant (id, slug, name, created_at) values ($1, 'bench', 'Bench', now())", [
      tenantId,
    ]),
  );
  let work: (id: string) => Promise<void> = () => Promise.resolve();
  database.jobWorker.register(KIND, async (_tenant, id) => {
    await work(id);
    return null;
  });
  database.jobWorker.start({ lookMs: 1_000, onFailure: ignore });
  const execute = (text: string, id: string): Promise<number> =>
    database.uow.run(tenantId, (tx) => sqlOf(tx).execute(text, [tenantId, id]));
  const send = async (id: string, channel: string): Promise<void> => {
    const taken = await execute(
      `update slack_interaction set attempts = attempts + 1, next_attempt_at = clock_timestamp() + interval '90 s'
        where tenant_id = $1 and id = (
          select id from slack_interaction where tenant_id = $1 and id = $2 and done_at is null for update skip locked)`,
      id,
    );
    if (taken === 0) return;
    await fetch(`${slack.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${slack.workspace.botToken}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ channel, text: 'bare', blocks: '[]' }),
    });
    await execute(
      `update slack_interaction set done_at = clock_timestamp(), outcome = 'done' where tenant_id = $1 and id = $2`,
      id,
    );
  };
  return {
    start: () =>
      timeOf(async () => {
        const begun = new Promise<void>((resolve) => {
          work = () => {
            resolve();
            return Promise.resolve();
          };
        });
        await database.uow.run(tenantId, (tx) => database.jobQueue.enqueue(tx, KIND, newId()));
        await begun;
      }),
    send: async () => {
      const [id, channel] = [newId(), newChannel(installation)];
      const done = new Promise<void>((resolve, reject) => {
        work = (each) => send(each, channel).then(resolve, reject);
      });
      const [begun, message] = [committed.next(KIND), posted(installation)];
      await database.uow.run(tenantId, async (tx) => {
        await sqlOf(tx).execute(
          `insert into slack_interaction (tenant_id, id, body_digest, payload, received_at, next_attempt_at)
           values ($1, $2::uuid, sha256($2::uuid::text::bytea), '{}', clock_timestamp(), clock_timestamp())`,
          [tenantId, id],
        );
        await database.jobQueue.enqueue(tx, KIND, id);
      });
      const nanoseconds = Number((await message) - (await begun));
      await done;
      return nanoseconds;
    },
    close: async () => {
      await committed.close();
      await database.close();
    },
  };
}
