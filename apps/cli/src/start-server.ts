import { once } from 'node:events';
import { guardLogs } from '#lib/audit';
import { fail, type Failure } from '#lib/kernel';
import {
  dataDirectory,
  databaseConfigFrom,
  embeddedEnded,
  openDatabase,
  packageRoot,
  type Database,
} from '#lib/database';
import { compose, ENTITIES, openCheckpointDestinations, type Installation } from '#lib/installation';
import {
  listening,
  makeServerData,
  measureDatabase,
  Metrics,
  report,
  reportUnknownSettings,
  serveMetrics,
  startTracing,
} from '#lib/operation';
import { apiConfigFrom, metricsAddressFrom } from '../../api/src/api-config.js';
import { createApi } from '../../api/src/create-api.js';
import { startWorker } from '../../worker/src/start-worker.js';
import { workerConfigFrom } from '../../worker/src/worker-config.js';
import { checkpointsOf } from './checkpoints-of.js';
import { EXIT } from './exit-codes.js';

/** The parts of Countersign that this process runs. */
export interface Roles {
  readonly api: boolean;
  readonly worker: boolean;
}

/** Something that was started; stopped in the opposite order. */
type Stop = () => Promise<unknown>;

/** The time limit for a start that was told to end, for example if the database does not answer. */
const START_ENDS_WITHIN_MS = 5_000;

/** The time limit for the ends of what libraries hold open once all parts have stopped. */
const LEFT_OPEN_FOR_MS = 5_000;

/** A signal so soon after the first one is its echo. */
const ECHO_MS = 1_000;

/**
 * Runs api, worker or both until SIGTERM or SIGINT, then stops gracefully. It takes no new requests or turns and lets open ones
 * end; the embedded database stops last. A start that fails or is told to end stops its parts in the same order.
 *
 * @param acceptsLostPasskeys whether it starts though passkeys stop working, because the public address has another host.
 * @param atFirstStart answers the file of the bootstrap token until a tenant is founded, and null afterwards.
 * @throws {FailureError} `start.address_in_use`, `start.address_refused`, `start.passkeys_lost`, `start.data_refused`, `start.disk_full`, and those of `openDatabase`.
 */
export async function startServer(
  roles: Roles,
  acceptsLostPasskeys: boolean,
  atFirstStart: (database: Database) => Promise<string | null>,
): Promise<void> {
  const root = packageRoot();
  reportUnknownSettings(process.env);
  const settings = settingsOf(roles, root);
  makeServerData(process.env, dataDirectory(process.env, root));
  const stops: Stop[] = [];
  const toEnd = firstSignal();
  const told = (): boolean => toEnd.aborted;
  const endStart = (): void => {
    overdue = setTimeout(() => process.exit(EXIT.unavailable), START_ENDS_WITHIN_MS);
  };
  let overdue: NodeJS.Timeout | undefined;
  let gone: AbortSignal = new AbortController().signal;
  toEnd.addEventListener('abort', endStart);
  try {
    try {
      stops.push(await startTracing(nameOf(roles), process.env));
      if (told()) return;
      const opened = await openDatabase(databaseConfigFrom(process.env, root), {
        applicationName: `countersign-${nameOf(roles)}`,
        entities: ENTITIES,
        poolSize: settings.api.databasePoolSize,
        onError: report,
      });
      stops.push(() => opened.close());
      if (told()) return;
      const database = guardLogs(opened, openCheckpointDestinations(settings.checkpoints), report);
      const installation = await compose(settings.api, database);
      if (roles.api) await checkPasskeys(settings.api.publicUrl, installation, acceptsLostPasskeys);
      if (told()) return;
      const parts = { installation, database, metrics: new Metrics({ collectProcess: true }) };
      measureDatabase(parts.metrics, database);
      if (settings.worker !== null) {
        const worker = await startWorker(settings.worker, { ...parts, serve: !roles.api });
        stops.push(() => worker.stop());
      }
      if (told()) return;
      if (roles.api) await runApi(settings, parts, stops);
      if (told()) return;
      announce(roles, settings.api, database, roles.api ? await atFirstStart(database) : null);
      gone = database.gone;
    } finally {
      toEnd.removeEventListener('abort', endStart);
      clearTimeout(overdue);
    }
    if (!told() && !gone.aborted) await once(AbortSignal.any([toEnd, gone]), 'abort');
    if (gone.aborted && !told()) {
      // The server can save no more: work that waits for the database gets a short time limit.
      setTimeout(() => process.exit(EXIT.unavailable), START_ENDS_WITHIN_MS).unref();
      fail(embeddedEnded);
    }
  } finally {
    for (const stop of stops.reverse()) await (gone.aborted ? stop().catch(() => undefined) : stop());
    setTimeout(() => process.exit(), LEFT_OPEN_FOR_MS).unref();
  }
}

/** The settings of all parts. A wrong one ends the start before the database is opened, and made at the first start. */
function settingsOf({ worker }: Roles, root: string) {
  const checkpoints = checkpointsOf(root);
  return {
    api: apiConfigFrom(process.env, root),
    worker: worker ? { ...workerConfigFrom(process.env, root), ...checkpoints } : null,
    metrics: metricsAddressFrom(process.env),
    checkpoints,
  };
}

type Settings = ReturnType<typeof settingsOf>;

/** A passkey works at the host that it was made for: at another host its owner is locked out. */
async function checkPasskeys(publicUrl: string, { mfa }: Installation, accepted: boolean): Promise<void> {
  const lost = await mfa.passkeyHosts.lost();
  if (lost === 0) return;
  if (!accepted) fail(passkeysLost(lost, publicUrl));
  await mfa.passkeyHosts.accept();
  process.stderr.write(`${lostWords(lost, publicUrl)}\n`);
}

const lostWords = (count: number, publicUrl: string): string =>
  `${count === 1 ? '1 passkey was' : `${String(count)} passkeys were`} made for another host and will not work at ${publicUrl}.`;

const passkeysLost = (count: number, publicUrl: string): Failure => ({
  kind: 'conflict',
  code: 'start.passkeys_lost',
  message: lostWords(count, publicUrl),
  action:
    'Set COUNTERSIGN_PUBLIC_URL to the former address, or start once with --accept. Their people then come in anew: countersign bootstrap --admin EMAIL prints a link for an admin.',
});

function nameOf({ api, worker }: Roles): string {
  if (api) return worker ? 'server' : 'api';
  return 'worker';
}

/** The parts that api and worker of one process share. */
interface Parts {
  readonly installation: Installation;
  readonly database: Database;
  readonly metrics: Metrics;
}

/** Adds each part to `stops` as soon as it is there: the next may fail. */
async function runApi({ api: config, metrics }: Settings, parts: Parts, stops: Stop[]): Promise<void> {
  const metricsServer = await serveMetrics(parts.metrics, metrics);
  stops.push(() => metricsServer.close());
  const app = await createApi(config, parts);
  stops.push(() => app.close());
  await listening({ host: config.host, port: config.port, setting: 'COUNTERSIGN_PORT' }, () =>
    app.listen(config.port, config.host),
  );
}

function announce(
  roles: Roles,
  { host, port, publicUrl }: Settings['api'],
  database: Database,
  tokenFile: string | null,
): void {
  const lines = [
    `database  ${database.where.address}${database.where.embedded ? ' (embedded)' : ''}`,
    ...(roles.api
      ? [`web       ${publicUrl}`, `api       http://${host}:${String(port)}/v1  (described at /docs)`]
      : []),
    ...(roles.worker ? ['worker    at work'] : []),
    ...(tokenFile === null
      ? []
      : ['', `Open ${publicUrl} in a browser and paste the bootstrap token that is in ${tokenFile}`]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Aborted at the first SIGTERM or SIGINT. A later one ends the process at once; an echo, as npm forwards it, does not. */
function firstSignal(): AbortSignal {
  const controller = new AbortController();
  let first: number | null = null;
  const onSignal = (): void => {
    first ??= performance.now();
    if (controller.signal.aborted && performance.now() - first > ECHO_MS) process.exit(EXIT.unavailable);
    controller.abort();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return controller.signal;
}
