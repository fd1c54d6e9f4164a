import { createReceiver, type MayConnect } from '#lib/connection';
import type { AuditSink, JobQueue, LogFollowing, Outbox, TwoPersonRule, UnitOfWork, TenantId } from '#lib/kernel';
import type { AllowedPrivateHosts } from '#lib/outbound';
import type { Keys } from '#lib/tenancy';
import { SqlReportedCalls } from './adapters/sql-reported-calls.js';
import { SqlWebhookDeliveries } from './adapters/sql-webhook-deliveries.js';
import { SqlWebhookEndpoints } from './adapters/sql-webhook-endpoints.js';
import { SqlWebhookSecrets } from './adapters/sql-webhook-secrets.js';
import { ChangeEndpoint } from './application/change-endpoint.js';
import { DeliverWebhook } from './application/deliver-webhook.js';
import { ReadWebhooks } from './application/read-webhooks.js';
import { RemoveEndpoint } from './application/remove-endpoint.js';
import { RotateSecret } from './application/rotate-secret.js';
import { SendWebhook } from './application/send-webhook.js';
import { WebhookNotices } from './application/webhook-notices.js';
import type { ReportedCalls } from './application/webhook.ports.js';
import { WriteDeliveries } from './application/write-deliveries.js';

export interface WebhookDeps {
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly keys: Pick<Keys, 'wrapping'>;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly twoPersonRule: TwoPersonRule;
  readonly following: LogFollowing;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** By which the operator names a tenant there. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
  readonly mayConnect: MayConnect;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

/** Webhooks. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: WebhookDeps) {
  const { uow, jobs, audit, outbox, twoPersonRule, following, mayConnect } = deps;
  const endpoints = new SqlWebhookEndpoints();
  const secrets = new SqlWebhookSecrets(deps.keys.wrapping);
  const deliveries = new SqlWebhookDeliveries();
  const receiver = createReceiver(deps.allowedPrivateHosts, deps.slugOf);
  const reportedCalls: ReportedCalls = new SqlReportedCalls();
  return {
    reportedCalls,
    staleSecrets: secrets,
    follower: new WriteDeliveries(endpoints, secrets, deliveries, reportedCalls, jobs),
    changeEndpoint: new ChangeEndpoint(uow, {
      ...{ endpoints, following, mayConnect, twoPersonRule, audit },
    }),
    removeEndpoint: new RemoveEndpoint(uow, endpoints, following, twoPersonRule, audit),
    rotateSecret: new RotateSecret(uow, endpoints, secrets, audit),
    readWebhooks: new ReadWebhooks(uow, endpoints, secrets, deliveries),
    sendWebhook: new SendWebhook(uow, endpoints, secrets, deliveries, jobs, audit),
    deliverWebhook: new DeliverWebhook(uow, { endpoints, secrets, deliveries, receiver, following, outbox, audit }),
    webhookNotices: new WebhookNotices(endpoints, deps.publicUrl),
  };
}
