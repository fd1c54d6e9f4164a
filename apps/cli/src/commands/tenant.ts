import { InvalidArgumentError, type Command } from 'commander';
import { stateInWords } from '#lib/words';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { oneLine, type Output } from '../output.js';
import { reportIfStopped } from '../report-if-stopped.js';

interface MoveOptions {
  readonly to: string;
  readonly receiver?: string;
  readonly sourceAddress?: string;
  readonly cell?: string;
  readonly maxFreeze: number;
  readonly undo?: boolean;
}

/** `countersign tenant`: the move of a tenant to another installation, by the operator of both. */
export function addTenant(program: Command, io: Io, outputOf: () => Output): void {
  const tenant = program.command('tenant').description('move a tenant to another installation');
  tenant
    .command('move')
    .description('on the server: move a tenant with all of its records, while it works; again: go on with the move')
    .argument('<slug>', 'the tenant')
    .requiredOption(
      '--to <url>',
      'the database of the other installation: postgres://user@host/database; PGPASSWORD may hold its password',
    )
    .option(
      '--receiver <command>',
      'how `countersign tenant receive` is started there; COUNTERSIGN_MOVE_RECEIVER holds it, too',
    )
    .option('--source-address <host:port>', 'this database, as the other database’s server reaches it')
    .option(
      '--cell <name>',
      'the other installation in the map of the routers, which COUNTERSIGN_ROUTER_DATABASE_URL names',
    )
    .option(
      '--max-freeze <seconds>',
      'how long the tenant may be frozen; then it works again, and the rows are only followed',
      wholeSeconds,
      120,
    )
    .option('--undo', 'take the move back; possible until the other installation serves the tenant')
    .addHelpText(
      'after',
      "\nExamples:\n  countersign tenant move acme --to postgres://postgres@db-b/countersign --receiver 'ssh cell-b countersign tenant receive'\n  countersign tenant move acme --to postgres://postgres@db-b/countersign --receiver 'ssh cell-b countersign tenant receive' --undo\n",
    )
    .action(async (slug: string, options: MoveOptions) => {
      const output = outputOf();
      const receiver = options.receiver ?? io.environment.COUNTERSIGN_MOVE_RECEIVER;
      if (receiver === undefined || receiver.trim() === '')
        throw new CommandError(
          EXIT.usage,
          'Nothing says how the receiver is started, which holds the keyring of the other installation.',
          "Say it: --receiver 'ssh cell-b countersign tenant receive', or with COUNTERSIGN_MOVE_RECEIVER.",
          [],
          'tenant_move.no_receiver',
        );
      if (options.cell !== undefined && (io.environment.COUNTERSIGN_ROUTER_DATABASE_URL ?? '') === '')
        throw new CommandError(
          EXIT.usage,
          `--cell ${oneLine(options.cell)} names a cell in the map of the routers. COUNTERSIGN_ROUTER_DATABASE_URL, the address of that map, is not set.`,
          'Set COUNTERSIGN_ROUTER_DATABASE_URL to the database of the map. Without routers, leave --cell out.',
          [],
          'tenant_move.no_map',
        );
      const say = (what: string): void => {
        output.note(`${oneLine(slug)}: ${what}`);
      };
      say('connects to both installations');
      const { moveTenantAsOperator } = await import('../move-tenant-as-operator.js');
      const { tenantId, state, epoch } = await reportIfStopped(
        () => {
          say('stopped. The same command goes on; until the switch, --undo takes the move back.');
        },
        () =>
          moveTenantAsOperator({
            slug,
            to: options.to,
            undo: options.undo === true,
            receiver,
            sourceAddress: options.sourceAddress ?? null,
            maxFreeze: options.maxFreeze,
            cell: options.cell ?? null,
            reached: (reached) => {
              say(stateInWords(reached));
            },
          }),
      );
      output.result({ tenant_id: tenantId, state, epoch }, [
        state === 'undone'
          ? `${oneLine(slug)} stays here, and the other installation has nothing of it.`
          : `${oneLine(slug)} is served by the other installation${epoch === null ? '' : `, where epoch ${String(epoch)} of its audit log began`}.`,
      ]);
    });
  tenant
    .command('forget')
    .description('on the server that a tenant moved away from: remove its rows, so that it can come back')
    .argument('<slug>', 'the tenant')
    .addHelpText('after', '\nExample:\n  countersign tenant forget acme\n')
    .action(async (slug: string) => {
      const { forgetTenantAsOperator } = await import('../forget-tenant-as-operator.js');
      const { tenantId, rows } = await forgetTenantAsOperator(slug);
      outputOf().result({ tenant_id: tenantId, rows }, [
        `${oneLine(slug)} is forgotten here: ${String(rows)} rows were removed.`,
      ]);
    });
  tenant
    .command('receive')
    .description(
      'on the server of the other installation: hold its keyring for `countersign tenant move`, which starts this',
    )
    .addHelpText('after', '\nExample:\n  ssh cell-b countersign tenant receive\n')
    .action(async () => {
      const { receiveTenant } = await import('../receive-tenant.js');
      await receiveTenant(process.stdin, process.stdout);
    });
}

/** Two seconds of a freeze pass before the rows are compared, until every process knows of it. */
const MIN_FREEZE = 3;

function wholeSeconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) < MIN_FREEZE)
    throw new InvalidArgumentError(`Write whole seconds, from ${String(MIN_FREEZE)} to 99999.`);
  return Number(text);
}
