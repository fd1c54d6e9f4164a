import { actorOf, err, ok, type AuditSink, type PersonPrincipal, type Result, type UnitOfWork } from '#lib/kernel';
import { connectionRevision, type ConnectionKind, type KindSettings } from '../domain/connection.js';
import { noConnection } from '../domain/no-connection.js';
import type { ConnectionStore, ConnectionWork } from './connection.ports.js';

/** The parts that set a token. */
export interface SetConnectionTokenParts<S extends KindSettings> {
  readonly connections: Pick<ConnectionStore<S>, 'find' | 'lockForChange' | 'saveToken'>;
  readonly work: Pick<ConnectionWork, 'retryNow'>;
  readonly audit: AuditSink;
}

/**
 * Sets the bearer token that the server is shown, or removes it. It is never shown again. Work that waits after
 * failures goes on, and sends the token at once. A token for one server must not reach another one, named meanwhile
 * (T32). Failure: `resource.not_found`.
 */
export class SetConnectionToken<S extends KindSettings> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly kind: Pick<ConnectionKind<S>, 'kind' | 'name' | 'settings'>,
    private readonly parts: SetConnectionTokenParts<S>,
  ) {}

  /**
   * @param token printable ASCII; null removes it.
   * @param requireCurrent throws if the person read another {@link connectionRevision}. Called under the lock.
   */
  execute(
    by: PersonPrincipal,
    token: string | null,
    requireCurrent: (revision: string) => void,
  ): Promise<Result<null>> {
    const { connections, work, audit } = this.parts;
    const { kind, name } = this.kind;
    return this.uow.run(by.tenantId, async (tx) => {
      await connections.lockForChange(tx);
      const connection = await connections.find(tx);
      if (connection === null) return err(noConnection(name));
      requireCurrent(connectionRevision(this.kind, connection));
      const { id } = connection;
      await connections.saveToken(tx, id, token);
      await work.retryNow(tx, id);
      await audit.record(tx, {
        action: `${kind}.${token === null ? 'token_removed' : 'token_set'}`,
        ...{ actor: actorOf(by), level: 'full', subject: { type: kind, id } },
        payload: {},
      });
      return ok(null);
    });
  }
}
