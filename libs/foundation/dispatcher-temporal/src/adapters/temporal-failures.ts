import { FailureError } from '#lib/kernel';
import type { TemporalConfig } from '../application/temporal-config.js';

export const namespaceMissing = ({ address, namespace }: TemporalConfig): FailureError =>
  new FailureError({
    kind: 'unavailable',
    code: 'dispatcher.temporal_namespace_missing',
    message: `Temporal at ${address} has no namespace "${namespace}".`,
    action: `Run temporal operator namespace create --namespace ${namespace}, or correct COUNTERSIGN_TEMPORAL_NAMESPACE and start again.`,
  });

export const temporalSilent = ({ address }: TemporalConfig, afterMs: number): FailureError =>
  new FailureError({
    kind: 'unavailable',
    code: 'dispatcher.temporal_silent',
    message: `Temporal at ${address} did not answer within ${String(afterMs / 1_000)} seconds.`,
    action:
      'Check COUNTERSIGN_TEMPORAL_ADDRESS, the settings COUNTERSIGN_TEMPORAL_TLS, and the network between this worker and Temporal.',
  });

/** Status codes of gRPC for a server that is not there, or does not answer in time. */
const GRPC_AWAY: readonly unknown[] = [14, 4];

/** Whether Temporal did not take a call since it is away. The client of Temporal wraps the error of gRPC. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && GRPC_AWAY.includes(error.code)) || (error.cause !== undefined && isAway(error.cause));
}
