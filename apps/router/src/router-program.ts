import { Command } from 'commander';
import {
  cellMapConfigFrom,
  createCellMap,
  createServedTenants,
  openCellMap,
  slugsTaken,
  type OpenCellMap,
} from '#lib/cell-map';
import { dataDirectory, packageRoot } from '#lib/database';
import { fail, FailureError, isUuid, type Failure, type Result, type TenantId } from '#lib/kernel';
import { runProcess } from '#lib/operation';
import { startFollowing } from './start-following.js';
import { startRouter } from './start-router.js';

/** Descriptions wrap beside long names, too. */
const NARROWEST_DESCRIPTION = 30;

/** The output of the commands, and of refusals. */
export interface Printed {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** `countersign-router`: the process, and the commands that change its map. */
export function routerProgram({ out, err }: Printed): Command {
  const withMap = commandsOn(err);
  const program = new Command('countersign-router')
    .configureHelp({ minWidthToWrap: NARROWEST_DESCRIPTION })
    .description('sends each request to the cell that serves its tenant, and keeps the map of cells')
    .configureOutput({ writeOut: out, writeErr: err });
  program
    .command('start')
    .description('run the router at COUNTERSIGN_ROUTER_HOST and COUNTERSIGN_ROUTER_PORT')
    .action(() => runProcess(startRouter));

  const cell = program.command('cell').description('the cells behind the router');
  cell
    .command('put <name> <url>')
    .description('add a cell, or change its address; the first one is the default cell')
    .action((name: string, url: string) =>
      withMap(async (map) => {
        required(await map.putCell(name, url));
        out(`Cell ${name} is at ${url}.\n`);
      }),
    );
  cell
    .command('default <name>')
    .description('found new tenants here, and answer requests of unknown tenants; fill the former default cell first')
    .action((name: string) =>
      withMap(async (map) => {
        required(await map.makeDefault(name));
        out(`Cell ${name} is the default.\n`);
      }),
    );
  cell
    .command('remove <name>')
    .description('take a cell without tenants out of the map')
    .action((name: string) =>
      withMap(async (map) => {
        required(await map.removeCell(name));
        out(`Cell ${name} is no longer in the map.\n`);
      }),
    );

  program
    .command('fill <cell>')
    .description(
      'put the tenants of a cell, and the workspaces of their Slack apps, into the map; take out workspaces that they no longer have',
    )
    .requiredOption(
      '--from <url>',
      'the database of the cell, with the login of its migrations; PGPASSWORD may hold its password',
    )
    .option('--follow', 'run until a signal, and follow each change of tenants and workspaces at once')
    .addHelpText(
      'after',
      `
A tenant that the map has in another cell stays there. If another cell holds
the slug of a tenant, the tenant is left out, and the command ends with 1.

Examples:
  countersign-router fill eu1 --from postgres://postgres@db-eu1/countersign
  countersign-router fill eu1 --follow --from postgres://postgres@db-eu1/countersign
`,
    )
    .action((name: string, { from, follow = false }: { from: string; follow?: boolean }) => {
      if (follow) return runProcess((stops) => startFollowing({ cell: name, from }, stops));
      return withMap(async (map) => {
        const { fillMap } = createCellMap({ map, tenants: createServedTenants() });
        const { served, added, removed, taken } = await fillMap.execute(name, from);
        out(`${String(added)} of ${String(served)} tenants are new in the map, in the cell ${name}.\n`);
        if (removed > 0)
          out(
            `Slack workspaces that left the map, since no tenant of ${name} has them any more: ${String(removed)}.\n`,
          );
        if (taken.length > 0) fail(slugsTaken(name, taken));
      });
    });
  const slack = program.command('slack').description('the Slack workspaces of tenants in the map');
  slack
    .command('remove <app-id> <workspace-id>')
    .description('take a Slack workspace out of the map: its requests go to the default cell from now on')
    .addHelpText('after', '\n`fill` brings it back for as long as a tenant of the cell has its app there.\n')
    .action((appId: string, teamId: string) =>
      withMap(async (map) => {
        required(await map.removeTeam({ appId, teamId }));
        out(`The Slack workspace ${teamId} is no longer in the map.\n`);
      }),
    );
  program
    .command('place <cell> <tenant-id> <slug>')
    .description('put one tenant into the map')
    .option('--host <name>', 'a host name of its own')
    .action((name: string, id: string, slug: string, { host }: { host?: string }) =>
      withMap(async (map) => {
        const tenant = { id: tenantId(id), slug, ...(host === undefined ? {} : { host: host.toLowerCase() }) };
        required(await map.place(name, [tenant], []));
        const placed = (await map.tenants()).find((other) => other.id === tenant.id);
        if (placed !== undefined && placed.cell !== name) fail(inOtherCell(slug, placed.cell));
        out(`${slug} is in the map.\n`);
      }),
    );
  program
    .command('switch <tenant-id> <cell>')
    .description('have another cell serve a tenant from now on; `countersign tenant move` does it at its end')
    .action((id: string, name: string) =>
      withMap(async (map) => {
        required(await map.switch(tenantId(id), name));
        out(`The cell ${name} serves it now.\n`);
      }),
    );
  program
    .command('map')
    .description('show the cells, their tenants, and the Slack workspaces of these, as JSON')
    .action(() =>
      withMap(async (map) => {
        const { all, rows } = await map.read();
        const cells = all.map(({ name, url, isDefault }) => ({ name, url, default: isDefault }));
        const workspaces = rows.teams.map(({ appId, teamId, tenantId: tenant }) => ({
          app_id: appId,
          workspace_id: teamId,
          tenant_id: tenant,
        }));
        out(`${JSON.stringify({ cells, tenants: rows.tenants, workspaces }, null, 2)}\n`);
      }),
    );
  return program;
}

/** A command on the map. A refusal is told with its code and its action, and the process exits with 1. */
const commandsOn =
  (err: Printed['err']) =>
  async (work: (map: OpenCellMap) => Promise<void>): Promise<void> => {
    try {
      const config = cellMapConfigFrom(process.env, dataDirectory(process.env, packageRoot()));
      const map = await openCellMap(config, () => undefined);
      try {
        await work(map);
      } finally {
        await map.close();
      }
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { code, message, action } = error.failure;
      process.exitCode = 1;
      err(`${message} (${code})${action === undefined ? '' : `\n  ${action}`}\n`);
    }
  };

const inOtherCell = (slug: string, cell: string): Failure => ({
  kind: 'conflict',
  code: 'cell_map.other_cell',
  message: `The map has ${slug} in the cell ${cell}, and nothing of it was changed.`,
  action: `Name the cell ${cell}. To move the tenant: countersign tenant move SLUG --to URL`,
});

function required<T>(result: Result<T>): T {
  if (!result.ok) throw new FailureError(result.error);
  return result.value;
}

function tenantId(text: string): TenantId {
  if (!isUuid(text))
    fail({
      kind: 'invalid',
      code: 'cell_map.wrong_tenant',
      message: 'A tenant is named by its id here.',
      action: '`countersign-router map` shows the ids of the tenants that the map has.',
    });
  // It has the form of an id.
  return text as TenantId;
}
