import type { AuditSink, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { SealedElsewhere } from '#lib/tenancy';
import { HttpsReceiver } from './adapters/https-receiver.js';
import { TypeormConnections } from './adapters/typeorm-connections.js';
import { ChangeConnection } from './application/change-connection.js';
import type { ConnectionStore, ConnectionWork, MayConnect, Receiver } from './application/connection.ports.js';
import { ReadConnection } from './application/read-connection.js';
import { RemoveConnection } from './application/remove-connection.js';
import { SetConnectionToken } from './application/set-connection-token.js';
import { TestConnection } from './application/test-connection.js';
import type { ConnectionKind, KindSettings } from './domain/connection.js';

/** The connections of one kind, over PostgreSQL. */
export const createConnectionStore = <S extends KindSettings>(
  ...of: ConstructorParameters<typeof TypeormConnections<S>>
): ConnectionStore<S> & SealedElsewhere => new TypeormConnections(...of);

/** The guarded way to the servers of tenants. */
export const createReceiver = (...of: ConstructorParameters<typeof HttpsReceiver>): Receiver =>
  new HttpsReceiver(...of);

export interface ConnectionDeps<S extends KindSettings> {
  readonly uow: UnitOfWork;
  readonly connections: ConnectionStore<S>;
  readonly work: ConnectionWork;
  readonly mayConnect: MayConnect;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** The use cases of one kind of connection. */
export function createConnection<S extends KindSettings>(
  kind: ConnectionKind<S>,
  { uow, ...parts }: ConnectionDeps<S>,
) {
  return {
    change: new ChangeConnection(uow, kind, parts),
    setToken: new SetConnectionToken(uow, kind, parts),
    remove: new RemoveConnection(uow, kind, parts),
    read: new ReadConnection(uow, kind, parts.connections),
    test: new TestConnection(uow, kind, parts),
  };
}
