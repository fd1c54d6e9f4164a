import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';

/** Somebody the issuer vouches for. */
const personSchema = z.strictObject({
  sub: z.string().min(1).max(255),
  name: z.string().min(1).max(200),
  email: z.email(),
  /** Shown beside the name on the page that asks for the person. */
  title: z.string().max(200).default(''),
  groups: z.array(z.string().min(1)).default([]),
});

const configSchema = z.strictObject({
  people: z.array(personSchema).min(1),
  /** The address of the one client, Countersign. */
  client_url: z.url(),
});

export type IssuerPerson = z.infer<typeof personSchema>;

export interface IssuerConfig {
  /** Always this machine's own. */
  readonly host: string;
  readonly port: number;
  readonly people: readonly IssuerPerson[];
  readonly clientUrl: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

const isLoopback = (host: string): boolean =>
  LOOPBACK_NAMES.includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * This issuer asks for no password: it is for a demonstration on one machine, and starts nowhere else.
 *
 * @throws {Error} without `--demo`, with NODE_ENV=production, and on an address that others could reach.
 */
export function requireDemonstration(
  options: { readonly demo: boolean; readonly host: string },
  environment: Environment,
): void {
  if (!options.demo)
    throw new Error('This issuer asks nobody for a password. It starts only for a demonstration: say --demo.');
  if (environment.NODE_ENV === 'production')
    throw new Error('This issuer asks nobody for a password, and does not start with NODE_ENV=production.');
  if (!isLoopback(options.host))
    throw new Error(
      `This issuer asks nobody for a password, and does not listen on ${options.host}: others could reach it.`,
    );
}

/** @param file people and client, as JSON. */
export function issuerConfigFrom(file: string, host: string, port: number): IssuerConfig {
  const { people, client_url: clientUrl } = configSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { host, port, people, clientUrl: clientUrl.replace(/\/+$/, '') };
}
