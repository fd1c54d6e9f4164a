import type { AutonomyDocument, Decision } from '#lib/formats';
import { compareCell, inMode, modeOf, nextPairs, type LatticePair } from './lattice.js';

const decision = (outcome: Decision['outcome'], roles: readonly string[] = [], count = 1): Decision => ({
  outcome,
  reasons: [{ code: 'a.code', message: 'why', rule: 'r' }],
  obligations: {
    approvals: outcome === 'require_approval' ? [{ count, roles: [...roles] }] : [],
    mfa: false,
    phases: 'all',
    audit_level: 'full',
    valid_minutes: 60,
  },
  effective: { mode: 'full_auto', source: 'mode' },
});
const cell = { environment: 'production', tool: 'restart', mode: 'full_auto', inForce: true } as const;
const holders = [
  { roles: ['SRELead'], people: 2 },
  { roles: ['Security'], people: 1 },
];
const gains = (before: Decision, after: Decision) => compareCell(cell, before, after, holders)?.gains ?? null;
const noApprovers: Decision = {
  ...decision('deny'),
  reasons: [{ code: 'approval.no_approvers', message: 'nobody', rule: 'r' }],
};

describe('a cell before and after a change', () => {
  it.each<[string, Decision, Decision, readonly string[] | null]>([
    ['tighter', decision('allow'), decision('deny'), null],
    ['the same', decision('allow'), decision('allow'), null],
    ['looser', decision('deny'), decision('require_approval', ['SRELead']), ['looser']],
    ['always allowed', decision('deny'), decision('allow'), ['looser', 'always_allowed']],
    ['a role that nobody holds', decision('allow'), decision('require_approval', ['CTO']), ['never_satisfiable']],
    [
      'more people than there are',
      decision('allow'),
      decision('require_approval', ['SRELead'], 3),
      ['never_satisfiable'],
    ],
    [
      'as many as there are without the requester',
      decision('allow'),
      decision('require_approval', ['SRELead'], 2),
      null,
    ],
    ['no role that may approve', decision('allow'), noApprovers, ['never_satisfiable']],
    ['never satisfiable before, too', noApprovers, noApprovers, null],
  ])('%s', (_what, before, after, expected) => {
    expect(gains(before, after)).toEqual(expected);
  });
});

describe('the mode of an environment', () => {
  const document: AutonomyDocument = {
    autonomy: {
      mode: 'plan_only',
      environments: { production: { mode: 'canary_only' }, staging: { require_mfa: true } },
      tool_overrides: { restart: { mode: 'plan_only' } },
    },
  };

  it('is its own, or else the one of the tenant', () => {
    expect(['production', 'staging', 'other', 'constructor'].map((name) => modeOf(document, name))).toEqual([
      'canary_only',
      'plan_only',
      'plan_only',
      'plan_only',
    ]);
    expect(modeOf(null, 'production')).toBe('plan_only');
  });

  it('is put in another mode, with the overrides of tools as they are', () => {
    const put = inMode(document, 'staging', 'full_auto');
    expect(put?.autonomy).toEqual({
      ...document.autonomy,
      environments: { production: { mode: 'canary_only' }, staging: { require_mfa: true, mode: 'full_auto' } },
    });
    const unnamed = inMode(document, 'other', 'full_auto');
    expect(modeOf(unnamed, 'other')).toBe('full_auto');
    expect(unnamed?.autonomy.environments).toEqual(document.autonomy.environments);
    expect(inMode(null, 'other', 'full_auto')).toBeNull();
  });
});

describe('the next pairs of the lattice', () => {
  const environments = ['staging', 'production'];
  const all = (): boolean => true;
  const shown = (pairs: readonly LatticePair[]): string[] =>
    pairs.map(({ tool, environment }) => `${tool} ${environment}`);

  it('are found by the last one, so that names that come or go meanwhile shift no other', () => {
    const first = nextPairs({ tools: ['c', 'a', 'b', 'd', 'a'], environments }, null, 3, all);
    expect(shown(first)).toEqual(['a production', 'a staging', 'b production']);
    const after = first.at(-1) ?? null;
    const rest = nextPairs({ tools: ['c', 'b', 'aa', 'e'], environments }, after, 9, all);
    expect(shown(rest)).toEqual(['b staging', 'c production', 'c staging', 'e production', 'e staging']);
    expect(nextPairs({ tools: ['a'], environments }, after, 9, all)).toEqual([]);
  });

  it('are those that the change touches', () => {
    const touched = nextPairs({ tools: ['a', 'b'], environments }, null, 9, ({ tool }) => tool === 'b');
    expect(shown(touched)).toEqual(['b production', 'b staging']);
  });
});
