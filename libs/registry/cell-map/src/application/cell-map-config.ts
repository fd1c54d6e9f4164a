import { join } from 'node:path';
import { readDatabaseAddress } from '#lib/database';
import { wrongSetting } from '#lib/kernel';

/** The place of the map: an address of PostgreSQL with its hosts, or the folder of an embedded one. */
export type CellMapConfig = { readonly url: string } | { readonly directory: string };

/**
 * Reads `COUNTERSIGN_ROUTER_DATABASE_URL`; without it the map is embedded in the folder of data.
 *
 * @throws {FailureError} `start.wrong_setting`; the message never holds the value, which may have a password.
 */
export function cellMapConfigFrom(
  environment: Readonly<Record<string, string | undefined>>,
  dataFolder: string,
): CellMapConfig {
  const url = environment.COUNTERSIGN_ROUTER_DATABASE_URL ?? '';
  if (url === '') return { directory: join(dataFolder, 'router') };
  const read = readDatabaseAddress(url);
  if (typeof read === 'string') throw wrongSetting(`COUNTERSIGN_ROUTER_DATABASE_URL ${read}.`);
  return { url };
}
