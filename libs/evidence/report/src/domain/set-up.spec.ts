import { setUp, type SetUpFacts } from './set-up.js';

const ready: SetUpFacts = {
  admins: [
    { name: 'Ada', factor: true, vote: 0 },
    { name: 'Noor', factor: true, vote: 1 },
  ],
  tools: 3,
  executors: ['production/default'],
  succeededCalls: 1,
  autonomyRevision: 1,
  agents: [{ name: 'bot', token: true }],
  slackWorkspace: null,
  publishedElsewhere: false,
  breakGlassDestinations: [{ name: 'security-team', answers: true }],
  shortages: [],
};
const open = (facts: SetUpFacts): string[] =>
  setUp(facts)
    .steps.filter(({ done }) => !done)
    .map(({ step }) => step);

describe('the checklist of a new tenant', () => {
  it('is complete without the optional items', () => {
    expect(setUp(ready).complete).toBe(true);
    expect(open(ready)).toEqual(['slack', 'checkpoint']);
    expect(open({ ...ready, slackWorkspace: 'acme', publishedElsewhere: true })).toEqual([]);
  });

  it.each<[string, Partial<SetUpFacts>]>([
    ['second_admin', { admins: [{ name: 'Ada', factor: true, vote: 0 }] }],
    ['second_admin', { admins: ready.admins.map((admin) => ({ ...admin, vote: 0 })) }],
    ['second_factor', { admins: ready.admins.map((admin) => ({ ...admin, factor: admin.name === 'Ada' })) }],
    ['tools', { tools: 0 }],
    ['executor', { executors: [] }],
    ['first_call', { succeededCalls: 0 }],
    ['agent', { agents: [{ name: 'bot', token: false }] }],
    ['reviewers', { shortages: ['Too few people.'] }],
    ['reviewers', { shortages: null }],
    ['break_glass', { breakGlassDestinations: [...ready.breakGlassDestinations, { name: 'board', answers: false }] }],
  ])('says that %s is open', (step, less) => {
    const found = setUp({ ...ready, ...less });
    expect(found.complete).toBe(false);
    expect(open({ ...ready, ...less })).toEqual([step, 'slack', 'checkpoint']);
  });

  it('says nothing of break-glass that is off', () => {
    const { steps } = setUp({ ...ready, breakGlassDestinations: [] });
    expect(steps.map(({ step }) => step)).not.toContain('break_glass');
  });

  it('lacks an approver until the autonomy document names roles', () => {
    expect(open({ ...ready, autonomyRevision: null, shortages: null })).toEqual([
      'autonomy',
      'reviewers',
      'slack',
      'checkpoint',
    ]);
  });
});
