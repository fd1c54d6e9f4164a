import type { ApprovalSlot, Decision, Obligations } from '#lib/formats';
import { isLooser } from './is-looser.js';

const slot = (count: number, ...roles: string[]): ApprovalSlot => ({ count, roles });

const decision = (outcome: Decision['outcome'], obligations: Partial<Obligations> = {}): Decision => ({
  outcome,
  reasons: [{ code: 'a.reason', message: 'a reason', rule: 'a rule' }],
  obligations: {
    approvals: outcome === 'require_approval' ? [slot(1, 'A')] : [],
    mfa: false,
    phases: 'all',
    audit_level: 'full',
    valid_minutes: 60,
    ...obligations,
  },
  effective: { mode: 'full_auto', source: 'mode' },
});

const OUTCOMES = ['allow', 'require_approval', 'deny'] as const;

describe('a looser decision', () => {
  it.each(
    OUTCOMES.flatMap((before, strictBefore) =>
      OUTCOMES.map((after, strictAfter) => [before, after, strictAfter < strictBefore] as const),
    ),
  )('%s to %s: %s', (before, after, looser) => {
    expect(isLooser(decision(before), decision(after))).toBe(looser);
  });

  const asked = (obligations: Partial<Obligations>): Decision => decision('require_approval', obligations);
  it.each<[string, Partial<Obligations>, Partial<Obligations>, boolean]>([
    ['the second factor goes', { mfa: true }, { mfa: false }, true],
    ['the second factor comes', { mfa: false }, { mfa: true }, false],
    ['the word to type goes', { confirm_word: 'CONFIRM' }, {}, true],
    ['a word to type comes', {}, { confirm_word: 'CONFIRM' }, false],
    ['the word to type stays', { confirm_word: 'CONFIRM' }, { confirm_word: 'CONFIRM' }, false],
    ['all phases', { phases: 'canary' }, { phases: 'all' }, true],
    ['the canary only', { phases: 'all' }, { phases: 'canary' }, false],
    ['the canary still', { phases: 'canary' }, { phases: 'canary' }, false],
    ['a longer life', { valid_minutes: 60 }, { valid_minutes: 61 }, true],
    ['a shorter life', { valid_minutes: 60 }, { valid_minutes: 59 }, false],
    ['fewer people', { approvals: [slot(2, 'A')] }, { approvals: [slot(1, 'A')] }, true],
    ['one slot instead of two alike', { approvals: [slot(1, 'A'), slot(1, 'A')] }, { approvals: [slot(1, 'A')] }, true],
    ['more people', { approvals: [slot(1, 'A')] }, { approvals: [slot(2, 'A')] }, false],
    ['a role more', { approvals: [slot(1, 'A')] }, { approvals: [slot(1, 'A', 'B')] }, true],
    ['a role fewer', { approvals: [slot(1, 'A', 'B')] }, { approvals: [slot(1, 'A')] }, false],
    ['another role', { approvals: [slot(1, 'A')] }, { approvals: [slot(1, 'B')] }, true],
    ['any role', { approvals: [slot(1, 'A')] }, { approvals: [slot(1, 'any')] }, true],
    ['a role instead of any', { approvals: [slot(1, 'any')] }, { approvals: [slot(1, 'A')] }, false],
    ['one of two slots goes', { approvals: [slot(1, 'A'), slot(1, 'B')] }, { approvals: [slot(2, 'A')] }, true],
    ['a slot is added', { approvals: [slot(1, 'A')] }, { approvals: [slot(1, 'A'), slot(1, 'B')] }, false],
    ['nothing', {}, {}, false],
  ])('%s', (_what, before, after, looser) => {
    expect(isLooser(asked(before), asked(after))).toBe(looser);
  });

  it('ignores further obligations of an allow, since it needs no approval', () => {
    const before = decision('allow', { mfa: true, valid_minutes: 1, approvals: [slot(1, 'A')] });
    expect(isLooser(before, decision('allow'))).toBe(false);
  });

  it('compares the phases of decisions without approvals, too', () => {
    expect(isLooser(decision('allow', { phases: 'canary' }), decision('allow', { phases: 'all' }))).toBe(true);
    expect(isLooser(decision('allow', { phases: 'canary' }), decision('deny', { phases: 'all' }))).toBe(false);
  });
});
