import { join } from 'node:path';
import { wrongSetting } from '#lib/kernel';

import { readDatabaseAddress } from './database-address.js';

/** Which PostgreSQL to use. */
export type DatabaseConfig =
  | {
      readonly kind: 'embedded';
      /** The folder in which the embedded server keeps everything. */
      readonly directory: string;
      /** The port to try first. */
      readonly port?: number;
    }
  | {
      readonly kind: 'external';
      /** The login of the service: countersign_app, or a member of it. One host, or several of which one writes. */
      readonly url: string;
      /** A replica that lists, evidence and proofs may be read from, by the login of the service. */
      readonly readUrl?: string;
      /** The login of migrations; only `countersign migrate` needs it. */
      readonly migrateUrl?: string;
      /** Present if `url` leads to a pooler in transaction mode: the address of the server itself, for LISTEN. */
      readonly directUrl?: string;
    };

/**
 * Reads `DATABASE_URL`, `COUNTERSIGN_MIGRATE_URL`, `COUNTERSIGN_READ_URL`, `COUNTERSIGN_POOLED` with `COUNTERSIGN_DIRECT_URL`,
 * `COUNTERSIGN_DATA` (the folder `.countersign/`) and
 * `COUNTERSIGN_PG_PORT`.
 *
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong; never its value, which may hold a password.
 */
export function databaseConfigFrom(
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
): DatabaseConfig {
  const url = optional(environment.DATABASE_URL);
  const migrateUrl = optional(environment.COUNTERSIGN_MIGRATE_URL);
  const readUrl = optional(environment.COUNTERSIGN_READ_URL);
  if (url !== undefined) {
    assertPostgresUrl('DATABASE_URL', url);
    if (migrateUrl !== undefined) assertPostgresUrl('COUNTERSIGN_MIGRATE_URL', migrateUrl);
    if (readUrl !== undefined) assertOneHost('COUNTERSIGN_READ_URL', readUrl);
    return {
      ...{ kind: 'external', url },
      ...(migrateUrl === undefined ? {} : { migrateUrl }),
      ...(readUrl === undefined ? {} : { readUrl }),
      ...pooledFrom(environment),
    };
  }
  if (readUrl !== undefined) {
    throw wrongSetting('COUNTERSIGN_READ_URL is set and DATABASE_URL is not: a replica is read beside its primary.');
  }
  if (optional(environment.COUNTERSIGN_POOLED) !== undefined) {
    throw wrongSetting('COUNTERSIGN_POOLED is set and DATABASE_URL is not: the embedded PostgreSQL has no pooler.');
  }
  if (migrateUrl !== undefined) {
    throw wrongSetting(
      'COUNTERSIGN_MIGRATE_URL is set and DATABASE_URL is not: set both, or neither for the embedded PostgreSQL.',
    );
  }
  const directory = join(dataDirectory(environment, root), 'postgres');
  const port = optional(environment.COUNTERSIGN_PG_PORT);
  if (port === undefined) return { kind: 'embedded', directory };
  const wanted = Number(port);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
    throw wrongSetting('COUNTERSIGN_PG_PORT must be a port number from 1 to 65535.');
  }
  return { kind: 'embedded', directory, port: wanted };
}

/** The folder of the data that must survive a restart: `.countersign/`, or `COUNTERSIGN_DATA`. */
export function dataDirectory(environment: Readonly<Record<string, string | undefined>>, root: string): string {
  return optional(environment.COUNTERSIGN_DATA) ?? join(root, '.countersign');
}

/** A pooler in transaction mode passes no notification on: without the direct address every hint would be lost silently. */
function pooledFrom(environment: Readonly<Record<string, string | undefined>>): { readonly directUrl?: string } {
  const pooled = optional(environment.COUNTERSIGN_POOLED);
  const directUrl = optional(environment.COUNTERSIGN_DIRECT_URL);
  if (pooled !== undefined && pooled !== '1') throw wrongSetting('COUNTERSIGN_POOLED is 1, or not set.');
  if ((pooled === undefined) !== (directUrl === undefined)) {
    throw wrongSetting(
      'COUNTERSIGN_POOLED and COUNTERSIGN_DIRECT_URL are set together: events are heard past the pooler.',
    );
  }
  if (directUrl === undefined) return {};
  assertPostgresUrl('COUNTERSIGN_DIRECT_URL', directUrl);
  return { directUrl };
}

function assertPostgresUrl(variable: string, value: string): void {
  const read = readDatabaseAddress(value);
  if (typeof read === 'string') throw wrongSetting(`${variable} ${read}.`);
}

function assertOneHost(variable: string, value: string): void {
  assertPostgresUrl(variable, value);
  const read = readDatabaseAddress(value);
  if (typeof read === 'object' && read.urls.length === 1) return;
  throw wrongSetting(`${variable} names one host.`);
}

const optional = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value;
