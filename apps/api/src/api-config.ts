import { isIP } from 'node:net';
import { integerSetting, installationConfigFrom, type InstallationConfig } from '#lib/installation';
import { wrongSetting } from '#lib/kernel';
import { LOG_LEVELS, type LogLevel } from '#lib/operation';

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
  /** A connection over which no byte moved for so long ends: its client takes no answer, or has none that it waits for. */
  readonly silentConnectionMs: number;
  /**
   * Requests a minute that one person or agent may make with all their credentials together, over all API processes, and
   * how many at once.
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

/** Without a setting of its own a tenant may do as much as so many people or agents at their limit. */
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
  const logLevel = environment.COUNTERSIGN_LOG_LEVEL ?? defaultApiConfig.logLevel;
  if (!isLogLevel(logLevel)) throw wrongSetting(`COUNTERSIGN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  const requestsPerMinute = whole(
    'COUNTERSIGN_REQUESTS_PER_MINUTE',
    defaultApiConfig.requestsPerMinute,
    [1, 10_000_000],
  );
  const requestBurst = whole('COUNTERSIGN_REQUEST_BURST', defaultApiConfig.requestBurst, [1, 1_000_000]);
  const handlerTimeoutMs = whole('COUNTERSIGN_HANDLER_TIMEOUT_MS', defaultApiConfig.handlerTimeoutMs, [100, 600_000]);
  return {
    ...installationConfigFrom(environment, root),
    host: environment.COUNTERSIGN_HOST ?? defaultApiConfig.host,
    port: whole('COUNTERSIGN_PORT', defaultApiConfig.port, [0, 65_535]),
    logLevel,
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
    trustedProxies: trustedProxiesOf(environment.COUNTERSIGN_TRUSTED_PROXIES ?? ''),
    databasePoolSize: whole('COUNTERSIGN_DATABASE_POOL', defaultApiConfig.databasePoolSize, [1, 1_000]),
  };
}

/** Where `/metrics` is served: an address of its own, so that no tenant reaches it. */
export function metricsAddressFrom(environment: Environment): { host: string; port: number } {
  return {
    host: environment.COUNTERSIGN_METRICS_HOST ?? '127.0.0.1',
    port: integerSetting(environment, 'COUNTERSIGN_METRICS_PORT', 9_464, [0, 65_535]),
  };
}

const FAMILY_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Addresses, or blocks of them in CIDR notation. Names are refused, since nothing resolves them. */
function trustedProxiesOf(text: string): string[] {
  const proxies = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = proxies.find((proxy) => {
    const [address = '', bits = '0', ...more] = proxy.split('/');
    return more.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (FAMILY_BITS[isIP(address)] ?? -1);
  });
  if (wrong !== undefined)
    throw wrongSetting(
      `COUNTERSIGN_TRUSTED_PROXIES lists addresses, or blocks such as 10.0.0.0/8, separated by commas; "${wrong}" is neither.`,
    );
  return proxies;
}

const isLogLevel = (text: string): text is LogLevel => (LOG_LEVELS as readonly string[]).includes(text);
