import { isIP } from 'node:net';
import { join } from 'node:path';
import { cellMapConfigFrom, type CellMapConfig } from '#lib/cell-map';
import { integerSetting } from '#lib/installation';
import { wrongSetting } from '#lib/kernel';
import { LOG_LEVELS, type LogLevel } from '#lib/operation';

type Environment = Readonly<Record<string, string | undefined>>;

/** How one router runs. */
export interface RouterConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly metrics: { readonly host: string; readonly port: number };
  readonly map: CellMapConfig;
  readonly logLevel: LogLevel;
  /** Addresses, or blocks in CIDR notation, of proxies in front of the router: it believes their X-Forwarded-For. */
  readonly trustedProxies: readonly string[];
  /** The largest body that is read for a clue, in bytes; a larger one is 413. Other bodies pass as they come. */
  readonly bodyBytes: number;
  /** A reading of the map counts for so long while its database is away. */
  readonly mapAgeMs: number;
  /** The file of the last reading. */
  readonly keptMap: string;
  /** A cell that sends no head of an answer for so long counts as not answering. */
  readonly answerTimeoutMs: number;
}

/**
 * The configuration from environment variables.
 *
 * @param dataFolder where the last reading of the map is kept, and the map itself if no database is named.
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong.
 */
export function routerConfigFrom(environment: Environment, dataFolder: string): RouterConfig {
  const whole = (name: string, fallback: number, range: readonly [number, number]): number =>
    integerSetting(environment, name, fallback, range);
  const logLevel = environment.COUNTERSIGN_LOG_LEVEL ?? 'info';
  if (!isLogLevel(logLevel)) throw wrongSetting(`COUNTERSIGN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  return {
    host: environment.COUNTERSIGN_ROUTER_HOST ?? '127.0.0.1',
    port: whole('COUNTERSIGN_ROUTER_PORT', 8_430, [0, 65_535]),
    metrics: {
      host: environment.COUNTERSIGN_METRICS_HOST ?? '127.0.0.1',
      port: whole('COUNTERSIGN_METRICS_PORT', 9_466, [0, 65_535]),
    },
    map: cellMapConfigFrom(environment, dataFolder),
    logLevel,
    trustedProxies: proxiesOf(environment.COUNTERSIGN_TRUSTED_PROXIES ?? ''),
    bodyBytes: whole('COUNTERSIGN_BODY_BYTES', 1_048_576, [1_024, 64 * 1_048_576]),
    mapAgeMs: whole('COUNTERSIGN_ROUTER_MAP_HOURS', 24, [1, 720]) * 3_600_000,
    keptMap: join(dataFolder, 'router-map.json'),
    answerTimeoutMs: whole('COUNTERSIGN_ROUTER_ANSWER_MS', 120_000, [1_000, 3_600_000]),
  };
}

function proxiesOf(list: string): readonly string[] {
  const proxies = list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const wrong = proxies.find((each) => !isBlock(each));
  if (wrong !== undefined)
    throw wrongSetting(
      `COUNTERSIGN_TRUSTED_PROXIES lists addresses, or blocks such as 10.0.0.0/8, separated by commas; "${wrong}" is neither.`,
    );
  return proxies;
}

function isBlock(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

const isLogLevel = (text: string): text is LogLevel => (LOG_LEVELS as readonly string[]).includes(text);
