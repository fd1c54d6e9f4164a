import type { Pool, PoolClient } from 'pg';
import type { PgNotifications } from '#lib/database';
import { routingHintOf } from '#lib/formats';
import { errorCode, err, ok, type Failure, type Result, type TenantId } from '#lib/kernel';
import type { CellMap, PlacedTeam, PlacedTenant } from '../application/cell-map.ports.js';
import { Cells, type CellRows } from '../domain/cells.js';
import { CHANNEL } from './sql-cell-map-schema.js';

/** A change that no notification told of is seen this often. */
const LOOK_EVERY_MS = 5_000;

type PlacedRow = Required<PlacedTenant> & { readonly cell: string };

/** The map in PostgreSQL. */
export class SqlCellMap implements CellMap {
  constructor(
    private readonly pool: Pool,
    private readonly notifications: PgNotifications,
    /** Brings the tables up to this version, before anything else. */
    private readonly prepared: () => Promise<void>,
  ) {}

  async read(): Promise<Cells> {
    return new Cells(
      await this.#transaction(async (client) => {
        const { rows: cells } = await client.query<CellRows['cells'][number]>(
          'select name, url, is_default as "isDefault" from cell',
        );
        const { rows: teams } = await client.query<CellRows['teams'][number]>(
          'select app_id as "appId", team_id as "teamId", tenant_id as "tenantId" from cell_slack_team order by 1, 2',
        );
        return { cells, tenants: await tenantsOf(client), teams };
      }),
    );
  }

  tenants(): Promise<readonly PlacedRow[]> {
    return this.#transaction(tenantsOf);
  }

  async putCell(name: string, url: string): Promise<Result<void>> {
    await this.prepared();
    try {
      await this.pool.query(
        `insert into cell (name, url, is_default) values ($1, $2, not exists (select from cell where is_default))
         on conflict (name) do update set url = excluded.url`,
        [name, url],
      );
      return ok(undefined);
    } catch (error) {
      if (errorCode(error) === '23514') return err(wrongCell);
      throw error;
    }
  }

  makeDefault(name: string): Promise<Result<void>> {
    return this.#transaction(async (client) => {
      if (!(await knows(client, name))) return err(unknownCell(name));
      await client.query('update cell set is_default = false where is_default and name <> $1', [name]);
      await client.query('update cell set is_default = true where not is_default and name = $1', [name]);
      return ok(undefined);
    });
  }

  async removeCell(name: string): Promise<Result<void>> {
    await this.prepared();
    try {
      const { rowCount } = await this.pool.query('delete from cell where name = $1', [name]);
      return rowCount === 0 ? err(unknownCell(name)) : ok(undefined);
    } catch (error) {
      if (errorCode(error) === '23503') return err(cellInUse(name));
      throw error;
    }
  }

  async place(cell: string, tenants: readonly PlacedTenant[], teams: readonly PlacedTeam[]): Promise<Result<number>> {
    try {
      return await this.#transaction(async (client): Promise<Result<number>> => {
        if (!(await knows(client, cell))) return err(unknownCell(cell));
        const { rows } = await client.query<{ added: boolean }>(
          `insert into cell_tenant (id, slug, hint, host, cell)
           select placed.id, placed.slug, placed.hint, placed.host, $5
             from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) placed (id, slug, hint, host)
           on conflict (id) do update set slug = excluded.slug, host = coalesce(excluded.host, cell_tenant.host)
             where cell_tenant.cell = excluded.cell
               and (cell_tenant.slug, cell_tenant.host)
                   is distinct from (excluded.slug, coalesce(excluded.host, cell_tenant.host))
           returning xmax = 0 as added`,
          [
            tenants.map(({ id }) => id),
            tenants.map(({ slug }) => slug),
            tenants.map(({ id }) => routingHintOf(id)),
            tenants.map(({ host = null }) => host),
            cell,
          ],
        );
        await client.query(
          `insert into cell_slack_team (app_id, team_id, tenant_id)
           select placed.app_id, placed.team_id, placed.tenant_id
             from unnest($1::text[], $2::text[], $3::uuid[]) placed (app_id, team_id, tenant_id)
             join cell_tenant on cell_tenant.id = placed.tenant_id and cell_tenant.cell = $4
           on conflict (app_id, team_id) do update set tenant_id = excluded.tenant_id
             where cell_slack_team.tenant_id <> excluded.tenant_id
               and exists (select from cell_tenant before where before.id = cell_slack_team.tenant_id and before.cell = $4)`,
          [...columnsOf(teams), cell],
        );
        return ok(rows.filter(({ added }) => added).length);
      });
    } catch (error) {
      if (errorCode(error) === '23505') return err(taken);
      throw error;
    }
  }

  async removeTeam({ appId, teamId }: Pick<PlacedTeam, 'appId' | 'teamId'>): Promise<Result<void>> {
    await this.prepared();
    const { rowCount } = await this.pool.query('delete from cell_slack_team where app_id = $1 and team_id = $2', [
      appId,
      teamId,
    ]);
    return rowCount === 0 ? err(unknownWorkspace(appId, teamId)) : ok(undefined);
  }

  async removeTeams(cell: string, teams: readonly PlacedTeam[]): Promise<number> {
    await this.prepared();
    const { rowCount } = await this.pool.query(
      `delete from cell_slack_team team
        using cell_tenant tenant, unnest($1::text[], $2::text[], $3::uuid[]) gone (app_id, team_id, tenant_id)
        where (team.app_id, team.team_id, team.tenant_id) = (gone.app_id, gone.team_id, gone.tenant_id)
          and tenant.id = team.tenant_id and tenant.cell = $4`,
      [...columnsOf(teams), cell],
    );
    return rowCount ?? 0;
  }

  switch(tenantId: TenantId, cell: string): Promise<Result<void>> {
    return this.#transaction(async (client) => {
      if (!(await knows(client, cell))) return err(unknownCell(cell));
      const { rowCount } = await client.query('update cell_tenant set cell = $2 where id = $1', [tenantId, cell]);
      return rowCount === 0 ? err(unknownTenant) : ok(undefined);
    });
  }

  watch(changed: () => void): () => void {
    const stop = this.notifications.subscribe(CHANNEL, changed);
    const looking = setInterval(changed, LOOK_EVERY_MS).unref();
    return () => {
      clearInterval(looking);
      stop();
    };
  }

  async #transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    await this.prepared();
    const client = await this.pool.connect();
    try {
      await client.query('begin isolation level repeatable read');
      const result = await work(client);
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // A connection that broke cannot roll back; it is thrown away.
      await client.query('rollback').then(
        () => {
          client.release();
        },
        () => {
          client.release(true);
        },
      );
      throw error;
    }
  }
}

/** For `unnest`: apps, workspaces and tenants. */
const columnsOf = (teams: readonly PlacedTeam[]): readonly (readonly string[])[] => [
  teams.map(({ appId }) => appId),
  teams.map(({ teamId }) => teamId),
  teams.map(({ tenantId }) => tenantId),
];

async function tenantsOf(client: PoolClient): Promise<readonly PlacedRow[]> {
  const { rows } = await client.query<PlacedRow>('select id, slug, host, cell from cell_tenant order by slug');
  return rows;
}

async function knows(client: PoolClient, cell: string): Promise<boolean> {
  return ((await client.query('select from cell where name = $1', [cell])).rowCount ?? 0) > 0;
}

const wrongCell: Failure = {
  kind: 'invalid',
  code: 'cell_map.wrong_cell',
  message: 'A cell has a name of lower-case letters, digits and hyphens, and the address of its api without a path.',
  action: 'For example: countersign-router cell put eu1 https://eu1.internal:8420',
};

const unknownCell = (name: string): Failure => ({
  kind: 'not_found',
  code: 'cell_map.unknown_cell',
  message: `The map has no cell "${name}".`,
  action: 'Add it: countersign-router cell put NAME URL. `countersign-router map` shows those that it has.',
});

const cellInUse = (name: string): Failure => ({
  kind: 'conflict',
  code: 'cell_map.cell_in_use',
  message: `The cell "${name}" still serves tenants.`,
  action: 'Move them first: countersign tenant move SLUG --to URL',
});

const taken: Failure = {
  kind: 'conflict',
  code: 'cell_map.taken',
  message: 'The map has another tenant with this slug, host or routing hint.',
  action:
    'A slug is unique over all cells: the address of a tenant holds it. Found the tenant again under another slug.',
};

const unknownWorkspace = (appId: string, teamId: string): Failure => ({
  kind: 'not_found',
  code: 'cell_map.unknown_workspace',
  message: `The map has no Slack workspace "${teamId}" with the app "${appId}".`,
  action: '`countersign-router map` shows the workspaces that it has.',
});

const unknownTenant: Failure = {
  kind: 'not_found',
  code: 'cell_map.unknown_tenant',
  message: 'The map does not have this tenant.',
  action: 'Read the tenants of its cell into the map: countersign-router fill CELL --from URL',
};
