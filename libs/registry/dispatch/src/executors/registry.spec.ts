import { EXECUTOR_KINDS } from './registry.js';

describe('the kinds of executor', () => {
  const names = EXECUTOR_KINDS.map(({ name }) => name);

  it('have names of their own, as versions of executors store them', () => {
    expect(names.filter((name) => !/^[a-z][a-z0-9_-]{0,31}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
