import { wrongSetting } from '#lib/kernel';

import { readDatabaseAddress, type DatabaseAddress } from '../application/database-address.js';

/** The parts of an address that was checked when the settings were read. @throws {FailureError} `start.wrong_setting`. */
export function addressOf(url: string): DatabaseAddress {
  const address = readDatabaseAddress(url);
  if (typeof address === 'string') throw wrongSetting(`The address of the database ${address}.`);
  return address;
}

/** One address for each host. */
export const urlsOf = (url: string): readonly string[] => addressOf(url).urls;
