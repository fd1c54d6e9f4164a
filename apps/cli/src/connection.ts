import { readFileSync } from 'node:fs';
import { isAddress, isBearerToken, unencryptedWay } from '#lib/sdk';
import { CommandError, EXIT } from './exit-codes.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a command reaches Countersign. */
export interface Connection {
  readonly baseUrl: string;
  readonly token: string | null;
  /** Whether the network on the way to any host counts as private. */
  readonly allowPlainHttp: boolean;
}

/**
 * From --url and --token-file, else from COUNTERSIGN_URL and COUNTERSIGN_TOKEN or COUNTERSIGN_TOKEN_FILE. Without an address it is
 * this machine's, at COUNTERSIGN_PORT: on a server, commands run with its settings. An empty setting counts as not set. A token is
 * never an argument: arguments stand in the process list and the shell's history.
 */
export function connectionFrom(
  options: { readonly url?: string; readonly tokenFile?: string },
  environment: Environment,
): Connection {
  const set = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const file = options.tokenFile ?? set('COUNTERSIGN_TOKEN_FILE');
  const token = options.tokenFile === undefined ? set('COUNTERSIGN_TOKEN') : undefined;
  return {
    baseUrl: options.url ?? set('COUNTERSIGN_URL') ?? `http://127.0.0.1:${portOf(environment)}`,
    token: token ?? (file === undefined ? null : readToken(file)),
    allowPlainHttp: environment.COUNTERSIGN_ALLOW_PLAIN_HTTP === '1',
  };
}

/** A server at port 0 takes any free port: its commands need an address. */
const portOf = ({ COUNTERSIGN_PORT: port = '' }: Environment): string => (port === '' || port === '0' ? '8420' : port);

/** An address that a command may send a token to. */
export type Address = Pick<Connection, 'baseUrl' | 'allowPlainHttp'>;

/**
 * @throws {CommandError} if no request could go to the address, which is not shown: it may hold a password. Also if tokens would go there
 * unencrypted.
 */
export function requireAddress({ baseUrl, allowPlainHttp }: Connection): Address {
  if (isAddress(baseUrl)) {
    const refused = unencryptedWay(baseUrl, 'set COUNTERSIGN_ALLOW_PLAIN_HTTP=1');
    if (allowPlainHttp || refused === null) return { baseUrl, allowPlainHttp };
    throw new CommandError(EXIT.usage, refused.detail, refused.action, [], refused.code);
  }
  throw new CommandError(
    EXIT.usage,
    'The address of Countersign must be an http or https address without user, query or fragment.',
    'Give --url, or set COUNTERSIGN_URL, as https://countersign.example or http://127.0.0.1:8420.',
    [],
    'connection.url_invalid',
  );
}

/** @throws {CommandError} if there is none, or something else in its place. That is not shown, since it may be a secret. */
export function requireToken(connection: Connection): string {
  if (connection.token !== null) {
    if (isBearerToken(connection.token)) return connection.token;
    throw new CommandError(
      EXIT.usage,
      'The given credential is not a token.',
      'See that COUNTERSIGN_TOKEN, or the file that --token-file or COUNTERSIGN_TOKEN_FILE names, holds a token and nothing else.',
      [],
      'credential.malformed',
    );
  }
  throw new CommandError(
    EXIT.usage,
    'This command needs a credential, and there is none.',
    'Set COUNTERSIGN_TOKEN, or name a file with --token-file or COUNTERSIGN_TOKEN_FILE. `countersign found` and `countersign enrol` make one.',
    [],
    'credential.missing',
  );
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CommandError(
      EXIT.usage,
      `The token file ${file} cannot be read.`,
      'Name a file that holds a token and nothing else.',
      [],
      'credential.file_unreadable',
    );
  }
}
