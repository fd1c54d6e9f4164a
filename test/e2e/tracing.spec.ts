import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { startTracing } from '#lib/operation';
import { expectStatus } from '../support/api.js';
import { slackWorld, type SlackWorld } from '../support/slack-world.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

interface Exported {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

const WITHIN_MS = 30_000;
const TRACE = 'c'.repeat(32);
const SECRETIVE = 'an-image-only-the-arguments-name';

const spans: Span[] = [];
let collector: Server;
let data: string;
let world: SlackWorld;
let worker: WorkerProcess;
let stopTracing: () => Promise<void>;
const environment: Record<string, string> = {
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_LOGS_EXPORTER: 'none',
  OTEL_BSP_SCHEDULE_DELAY: '100',
};

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      for (const { scopeSpans } of (body as Exported).resourceSpans) {
        for (const { spans: some } of scopeSpans) spans.push(...some);
      }
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  environment.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`;
  Object.assign(process.env, environment);
  stopTracing = await startTracing('api', process.env);
  data = await mkdtemp(join(tmpdir(), 'countersign-tracing-'));
  world = await slackWorld({ keyDirectory: join(data, 'keys') });
}, 60_000);
afterAll(async () => {
  try {
    await worker.kill();
    await world.close();
    await stopTracing();
  } finally {
    // The files of a worker share this package, and none after this one is to be traced.
    trace.disable();
  }
  collector.closeAllConnections();
  collector.close();
  await rm(data, { recursive: true, force: true });
});

/** The processes that listen. The api does if its database had been kept by an earlier test. */
async function listeners(): Promise<number> {
  const { rowCount } = await world.api.db.owner.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'countersign-listen'`,
  );
  return rowCount ?? 0;
}

const ofTrace = (): readonly Span[] => spans.filter(({ traceId }) => traceId === TRACE);

async function exported(what: string, done: () => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!done()) {
    await delay(50);
    if (performance.now() > end)
      throw new Error(
        `${what} did not come: ${ofTrace()
          .map(({ name }) => name)
          .join()}`,
      );
  }
}

it('one trace leads from the approval to the calls of the run and to the notifications', async () => {
  const request = await world.asked('on_approval');
  const before = await listeners();
  worker = await startWorkerProcess({
    ...environment,
    DATABASE_URL: world.api.db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PUBLIC_URL: world.api.config.publicUrl,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: world.api.config.allowedPrivateHosts.join(','),
    COUNTERSIGN_SLACK_URL: world.slack.url,
    COUNTERSIGN_LOOK_MS: '60000', // hints are to find the work first, and the look only the rest
  });
  // Once it listens it looks at its work for the last time. A run that this look finds is part of no job. Only the second
  // approval makes the run, a whole request later.
  await until(async () => (await listeners()) > before);
  const review = (token: string, headers: Record<string, string> = {}) =>
    world.api
      .http(token)
      .post(
        `/v1/approval-requests/${request.id}/reviews`,
        { verdict: 'approve', subject_digest: request.subject.digest, comment: SECRETIVE },
        headers,
      );
  expectStatus(await review(world.ada.token), 201);
  expectStatus(await review(world.ben.token, { traceparent: `00-${TRACE}-${'d'.repeat(16)}-01` }), 201);

  const named = (name: string | RegExp): readonly Span[] =>
    ofTrace().filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));
  await exported('the call of a tool', () => named('tool call').length > 0);
  await exported('what Slack is told', () => named('deliver to slack').length > 0);
  await exported('the end of the run’s turn', () => named('drive run').length > 0);
  await exported('its jobs', () => named('job run.advance').length > 0 && named('job outbox.deliver').length > 0);
  expect(named('policy decision').length).toBeGreaterThan(0);
  expect(named(/^transaction [A-Z]\w+\./).length).toBeGreaterThan(0);

  // Connected from a call up to the job that began it. The jobs are part of the request in the other process.
  const above = (span: Span): readonly string[] => {
    const parent = ofTrace().find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [] : [parent.name, ...above(parent)];
  };
  await exported('the way up', () =>
    named('tool call').some((call) => above(call).join() === 'drive run,job run.advance'),
  );
  // An edit of a message gives way to a later one. So a message about the review may be the run's. Each leads up to a job that
  // the request in the other process began.
  const ways = named('deliver to slack').map(above);
  expect(ways.map(([job]) => job)).toEqual(ways.map(() => 'job outbox.deliver'));
  for (const way of ways) expect(way.at(-1)).toMatch(/^job (outbox\.deliver|run\.advance)$/);
  for (const { parentSpanId = '' } of named(/^job /)) expect(parentSpanId).toMatch(/^(?!d{16})[0-9a-f]{16}$/);

  // The tool server is told the span that called it, and nothing else of the trace.
  const told = world.calledIn.filter((header) => header?.includes(TRACE));
  expect(told.length).toBeGreaterThan(0);
  expect(named('tool call').map(({ spanId }) => `00-${TRACE}-${spanId}-01`)).toContain(told[0]);

  const said = JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })));
  for (const secret of [SECRETIVE, 'web-1', world.ada.token, world.ada.email]) expect(said).not.toContain(secret);
}, 90_000);
