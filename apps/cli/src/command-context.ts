import { constants } from 'node:buffer';
import { CountersignClient } from '#lib/sdk';
import { connectionFrom, requireAddress, requireToken, type Address } from './connection.js';
import type { Io } from './io.js';
import { terminalOutput, type Output } from './output.js';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly url?: string;
  readonly tokenFile?: string;
}

/** The destination of a command's requests, and their credential. */
export interface ApiAccess extends Address {
  readonly token: string;
}

/** The parts of a command: the address of Countersign, the credential, and the output. */
export interface CommandContext {
  /** @throws {CommandError} if it is none, or tokens would go there unencrypted. */
  readonly address: Address;
  readonly output: Output;
  readonly io: Io;
  /** @throws {CommandError} if there is no credential, or no address. */
  readonly client: () => CountersignClient;
  /** @throws {CommandError} as `client` does. */
  readonly access: () => ApiAccess;
}

/** @param reason for a change of a guardrail, if the command takes one. */
export function commandContextFrom(options: GlobalOptions, io: Io, reason: string | null = null): CommandContext {
  const connection = connectionFrom(options, io.environment);
  const access = (): ApiAccess => ({ ...requireAddress(connection), token: requireToken(connection) });
  return {
    get address() {
      return requireAddress(connection);
    },
    output: terminalOutput(options.json === true, io),
    io,
    access,
    client: () =>
      new CountersignClient({
        ...access(),
        // A person waits at the terminal: three seconds, not ten.
        attempts: 4,
        // As long as an evidence pack may be.
        maxAnswerBytes: constants.MAX_STRING_LENGTH,
        ...(reason === null ? {} : { reason }),
      }),
  };
}
