import type { ExpandedInvocation, ExpandedPlan } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { fleetTool } from '../../../../../test/support/fleet.js';
import { planFacts } from './plan-facts.js';

const restart = {
  id: 'v' as never,
  name: 'restart',
  version: 1,
  digest: digestOf('tool', {}),
  definition: fleetTool('execute_rollout_prod'),
};

const invocation = (targets: string[]): ExpandedInvocation => ({
  tool: { name: 'restart', version: 1, digest: digestOf('tool', {}) },
  executor: { name: 'fleet', digest: digestOf('executor', {}) },
  arguments: {},
  arguments_digest: digestOf('arguments', {}),
  targets,
});

it.each<[string, string[], string[]]>([
  ['the targets that it names', ['web-1'], ['web-1']],
  ['nothing, if it is aimed at the environment as a whole', ['environment:production'], []],
])('T61: policy is told what a compensation would touch: %s', (_, targets, told) => {
  const call = {
    seq: 1,
    step_id: 's',
    invocation: invocation(['web-1']),
    on_failure: 'rollback' as const,
    compensate_with: invocation(targets),
  };
  const expanded: ExpandedPlan = {
    format: 'countersign.plan/v1',
    task_id: 't',
    revision: 1,
    environment: { id: 'e', name: 'production', digest: digestOf('environment', {}) },
    distinct_targets: ['web-1'],
    phases: [
      {
        index: 0,
        name: 'one',
        canary: true,
        wait_seconds: 0,
        rollback_if: null,
        batches: [
          {
            index: 0,
            targets: ['web-1'],
            calls: [call, { ...call, seq: 2, compensate_with: null }],
            health_checks: [],
          },
        ],
      },
    ],
  };
  const { plan } = planFacts({ id: 'p' as never, digest: digestOf('plan', {}), expanded }, [restart]);
  expect(plan.phases[0]?.batches[0]?.calls).toMatchObject([
    { compensation: 'restart@1', compensation_targets: told },
    { compensation: null, compensation_targets: [] },
  ]);
});
