import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CountersignError } from '#lib/sdk';
import { readText } from '../documents.js';
import type { CommandContext } from '../command-context.js';

/** A server that a tenant names, as its commands speak of it. */
interface ConnectionCommands {
  /** The name of its commands: `embedder`. */
  readonly name: string;
  /** In help: `the embedder`. */
  readonly server: string;
  readonly path: '/v1/embedder' | '/v1/siem-collector';
  /** Printed once it was removed. */
  readonly removed: string;
}

/** Adds the commands that set the token of a connection, and remove it. */
export function addConnectionCommands(
  parent: Command,
  context: () => CommandContext,
  { name, server, path, removed }: ConnectionCommands,
): void {
  parent
    .command('token')
    .description(`set the bearer token that ${server} is shown`)
    .argument('<file>', 'a file with the token; - for standard input')
    .addHelpText('after', `\nExample:\n  pass ${name}/token | countersign ${name} token -\n`)
    .action(async (file: string) => {
      const { client, io, output } = context();
      // Before the token is read, which may take as long as a person types. The token is for the server of now.
      const { etag } = await client().get(path);
      const token = (file === '-' ? await io.readAll() : await readText(file)).trim();
      await client().put(`${path}/token`, { body: { token }, ifMatch: etag });
      output.result({ token: 'set' }, ['The token is set. It is never shown again.']);
    });

  parent
    .command('remove')
    .description(`remove ${server} with its token, at once`)
    .addHelpText('after', `\nExample:\n  countersign ${name} remove\n`)
    .action(async () => {
      const { client, output } = context();
      await client().delete(path);
      output.result({ removed: true }, [removed]);
    });
}

/** The ETag of the connection that a change replaces; undefined if there is none yet. */
export async function etagNow(found: Promise<{ readonly etag: string }>): Promise<string | undefined> {
  try {
    return (await found).etag;
  } catch (error) {
    if (error instanceof CountersignError && error.status === 404) return undefined;
    throw error;
  }
}

/** The certificates of a file, for the member `ca` of a server; null without a file. */
export const authorityIn = (file: string | undefined): string | null =>
  file === undefined ? null : readFileSync(file, 'utf8');
