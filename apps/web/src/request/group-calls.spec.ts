import { groupCalls, phasesOf, type Call } from './group-calls.js';

const call = (seq: number, targets: string[], more: Partial<Call> = {}): Call => ({
  seq,
  phase: 'wave-1',
  canary: false,
  batch: 0,
  step_id: 'rollout',
  tool: 'execute_rollout_prod',
  tool_version: 1,
  risk: 'state_change_prod',
  effect: 'modify',
  executor: 'fleet',
  targets,
  arguments: { targets, image: 'web-2' },
  undone_by: 'execute_rollout_prod',
  ...more,
});

describe('groupCalls', () => {
  it('says once what all calls share, and names targets instead of the argument that repeats them', () => {
    const [group, ...others] = groupCalls([call(1, ['a', 'b']), call(2, ['c'])]);
    expect(others).toEqual([]);
    expect(group).toMatchObject({ targets: ['a', 'b', 'c'], shared: [['image', 'web-2']], differing: [] });
  });

  it('shows an argument that differs, and one that only some calls have', () => {
    const [group] = groupCalls([
      call(1, ['a']),
      call(2, ['b'], { arguments: { targets: ['b'], image: 'web-3', force: true } }),
    ]);
    expect(group).toMatchObject({ shared: [], differing: ['image', 'force'] });
  });

  it('does not take for targets an argument that names others than the call touches', () => {
    const [group] = groupCalls([call(1, ['a'], { arguments: { targets: ['a', 'secret-target'] } })]);
    expect(group?.shared).toEqual([['targets', ['a', 'secret-target']]]);
  });

  it.each<[string, Partial<Call>]>([
    ['tool', { tool: 'modify_firewall' }],
    ['version', { tool_version: 2 }],
    ['executor', { executor: 'other' }],
    ['way back', { undone_by: null }],
  ])('keeps calls of another %s apart', (_what, more) => {
    expect(groupCalls([call(1, ['a']), call(2, ['b'], more)])).toHaveLength(2);
  });
});

it('phasesOf keeps phases and batches in order', () => {
  const phases = phasesOf([
    call(1, ['a'], { phase: 'canary', canary: true }),
    call(2, ['b']),
    call(3, ['c'], { batch: 1 }),
    call(4, ['d'], { batch: 1 }),
  ]);
  expect(phases.map(({ name, canary, batches }) => [name, canary, batches.map((batch) => batch.length)])).toEqual([
    ['canary', true, [1]],
    ['wave-1', false, [1, 2]],
  ]);
});
