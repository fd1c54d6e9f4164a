import { err, ok, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { Connection, ConnectionKind, KindSettings } from '../domain/connection.js';
import { noConnection } from '../domain/no-connection.js';
import type { ConnectionStore } from './connection.ports.js';

/** Reads the connection, without its token. Failure: `resource.not_found`. */
export class ReadConnection<S extends KindSettings> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly kind: Pick<ConnectionKind<S>, 'name'>,
    private readonly connections: Pick<ConnectionStore<S>, 'find'>,
  ) {}

  execute(tenantId: TenantId): Promise<Result<Connection<S>>> {
    return this.uow.run(tenantId, async (tx) => {
      const connection = await this.connections.find(tx);
      return connection === null ? err(noConnection(this.kind.name)) : ok(connection);
    });
  }
}
