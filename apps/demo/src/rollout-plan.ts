import type { BodyOf } from '#lib/sdk';

type PlanDocument = BodyOf<'post', '/v1/tasks/{id}/plans'>;

/** The images of the servers before and after the rollout. */
export const FORMER_IMAGE = 'web-2026.08';
export const GOLDEN_IMAGE = 'web-2026.11';

const SERVERS = Array.from({ length: 47 }, (_, index) => `web-${String(index + 1).padStart(2, '0')}`);

/**
 * A canary of 5 servers, then waves of 15 and 27. Batches have at most 20 percent of the 47, which is 9. Each batch is followed
 * by a wait and a health check, and can be undone.
 */
export function rolloutPlan(image: string): PlanDocument {
  const phase = (
    name: string,
    canary: boolean,
    targets: readonly string[],
    waitSeconds: number,
  ): PlanDocument['phases'][number] => ({
    name,
    canary,
    targets: [...targets],
    batch_percent: 20,
    wait_seconds: waitSeconds,
    health_checks: [{ name: 'web', tool: 'query_alerts', arguments: { targets: { $batch: 'targets' } } }],
    rollback_if: 'web.error_rate > 0.25',
    steps: [
      {
        id: `rollout-${name}`,
        tool: 'execute_rollout_prod',
        arguments: { targets: { $batch: 'targets' }, image },
        on_failure: 'pause',
        compensate_with: {
          tool: 'execute_rollout_prod',
          arguments: { targets: { $batch: 'targets' }, image: FORMER_IMAGE },
        },
      },
    ],
  });
  return {
    summary: `Bring the web servers to ${image}; a canary first.`,
    phases: [
      phase('canary', true, SERVERS.slice(0, 5), 300),
      phase('wave-1', false, SERVERS.slice(5, 20), 120),
      phase('wave-2', false, SERVERS.slice(20), 120),
    ],
  };
}

/** A rollout of one server, for the scenes after the first. */
export function smallRolloutPlan(image: string, targets: readonly string[], waitSeconds: number): PlanDocument {
  const whole = rolloutPlan(image);
  const [canary] = whole.phases;
  if (canary === undefined) throw new Error('the rollout plan lost its canary');
  const phaseOf = (name: string, isCanary: boolean, some: readonly string[]): PlanDocument['phases'][number] => ({
    ...canary,
    name,
    steps: canary.steps.map((step) => ({ ...step, id: `rollout-${name}` })),
    canary: isCanary,
    targets: [...some],
    wait_seconds: waitSeconds,
  });
  return {
    summary: `Bring ${String(targets.length)} servers to ${image}.`,
    phases: [phaseOf('canary', true, targets.slice(0, 1)), phaseOf('rest', false, targets.slice(1))],
  };
}
