import { errorCode, FailureError } from '#lib/kernel';
import type { DatabaseAddress } from '../application/database-address.js';
import { addressOf } from './address-of.js';
import { LOST_CONNECTION } from './database-failure.js';
import { driverError } from './driver-errors.js';
import { APP_ROLE } from './prepare-roles.js';

/** SQLSTATEs and system codes of a server that the service cannot reach now. */
const UNREACHABLE = new Set([
  ...LOST_CONNECTION,
  '57P03', // cannot_connect_now: it starts, or stops
  '53300', // too_many_connections
]);

const PROTOCOL_VIOLATION = '08P01';

/**
 * Connects to an external database. If that is refused, the error names the fix for the operator.
 *
 * @param setting the environment variable, or the option, that holds `url`.
 * @throws {FailureError} `database.unreachable`, `database.login_refused`, `database.missing`, `database.tls_refused`,
 * `start.wrong_setting` for a file of TLS; anything else as it is.
 */
export const connecting = <T>(url: string, setting: string, connect: () => Promise<T>): Promise<T> =>
  reaching(url, setting, () => pastPooler(url, setting, connect));

/**
 * Connects, perhaps to a pooler. PostgreSQL refuses a login by codes of its own; only the words of a pooler tell why. Once there is a
 * connection, the same code is the refusal of a statement.
 *
 * @throws {FailureError} `database.login_refused`; anything else as it is.
 */
export async function pastPooler<T>(url: string, setting: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    if (errorCode(error) !== PROTOCOL_VIOLATION) throw error;
    const { hosts, user } = addressOf(url);
    const why = error instanceof Error ? error.message : '';
    const failure = {
      code: 'database.login_refused',
      message: `The database at ${hosts} refuses a connection of ${user}, as a pooler does: ${why}.`,
      action:
        setting === 'DATABASE_URL'
          ? `Let the pooler know ${user}, with the password of ${setting}; or name the PostgreSQL server itself.`
          : `Name the PostgreSQL server itself in ${setting}: this connection needs a database session, which a pooler does not keep.`,
    };
    throw new FailureError({ kind: 'unavailable', ...failure }, { cause: error });
  }
}

/** Whether a pooler refused a connection, in answer to a setting of its database session or to its login. */
export const isRefusedByPooler = (error: unknown): boolean =>
  error instanceof FailureError && errorCode(error.cause) === PROTOCOL_VIOLATION;

/**
 * Runs work that connects to an external database, and goes on. The errors are those of {@link connecting}, but for what a pooler refuses:
 * see {@link pastPooler}.
 */
export async function reaching<T>(url: string, setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const failure = failureOf(error, addressOf(url), setting);
    throw failure === null ? error : new FailureError({ kind: 'unavailable', ...failure }, { cause: error });
  }
}

/** Codes of a certificate that is not accepted: those of OpenSSL have no common beginning. */
const CERTIFICATE = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(VERIFY|GET)_|HOSTNAME_MISMATCH)/;

/** The reason why TLS is not there; null for any other error. */
function tlsFailure(error: unknown, code: string): string | null {
  if (CERTIFICATE.test(code)) return code;
  return driverError(error) === 'no_tls' ? 'the server speaks none' : null;
}

function failureOf(
  error: unknown,
  { hosts, user, database }: DatabaseAddress,
  setting: string,
): { code: string; message: string; action: string } | null {
  const code = errorCode(error) ?? '';
  if (UNREACHABLE.has(code) || driverError(error) === 'no_answer_in_time') {
    return {
      code: 'database.unreachable',
      message: `The database at ${hosts} cannot be reached (${code === '' ? 'no answer in time' : code}).`,
      action: `See that PostgreSQL runs there and accepts connections, and that ${setting} names it.`,
    };
  }
  const tls = tlsFailure(error, code);
  if (tls !== null) {
    return {
      code: 'database.tls_refused',
      message: `There is no TLS connection to the database at ${hosts} (${tls}).`,
      action: `Let ${setting} say sslmode=verify-full, with sslrootcert=FILE for an authority of yours, and a name that the certificate has. Without sslmode, the connection is in the clear.`,
    };
  }
  if ((code === 'ENOENT' || code === 'EACCES') && error instanceof Error && 'path' in error) {
    return {
      code: 'start.wrong_setting',
      message: `${setting} names the file ${String(error.path)}, which cannot be read (${code}).`,
      action: 'Correct the name, or let this account read the file.',
    };
  }
  const hint = user === APP_ROLE ? ` "countersign migrate" makes ${APP_ROLE}, with the password of DATABASE_URL.` : '';
  // Without a password to check, as under trust or peer, the server also refuses an unknown login by this code.
  if (code === '28000') {
    const why = error instanceof Error ? error.message : '';
    return {
      code: 'database.login_refused',
      message: `The database at ${hosts} does not let ${user} in: ${why}.`,
      action: `Let pg_hba.conf of that server let the login in from this machine, or correct ${setting}.${hint}`,
    };
  }
  if (code === '28P01') {
    return {
      code: 'database.login_refused',
      message: `The database at ${hosts} refuses the login ${user}.`,
      action: `Correct the user or the password in ${setting}.${hint}`,
    };
  }
  if (code === '3D000') {
    return {
      code: 'database.missing',
      message: `There is no database "${database}" at ${hosts}.`,
      action: `Create it, empty, and run "countersign migrate"; or correct ${setting}.`,
    };
  }
  return null;
}
