import { CountersignClient } from '#lib/sdk';
import { connectionFrom, requireAddress, requireToken } from './connection.js';
import type { Io } from './io.js';
import { terminalOutput, type Output } from './output.js';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly url?: string;
  readonly tokenFile?: string;
}

/** The parts of a command: the address of Countersign, the credential, and the output. */
export interface Session {
  /** @throws {CommandError} if it is no address. */
  readonly baseUrl: string;
  readonly output: Output;
  readonly io: Io;
  /** @throws {CommandError} if there is no credential, or no address. */
  readonly client: () => CountersignClient;
  /** @throws {CommandError} as `client` does. */
  readonly place: () => { readonly baseUrl: string; readonly token: string };
}

/** @param reason for a change of a guardrail, if the command takes one. */
export function sessionFrom(options: GlobalOptions, io: Io, reason: string | null = null): Session {
  const connection = connectionFrom(options, io.environment);
  return {
    get baseUrl() {
      return requireAddress(connection);
    },
    output: terminalOutput(options.json === true, io),
    io,
    place: () => ({ baseUrl: requireAddress(connection), token: requireToken(connection) }),
    client: () =>
      new CountersignClient({
        baseUrl: requireAddress(connection),
        token: requireToken(connection),
        ...(reason === null ? {} : { reason }),
      }),
  };
}
