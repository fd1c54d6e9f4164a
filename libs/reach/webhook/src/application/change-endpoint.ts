import { z } from 'zod';
import { addressOf, refusedServer, type MayConnect } from '#lib/connection';
import { WEBHOOK_SUBSCRIPTIONS } from '#lib/formats';
import {
  done,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ChangeAuthority,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type LogFollowing,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { WebhookEndpointId } from '../domain/ids.js';
import {
  endpointRevision,
  loosenedEndpoint,
  MAX_ENDPOINTS,
  sameReceiver,
  type EndpointSettings,
  type WebhookEndpoint,
} from '../domain/webhook-endpoint.js';
import { settleFollowing } from './settle-following.js';
import type { EndpointStore } from './webhook.ports.js';

/** The settings of one endpoint, as a change and its base store them. */
const speltEndpoint = z.strictObject({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(WEBHOOK_SUBSCRIPTIONS)),
  ca: z.string().nullable(),
  enabled: z.boolean(),
});
type SpeltEndpoint = z.infer<typeof speltEndpoint>;

/** The parts that change endpoints. */
export interface ChangeEndpointParts {
  readonly endpoints: EndpointStore;
  readonly following: LogFollowing;
  readonly mayConnect: MayConnect;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** An endpoint to change, and the check of the revision that the person read. */
export interface EndpointToChange {
  readonly id: WebhookEndpointId;
  /** Throws if the person read another {@link endpointRevision} of the settings. Called under the lock. */
  readonly requireCurrent: (revision: string) => void;
}

/**
 * Adds an endpoint, changes one, and switches one on or off. A change that sends events to a further address loosens,
 * and waits for a second person. A new endpoint has no secret: the first rotation shows one. Until then nothing is
 * sent.
 *
 * Failures: `webhook.address_not_allowed`, `webhook.authority_invalid`, `webhook.too_many`, `resource.not_found`.
 */
export class ChangeEndpoint implements CarriesOutChange<SpeltEndpoint> {
  readonly payload = speltEndpoint;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: ChangeEndpointParts,
  ) {}

  /** @param of the endpoint to change; null adds one. */
  async execute(
    by: PersonPrincipal,
    of: EndpointToChange | null,
    asked: EndpointSettings,
  ): Promise<Result<Guarded<WebhookEndpoint>>> {
    const wanted = { ...asked, url: addressOf(asked.url) };
    const refused = await refusedServer(this.parts.mayConnect, by.tenantId, wanted, 'webhook');
    if (refused !== null) return err(refused);
    return this.uow.run(by.tenantId, async (tx) => {
      await this.parts.endpoints.lockForChange(tx);
      if (of === null) return this.#put(tx, by, newId<WebhookEndpointId>(), wanted);
      const standing = await this.parts.endpoints.find(tx, of.id);
      if (standing === null) return err(notFound('webhook'));
      of.requireCurrent(endpointRevision(standing));
      return this.#put(tx, by, of.id, wanted);
    });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, payload: SpeltEndpoint): Promise<Result<Guarded<WebhookEndpoint>>> {
    // The operator's rules about addresses are checked again.
    const refused = await refusedServer(this.parts.mayConnect, tx.tenantId, payload, 'webhook');
    if (refused !== null) return err(refused);
    await this.parts.endpoints.lockForChange(tx);
    // The change was stored with the id of its webhook.
    return this.#put(tx, change, payload.id as WebhookEndpointId, payload);
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    id: WebhookEndpointId,
    wanted: EndpointSettings,
  ): Promise<Result<Guarded<WebhookEndpoint>>> {
    const { endpoints, following, twoPersonRule, audit } = this.parts;
    const before = await endpoints.find(tx, id);
    if (before === null && (await endpoints.all(tx)).length >= MAX_ENDPOINTS) return err(tooMany);
    const subject = { type: 'webhook', id } as const;
    const payload = spelt(id, wanted);
    const admission = await twoPersonRule.admit(tx, authority, {
      kind: 'webhook',
      subject,
      what: `The webhook to ${wanted.url}`,
      payload,
      base: before === null ? null : spelt(id, before),
      loosens: loosenedEndpoint(before, wanted),
      detail: { before: before === null ? null : spelt(id, before), after: payload },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const now = await tx.now();
    const endpoint: WebhookEndpoint = {
      id,
      ...settingsOf(wanted),
      offReason: wanted.enabled ? null : (before?.offReason ?? 'person'),
      failingSince:
        wanted.enabled && before?.enabled === true && sameReceiver(before, wanted) ? before.failingSince : null,
      createdBy: before?.createdBy ?? admitted.authorId,
      createdAt: before?.createdAt ?? now,
    };
    if (!endpoint.enabled) await endpoints.switchOff(tx, id, 'person');
    await endpoints.save(tx, endpoint);
    await settleFollowing(tx, endpoints, following);
    await twoPersonRule.outdate(tx, admitted, {
      kind: 'webhook',
      subjectId: id,
      why: `The webhook to ${before?.url ?? wanted.url} was changed meanwhile.`,
      base: () => payload,
    });
    await audit.record(tx, {
      action: before === null ? 'webhook.added' : 'webhook.changed',
      actor: admitted.actor,
      level: 'full',
      subject,
      payload: { ...payload, ...admitted.provenance },
    });
    return ok(done(endpoint, admitted));
  }
}

const settingsOf = ({ url, description, events, ca, enabled }: EndpointSettings): EndpointSettings => ({
  ...{ url, description, events, ca, enabled },
});

const spelt = (id: WebhookEndpointId, { url, description, events, ca, enabled }: EndpointSettings): SpeltEndpoint => ({
  ...{ id, url, description, events: [...events], ca, enabled },
});

const tooMany: Failure = {
  kind: 'conflict',
  code: 'webhook.too_many',
  message: `A workspace has at most ${String(MAX_ENDPOINTS)} webhooks.`,
  action: 'Remove one that is not needed any more.',
};
