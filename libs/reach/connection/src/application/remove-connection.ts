import {
  err,
  ok,
  tightening,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type UnitOfWork,
} from '#lib/kernel';
import type { ConnectionKind, KindSettings } from '../domain/connection.js';
import { noConnection } from '../domain/no-connection.js';
import type { ConnectionStore, ConnectionWork } from './connection.ports.js';

/** The parts that remove a connection. */
export interface RemoveConnectionParts<S extends KindSettings> {
  readonly connections: Pick<ConnectionStore<S>, 'find' | 'lockForChange' | 'remove'>;
  readonly work: Pick<ConnectionWork, 'end'>;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** Removes the connection with its token, at once, and ends its work. Failure: `resource.not_found`. */
export class RemoveConnection<S extends KindSettings> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly kind: Pick<ConnectionKind<S>, 'kind' | 'name'>,
    private readonly parts: RemoveConnectionParts<S>,
  ) {}

  execute(by: PersonPrincipal): Promise<Result<null>> {
    const { connections, work, twoPersonRule, audit } = this.parts;
    const { kind, name } = this.kind;
    return this.uow.run(by.tenantId, async (tx) => {
      await connections.lockForChange(tx);
      const connection = await connections.find(tx);
      if (connection === null) return err(noConnection(name));
      const { id, url } = connection;
      await connections.remove(tx);
      await work.end(tx);
      const admitted = tightening(by);
      await twoPersonRule.outdate(tx, admitted, {
        ...{ kind, subjectId: id, base: () => null },
        why: `The ${name} at ${url} was removed meanwhile.`,
      });
      await audit.record(tx, {
        action: `${kind}.removed`,
        ...{ actor: admitted.actor, level: 'full', subject: { type: kind, id } },
        payload: { url },
      });
      return ok(null);
    });
  }
}
