import {
  err,
  notFound,
  ok,
  tightening,
  type AuditSink,
  type LogFollowing,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type UnitOfWork,
} from '#lib/kernel';
import type { WebhookEndpointId } from '../domain/ids.js';
import { settleFollowing } from './settle-following.js';
import type { EndpointStore } from './webhook.ports.js';

/** Removes an endpoint with its secrets, at once. Its log can't be read any more, and upkeep deletes it. Failure: `resource.not_found`. */
export class RemoveEndpoint {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: EndpointStore,
    private readonly following: LogFollowing,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal, id: WebhookEndpointId): Promise<Result<null>> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.endpoints.lockForChange(tx);
      const endpoint = await this.endpoints.find(tx, id);
      if (endpoint === null) return err(notFound('webhook'));
      await this.endpoints.remove(tx, id);
      await settleFollowing(tx, this.endpoints, this.following);
      const admitted = tightening(by);
      await this.twoPersonRule.outdate(tx, admitted, {
        kind: 'webhook',
        subjectId: id,
        why: `The webhook to ${endpoint.url} was removed meanwhile.`,
        base: () => null,
      });
      await this.audit.record(tx, {
        action: 'webhook.removed',
        actor: admitted.actor,
        level: 'full',
        subject: { type: 'webhook', id },
        payload: { url: endpoint.url },
      });
      return ok(null);
    });
  }
}
