import { errorCode } from '#lib/kernel';

/** Errors of pg and pg-pool that have no code. The server's own errors have a SQLSTATE, and those of the system a code. */
export type DriverError = 'connection_ended' | 'no_answer_in_time' | 'no_tls';

/**
 * pg 8 gives these errors no code and no class, so their words alone tell them apart. This is the one place where the
 * service reads prose (ADR 24). driver-errors.spec.ts makes each with the real driver, so that a version with other
 * words fails there.
 */
const WORDS: readonly (readonly [DriverError, RegExp])[] = [
  [
    'no_answer_in_time',
    /^(timeout (expired|exceeded)|Query read timeout|Connection terminated due to connection timeout)/,
  ],
  ['connection_ended', /^(Connection terminated|Client has encountered a connection error|Client was closed)/],
  ['no_tls', /^The server does not support SSL connections/],
];

/** The kind of an error of the driver that has no code; null for any other error. */
export function driverError(error: unknown): DriverError | null {
  if (!(error instanceof Error) || errorCode(error) !== undefined) return null;
  return WORDS.find(([, words]) => words.test(error.message))?.[0] ?? null;
}
