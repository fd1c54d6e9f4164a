import { matchesEvent, matchesGlob } from './match-event.js';
import { cpuMs } from '../../../../../test/support/cpu-time.js';

describe('the matchers of hooks', () => {
  it.each([
    ['file_*', ['file_read', 'file_write'], ['file', 'afile_read', 'file-read']],
    ['deploy*', ['deploy', 'deploy-staging'], ['redeploy', 'Deploy']],
    ['*', ['', 'anything', 'a.b:c'], []],
    ['shell', ['shell'], ['shell2', 'a shell', '']],
    ['file_?', ['file_a'], ['file_', 'file_ab']],
    ['a.c', ['a.c'], ['abc']],
    ['*a*b', ['ab', 'xaxb', 'aab'], ['ba', 'abx']],
    ['[ab]', ['[ab]'], ['a']],
  ])('%s', (glob, matched, others) => {
    expect(matched.filter((name) => !matchesGlob(glob, name))).toEqual([]);
    expect(others.filter((name) => matchesGlob(glob, name))).toEqual([]);
  });

  it('T24: take no longer than the product of the lengths', () => {
    const took = cpuMs(() => {
      expect(matchesGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(10_000))).toBe(false);
    });
    expect(took).toBeLessThan(1_000);
  });
});

describe('the event of a hook', () => {
  it.each([
    ['tool.execute', 'tool.execute', true],
    ['tool.execute', 'tool.started', false],
    ['run.*', 'run.failed', true],
    ['run.*', 'running.failed', false],
    ['run.failed', 'run.failed', true],
    ['agent.error', 'agent.error', true],
  ])('%s listens for %s: %s', (event, raised, expected) => {
    expect(matchesEvent({ event, matcher: '*' }, { event: raised, matched: 'x' })).toBe(expected);
  });
});
