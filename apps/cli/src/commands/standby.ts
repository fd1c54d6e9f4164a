import { join } from 'node:path';
import type { Command } from 'commander';
import type { ServerState } from '#lib/database';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Output } from '../output.js';

const PORT = '54330';

/** `countersign standby`: a second embedded PostgreSQL that follows the first one, and takes its place. */
export function addStandby(program: Command, outputOf: () => Output): void {
  const standby = program
    .command('standby')
    .description('on the server: a second PostgreSQL that follows the embedded one and can take its place');

  standby
    .command('create <folder>')
    .description('copy the embedded PostgreSQL into a new folder, as its standby')
    .option('--port <port>', 'the port of the standby on 127.0.0.1; another is taken if it is in use', PORT)
    .option('--primary <folder>', 'the folder of the primary, without it postgres/ in COUNTERSIGN_DATA')
    .addHelpText('after', '\nExample:\n  countersign standby create /var/lib/countersign-standby --port 54330\n')
    .action(async (folder: string, options: { port: string; primary?: string }) => {
      const { createStandby, packageRoot, startEmbeddedPostgres } = await import('#lib/database');
      const primaryDirectory = await primaryFolder(options.primary);
      const primary = await startEmbeddedPostgres({ directory: primaryDirectory, root: packageRoot() });
      try {
        const port = portOf(options.port);
        const made = await createStandby({ primary, primaryDirectory, directory: folder, port });
        outputOf().result({ name: made.name, port: made.port, folder }, [
          `${made.name} is in ${folder}. It has everything up to now, and follows once it runs.`,
          `next: countersign standby start ${folder}`,
          'then, so that commits wait for it: countersign standby synchronous on',
        ]);
      } finally {
        await primary.stop();
      }
    });

  standby
    .command('start <folder>')
    .description('run the PostgreSQL of a folder until it is told to end; it is a standby, or its primary')
    .addHelpText('after', '\nExample:\n  countersign standby start .countersign/postgres\n')
    .action(async (folder: string) => {
      const { servePostgres } = await import('../serve-postgres.js');
      await servePostgres(folder, (port) => {
        process.stderr.write(`database  127.0.0.1:${String(port)}, from ${folder}\n`);
      });
    });

  standby
    .command('status [folders...]')
    .description('the primary and its standbys; without folders those of COUNTERSIGN_MIGRATE_URL, or the embedded one')
    .addHelpText(
      'after',
      '\nExample:\n  countersign standby status .countersign/postgres /var/lib/countersign-standby\n',
    )
    .action(async (folders: string[]) => {
      const { readServerState } = await import('#lib/database');
      const states = await Promise.all((await addressesOf(folders)).map((url) => readServerState(url)));
      outputOf().result({ servers: states.map(asJson) }, states.flatMap(inWords));
    });

  standby
    .command('synchronous <on|off>')
    .description('whether each commit waits until a standby has it on its disk')
    .option(
      '--primary <folder>',
      'the folder of the primary; without it a host of COUNTERSIGN_MIGRATE_URL, or postgres/ in COUNTERSIGN_DATA',
    )
    .addHelpText(
      'after',
      '\nWhile no standby answers, writes wait and are refused with database.not_replicated: "off" lets them go on without one.\n\nExample:\n  countersign standby synchronous on\n',
    )
    .action(async (word: string, options: { primary?: string }) => {
      if (word !== 'on' && word !== 'off') throw wrongWord(word);
      const { setSynchronousCommit } = await import('#lib/database');
      const folders = options.primary === undefined ? [] : [options.primary];
      const names = await setSynchronousCommit(await addressesOf(folders), word === 'on');
      outputOf().result({ synchronous: names }, [
        names.length === 0
          ? 'Commits wait for no standby: if the primary is lost, so is what the standby has not received.'
          : `Commits wait for ${names.join(' or ')}: the loss of the primary loses nothing that was acknowledged.`,
      ]);
    });

  standby
    .command('promote [folder]')
    .description('make the standby the primary; without a folder one of the hosts of COUNTERSIGN_MIGRATE_URL')
    .option('--force', 'also if a primary seems to live: make sure that nobody writes to it')
    .addHelpText(
      'after',
      '\nProcesses with both hosts in DATABASE_URL go on within seconds. Never start the former primary again: make it a standby of the new one.\n\nExample:\n  countersign standby promote /var/lib/countersign-standby\n',
    )
    .action(async (folder: string | undefined, options: { force?: boolean }) => {
      const { promoteStandby } = await import('#lib/database');
      const host = await promoteStandby(
        await addressesOf(folder === undefined ? [] : [folder]),
        options.force === true,
      );
      outputOf().result({ promoted: host }, [
        `${host} is the primary. It commits without a standby: make it one, then countersign standby synchronous on`,
      ]);
    });
}

async function primaryFolder(named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { dataDirectory, packageRoot } = await import('#lib/database');
  return join(dataDirectory(process.env, packageRoot()), 'postgres');
}

/** The servers of folders; without any, the hosts that the operator's login knows, or the embedded server. */
async function addressesOf(folders: readonly string[]): Promise<readonly string[]> {
  const { databaseConfigFrom, embeddedAddress, packageRoot, serverAddresses } = await import('#lib/database');
  if (folders.length > 0) return Promise.all(folders.map((folder) => embeddedAddress(folder)));
  const config = databaseConfigFrom(process.env, packageRoot());
  if (config.kind === 'embedded') return [await embeddedAddress(config.directory)];
  return serverAddresses(config.migrateUrl ?? config.url);
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new CommandError(EXIT.usage, 'A port is a number from 1 to 65535.', 'Say --port 54330.', [], 'standby.port');
}

const wrongWord = (word: string): CommandError =>
  new CommandError(EXIT.usage, `"${word}" is neither on nor off.`, 'Say on or off.', [], 'standby.synchronous');

const asJson = (state: ServerState): object =>
  state.role === 'standby' ? { ...state, received: String(state.received) } : state;

function inWords(state: ServerState): readonly string[] {
  switch (state.role) {
    case 'silent':
      return [`${state.host}  silent: ${state.why}`];
    case 'standby': {
      const lag = state.lagSeconds === null ? '' : `, shows changes up to ${state.lagSeconds.toFixed(1)} s ago`;
      return [`${state.host}  standby, ${state.receives ? 'receives the log' : 'receives nothing'}${lag}`];
    }
    case 'primary': {
      const waits =
        state.synchronousNames === '' ? 'commits wait for no standby' : `commits wait for ${state.synchronousNames}`;
      const standbys = state.standbys.map(
        ({ name, state: how, synchronous, behindBytes }) =>
          `  ${name}  ${how}${synchronous ? ', synchronous' : ''}, ${String(behindBytes)} bytes behind`,
      );
      return [`${state.host}  primary, timeline ${String(state.timeline)}, ${waits}`, ...standbys];
    }
  }
}
