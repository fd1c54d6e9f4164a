import { MASK } from '#lib/kernel';
import { maskInput } from './mask-input.js';

const masked = (input: Parameters<typeof maskInput>[0]) => maskInput(input, JSON.stringify(input));

describe('T32: maskInput', () => {
  const token = `cs_a_${'Zm9vYmFyYmF6cXV4'.repeat(3)}`;

  it('masks a secret by its form, at any depth', () => {
    expect(masked({ plan: { phases: [{ seq: 1, canary: true, targets: ['web-1', token] }] } })).toEqual({
      plan: { phases: [{ seq: 1, canary: true, targets: ['web-1', MASK] }] },
    });
  });

  it('keeps the facts of tools that are named like secrets, so that the decision can be taken again', () => {
    const input = { autonomy: { tool_overrides: { rotate_secret: { mode: 'plan_only' } } }, targets: ['web-1'] };
    expect(masked(input)).toBe(input);
    expect(masked({ ...input, targets: [token] })).toEqual({ ...input, targets: [MASK] });
  });
});
