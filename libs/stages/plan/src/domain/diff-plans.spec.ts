import { type ExpandedCall, type ExpandedPlan, type PlanDocument, planPhaseSchema } from '#lib/formats';
import { fakeExpandedPhase } from '../../../../foundation/formats/src/fake-expanded-phase.js';
import { diffPlans } from './diff-plans.js';

type Phase = PlanDocument['phases'][number];
const phase = (name: string, more: Partial<Phase> = {}): Phase => {
  const step = { id: `do-${name}`, tool: 'rollout', arguments: { image: 'a' } };
  return planPhaseSchema.parse({ name, targets: ['h1'], steps: [step], ...more });
};
const document = (...phases: Phase[]): PlanDocument => ({ phases });

const digest = `sha256:${'0'.repeat(64)}`;
const call = (seq: number, stepId: string, targets: string[], args: Record<string, string>): ExpandedCall => ({
  seq,
  step_id: stepId,
  invocation: {
    tool: { name: 'rollout', version: 1, digest },
    executor: { name: 'fleet', digest },
    arguments: args,
    arguments_digest: digest,
    targets,
  },
  on_failure: 'pause',
  compensate_with: null,
});
const expanded = (...calls: ExpandedCall[]): ExpandedPlan => ({
  format: 'countersign.plan/v1',
  task_id: 't',
  revision: 1,
  environment: { id: 'e', name: 'production', digest },
  distinct_targets: [],
  phases: [
    fakeExpandedPhase({
      name: 'p',
      batches: calls.map((one, index) => ({ index, targets: one.invocation.targets, calls: [one], health_checks: [] })),
    }),
  ],
});
const diffOf = (before: PlanDocument, after: PlanDocument) =>
  diffPlans({ document: before, expanded: null }, { document: after, expanded: null });

describe('the written document', () => {
  it('is compared by name: a phase put in between is the one difference', () => {
    const diff = diffOf(document(phase('a'), phase('c')), document(phase('a'), phase('b'), phase('c')));
    expect(diff.document).toEqual([{ pointer: '/phases/1', kind: 'added', after: phase('b') }]);
  });

  it('shows a removed phase at its old position', () => {
    const diff = diffOf(document(phase('a'), phase('b')), document(phase('b')));
    expect(diff.document).toEqual([{ pointer: '/phases/0', kind: 'removed', before: phase('a') }]);
  });

  it('shows a changed order as one difference', () => {
    const diff = diffOf(document(phase('a'), phase('b')), document(phase('b'), phase('a')));
    expect(diff.document).toEqual([{ pointer: '/phases', kind: 'changed', before: ['a', 'b'], after: ['b', 'a'] }]);
  });

  it('shows an argument called constructor that came', () => {
    const { steps } = phase('a');
    const after = steps.map((step) => ({ ...step, arguments: { ...step.arguments, constructor: 'b' } }));
    expect(diffOf(document(phase('a')), document(phase('a', { steps: after }))).document).toEqual([
      { pointer: '/phases/0/steps/0/arguments/constructor', kind: 'added', after: 'b' },
    ]);
  });

  it('shows members that came, went and changed', () => {
    const before = phase('a', { rollback_if: 'web.x > 1', targets: ['h1', 'h2'] });
    const after = phase('a', { canary: true, targets: ['h2', 'h3'] });
    const diff = diffOf(document(before), document(after));
    expect(new Set(diff.document)).toEqual(
      new Set([
        { pointer: '/phases/0/canary', kind: 'changed', before: false, after: true },
        { pointer: '/phases/0/targets', kind: 'changed', before: ['h1', 'h2'], after: ['h2', 'h3'] },
        { pointer: '/phases/0/rollback_if', kind: 'removed', before: 'web.x > 1' },
      ]),
    );
    expect(diff.targets).toEqual({ added: ['h3'], removed: ['h1'] });
    expect(diff.calls).toBeNull();
  });

  it('is no difference to itself', () => {
    const same = document(phase('a'), phase('b'));
    expect(diffOf(same, structuredClone(same))).toEqual({
      document: [],
      calls: null,
      inWords: [],
      targets: { added: [], removed: [] },
    });
  });
});

describe('the executed calls', () => {
  const compare = (before: ExpandedPlan, after: ExpandedPlan) =>
    diffPlans({ document: document(phase('p')), expanded: before }, { document: document(phase('p')), expanded: after })
      .calls;

  it('is compared call by call, wherever it stands by now', () => {
    const before = expanded(call(1, 's', ['h1'], { image: 'a' }), call(2, 's', ['h2'], { image: 'a' }));
    const after = expanded(call(1, 's', ['h0'], { image: 'a' }), call(2, 's', ['h1'], { image: 'b' }));
    expect(compare(before, after)).toEqual([
      { kind: 'removed', phase: 'p', stepId: 's', targets: ['h2'], seqBefore: 2, seqAfter: null, changes: [] },
      { kind: 'added', phase: 'p', stepId: 's', targets: ['h0'], seqBefore: null, seqAfter: 1, changes: [] },
      {
        kind: 'changed',
        phase: 'p',
        stepId: 's',
        targets: ['h1'],
        seqBefore: 1,
        seqAfter: 2,
        changes: [{ pointer: '/arguments/image', kind: 'changed', before: 'a', after: 'b' }],
      },
    ]);
  });

  it('is compared with the call that undoes it', () => {
    const one = call(1, 's', ['h1'], {});
    const undone = (image: string): ExpandedPlan =>
      expanded({ ...one, compensate_with: { ...one.invocation, arguments: { image } } });
    expect(compare(undone('a'), undone('b'))).toMatchObject([
      { kind: 'changed', changes: [{ pointer: '/compensate_with/arguments/image', before: 'a', after: 'b' }] },
    ]);
    expect(compare(expanded(one), undone('a'))).toMatchObject([
      { changes: [{ pointer: '/compensate_with', before: null, after: { arguments: { image: 'a' } } }] },
    ]);
  });

  it('is compared only if both revisions could be expanded', () => {
    const plan = document(phase('p'));
    const one = expanded(call(1, 's', [], {}));
    expect(diffPlans({ document: plan, expanded: one }, { document: plan, expanded: null }).calls).toBeNull();
    expect(diffPlans({ document: plan, expanded: null }, { document: plan, expanded: one }).calls).toBeNull();
  });

  it('is the same call for the same targets in another order, and each of three is told apart', () => {
    const [there, back] = [expanded(call(1, 's', ['a', 'b'], {})), expanded(call(1, 's', ['b', 'a'], {}))];
    expect(compare(there, back)).toEqual([]);
    const thrice = expanded(...[1, 2, 3].map((seq) => call(seq, 's', [], {})));
    expect(compare(thrice, thrice)).toEqual([]);
    expect(compare(thrice, expanded(call(1, 's', [], {})))).toHaveLength(2);
  });

  it('tells calls without targets apart by their number', () => {
    const twice = expanded(call(1, 's', [], {}), call(2, 's', [], {}));
    expect(compare(twice, expanded(call(1, 's', [], {})))).toMatchObject([{ kind: 'removed', seqBefore: 2 }]);
    expect(compare(twice, twice)).toEqual([]);
  });
});
