import type { ApprovalBinding, ExpandedInvocation, ExpandedPlan } from '#lib/formats';
import { digest } from '../../../../../test/support/approval-samples.js';
import { fakeExpandedPhase } from '../../../../foundation/formats/src/fake-expanded-phase.js';
import {
  bindingDigest,
  bindingInForce,
  bindingOf,
  boundDigest,
  callContentDigest,
  compareBindings,
  heldIn,
  planContentDigest,
  type RecordsInForce,
} from './binding.js';

const invocation = (name: string, mark: string): ExpandedInvocation => ({
  tool: { name, version: 1, digest: digest(mark) },
  executor: { name: 'fleet', digest: digest('e') },
  arguments: {},
  arguments_digest: digest('a'),
  targets: ['web-01'],
});

const plan: ExpandedPlan = {
  format: 'countersign.plan/v1',
  task_id: 'task',
  revision: 1,
  environment: { id: 'env', name: 'production', digest: digest('2') },
  distinct_targets: ['web-01'],
  phases: [
    fakeExpandedPhase({
      name: 'canary',
      canary: true,
      batches: [
        {
          index: 0,
          targets: ['web-01'],
          calls: [
            {
              seq: 1,
              step_id: 'roll',
              invocation: invocation('roll', '4'),
              on_failure: 'rollback',
              compensate_with: invocation('unroll', '5'),
            },
          ],
          health_checks: [{ name: 'web', invocation: invocation('look', '6') }],
        },
      ],
    }),
  ],
};
const bound = {
  subject: { task: digest('1'), plan: digest('3'), simulation: digest('7') },
  environmentDigest: digest('2'),
  held: heldIn(plan),
};
const inForce: RecordsInForce = {
  environmentDigest: digest('2'),
  tools: new Map([
    ['roll', { version: 1, digest: digest('4') }],
    ['unroll', { version: 1, digest: digest('5') }],
    ['look', { version: 1, digest: digest('6') }],
  ]),
  executors: new Map([['fleet', { digest: digest('e') }]]),
};
const binding = bindingOf(bound);

describe('the binding of an approval', () => {
  it('covers calls, their compensations, and health checks', () => {
    expect(Object.keys(binding.tools)).toEqual(['roll@1', 'unroll@1', 'look@1']);
    expect(binding.executors).toEqual({ fleet: digest('e') });
  });

  it('equals the binding in force while nothing changes', () => {
    expect(bindingInForce(bound, inForce)).toEqual(binding);
  });

  it.each<[string, Partial<RecordsInForce>, string, string[]]>([
    ['another environment', { environmentDigest: digest('9') }, 'environment', []],
    [
      'a new version of a tool',
      { tools: new Map([...inForce.tools, ['roll', { version: 2, digest: digest('9') }]]) },
      'tools',
      ['roll@1', 'roll@2'],
    ],
    [
      'a tool that is gone',
      { tools: new Map([...inForce.tools].filter(([name]) => name !== 'unroll')) },
      'tools',
      ['unroll@1'],
    ],
    ['another address', { executors: new Map([['fleet', { digest: digest('9') }]]) }, 'executors', ['fleet']],
    ['no address', { executors: new Map() }, 'executors', ['fleet']],
  ])('differs with %s', (_what, change, member, names) => {
    const now = bindingInForce(bound, { ...inForce, ...change });
    expect(compareBindings(binding, now)).toEqual([{ member, names }]);
    expect(bindingDigest(now)).not.toBe(bindingDigest(binding));
  });

  it.each<[string, Partial<ApprovalBinding['subject']>]>([
    ['task', { task: digest('9') }],
    ['plan', { plan: digest('9') }],
    ['simulation', { simulation: null }],
  ])('differs in its %s', (member, change) => {
    expect(compareBindings(binding, { ...binding, subject: { ...binding.subject, ...change } })).toEqual([
      { member, names: [] },
    ]);
  });

  it('of a call names its tool alone if the agent makes the call itself', () => {
    const call = {
      subject: { tool_call: digest('8') },
      environmentDigest: digest('2'),
      held: [{ tool: { name: 'roll', version: 1, digest: digest('4') }, executor: null }],
    };
    const ofCall = bindingOf(call);
    expect(ofCall).toEqual({
      subject: { tool_call: digest('8') },
      environment: digest('2'),
      tools: { 'roll@1': digest('4') },
      executors: {},
    });
    expect(bindingInForce(call, inForce)).toEqual(ofCall);
    expect(boundDigest(ofCall)).toBe(digest('8'));
    expect(compareBindings(ofCall, { ...ofCall, subject: { tool_call: digest('9') } })).toEqual([
      { member: 'tool_call', names: [] },
    ]);
  });

  it('names the tools that differ in order', () => {
    const tools = { roll: digest('9'), apply: digest('9') };
    expect(compareBindings({ ...binding, tools: {} }, { ...binding, tools })).toEqual([
      { member: 'tools', names: ['apply', 'roll'] },
    ]);
  });

  it.each<[string, Partial<ApprovalBinding>, string]>([
    ['environment', { environment: digest('9') }, digest('a')],
    ['tools', { tools: {} }, digest('a')],
    ['executors', { executors: {} }, digest('a')],
    ['arguments', {}, digest('9')],
  ])('of a call with other content asks something else: other %s', (_what, change, args) => {
    const content = callContentDigest(binding, digest('a'));
    expect(callContentDigest({ ...binding, subject: { tool_call: digest('9') } }, digest('a'))).toBe(content);
    expect(callContentDigest({ ...binding, ...change }, args)).not.toBe(content);
  });

  it.each<[string, Partial<ApprovalBinding>, string, Partial<ExpandedPlan>]>([
    ['task', {}, digest('9'), {}],
    ['environment', { environment: digest('9') }, digest('1'), {}],
    ['tools', { tools: {} }, digest('1'), {}],
    ['executors', { executors: {} }, digest('1'), {}],
    ['phases', {}, digest('1'), { phases: [] }],
    ['targets', {}, digest('1'), { distinct_targets: [] }],
  ])('of a plan with other content asks something else: other %s', (_what, change, task, more) => {
    const content = planContentDigest(binding, digest('1'), plan);
    const again = { ...binding, subject: { ...bound.subject, simulation: digest('9') } };
    expect(planContentDigest(again, digest('1'), { ...plan, revision: 2 })).toBe(content);
    expect(planContentDigest({ ...binding, ...change }, task, { ...plan, ...more })).not.toBe(content);
  });

  it('of a call never equals that of a plan', () => {
    const ofCall = { ...binding, subject: { tool_call: digest('3') } };
    expect(compareBindings(binding, ofCall).map(({ member }) => member)).toEqual([
      'task',
      'plan',
      'simulation',
      'tool_call',
    ]);
  });
});
