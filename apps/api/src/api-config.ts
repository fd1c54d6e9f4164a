import { integerSetting, installationConfigFrom, textSetting, type InstallationConfig } from '#lib/installation';
import { logLevelFrom, trustedProxiesFrom, type LogLevel } from '#lib/operation';

type Environment = Readonly<Record<string, string | undefined>>;

/** How one API process runs. Everything has a default that is right for a single machine. */
export interface ApiConfig extends InstallationConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logLevel: LogLevel;
  /** The largest request body, in bytes; a larger one is 413. */
  readonly bodyBytes: number;
  /** After so long without an answer the caller gets 503. */
  readonly handlerTimeoutMs: number;
  /** A connection over which no byte moved for so long ends. Its client takes no answer, or waits for none. */
  readonly silentConnectionMs: number;
  /**
   * Requests a minute that one person or agent may make with all their credentials together, and how many at once. Both hold over
   * all API processes.
   */
  readonly requestsPerMinute: number;
  readonly requestBurst: number;
  /** The same for everybody of a tenant together. */
  readonly tenantRequestsPerMinute: number;
  readonly tenantRequestBurst: number;
  /** The most live tokens of one person or agent; four times as many may be made in a day. */
  readonly tokensPerHolder: number;
  /** The most event streams of this process that are open at once. */
  readonly streamsPerHolder: number;
  readonly streamsPerTenant: number;
  /** Addresses of trusted proxies: the API believes their X-Forwarded-For. */
  readonly trustedProxies: readonly string[];
  /** The most database connections this process holds. */
  readonly databasePoolSize: number;
}

/** A connection is silent while a handler works. Beyond that, streams and answers that wait are silent for a minute at the most. */
const SILENT_BESIDES_MS = 120_000;

/** Without a setting of its own a tenant may do as much as this many callers at their limit. */
const HOLDERS_A_TENANT = 10;

export const defaultApiConfig: Omit<ApiConfig, keyof InstallationConfig> = {
  host: '127.0.0.1',
  port: 8420,
  logLevel: 'info',
  bodyBytes: 1_048_576,
  handlerTimeoutMs: 30_000,
  silentConnectionMs: 30_000 + SILENT_BESIDES_MS,
  requestsPerMinute: 1_200,
  requestBurst: 200,
  tenantRequestsPerMinute: 12_000,
  tenantRequestBurst: 2_000,
  tokensPerHolder: 50,
  streamsPerHolder: 20,
  streamsPerTenant: 1_000,
  trustedProxies: [],
  databasePoolSize: 20,
};

/**
 * The configuration from environment variables (COUNTERSIGN_*).
 *
 * @param root the package root, under which the data folder is kept if nothing else is said.
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong.
 */
export function apiConfigFrom(environment: Environment, root: string): ApiConfig {
  const whole = (name: string, fallback: number, range: readonly [number, number]): number =>
    integerSetting(environment, name, fallback, range);
  const requestsPerMinute = whole(
    'COUNTERSIGN_REQUESTS_PER_MINUTE',
    defaultApiConfig.requestsPerMinute,
    [1, 10_000_000],
  );
  const requestBurst = whole('COUNTERSIGN_REQUEST_BURST', defaultApiConfig.requestBurst, [1, 1_000_000]);
  const handlerTimeoutMs = whole('COUNTERSIGN_HANDLER_TIMEOUT_MS', defaultApiConfig.handlerTimeoutMs, [100, 600_000]);
  return {
    ...installationConfigFrom(environment, root),
    host: textSetting(environment, 'COUNTERSIGN_HOST') ?? defaultApiConfig.host,
    port: whole('COUNTERSIGN_PORT', defaultApiConfig.port, [0, 65_535]),
    logLevel: logLevelFrom(environment),
    bodyBytes: whole('COUNTERSIGN_BODY_BYTES', defaultApiConfig.bodyBytes, [1_024, 64 * 1_048_576]),
    handlerTimeoutMs,
    silentConnectionMs: handlerTimeoutMs + SILENT_BESIDES_MS,
    requestsPerMinute,
    requestBurst,
    tenantRequestsPerMinute: whole(
      'COUNTERSIGN_TENANT_REQUESTS_PER_MINUTE',
      HOLDERS_A_TENANT * requestsPerMinute,
      [1, 100_000_000],
    ),
    tenantRequestBurst: whole('COUNTERSIGN_TENANT_REQUEST_BURST', HOLDERS_A_TENANT * requestBurst, [1, 10_000_000]),
    tokensPerHolder: whole('COUNTERSIGN_TOKENS_PER_HOLDER', defaultApiConfig.tokensPerHolder, [1, 100_000]),
    streamsPerHolder: whole('COUNTERSIGN_STREAMS_PER_HOLDER', defaultApiConfig.streamsPerHolder, [1, 100_000]),
    streamsPerTenant: whole('COUNTERSIGN_STREAMS_PER_TENANT', defaultApiConfig.streamsPerTenant, [1, 1_000_000]),
    trustedProxies: trustedProxiesFrom(environment),
    databasePoolSize: whole('COUNTERSIGN_DATABASE_POOL', defaultApiConfig.databasePoolSize, [1, 1_000]),
  };
}

/** The address of `/metrics`: one of its own, so that no tenant reaches it. */
export function metricsAddressFrom(environment: Environment): { host: string; port: number } {
  return {
    host: textSetting(environment, 'COUNTERSIGN_METRICS_HOST') ?? '127.0.0.1',
    port: integerSetting(environment, 'COUNTERSIGN_METRICS_PORT', 9_464, [0, 65_535]),
  };
}
