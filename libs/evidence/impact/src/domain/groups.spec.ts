import { noDecision } from '#lib/policy';
import { groupOf, mergeGroups } from './groups.js';
import type { LocatedDecision } from './located-decision.js';
import type { Putting } from './put-decision.js';

const denied = noDecision('policy.no_decision');
const stored: LocatedDecision = {
  id: 'decision',
  entrypoint: 'plan',
  input: {
    stage: 'execute',
    environment: { name: 'live' },
    tools: { b: { name: 'wipe' }, a: { name: 'restart' } },
  },
  inputDigest: 'sha256:1',
  decision: denied,
  decidedAt: 7,
  agent: 'bot',
  subject: { type: 'plan', id: 'plan' },
  within: [],
};
const putting: Putting = {
  result: 'put',
  before: denied,
  after: denied,
  change: { change: 'loosens', what: ['outcome: deny becomes allow'] },
  rules: { come: [], go: [], otherwise: [] },
  otherwiseToday: false,
};

describe('the group of a decision', () => {
  it('has the stage of a plan, its tools and its agent, and the decision as an example', () => {
    expect(groupOf(stored, putting, 12.5)).toMatchObject({
      kind: { stage: 'execute', environment: 'live', tools: ['restart', 'wipe'], agent: 'bot', change: 'loosens' },
      count: 1,
      estimate: 12.5,
      examples: [{ decision: 'decision', at: 7, subject: { type: 'plan', id: 'plan' } }],
    });
  });

  it('has no agent for a person, and no stage for another gate', () => {
    expect(groupOf({ ...stored, entrypoint: 'run_step', agent: null }, putting, 1)?.kind).toMatchObject({
      agent: null,
      stage: null,
    });
  });

  it('is null if the outcome stays the same', () => {
    expect(groupOf(stored, { ...putting, change: null }, 1)).toBeNull();
    expect(groupOf(stored, { result: 'untouched' }, 1)).toBeNull();
  });
});

describe('a merge of groups', () => {
  it('adds up each kind, and keeps five examples', () => {
    const one = groupOf(stored, putting, 2);
    const other = groupOf({ ...stored, entrypoint: 'run_step' }, putting, 1);
    if (one === null || other === null) throw new Error('both come out otherwise');
    const merged = mergeGroups([one, other, ...Array.from({ length: 6 }, () => one)]);
    expect(merged).toMatchObject([
      { kind: { entrypoint: 'plan' }, count: 7, estimate: 14 },
      { kind: { entrypoint: 'run_step' }, count: 1 },
    ]);
    expect(merged[0]?.examples).toHaveLength(5);
  });
});
