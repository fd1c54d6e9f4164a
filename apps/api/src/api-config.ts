import { isIP } from 'node:net';
import { installationConfigFrom, type InstallationConfig } from '#lib/installation';
import { wholeSetting, wrongSetting } from '#lib/kernel';
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
  /** Requests a minute that one credential may make, over all API processes, and how many it may make at once. */
  readonly requestsPerMinute: number;
  readonly requestBurst: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** The most database connections this process holds. */
  readonly databasePoolSize: number;
}

export const defaultApiConfig: Omit<ApiConfig, keyof InstallationConfig> = {
  host: '127.0.0.1',
  port: 8420,
  logLevel: 'info',
  bodyBytes: 1_048_576,
  handlerTimeoutMs: 30_000,
  requestsPerMinute: 1_200,
  requestBurst: 200,
  trustedProxies: [],
  databasePoolSize: 20,
};

/**
 * The configuration from environment variables (COUNTERSIGN_*).
 *
 * @param root the package root, under which the data folder is kept where nothing else is said.
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong.
 */
export function apiConfigFrom(environment: Environment, root: string): ApiConfig {
  const whole = (name: string, fallback: number, range: readonly [number, number]): number =>
    wholeSetting(environment, name, fallback, range);
  const logLevel = environment.COUNTERSIGN_LOG_LEVEL ?? defaultApiConfig.logLevel;
  if (!isLogLevel(logLevel)) throw wrongSetting(`COUNTERSIGN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  return {
    ...installationConfigFrom(environment, root),
    host: environment.COUNTERSIGN_HOST ?? defaultApiConfig.host,
    port: whole('COUNTERSIGN_PORT', defaultApiConfig.port, [0, 65_535]),
    logLevel,
    bodyBytes: whole('COUNTERSIGN_BODY_BYTES', defaultApiConfig.bodyBytes, [1_024, 64 * 1_048_576]),
    handlerTimeoutMs: whole('COUNTERSIGN_HANDLER_TIMEOUT_MS', defaultApiConfig.handlerTimeoutMs, [100, 600_000]),
    requestsPerMinute: whole('COUNTERSIGN_REQUESTS_PER_MINUTE', defaultApiConfig.requestsPerMinute, [1, 10_000_000]),
    requestBurst: whole('COUNTERSIGN_REQUEST_BURST', defaultApiConfig.requestBurst, [1, 1_000_000]),
    trustedProxies: trustedProxiesOf(environment.COUNTERSIGN_TRUSTED_PROXIES ?? ''),
    databasePoolSize: whole('COUNTERSIGN_DATABASE_POOL', defaultApiConfig.databasePoolSize, [1, 1_000]),
  };
}

/** Where `/metrics` is served: an address of its own, so that no tenant reaches it. */
export function metricsAddressFrom(environment: Environment): { host: string; port: number } {
  return {
    host: environment.COUNTERSIGN_METRICS_HOST ?? '127.0.0.1',
    port: wholeSetting(environment, 'COUNTERSIGN_METRICS_PORT', 9_464, [0, 65_535]),
  };
}

const FAMILY_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Addresses, or blocks of them in CIDR notation; a name would be looked up by nobody. */
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
