import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { WebhookEndpointId } from '../domain/ids.js';
import { OVERLAP_MS } from '../domain/signed-headers.js';
import { newSecret } from './new-secret.js';
import type { EndpointSecrets, EndpointStore } from './webhook.ports.js';

/** A new secret, shown this once. */
export interface ShownSecret {
  readonly secret: string;
  /** Until when earlier ones sign beside it, epoch milliseconds. */
  readonly earlierUntil: number;
}

/** Makes a new secret of an endpoint. Earlier ones sign beside it for a day, or end at once. Failure: `resource.not_found`. */
export class RotateSecret {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: EndpointStore,
    private readonly secrets: EndpointSecrets,
    private readonly audit: AuditSink,
  ) {}

  /** @param endEarlier for a secret that leaked: no earlier one signs any more. */
  execute(by: PersonPrincipal, id: WebhookEndpointId, endEarlier: boolean): Promise<Result<ShownSecret>> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.endpoints.lockForChange(tx);
      if ((await this.endpoints.find(tx, id)) === null) return err(notFound('webhook'));
      const secret = newSecret();
      const earlierUntil = (await tx.now()) + (endEarlier ? 0 : OVERLAP_MS);
      await this.secrets.renew(tx, id, secret, earlierUntil);
      await this.audit.record(tx, {
        action: 'webhook.secret_rotated',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'webhook', id },
        payload: { end_earlier: endEarlier },
      });
      return ok({ secret, earlierUntil });
    });
  }
}
