import { digestOf, newId } from '#lib/kernel';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { DispatchOrder } from './tool-dispatcher.port.js';

const CALL = { targets: ['web-01'], image: 'web-2026.11' };

/** A call of a step of a run in production, fully decided. */
export const sampleOrder = (
  { tenantId }: Pick<SampleTenant, 'tenantId'>,
  changes: Partial<DispatchOrder> = {},
): DispatchOrder => ({
  tenantId,
  environment: 'production',
  basis: 'approval',
  source: { type: 'run', id: newId() },
  step: 'step-1',
  attempt: 1,
  tool: { name: 'rollout', version: 3, timeLimitSeconds: 30, idempotent: false },
  executor: {
    name: 'fleet',
    kind: 'http',
    url: 'https://tools.example.com/fleet',
    audience: 'fleet',
    secret: null,
    settings: {},
  },
  arguments: CALL,
  withSecrets: true,
  argumentsDigest: digestOf('arguments', CALL),
  planDigest: digestOf('plan', 'a plan'),
  shell: null,
  idempotencyKey: 'step-1',
  ...changes,
});
