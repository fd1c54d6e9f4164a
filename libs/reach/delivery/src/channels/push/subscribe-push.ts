import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { PushSubscription, PushSubscriptions } from './push.ports.js';

/** The browsers that show a person their messages. Failures: `push.endpoint`, `resource.not_found`. */
export class SubscribePush {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly subscriptions: PushSubscriptions,
    private readonly audit: AuditSink,
    /** Whether the rules for outbound addresses allow this one by name. The connection is checked again when it opens. */
    private readonly mayConnect: (tenantId: TenantId, hostname: string, port: number) => Promise<boolean>,
  ) {}

  /** The public key with which a browser subscribes. */
  async key(by: PersonPrincipal): Promise<string> {
    return (await this.uow.run(by.tenantId, (tx) => this.subscriptions.key(tx))).publicKey;
  }

  async execute(
    by: PersonPrincipal,
    wanted: { readonly endpoint: string; readonly p256dh: string; readonly auth: string },
  ): Promise<Result<PushSubscription>> {
    const url = URL.canParse(wanted.endpoint) ? new URL(wanted.endpoint) : null;
    const port = url === null || url.port === '' ? 443 : Number(url.port);
    if (
      url?.protocol !== 'https:' ||
      url.username !== '' ||
      !(await this.mayConnect(by.tenantId, url.hostname, port))
    ) {
      return err(badEndpoint);
    }
    return this.uow.run(by.tenantId, async (tx) => {
      const saved = await this.subscriptions.save(tx, { id: newId(), personId: by.personId, ...wanted });
      await this.audit.record(tx, {
        action: 'push_subscription.made',
        actor: actorOf(by),
        level: 'basic',
        subject: { type: 'push_subscription', id: saved.id },
        payload: { host: url.host },
      });
      return ok(saved);
    });
  }

  mine(by: PersonPrincipal): Promise<readonly PushSubscription[]> {
    return this.uow.run(by.tenantId, (tx) => this.subscriptions.mine(tx, by.personId));
  }

  end(by: PersonPrincipal, id: string): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      if (!(await this.subscriptions.end(tx, id, by.personId))) return err(notFound('push subscription'));
      await this.audit.record(tx, {
        action: 'push_subscription.ended',
        actor: actorOf(by),
        level: 'basic',
        subject: { type: 'push_subscription', id },
        payload: {},
      });
      return ok(undefined);
    });
  }
}

const badEndpoint: Failure = {
  kind: 'unprocessable',
  code: 'push.endpoint',
  message: 'This is not the address of a push service that Countersign may connect to.',
  action: 'Subscribe with a browser whose push service has a public https address.',
  errors: [{ pointer: '/endpoint', code: 'push.endpoint', message: 'must be a public https address' }],
};
