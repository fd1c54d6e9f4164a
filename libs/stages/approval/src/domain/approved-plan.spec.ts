import { bindingChanged, deniedByPolicy, planOutdated } from './approved-plan.js';
import type { BindingDifference } from './binding.js';

// A difference is told by its member and names alone.
const differences = [
  { member: 'environment', names: [] },
  { member: 'tools', names: ['patch@1', 'restart@2'] },
] as unknown as readonly BindingDifference[];

describe('a refusal to start', () => {
  it('names the changes since the approval, and since the expansion', () => {
    expect(bindingChanged(differences)).toMatchObject({
      code: 'approval.binding_changed',
      message: 'The plan is no longer as it was approved: environment, tools (patch@1, restart@2) changed.',
      details: { changed: differences },
    });
    expect(planOutdated(differences)).toMatchObject({
      code: 'approval.plan_outdated',
      message: 'The plan was expanded before environment, tools (patch@1, restart@2) changed.',
      details: { changed: differences },
    });
  });

  it('gives the reasons of policy', () => {
    const reasons = ['one', 'two'].map((message) => ({ code: 'halt.active', message, rule: 'countersign.halt' }));
    expect(deniedByPolicy({ reasons })).toMatchObject({ code: 'policy.denied', message: 'one; two', reasons });
  });
});
