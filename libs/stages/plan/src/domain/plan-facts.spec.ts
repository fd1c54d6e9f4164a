import type { ExpandedInvocation, ExpandedPlan } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { fleetTool } from '../../../../../test/support/fleet.js';
import { fakeExpandedPhase } from '../../../../foundation/formats/src/fake-expanded-phase.js';
import { callsOf, invocationsOf } from './invocations.js';
import { expansionDigest, planFacts, taskFacts } from './plan-facts.js';
import { isLive } from './plan.js';

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
      fakeExpandedPhase({
        batches: [
          {
            index: 0,
            targets: ['web-1'],
            calls: [call, { ...call, seq: 2, compensate_with: null }],
            health_checks: [],
          },
        ],
      }),
    ],
  };
  const { plan } = planFacts({ id: 'p' as never, digest: digestOf('plan', {}), expanded }, [restart]);
  expect(plan.phases[0]?.batches[0]?.calls).toMatchObject([
    {
      compensation: 'restart@1',
      compensation_targets: told,
      shell: null,
      compensation_shell: null,
      paths: null,
      compensation_paths: null,
    },
    {
      compensation: null,
      compensation_targets: [],
      shell: null,
      compensation_shell: null,
      paths: null,
      compensation_paths: null,
    },
  ]);
});

/** A plan of one call with its undo, and one health check. */
function checkedPlan(): ExpandedPlan {
  const invoked = invocation(['web-1', 'environment:production']);
  return {
    format: 'countersign.plan/v1',
    task_id: 't',
    revision: 1,
    environment: { id: 'e', name: 'production', digest: digestOf('environment', {}) },
    distinct_targets: ['web-1'],
    phases: [
      fakeExpandedPhase({
        batches: [
          {
            index: 0,
            targets: ['web-1'],
            calls: [
              { seq: 1, step_id: 's', invocation: invoked, on_failure: 'pause', compensate_with: invocation(['undo']) },
              { seq: 2, step_id: 's', invocation: invoked, on_failure: 'pause', compensate_with: null },
            ],
            health_checks: [{ name: 'web', invocation: invocation(['check']) }],
          },
        ],
      }),
    ],
  };
}

it('finds every call, and every invocation that could be made', () => {
  const expanded = checkedPlan();
  expect(callsOf(expanded).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(invocationsOf(expanded).map(({ targets }) => targets[0])).toEqual(['web-1', 'undo', 'web-1', 'check']);
});

it('tells policy the tools of calls and checks, and whether a phase can be rolled back', () => {
  const subject = { id: 'p' as never, digest: digestOf('plan', {}) };
  const { plan, tools } = planFacts({ ...subject, expanded: checkedPlan() }, [restart]);
  expect(Object.keys(tools)).toEqual(['restart@1']);
  expect(plan.phases[0]).toMatchObject({
    has_rollback_condition: false,
    batches: [{ calls: [{ targets: ['web-1', 'environment:production'] }, {}] }],
  });
  const [first] = checkedPlan().phases;
  const conditional = { ...checkedPlan(), phases: first === undefined ? [] : [{ ...first, rollback_if: 'web.x > 1' }] };
  expect(planFacts({ ...subject, expanded: conditional }, [restart]).plan.phases[0]?.has_rollback_condition).toBe(true);
  expect(() => planFacts({ ...subject, expanded: checkedPlan() }, [])).toThrow('the plan holds restart@1');
});

it('tells policy the verdicts on command lines and paths, of a call and of the call that undoes it', () => {
  const line = { argument: '/line', shell: 'bash', risk: 'state_change_prod', tree: digestOf('tool', {}) } as const;
  const written = { reads: [], writes: ['/path'], risk: 'state_change_prod' } as const;
  const [phase] = checkedPlan().phases;
  const [batch] = phase?.batches ?? [];
  const [call] = batch?.calls ?? [];
  if (phase === undefined || batch === undefined || call === undefined) throw new Error('the sample has a call');
  const judged = {
    ...call,
    invocation: {
      ...call.invocation,
      shell: { ...line, tier: 2 as const, class: 'NETWORK' as const },
      paths: { ...written, tier: 2 as const, class: 'UNKNOWN' as const },
    },
    compensate_with: {
      ...call.invocation,
      shell: { ...line, tier: 1 as const, class: 'READ_ONLY' as const },
      paths: { ...written, tier: 2 as const, class: 'WRITE' as const },
    },
  };
  const expanded = { ...checkedPlan(), phases: [{ ...phase, batches: [{ ...batch, calls: [judged] }] }] } as never;
  const { plan } = planFacts({ id: 'p' as never, digest: digestOf('plan', {}), expanded }, [restart]);
  expect(plan.phases[0]?.batches[0]?.calls[0]).toMatchObject({
    shell: { tier: 2, class: 'NETWORK' },
    compensation_shell: { tier: 1, class: 'READ_ONLY' },
    paths: { tier: 2, class: 'UNKNOWN' },
    compensation_paths: { tier: 2, class: 'WRITE' },
  });
});

it('tells policy the targets of a call that names more than the environment as a whole', () => {
  const [phase] = checkedPlan().phases;
  const [batch] = phase?.batches ?? [];
  const [call] = batch?.calls ?? [];
  if (phase === undefined || batch === undefined || call === undefined) throw new Error('the sample has a call');
  const targetsOf = (targets: readonly string[]) => {
    const aimed = { ...call, invocation: invocation([...targets]) };
    const expanded = { ...checkedPlan(), phases: [{ ...phase, batches: [{ ...batch, calls: [aimed] }] }] };
    const { plan } = planFacts({ id: 'p' as never, digest: digestOf('plan', {}), expanded }, [restart]);
    return plan.phases[0]?.batches[0]?.calls[0]?.targets;
  };
  expect(targetsOf(['environment:production'])).toEqual([]);
  expect(targetsOf(['environment:production', 'web-1'])).toEqual(['environment:production', 'web-1']);
});

it('digests an expansion once if it cannot change', () => {
  const open = checkedPlan();
  const before = expansionDigest(open);
  expect(before).toBe(digestOf('plan', open));
  open.revision = 2;
  expect(expansionDigest(open)).toBe(digestOf('plan', open));
  expect(expansionDigest(open)).not.toBe(before);
  // Only the outermost object is frozen, so that the test can tell a kept digest from a new one.
  const frozen = Object.freeze(checkedPlan());
  expect(expansionDigest(frozen)).toBe(before);
  frozen.environment.name = 'staging';
  expect(expansionDigest(frozen)).toBe(before);
});

it('tells policy the constraints of a task, and that there are none', () => {
  const spec = { goal: 'g', task_type: 't', environment: 'production', timeout_minutes: 5 };
  expect(taskFacts({ id: 't' as never, spec })).toEqual({
    id: 't',
    timeout_minutes: 5,
    constraints: { canary_required: false, max_batch_percent: null, rollback_trigger: null },
  });
  const constraints = { canary_required: true, max_batch_percent: 20, rollback_trigger: 'web.x > 1' };
  expect(taskFacts({ id: 't' as never, spec: { ...spec, constraints } }).constraints).toEqual(constraints);
});

it.each([
  ['validated', true, true],
  ['validated', false, false],
  ['superseded', true, false],
] as const)('takes a plan that is %s, with an expansion: %s, for live: %s', (state, expanded, live) => {
  const text = '{}';
  const expansion = expanded ? { plan: checkedPlan(), text, digest: digestOf('plan', {}) } : null;
  expect(isLive({ state, expansion })).toBe(live);
});
