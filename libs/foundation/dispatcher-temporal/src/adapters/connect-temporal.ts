import { readFile } from 'node:fs/promises';
import { wrongSetting } from '#lib/kernel';
import type { TemporalConfig, TemporalTls } from '../application/temporal-config.js';
import type {
  TemporalConnection,
  TemporalLogLevel,
  TemporalPackages,
  TemporalTlsFiles,
} from '../application/temporal.ports.js';

/** Where lines of Temporal's own go. */
export type TemporalLog = (level: TemporalLogLevel, message: string) => void;

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

export const connectTemporal = (
  { worker }: TemporalPackages,
  { address, apiKey }: TemporalConfig,
  tls: TemporalTlsFiles | null,
): Promise<TemporalConnection> =>
  worker.NativeConnection.connect({ address, tls, ...(apiKey === null ? {} : { apiKey }) });
