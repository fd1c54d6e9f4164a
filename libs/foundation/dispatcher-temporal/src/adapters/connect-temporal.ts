import { readFile } from 'node:fs/promises';
import { wrongSetting } from '#lib/kernel';
import type { TemporalConfig, TemporalTls } from '../application/temporal-config.js';
import type {
  TemporalConnection,
  TemporalLogLevel,
  TemporalPackages,
  TemporalTlsFiles,
} from '../application/temporal.ports.js';
import { awaitTemporal } from './await-temporal.js';
import { namespaceMissing } from './temporal-failures.js';

/** The status code of gRPC for a thing that is missing. */
const GRPC_NOT_FOUND = 5;
const ANSWER_WITHIN_MS = 10_000;

/** The output of Temporal's own lines. */
type TemporalLog = (level: TemporalLogLevel, message: string) => void;

/** Of the whole process: the runtime of Temporal takes its settings once. */
let logger: unknown;

/** Gives Temporal's runtime our log. It would otherwise end our workers by itself at SIGTERM, and print lines of its own. */
export function installRuntime({ worker }: TemporalPackages, log: TemporalLog): unknown {
  if (logger !== undefined) return logger;
  logger = new worker.DefaultLogger('WARN', ({ level, message }) => {
    log(level, message);
  });
  worker.Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'WARN' }, forward: { level: 'WARN' } } },
  });
  return logger;
}

/** @throws {FailureError} `start.wrong_setting` if a file of TLS cannot be read. */
export async function tlsFilesOf(tls: TemporalTls | null): Promise<TemporalTlsFiles | null> {
  if (tls === null) return null;
  const { caFile, client, serverName } = tls;
  return {
    ...(serverName === null ? {} : { serverNameOverride: serverName }),
    ...(caFile === null ? {} : { serverRootCACertificate: await fileOf('CA', caFile) }),
    ...(client === null
      ? {}
      : { clientCertPair: { crt: await fileOf('CERT', client.certFile), key: await fileOf('KEY', client.keyFile) } }),
  };
}

const fileOf = (setting: string, path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw wrongSetting(`COUNTERSIGN_TEMPORAL_TLS_${setting} names ${path}, which cannot be read: ${String(error)}.`);
  });

/**
 * Connects, and asks for the namespace. A worker that is created for a namespace that is missing would leave its threads behind.
 *
 * @throws {FailureError} `dispatcher.temporal_silent`, `dispatcher.temporal_namespace_missing`.
 */
export async function connectTemporal(
  { worker }: TemporalPackages,
  config: TemporalConfig,
  tls: TemporalTlsFiles | null,
  stopping: AbortSignal,
): Promise<TemporalConnection> {
  const { address, namespace, apiKey } = config;
  const connecting = worker.NativeConnection.connect({ address, tls, ...(apiKey === null ? {} : { apiKey }) });
  try {
    const connection = await awaitTemporal(config, ANSWER_WITHIN_MS, connecting, stopping);
    const described = connection.workflowService.describeNamespace({ namespace });
    await awaitTemporal(config, ANSWER_WITHIN_MS, described, stopping);
    return connection;
  } catch (error) {
    // Also a connection that is made too late.
    void connecting.then((connection) => connection.close()).catch(() => undefined);
    if (error instanceof Error && 'code' in error && error.code === GRPC_NOT_FOUND) throw namespaceMissing(config);
    throw error;
  }
}
