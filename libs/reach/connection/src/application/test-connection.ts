import { actorOf, err, ok, type AuditSink, type PersonPrincipal, type Result, type UnitOfWork } from '#lib/kernel';
import type { ConnectionKind, KindSettings } from '../domain/connection.js';
import { noConnection } from '../domain/no-connection.js';
import type { ConnectionStore, ConnectionWork } from './connection.ports.js';

/** The parts that test a connection. */
export interface TestConnectionParts<S extends KindSettings> {
  readonly connections: Pick<ConnectionStore<S>, 'find'>;
  readonly work: Pick<ConnectionWork, 'retryNow'>;
  readonly audit: AuditSink;
}

/**
 * Tests a connection. An entry of the log tells of it, and work that waits after failures goes on at once. Failure:
 * `resource.not_found`.
 */
export class TestConnection<S extends KindSettings> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly kind: Pick<ConnectionKind<S>, 'kind' | 'name'>,
    private readonly parts: TestConnectionParts<S>,
  ) {}

  execute(by: PersonPrincipal): Promise<Result<null>> {
    const { connections, work, audit } = this.parts;
    const { kind, name } = this.kind;
    return this.uow.run(by.tenantId, async (tx) => {
      const connection = await connections.find(tx);
      if (connection === null) return err(noConnection(name));
      const { id, url } = connection;
      await audit.record(tx, {
        action: `${kind}.tested`,
        ...{ actor: actorOf(by), level: 'full', subject: { type: kind, id } },
        payload: { url },
      });
      await work.retryNow(tx, id);
      return ok(null);
    });
  }
}
