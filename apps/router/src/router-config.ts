import { join } from 'node:path';
import { cellMapConfigFrom, type CellMapConfig } from '#lib/cell-map';
import { integerSetting, textSetting } from '#lib/installation';
import { logLevelFrom, trustedProxiesFrom, type LogLevel } from '#lib/operation';

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
  return {
    host: textSetting(environment, 'COUNTERSIGN_ROUTER_HOST') ?? '127.0.0.1',
    port: whole('COUNTERSIGN_ROUTER_PORT', 8_430, [0, 65_535]),
    metrics: {
      host: textSetting(environment, 'COUNTERSIGN_METRICS_HOST') ?? '127.0.0.1',
      port: whole('COUNTERSIGN_METRICS_PORT', 9_466, [0, 65_535]),
    },
    map: cellMapConfigFrom(environment, dataFolder),
    logLevel: logLevelFrom(environment),
    trustedProxies: trustedProxiesFrom(environment),
    bodyBytes: whole('COUNTERSIGN_BODY_BYTES', 1_048_576, [1_024, 64 * 1_048_576]),
    mapAgeMs: whole('COUNTERSIGN_ROUTER_MAP_HOURS', 24, [1, 720]) * 3_600_000,
    keptMap: join(dataFolder, 'router-map.json'),
    answerTimeoutMs: whole('COUNTERSIGN_ROUTER_ANSWER_MS', 120_000, [1_000, 3_600_000]),
  };
}
