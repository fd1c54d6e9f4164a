import type { Decision, Obligations } from '#lib/formats';
import { compareCells, pointerOfSource } from './compare-cells.js';

const decision = (outcome: Decision['outcome'], obligations: Partial<Obligations> = {}): Decision => ({
  outcome,
  reasons: [],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'full', valid_minutes: 60, ...obligations },
  effective: { mode: 'full_auto', source: 'mode' },
});
const ASKED: Partial<Obligations> = {
  approvals: [
    { count: 2, roles: ['SRELead', 'SRE'] },
    { count: 1, roles: ['any'] },
  ],
  mfa: true,
};
const STRICT: Partial<Obligations> = { ...ASKED, phases: 'canary', valid_minutes: 30 };

/** The words of a change to a looser cell. */
const said = (before: Decision, after: Decision) => compareCells(before, after, (was) => was === before)?.what;

describe('a cell that changes', () => {
  const [one, other] = [decision('deny'), decision('allow')];
  it.each([
    ['loosens', [one]],
    ['tightens', [other]],
    ['mixed', [one, other]],
    [undefined, []],
  ] as const)('is said to be: %s', (change, looserAfter: readonly Decision[]) => {
    expect(compareCells(one, other, (before) => looserAfter.includes(before))?.change).toBe(change);
  });

  it('has each part that changes in words', () => {
    expect(said(decision('require_approval', STRICT), decision('allow'))).toEqual([
      'outcome: require_approval becomes allow',
      'approvals: 2 of SRELead or SRE, and 1 of any becomes none',
      'second factor: required becomes not required',
      'phases: canary becomes all',
      'an approval is good for: 30 minutes becomes 1 hour',
    ]);
    expect(said(decision('require_approval', ASKED), decision('require_approval', { ...ASKED, mfa: false }))).toEqual([
      'second factor: required becomes not required',
    ]);
  });

  it('has no obligations of a deny', () => {
    expect(said(decision('deny', STRICT), decision('allow'))).toEqual(['outcome: deny becomes allow']);
    expect(said(decision('allow'), decision('deny', STRICT))).toEqual(['outcome: allow becomes deny']);
  });
});

it.each([
  ['mode', '/autonomy/mode'],
  ['environments.staging.mode', '/autonomy/environments/staging/mode'],
  ['tool_overrides.a.b.mode', '/autonomy/tool_overrides/a.b/mode'],
  ['default', null],
  ['environments..mode', null],
  ['the environments.staging.mode', null],
  ['environments.staging.modes', null],
])('the mode of the source %s stands at %s', (source, pointer) => {
  expect(pointerOfSource(source)).toBe(pointer);
});
